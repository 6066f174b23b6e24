"""A record gives a cell for each target and model, with the statements and regions of its report."""

from dataclasses import replace

from support.places import attempt, audit, claim, failed, panel, prompts, record, reply, run, target

from venire.assess import assess
from venire.measure import study
from venire.measure.records import cells
from venire.model import ModelInfo, Panel, Plan, Record, Sampling

TEXT = "def f(path):\n    g = open(path)\n    return g.read()\n\n\ndef h(x):\n    return x[9]\n"
TWO = Panel((panel({"check_1": "x"}, "b").buckets[0], panel({"check_1": "y"}, "c").buckets[0]))


def two_buckets(runs: int = 3) -> Record:
    """Run 1 says something in both buckets, run 2 fails in one, run 3 is silent."""
    about = target(TEXT)
    b, c = prompts([about], TWO)
    said = [run(b, 1, reply(about, claim(2))), run(c, 1, reply(about, claim(7)))]
    said += [run(b, 2, reply(about, claim(2))), failed(c, 2), run(b, 3, reply(about)), run(c, 3, reply(about))]
    return record([about], [b, c], said, plan=Plan(runs=runs), panel=TWO)


def test_a_label_is_the_bucket_and_the_check() -> None:
    (made,) = cells(audit(TEXT, {1: [claim(2, "check_3")], 2: [claim(7, "other")], 3: []}))

    assert [[(s.line, s.label, s.statement) for s in d.sightings] for d in made.draws] == [
        [(2, "b::check_3", 1)],
        [(7, "b::other", 4)],
        [],
    ]
    assert (made.lines, len(made.statements), made.contract) == (7, 5, "findings")


def test_a_run_is_valid_when_it_is_in_every_prompt_and_silent_otherwise() -> None:
    (made,) = cells(two_buckets())

    assert [(d.number, d.is_valid, len(d.sightings)) for d in made.draws] == [(1, True, 2), (2, False, 0), (3, True, 0)]


def test_a_run_never_drawn_is_no_draw_and_one_half_drawn_is_invalid() -> None:
    whole = two_buckets(runs=5)
    (made,) = cells(replace(whole, runs=whole.runs[:-1], stop="max-time"))

    assert [(d.number, d.is_valid) for d in made.draws] == [(1, True), (2, False), (3, False)]


def test_regions_are_those_of_the_report() -> None:
    said = {n: [claim(2 if n % 2 else 3, "check_1"), claim(7, "check_3")] for n in range(1, 6)}
    whole = audit(TEXT, said)
    (made,) = cells(whole)
    support = [bar.support for bar in study(made).bars]

    assert {s.region for d in made.draws for s in d.sightings} == {0, 1}
    assert sorted(c.support for c in assess(whole).candidates) == [5, 5]
    assert sorted(support) == [2, 3, 5]


def test_models_are_cells_of_their_own_and_share_no_region() -> None:
    about = target(TEXT)
    (asked,) = prompts([about], panel({"check_1": "x"}))
    said = [run(asked, n, reply(about, claim(2)), model=name) for name in ("one", "two") for n in (1, 2)]
    infos = (ModelInfo("scripted", "one", digest="d1"), ModelInfo("scripted", "two", gpu_share=1.0))
    made = cells(record([about], [asked], said, panel=panel({"check_1": "x"}), models=infos))

    assert [(cell.model, len(cell.draws)) for cell in made] == [("one", 2), ("two", 2)]
    assert len({cell.name for cell in made}) == 2
    assert ("digest", "d1") in made[0].facts
    assert [dict(cell.facts)["gpu_share"] for cell in made] == ["not stated", "1.0"]


def test_a_target_that_was_not_asked_about_is_no_cell() -> None:
    whole = audit(TEXT, {1: [claim(2)]})
    other = target("x = 1\n", "other.py")

    assert [cell.target for cell in cells(replace(whole, targets=(*whole.targets, other)))] == ["app.py"]


def test_equal_replies_have_equal_digests_whatever_the_server_adds() -> None:
    whole = audit(TEXT, {1: [claim(2)], 2: [claim(2)], 3: [claim(3)]})
    runs = tuple(replace(r, attempts=(replace(r.attempts[0], raw=f"{r.number}{r.attempts[0].raw}"),)) for r in whole.runs)
    (made,) = cells(replace(whole, runs=runs))
    digests = [draw.digest for draw in made.draws]

    assert digests[0] == digests[1] != digests[2]


def test_every_attempt_counts_in_the_digest() -> None:
    whole = audit(TEXT, {1: [claim(2)], 2: [claim(2)]})
    again = replace(whole.runs[1], attempts=(attempt("?"), *whole.runs[1].attempts))
    (made,) = cells(replace(whole, runs=(whole.runs[0], again)))

    assert len({draw.digest for draw in made.draws}) == 2


def test_pinned_is_what_the_plan_says_or_temperature_zero() -> None:
    whole = audit(TEXT, {1: [claim(2)]})
    plans = [Plan(runs=1, sampling=s) for s in (Sampling(), Sampling(pinned=True), Sampling(temperature=0.0))]
    made = [cells(replace(whole, audit=replace(whole.audit, plan=plan)))[0].is_pinned for plan in plans]

    assert made == [False, True, True]


def test_the_order_of_a_record_does_not_matter() -> None:
    whole = two_buckets()

    assert cells(replace(whole, runs=whole.runs[::-1], prompts=whole.prompts[::-1])) == cells(whole)
