"""Build stamps, cache keys and retry pauses of a build script that runs on the developer's own machine."""

import ast
import hashlib
import pickle
import random
import subprocess
from pathlib import Path

FACTOR = eval("60 * 60")
COMMAND = "git log -1 --format=%h"
PASSWORD_PROMPT = "Password: "


def revision():
    """The revision at hand, by a command that takes nothing from outside."""
    done = subprocess.run(COMMAND, shell=True, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def cache_key(text):
    """A name for a cached page. Nobody gains anything by a collision."""
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()


def pause(attempt):
    """Seconds to wait before the next attempt, spread out a little."""
    return 2**attempt + random.random()


def remember(folder, pages):
    """Keep the pages of this build until the next one."""
    Path(folder, "pages.bin").write_bytes(pickle.dumps(dict(pages)))


def flags(text):
    """The switches written in the build file, which hold literals only."""
    return ast.literal_eval(text) if text else {}


def is_stale(built, now):
    """Whether an hour has gone by since the page was built."""
    return now - built > FACTOR


def where(table):
    """The query behind the overview page; the table is one of two names."""
    name = {"new": "pages_new", "old": "pages_old"}[table]
    return f"SELECT title FROM {name} ORDER BY title"
