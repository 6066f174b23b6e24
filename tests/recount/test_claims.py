"""A figure that a page quotes is counted again; a wrong digit on the page, in the claim or in the count is found."""

from pathlib import Path
from typing import Any

import pytest

from venire.errors import UsageError
from venire.recount.claims import Fault, claims, faults

ROOT = Path(__file__).parent.parent.parent
DEMO = ROOT / "records" / "demo.jsonl"
PAGE = "<!-- claims -->\nThe demo has 2 candidates,\nof 7 findings in 3 of 3 runs.\n<!-- /claims -->\nMade in 45 s.\n"


def claim(text: str, value: str, name: str | list[str] = "counts candidates", **more: Any) -> dict[str, Any]:
    supported = {"record": str(DEMO), "figure": "report", "with": {"name": name}}
    return {"file": "page.md", "text": text, "value": value} | supported | more


GOOD = [
    claim("The demo has 2 candidates", "2"),
    claim("of 7 findings", "7", "counts findings"),
    claim("in 3 of 3 runs", "3 of 3", ["valid", "asked"]),
]
MEASURED = {"file": "page.md", "measured": "2026-01-02", "command": "make demo"}


def check(folder: Path, entries: list[dict[str, Any]], page: str = PAGE) -> list[Fault]:
    (folder / "page.md").write_text(page, "utf-8")
    return list(faults(claims(entries, "claims.yml"), folder))


def test_a_page_that_says_what_the_record_says_has_no_fault(tmp_path: Path) -> None:
    assert check(tmp_path, GOOD) == []


@pytest.mark.parametrize("digit", [n for n, character in enumerate(PAGE[: PAGE.index("<!-- /")]) if character.isdigit()])
def test_any_other_digit_on_the_page_is_found(tmp_path: Path, digit: int) -> None:
    for other in set("0123456789") - {PAGE[digit]}:
        assert check(tmp_path, GOOD, PAGE[:digit] + other + PAGE[digit + 1 :])


def test_a_claim_that_follows_a_wrong_page_is_found_by_the_recount(tmp_path: Path) -> None:
    wrong = [claim("The demo has 4 candidates", "4"), *GOOD[1:]]
    (found,) = check(tmp_path, wrong, PAGE.replace("2 candidates", "4 candidates"))

    assert found.what == "the page says 4, the recount of report 2"


def test_a_figure_between_the_marks_that_no_claim_covers_is_found(tmp_path: Path) -> None:
    (found,) = check(tmp_path, GOOD[:2])[:1]

    assert found.what == "no claim covers 3"


@pytest.mark.parametrize(
    "page", [PAGE.replace("<!-- /claims -->", ""), "<!-- /claims -->\n" + PAGE, PAGE + "\n<!-- claims -->\n"]
)
def test_marks_that_are_not_in_pairs_are_found(tmp_path: Path, page: str) -> None:
    assert [fault.what for fault in check(tmp_path, GOOD, page)] == ["<!-- claims --> and <!-- /claims --> are not in pairs"]


def test_marks_inside_a_line_are_only_spoken_of(tmp_path: Path) -> None:
    assert check(tmp_path, GOOD, PAGE + "Write `<!-- claims -->` before 12 figures and `<!-- /claims -->` behind.\n") == []


def test_words_must_stand_on_the_page_once_and_hold_their_figure_once(tmp_path: Path) -> None:
    twice = [claim("candidates", "2"), claim("3 of 3", "3"), *GOOD]
    told = {fault.what for fault in check(tmp_path, twice, PAGE + "\nMore candidates.")}

    assert "these words stand in the page 2 times, not once" in told
    assert "3 stands in these words 2 times, not once" in told


