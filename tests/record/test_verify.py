"""Whatever is done to a record, it is sealed and whole, visibly unfinished, or damaged at a named line."""

import json
import os
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.records import attempt, audit, prompt, record, run, small, small_record, target, write

from venire.errors import Exit, RecordDamaged, UsageError
from venire.model import Bucket, Panel
from venire.record import read, verify
from venire.record.chain import Chain, Stored, compose, parse
from venire.record.codec import to_body
from venire.record.verify import scan

SEALED = Path("x.jsonl")


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> bytes:
    return small_record(tmp_path_factory.mktemp("whole")).read_bytes()


@pytest.fixture(scope="module")
def least(tmp_path_factory) -> bytes:
    """A sealed record with little in it, so that all its bits can be tried."""
    header = audit(1, panel=Panel((Bucket("security", ()),)))
    ended = run(prompt(), attempts=[attempt("")], status="failed")
    with write(tmp_path_factory.mktemp("least"), record([target(text="x")], [prompt()], [ended], header=header)) as writer:
        writer.seal("max-time", "", 1)
    return writer.path.read_bytes()


def damage(data: bytes) -> int:
    """The line that is named for these bytes of a sealed record."""
    with pytest.raises(RecordDamaged) as caught:
        scan(BytesIO(data), SEALED)
    error = caught.value
    assert error.message.startswith(f"x.jsonl, line {error.line}: ")
    assert error.exit == Exit.DAMAGED
    return error.line


def chained(entries: list[tuple[str, object]], audit_id: str = "a1") -> bytes:
    """A file whose chain is right whatever its entries say: what somebody who rewrites all of it can make."""
    chain, lines = Chain(audit_id), []
    for kind, body in entries:
        seal = {"count": chain.count, "head": chain.head} if kind == "seal" else {}
        lines.append(compose(Stored(chain.count, kind, chain.head, body | seal)))
        chain.advance(lines[-1])
    return b"".join(line + b"\n" for line in lines)


def entries(data: bytes) -> list[tuple[str, dict]]:
    return [(entry.kind, entry.body) for entry in map(parse, data.splitlines())]


def test_a_sealed_record_verifies_and_says_its_head(tmp_path):
    path = small_record(tmp_path)

    verdict = verify(path)

    assert (verdict.status, verdict.entries, verdict.torn) == ("sealed", 8, 0)
    assert verdict.head == verdict.seal.head == read(path).head


def test_what_was_written_is_what_is_read(tmp_path):
    path = small_record(tmp_path)

    assert read(path) == replace(small(), head=verify(path).head)


def test_every_flipped_bit_is_found_in_its_line(least):
    """All bits, line ends and the last one included."""
    for place in range(len(least)):
        line = least[:place].count(b"\n") + 1
        for bit in range(8):
            mutant = bytearray(least)
            mutant[place] ^= 1 << bit
            assert damage(bytes(mutant)) == line, (place, bit)


def test_a_tail_cut_at_any_byte_is_found(least):
    for size in range(len(least)):
        assert damage(least[:size]) == least[:size].count(b"\n") + 1


def test_every_removed_repeated_or_moved_line_is_found(whole):
    lines = whole.splitlines(keepends=True)
    for i, line in enumerate(lines):
        assert damage(b"".join(lines[:i] + lines[i + 1 :])) == i + 1
        for j in range(i + 1, len(lines) + 1):
            assert damage(b"".join([*lines[:j], line, *lines[j:]])) == j + 1, "repeated"
        for j in range(i + 1, len(lines)):
            swapped = lines.copy()
            swapped[i], swapped[j] = swapped[j], swapped[i]
            assert damage(b"".join(swapped)) == i + 1


@given(st.data())
def test_bytes_put_in_anywhere_are_found(whole, data):
    place = data.draw(st.integers(0, len(whole)))
    extra = data.draw(st.binary(min_size=1, max_size=8) | st.sampled_from([b"\n", b" ", b"{}\n", b"\r"]))

    mutant = whole[:place] + extra + whole[place:]

    damage(mutant)


def test_a_line_rewritten_with_its_own_sum_breaks_the_chain_at_the_next_line(whole):
    lines = whole.splitlines(keepends=True)
    entry = parse(lines[6][:-1])
    entry.body["number"] = 2

    lines[6] = compose(entry) + b"\n"

    assert damage(b"".join(lines)) == 8


def test_a_line_of_another_record_does_not_fit(whole, tmp_path):
    """The audit's id is in every hash, so equal values at equal places of two audits cannot be exchanged."""
    made = small()
    with write(tmp_path, replace(made, audit=replace(made.audit, id="b2"))) as writer:
        other = writer.path.read_bytes().splitlines(keepends=True)
    lines = whole.splitlines(keepends=True)

    assert damage(b"".join([*lines[:3], other[3], *lines[4:]])) == 4


def test_a_consistent_rewrite_verifies_but_has_another_head(whole):
    """Not promised: nothing in a file can prove that all of it was not made anew. Only a head kept elsewhere can."""
    rewritten = entries(whole)
    rewritten[6][1]["attempts"][0]["seed"] = 8

    forged = scan(BytesIO(chained(rewritten)), SEALED).book
    assert forged.seal
    assert forged.head != scan(BytesIO(whole), SEALED).book.head

    assert chained(entries(whole)) == whole, "without a change the same bytes come out"


