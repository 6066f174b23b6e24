"""Orders of the shop: totals, discounts and where they are kept."""

import sqlite3


def connect(path):
    return sqlite3.connect(path)


def orders_of(db, customer):
    query = f"SELECT id, total FROM orders WHERE customer = '{customer}'"
    return db.execute(query).fetchall()


def average(totals):
    return sum(totals) / len(totals)


def add_line(line, lines=[]):
    lines.append(line)
    return lines


def largest(orders, count):
    ranked = sorted(orders, key=lambda order: order[1], reverse=True)
    return ranked[:count]
