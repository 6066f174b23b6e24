"""The index beside the records names the record that answers a question, and nothing else is ever taken from it."""

from dataclasses import replace
from pathlib import Path

import pytest
from support import records

from venire.model import Record
from venire.record import is_final, read, recall, remember

QUESTION = "ab" * 32


@pytest.fixture
def sealed(tmp_path: Path) -> Path:
    return records.small_record(tmp_path)


def test_a_noted_record_comes_back_verified(sealed: Path) -> None:
    made = read(sealed)
    assert recall(sealed.parent, QUESTION) is None
    remember(sealed.parent, QUESTION, sealed, made.head)
    assert recall(sealed.parent, QUESTION) == (sealed, made)
    assert recall(sealed.parent, "cd" * 32) is None


@pytest.mark.parametrize(
    "text",
    [
        "", "\n", "no such.jsonl\n", "../x.jsonl " + "0" * 64 + "\n", "{name} {head}", "{name} {head}\nmore\n",
        "/{name} {head}\n",        "{name} " + "0" * 64 + "\n", "x" * 10_000,
    ],
)  # fmt: skip
def test_an_entry_that_is_not_as_written_is_no_answer(sealed: Path, text: str) -> None:
    head = read(sealed).head
    remember(sealed.parent, QUESTION, sealed, head)
    (sealed.parent / "cache" / QUESTION).write_text(text.replace("{name}", sealed.name).replace("{head}", head))
    assert recall(sealed.parent, QUESTION) is None


def test_every_flipped_byte_of_the_record_is_no_answer(sealed: Path) -> None:
    whole = sealed.read_bytes()
    remember(sealed.parent, QUESTION, sealed, read(sealed).head)
    for place in range(0, len(whole), 97):
        sealed.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert recall(sealed.parent, QUESTION) is None
    sealed.write_bytes(whole)
    assert recall(sealed.parent, QUESTION)


def final() -> Record:
    ask = records.prompt()
    return records.record([records.target()], [ask], [records.run(ask, n) for n in (1, 2, 3)])


def test_final_means_every_run_drawn_and_valid() -> None:
    made = final()
    ask = made.prompts[0]
    assert is_final(made)
    assert not is_final(replace(made, stop="max-time"))
    assert not is_final(replace(made, stop=None))
    assert not is_final(replace(made, runs=made.runs[:2]))
    assert not is_final(replace(made, runs=(*made.runs[:2], records.failed(ask, 3))))


def test_an_answer_that_is_not_final_is_not_given(tmp_path: Path) -> None:
    with records.write(tmp_path, replace(final(), runs=final().runs[:2])) as writer:
        writer.seal("max-time", records.REPORT, 1)
    remember(tmp_path, QUESTION, writer.path, read(writer.path).head)
    assert recall(tmp_path, QUESTION) is None


def test_the_last_of_several_stays_and_no_half_written_file_is_left(sealed: Path) -> None:
    head = read(sealed).head
    for other in ("11" * 32, head):
        remember(sealed.parent, QUESTION, sealed, other)
    assert [path.name for path in (sealed.parent / "cache").iterdir()] == [QUESTION]
    assert recall(sealed.parent, QUESTION)
