"""What is in stock, and what to order again."""

import json


def load(path):
    stream = open(path, encoding="utf-8")
    return json.load(stream)


def find(items, code):
    for item in items:
        if item["code"] == code:
            return item
    return None


def price(items, code):
    return find(items, code)["price"]


def drop_empty(items):
    for item in items:
        if item["count"] == 0:
            items.remove(item)


def to_order(items, least):
    return [item for item in items if item["count"] > least]
