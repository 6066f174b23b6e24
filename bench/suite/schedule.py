"""Opening hours of a shop, kept in a small table."""

import sqlite3
from contextlib import closing
from datetime import time

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


class Closed(LookupError):
    """The shop has no hours on that day."""


def parse(text):
    """Hours such as 09:00-17:30 as two times."""
    opening, separator, closing_time = text.partition("-")
    if not separator:
        raise ValueError(f"not a span of time: {text!r}")
    first, last = time.fromisoformat(opening.strip()), time.fromisoformat(closing_time.strip())
    if first >= last:
        raise ValueError(f"ends before it begins: {text!r}")
    return first, last


def hours(path, shop, day):
    """The hours of a shop on a day; Closed when there are none."""
    if day not in DAYS:
        raise ValueError(f"no such day: {day!r}")
    query = "SELECT span FROM hours WHERE shop = ? AND day = ?"
    with closing(sqlite3.connect(path)) as connection:
        row = connection.execute(query, (shop, day)).fetchone()
    if row is None:
        raise Closed(f"{shop} on {day}")
    return parse(row[0])


def is_open(path, shop, day, moment):
    """Whether the shop is open at that moment."""
    try:
        first, last = hours(path, shop, day)
    except Closed:
        return False
    return first <= moment < last


def longest(spans):
    """The span with the most minutes; None when there is none."""
    return max(spans, key=minutes, default=None)


def minutes(span):
    first, last = span
    return (last.hour - first.hour) * 60 + last.minute - first.minute
