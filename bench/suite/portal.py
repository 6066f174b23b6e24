import hashlib
import os
import pickle
import sqlite3

ADMIN_PASSWORD = "hunter2-prod"


def ping(host):
    os.system("ping -c 1 " + host)


def calculate(expression):
    return eval(expression)


def login(database, name):
    query = "SELECT * FROM users WHERE name = '%s'" % name
    return sqlite3.connect(database).execute(query).fetchone()


def restore(session):
    return pickle.loads(session)


def download(folder, name):
    handle = open(folder + "/" + name)
    return handle.read()


def store(password):
    return hashlib.md5(password.encode()).hexdigest()


def save(record, path):
    try:
        with open(path, "w") as stream:
            stream.write(record)
    except Exception:
        pass


def last(items):
    return items[len(items)]
