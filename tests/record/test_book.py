"""A record makes sense as a whole: what an entry refers to stands before it, and nothing is said twice."""

from dataclasses import replace

import pytest
from support.records import attempt, audit, check, failed, model, panel, prompt, run, small, target

from venire.model import Seal, Skipped, Window
from venire.record.book import Book

ASK = prompt()


def book(*values: object) -> Book:
    made = Book()
    for value in values:
        made.take(made.line(value))
    return made


OPEN = (audit(2), model(), target(), ASK)


@pytest.mark.parametrize(
    ("values", "fault"),
    [
        ([target()], "begins with its header"),
        ([audit(id="")], "the id of an audit"),
        ([audit(id="../x")], "the id of an audit"),
        ([audit(id="a" * 65)], "the id of an audit"),
        ([audit(), audit()], "one header"),
        ([audit(), target(), target()], "there twice"),
        ([*OPEN, target("b.py")], "after the first prompt"),
        ([audit(), ASK], "which no target has"),
        ([audit(), target(windows=(Window(1, ((1, 2),)),)), ASK], "window 0, which no target has"),
        ([audit(), target(), prompt(bucket="style")], "which the panel does not have"),
        ([*OPEN, ASK], "there twice"),
        ([audit(), target(), run(ASK)], "which is not there"),
        ([*OPEN, run(prompt(window=1))], "which is not there"),
        ([*OPEN, run(ASK, 0)], "run 0 of 2 runs"),
        ([*OPEN, run(ASK, 3)], "run 3 of 2 runs"),
        ([*OPEN, run(ASK), run(ASK)], "there twice"),
        ([*OPEN, run(ASK, attempts=[attempt(fault="bad")])], "not valid"),
        ([*OPEN, run(ASK, attempts=[attempt(error="timeout: 3 s")])], "not valid"),
        ([*OPEN, replace(run(ASK), attempts=())], "not valid"),
        ([*OPEN, run(ASK, attempts=[attempt(sha256="0" * 64)])], "digest of a reply"),
        ([audit(), attempt(sha256="0" * 64)], "digest of a reply"),
        ([audit(), Seal(2, "", "", "complete", 1)], "the seal counts 2 entries, there are 1"),
        ([audit(), Seal(1, "0" * 64, "", "complete", 1)], "another head"),
    ],
)
def test_a_value_that_makes_no_sense_here_is_refused(values, fault):
    made = book(*values[:-1])
    before = made.record() if made.audit else None

    with pytest.raises(ValueError, match=fault):
        made.take(made.line(values[-1]))

    assert (made.record() if made.audit else None) == before, "a refused value leaves no trace"
    assert made.count == len(values) - 1


def test_nothing_follows_the_seal():
    made = book(audit())
    made.take(made.line(Seal(made.count, made.head, "", "complete", 1)))

    with pytest.raises(ValueError, match="seal ends a record"):
        made.take(made.line(model()))


def test_what_an_audit_may_say_is_taken_in_order():
    wide = panel(check(), check(bucket="style", text="Names are clear."))
    asks = [ASK, prompt(bucket="style"), prompt(model="other")]
    made = book(
        audit(2, panel=wide),
        model(),
        target(),
        target("b.py"),
        Skipped("c.bin", "binary"),
        *asks,
        attempt("{"),
        model(gpu_share=1.0),
        run(asks[0], 2),
        failed(asks[1]),
        run(asks[2], 1, model="other"),
        replace(run(asks[1], 2), status="failed", attempts=()),
    )

    record = made.record()

    assert [sample.number for sample in record.runs] == [2, 1, 2, 1]  # by prompt and number
    assert [about.path for about in record.targets] == ["app.py", "b.py"]
    assert len(record.models) == 2
    assert record.stop is None
    assert record.head == made.head


def test_before_the_first_entry_there_is_no_record():
    with pytest.raises(ValueError, match="no header"):
        Book().record()
    assert (Book().count, Book().head) == (0, "")


def test_the_head_is_that_before_the_seal():
    made = book(*OPEN, *small().runs)
    head, count = made.head, made.count
    made.take(made.line(Seal(count, head, "", "max-time", 9)))

    assert (made.head, made.count) == (head, count)
    assert (made.record().stop, made.record().ms) == ("max-time", 9)
