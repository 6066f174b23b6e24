"""The stored form is what docs/record.md says: a verifier written from that page alone agrees, and old bytes stay readable."""

import hashlib
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from support.records import small, small_record

from venire.record import read, verify

GOLDEN = Path(__file__).parent / "golden" / "20260102T030405Z-a1.jsonl"
PAGE = Path(__file__).parent.parent.parent / "docs" / "record.md"


def size(number: int) -> bytes:
    return number.to_bytes(8, "big")


def sha256(*parts: bytes) -> str:
    return hashlib.sha256(b"".join(parts)).hexdigest()


def head_by_the_page(data: bytes) -> str:
    """The head of a sealed record, by the four rules of docs/record.md and the standard library only."""
    assert data.endswith(b"\n")
    lines = data[:-1].split(b"\n")
    name = json.loads(lines[0])["body"]["id"].encode()
    prev = sha256(b"venire/record/v1/first\0", size(len(name)), name)
    for index, line in enumerate(lines):
        entry = json.loads(line)
        assert line == json.dumps(entry, sort_keys=True, separators=(",", ":")).encode()
        closed = line[:-74] + b"}"
        assert line[-74:] == b',"sum":"%s"}' % sha256(b"venire/record/sum\0", size(len(closed)), closed).encode()
        assert (entry["index"], entry["prev"]) == (index, prev)
        assert (entry["kind"] == "seal") == (line is lines[-1])
        if entry["kind"] == "seal":
            assert (entry["body"]["count"], entry["body"]["head"]) == (index, prev)
            return prev
        prev = sha256(b"venire/record/v1/link\0", size(len(name)), name, size(index), size(len(line)), line)
    raise AssertionError("no seal")


def test_a_verifier_written_from_the_page_agrees(tmp_path):
    path = small_record(tmp_path)

    assert head_by_the_page(path.read_bytes()) == verify(path).head


def test_a_record_of_the_first_version_still_reads_and_is_still_written_so(tmp_path):
    """If this fails, the stored form has changed: records that people keep would no longer verify."""
    assert read(GOLDEN) == replace(small(), head=head_by_the_page(GOLDEN.read_bytes()))
    assert small_record(tmp_path).read_bytes() == GOLDEN.read_bytes()


@pytest.mark.parametrize("line", GOLDEN.read_text().splitlines(), ids=lambda line: json.loads(line)["kind"])
def test_the_page_lists_every_field_of_every_kind(line):
    entry = json.loads(line)
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*?) \|", PAGE.read_text(), re.MULTILINE))

    assert set(re.findall(r"`(\w+)`", rows[entry["kind"]])) == set(entry["body"])


def test_the_page_names_the_head_of_its_example():
    assert head_by_the_page(GOLDEN.read_bytes()) in PAGE.read_text()