@pytest.mark.parametrize(
    ("value", "figure", "given", "is_right"),
    [
        ("0.67", "ratio", [[2], [3]], True),
        ("0.66", "ratio", [[2], [3]], False),
        ("67 %", "ratio", [2, 3], True),
        ("66.7 %", "ratio", [2, 3], True),
        ("66.6 %", "ratio", [2, 3], False),
        ("67 to 93 %", "wilson", [26, 31], True),
        ("67 to 92 %", "wilson", [26, 31], False),
        ("0.67–0.93", "wilson", [26, 31], True),
        ("2,304 and 7", "totals", [[2000, 304], [7]], True),
        ("2,304", "totals", [[2000, 304], [7]], False),
        ("1.50", "ratio of rates", [6, 2, 4, 2], True),
    ],
)
def test_a_figure_is_read_as_it_is_printed(tmp_path: Path, value: str, figure: str, given: Any, is_right: bool) -> None:
    entry = {"text": f"It is {value}.", "value": value, "figure": figure, "with": {"of": given}} | MEASURED

    assert (check(tmp_path, [entry], f"It is {value}.") == []) == is_right


def test_a_measured_figure_is_held_to_its_page(tmp_path: Path) -> None:
    entry = {"text": "Made in 45 s", "value": "45 s"} | MEASURED

    assert check(tmp_path, [*GOOD, entry]) == []
    assert check(tmp_path, [*GOOD, entry], PAGE.replace("45", "46"))


@pytest.mark.parametrize(
    "entry",
    [
        "text",
        {"file": "page.md", "text": "a"},
        {"file": "page.md", "text": "a", "value": 1, **{"record": "r", "figure": "f"}},
        {"file": "page.md", "text": "a", "value": "1"},
        {"file": "page.md", "text": "a", "value": "1", "record": "r"},
        {"file": "page.md", "text": "a", "value": "1", "measured": "today"},
        claim("a", "1") | {"with": []},
        claim("a", "1") | {"more": "x"},
    ],
)
def test_an_entry_that_is_no_claim_is_refused_by_number(entry: Any) -> None:
    with pytest.raises(UsageError, match=r"claims\.yml, claim 2: "):
        claims([GOOD[0], entry], "claims.yml")


@pytest.mark.parametrize(
    "entry",
    [
        claim("The demo has 2 candidates", "2", "no such figure"),
        claim("The demo has 2 candidates", "2", figure="no such figure"),
        claim("The demo has 2 candidates", "2", figure="support", **{"with": {"truth": "none"}}),
        claim("The demo has 2 candidates", "2", figure="runs", **{"with": {"target": "other.py"}}),
    ],
)
def test_a_figure_that_is_not_there_is_named_with_those_that_are(tmp_path: Path, entry: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="no figure") as error:
        check(tmp_path, [entry])
    assert "agreement" in error.value.remedy


RECALLED = [
    ("3 runs", "runs", {}),
    ("2.33 keys a run", "mean findings", {}),
    ("0 silent", "silent runs", {}),
    ("0.42 strictly alike", "agreement", {}),
    ("0.78 alike within two lines", "agreement", {"near": 2}),
    ("1.00 recall", "recall", {}),
    ("0.50 precision", "precision", {}),
    ("1 run by name", "named support", {"truth": "path"}),
    ("3 runs by place", "support", {"truth": "path"}),
    ("1 place", "place in the ranking", {"truth": "path"}),
    ("0.11 read", "exam", {"truth": "path"}),
    ("0.111 read of all", "mean exam", {}),
]


@pytest.mark.parametrize(("text", "figure", "given"), RECALLED)
def test_a_results_table_is_counted_from_a_record_and_a_truth_file(
    tmp_path: Path, text: str, figure: str, given: dict[str, Any]
) -> None:
    """Counted by hand from the demo's seven findings."""
    truth = "target,id,line_lo,line_hi,check\njobs.py,path,20,20,security::check_4|security::check_1\n"
    (tmp_path / "truth.csv").write_text(truth)
    value = text.split()[0]
    entry = {"file": "page.md", "text": text, "value": value, "figure": figure, "with": given, "record": str(DEMO)}

    assert check(tmp_path, [entry | {"truth": "truth.csv"}], text) == []
    last = str((int(value[-1]) + 2) % 10)
    wrong = text.replace(value, value[:-1] + last)
    assert check(tmp_path, [entry | {"truth": "truth.csv", "text": wrong, "value": value[:-1] + last}], wrong)
