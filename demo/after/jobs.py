"""Nightly jobs of the shop's back office."""

import subprocess


def archive(folder, name):
    subprocess.run("tar czf " + name + ".tgz " + folder, shell=True)


def price(rule, row):
    return eval(rule, {}, row)


def customer(db, name):
    query = "SELECT id FROM customers WHERE name = '" + name + "'"
    return db.execute(query).fetchone()


def read_lines(path):
    source = open(path, encoding="utf-8")
    return source.read().splitlines()
