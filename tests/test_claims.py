"""Every figure that README and docs quote is recounted from its record, and a wrong digit anywhere is found."""

import random
import re
import shutil
from pathlib import Path

import pytest
import yaml

from venire.recount.claims import CLOSE, NUMBER, OPEN, Claim, claims, faults
from venire.recount.quoted import OF_CELLS, OF_NUMBERS, OF_RECORDS

ROOT = Path(__file__).parent.parent
FILE = ROOT / "records" / "claims.yml"
CLAIMS = claims(yaml.safe_load(FILE.read_text("utf-8")), "claims.yml")
PAGES = sorted({claim.file for claim in CLAIMS})


def test_every_claim_holds_as_far_as_the_checkout_goes() -> None:
    assert list(faults(CLAIMS, ROOT)) == []


@pytest.mark.corpus
def test_every_claim_about_the_corpus_holds(corpus: Path) -> None:
    about = [claim for claim in CLAIMS if claim.record.startswith("corpus:")]

    assert len(about) >= 8
    assert list(faults(CLAIMS, ROOT, corpus.parent)) == []


def test_the_marks_of_every_page_are_in_pairs() -> None:
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        text = page.read_text("utf-8")
        marks = re.findall(f"^(?:{re.escape(OPEN)}|{re.escape(CLOSE)})$", text, re.MULTILINE)
        assert marks == [OPEN, CLOSE] * (len(marks) // 2), page.name
        assert not marks or f"{page.relative_to(ROOT)}" in PAGES, f"{page.name} has marks and no claim"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The pages that claims are about, and the records that support them."""
    shutil.copy(ROOT / "README.md", tmp_path)
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    for folder in ("records", "bench"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    return tmp_path


@pytest.mark.parametrize("page", PAGES)
def test_any_wrong_digit_between_the_marks_is_found(checkout: Path, page: str) -> None:
    path, own = checkout / page, [claim for claim in CLAIMS if claim.file == page]
    text = path.read_text("utf-8")
    for part in re.finditer(re.escape(OPEN) + "(.*?)" + re.escape(CLOSE), text, re.DOTALL):
        for number in NUMBER.finditer(part[1]):
            for at in range(number.start(), number.end()):
                if part[1][at].isdigit():
                    digit = part.start(1) + at
                    path.write_text(f"{text[:digit]}{(int(text[digit]) + 1) % 10}{text[digit + 1 :]}", "utf-8")
                    assert next(faults(own, checkout), None), number[0]


def with_another_digit(claim: Claim) -> list[str]:
    """The value of a claim, with one digit changed at a time."""
    return [
        f"{claim.value[:at]}{(int(digit) + 5) % 10}{claim.value[at + 1 :]}"
        for at, digit in enumerate(claim.value)
        if digit.isdigit()
    ]


@pytest.mark.parametrize(
    "claim",
    [claim for claim in CLAIMS if claim.figure and not claim.record.startswith("corpus:")],
    ids=lambda claim: claim.text[:60],
)
def test_a_wrong_digit_on_the_page_and_in_the_claim_is_found_by_the_recount(checkout: Path, claim: Claim) -> None:
    """Whoever changes both, the record still says otherwise."""
    wrong = random.Random(claim.number).choice(with_another_digit(claim))
    text = claim.text.replace(claim.value, wrong, 1)
    path = checkout / claim.file
    path.write_text(" ".join(path.read_text("utf-8").split()).replace(claim.text, text), "utf-8")
    other = Claim(claim.number, claim.file, text, wrong, claim.record, claim.truth, claim.figure, claim.arguments)

    assert any("the recount of" in fault.what for fault in faults([other], checkout))


def test_the_page_on_the_recount_names_every_figure_a_claim_may_name_and_no_other() -> None:
    page = (ROOT / "docs" / "recount.md").read_text("utf-8")
    part = page[page.index("## Claims") : page.index("## The seed experiment")]
    rows = [row.split("|")[1] for row in part.splitlines() if row.startswith("| `")]
    prose = [line for line in part.splitlines() if line.startswith(("Where such", "Of all files", "And `report`"))]
    named = {name for text in (*rows, *(line.split("; ")[0] for line in prose)) for name in re.findall(r"`([\w 3]+)`", text)}

    assert named - {"counts findings"} == {*OF_CELLS, *OF_RECORDS, *OF_NUMBERS, "report"}
