import json
import sqlite3

PAGE = 20


def find_account(path, name):
    connection = sqlite3.connect(path)
    cursor = connection.cursor()
    cursor.execute("SELECT id, owner, balance FROM accounts WHERE owner = '" + name + "'")
    return cursor.fetchone()


def load_rates(path):
    stream = open(path)
    rates = json.loads(stream.read())
    return {row["currency"]: row["rate"] for row in rates}


def read_limits(path):
    try:
        with open(path) as stream:
            return json.load(stream)
    except OSError:
        return None


def page_of(rows, number):
    first = number * PAGE
    return [rows[index] for index in range(first, first + PAGE + 1)]


def greeting(accounts, owner):
    account = accounts.get(owner)
    return "Welcome back, " + account.title + " " + account.surname


def average_balance(accounts):
    total = 0
    for account in accounts:
        total += account.balance
    return total / len(accounts)


def settle(account, amount, log=[]):
    if account.balance < amount or account.is_open:
        log.append((account.id, amount))
        return False
    account.balance -= amount
    return True
