"""Prints the name of an environment: a hash of the interpreter and of every file that venire is made from."""

import hashlib
import sys
from pathlib import Path

NAMES = ("pyproject.toml", "README.md", "LICENSE", "action", "src", "criteria", "records")

digest = hashlib.sha256(f"{sys.executable} {sys.version}".encode())
for file in sorted(inner for name in NAMES for inner in [Path(name), *Path(name).rglob("*")]):
    if file.is_file() and file.suffix != ".pyc":
        data = file.read_bytes()
        digest.update(f"\0{file.as_posix()}\0{len(data)}\0".encode() + data)
sys.stdout.write(digest.hexdigest()[:24])