@pytest.mark.parametrize("size", [0, 1, 10, 300])
def test_an_unsealed_record_with_a_torn_last_line_is_unfinished(tmp_path, whole, size):
    lines = whole.splitlines(keepends=True)
    path = tmp_path / "x.jsonl.part"
    path.write_bytes(b"".join(lines[:5]) + lines[5][:size])

    verdict = verify(path)

    assert (verdict.status, verdict.entries, verdict.torn, verdict.seal) == ("unfinished", 5, size, None)
    assert verdict.head == json.loads(lines[5])["prev"]
    assert read(path).stop is None


def test_an_unsealed_record_that_is_damaged_inside_is_damaged(tmp_path, whole):
    path = tmp_path / "x.jsonl.part"
    path.write_bytes(whole[:2000].replace(b"tiny", b"tidy"))

    with pytest.raises(RecordDamaged, match=r"line 2: .* sum does not match"):
        verify(path)


def test_bytes_behind_the_seal_of_a_record_not_yet_renamed_are_damage(tmp_path, whole):
    path = tmp_path / "x.jsonl.part"
    path.write_bytes(whole + b"{")

    with pytest.raises(RecordDamaged, match="line 10"):
        verify(path)


def test_a_seal_before_the_new_name_counts(tmp_path, whole):
    path = tmp_path / "x.jsonl.part"
    path.write_bytes(whole)

    assert verify(path).status == "sealed"


def test_an_empty_record_is_unfinished_or_damaged_by_its_name(tmp_path):
    (tmp_path / "x.jsonl.part").touch()
    (tmp_path / "x.jsonl").touch()

    assert verify(tmp_path / "x.jsonl.part").entries == 0
    with pytest.raises(UsageError, match="nothing was recorded"):
        read(tmp_path / "x.jsonl.part")
    with pytest.raises(RecordDamaged, match="line 1: the record ends here without its seal"):
        verify(tmp_path / "x.jsonl")


def test_a_newer_form_is_refused_as_newer_and_not_as_damage(tmp_path, whole):
    header = entries(whole)[0][1] | {"schema": "venire/record/2", "something": "new"}
    path = tmp_path / "x.jsonl"
    path.write_bytes(chained([("audit", header)]) + b"whatever comes then\n")

    with pytest.raises(UsageError, match=r"written by a newer venire \(venire/record/2\)") as caught:
        read(path)
    assert caught.value.remedy


def test_a_newer_form_by_a_flipped_bit_is_damage(whole):
    assert damage(whole.replace(b"venire/record/1", b"venire/record/3")) == 1


@pytest.mark.parametrize("schema", ["venire/record/0", "venire/record/1.5", "other/1", 1, None])
def test_a_header_of_no_known_form_is_damage(whole, schema):
    assert damage(chained([("audit", entries(whole)[0][1] | {"schema": schema})])) == 1


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"[]",
        b"{}",
        b"null",
        b"NaN",
        b'{"body":1e999}',
        b"1" * 5000,
        b"[" * 200_000,
        b'{"a":' * 200_000,
        b"\xff\xfe",
        b'"\xc3\xa9"',
        b'{"sum":1,"prev":2,"kind":3,"index":4,"body":5}',
    ],
    ids=lambda line: repr(line[:20]),
)
def test_a_line_that_is_no_entry_is_damage(whole, line):
    lines = whole.splitlines()
    assert damage(b"\n".join([lines[0], line, *lines[1:], b""])) == 2


@pytest.mark.parametrize("change", [{"index": "1"}, {"index": True}, {"kind": 5}, {"prev": "A" * 64}, {"prev": None}], ids=repr)
def test_an_entry_with_a_field_of_the_wrong_type_is_damage_even_with_a_right_sum(whole, change):
    lines = whole.splitlines(keepends=True)
    lines[1] = compose(replace(parse(lines[1][:-1]), **change)) + b"\n"

    assert damage(b"".join(lines)) == 2


def test_a_path_that_is_no_file_is_wrong_usage(tmp_path):
    os.mkfifo(tmp_path / "pipe.jsonl")
    (tmp_path / "there.jsonl.part").touch()
    for name, message in [
        ("absent.jsonl", "cannot be read: No such file"),
        ("pipe.jsonl", "not a file"),
        (".", "not a file"),
        ("/dev/zero", "not a file"),
    ]:
        with pytest.raises(UsageError, match=message):
            verify(tmp_path / name)
    with pytest.raises(UsageError) as caught:
        verify(tmp_path / "there.jsonl")
    assert "there.jsonl.part" in caught.value.remedy


def test_lines_of_many_megabytes_and_odd_characters_survive(tmp_path):
    """Lone surrogates, every kind of line break, NUL and bidi marks are data, and cannot end a line of the file."""
    odd = "\ud800 \udfff \u2028\u2029\x85\x0b\x0c\r\n\0\u202e\x1b[31m"
    about = target("odd\udc80\n.py", odd + "x" * 10_000_000)
    ask = prompt(about)
    made = record([about], [ask], [run(ask, 1, odd)])
    with write(tmp_path, made) as writer:
        writer.seal("complete", "", 1)

    assert read(writer.path).targets == made.targets
    assert read(writer.path).runs == made.runs
    assert writer.path.read_bytes().isascii()


def test_a_record_of_many_runs_is_read_in_one_pass_with_nothing_lost(tmp_path):
    runs = [run(prompt(), n) for n in range(1, 201)]
    with write(tmp_path, record([target()], [prompt()], runs, header=audit(200))) as writer:
        writer.seal("complete", "", 1)

    assert [sample.number for sample in read(writer.path).runs] == list(range(1, 201))


def test_bodies_are_plain_json_of_the_values(whole):
    assert entries(whole)[2][1] == to_body(small().targets[0])
