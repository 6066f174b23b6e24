"""A card says where, how often, in whose words, and what strict voting would have made of it."""

from dataclasses import replace

from support.pools import MODEL, candidate, label, pool, troubled

from venire.model import Severity, Strict
from venire.report import cards
from venire.report.inert import plain


def fact(card: object, name: str) -> str:
    return dict(cards.facts(card, pool(), plain))[name]  # type: ignore[arg-type]


def test_the_histogram_shows_where_the_ballots_fell() -> None:
    assert fact(candidate(lines=((16, 26), (17, 19))), "lines") == "16 ██████████ 26 · 17 ███████ 19"


def test_a_histogram_of_many_lines_keeps_the_strongest_and_counts_the_rest() -> None:
    shown = fact(candidate(lines=tuple((line, line) for line in range(1, 13))), "lines")
    assert shown.startswith("5 ████ 5 · 6 ")
    assert shown.endswith("12 ██████████ 12 · and 10 on 4 other lines")


def test_a_single_vote_still_has_a_bar() -> None:
    assert fact(candidate(lines=((1, 51), (2, 1))), "lines").endswith("2 █ 1")


def test_the_interval_never_rounds_to_none_or_all() -> None:
    assert fact(candidate(1, interval=(0.0035, 0.1034)), "interval").startswith("<1% to 10% ")
    assert fact(candidate(50, interval=(0.897, 0.9965)), "interval").startswith("90% to >99% ")
    assert fact(candidate(0, interval=(0.0, 0.07)), "interval").startswith("0% to 7% ")


def test_runs_that_gave_no_valid_reply_stay_in_sight() -> None:
    assert fact(candidate(3, 3, asked=5), "interval").endswith("; 5 runs asked")


def test_strict_voting_is_told_with_its_fate() -> None:
    strict = Strict(16, "correctness", "check_1", 26, True, 2)
    told = "best ballot 26 of 51 on line 16 (correctness::check_1), kept by majority; 2 ballots"
    assert fact(candidate(strict=strict), "strict voting") == told
    assert "lost by majority" in fact(candidate(strict=replace(strict, is_kept=False)), "strict voting")


def test_labels_agree_when_one_has_most_of_the_runs() -> None:
    most = candidate(48, labels=(label("correctness::check_1", 25), label("correctness::check_3", 24)))
    half = candidate(48, labels=(label("correctness::check_1", 24), label("correctness::check_3", 24)))
    assert cards.quarrel(most) == ""
    assert cards.quarrel(half) == "48 of 51 runs point here; they do not agree why"
    assert cards.quarrel(candidate(48, labels=(label("correctness::check_1", 20),))) == ""


def test_a_label_carries_its_words_its_key_and_its_tags() -> None:
    one = label("security::check_1", 3)
    assert cards.label(one, plain) == (
        "SQL statements are built with bound parameters, never by joining strings (security::check_1, CWE-89)"
    )
    assert cards.share(one) == "in 3 runs"


def test_the_problem_tells_how_many_said_it_and_how_many_otherwise() -> None:
    assert cards.said(candidate(problem_runs=26, problems=("a", "b", "c"))) == "said so in 26 runs, 2 other wordings"
    assert cards.said(candidate(problem_runs=1, problems=("a",))) == "said so in 1 run"


def test_a_long_statement_is_cut_and_says_so() -> None:
    lines = cards.source(candidate(code=tuple((number, "x") for number in range(95, 115))))
    assert lines[0] == " 95 │ x"
    assert lines[-1] == "  … │ and 12 more lines of this statement"
    assert len(lines) == cards.CODE_LINES + 1


def test_weak_and_moved_places_are_marked() -> None:
    weak = next(one for one in troubled().candidates if one.is_weak)
    notes = [text for name, text in cards.facts(weak, troubled(), plain) if name == "note"]
    assert len(notes) == 3
    assert notes[0].startswith("weak identity")
    assert "note" not in dict(cards.facts(candidate(), pool(), plain))


def test_models_are_counted_apart_when_there_are_several() -> None:
    two = replace(pool(), models=(MODEL, replace(MODEL, name="b")))
    card = candidate(models=(("a", 20, 25), ("b", 25, 26)))
    assert dict(cards.facts(card, two, plain))["models"] == "a 20 of 25, b 25 of 26"
    assert "models" not in dict(cards.facts(card, pool(), plain))


def test_severities_are_counted_in_runs() -> None:
    card = candidate(severities=((Severity.HIGH, 30), (Severity.MEDIUM, 1)))
    assert fact(card, "severity") == "high in 30 runs, medium in 1 run"


def test_one_line_is_one_number() -> None:
    assert cards.place(candidate(last=16)) == "src/store.py:16"
    assert cards.place(candidate()) == "src/store.py:16-17"
