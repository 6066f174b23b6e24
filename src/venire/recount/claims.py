"""The file of claims: every figure that README and docs quote, where it stands, and how it is counted again.

A claim is ``file`` (a path in the repository), ``text`` (its exact words, white space aside), ``value`` (the figure in them), and
what supports it: ``record`` (a path, or ``corpus:FOLDER/CELL``) with ``figure`` and its arguments in ``with``; or ``measured`` (a
date: no record supports it) with the ``command`` that did, and a ``figure`` where it follows from other figures.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from venire.errors import UsageError
from venire.recount.quoted import count

OPEN, CLOSE = "<!-- claims -->", "<!-- /claims -->"
"""What stands around a part of a page whose every figure must be a claim's, each on a line of its own."""

START, END = "\x00", "\x01"

NUMBER = re.compile(r"(?<!\w)(?<!\d[.,])[-−]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:\s?%)?(?!\w)")
RANGE = re.compile(r"\s?(?:to|and|–)\s?[\d.]+\s?%")
"""Behind the first number of two in per cent."""

FIELDS = {"file", "text", "value", "record", "truth", "figure", "with", "measured", "command"}


@dataclass(frozen=True, slots=True)
class Claim:
    """One figure of a page. ``number`` is its place in the file of claims, from 1."""

    number: int
    file: str
    text: str
    value: str
    record: str = ""
    truth: str = ""
    figure: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    measured: str = ""
    command: str = ""


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a claim, or with a page. ``place`` names it."""

    place: str
    what: str


def claims(entries: object, source: str) -> list[Claim]:
    """The claims of a file that was read as YAML or JSON; UsageError names the first entry that is none."""
    if not isinstance(entries, list):
        raise UsageError(f"{source}: not a list of claims", "write entries of file, text, value, record and figure")
    return [_claim(number, entry, source) for number, entry in enumerate(entries, 1)]


def _claim(number: int, entry: object, source: str) -> Claim:
    place = f"{source}, claim {number}"
    if not isinstance(entry, dict) or not {"file", "text", "value"} <= entry.keys() or not entry.keys() <= FIELDS:
        raise UsageError(f"{place}: needs file, text and value", f"known: {', '.join(sorted(FIELDS))}")
    texts = {name: value for name, value in entry.items() if name != "with"}
    if not all(isinstance(value, str) for value in texts.values()) or not isinstance(entry.get("with", {}), dict):
        raise UsageError(f"{place}: all but `with` are texts, and `with` is a mapping", "put figures and dates in quotes")
    if not (("record" in entry and "figure" in entry) or ("measured" in entry and "command" in entry)):
        raise UsageError(f"{place}: neither record and figure nor measured and command", "say what supports the figure")
    return Claim(number, **texts, arguments=entry.get("with", {}))


def faults(found: Sequence[Claim], root: Path, corpora: Path | None = None) -> Iterator[Fault]:
    """Everything wrong with the claims of the repository at ``root``, the words of pages before the figures.

    ``corpora`` is the folder that ``corpus:`` is below; without it claims about a corpus are held against the page alone.
    """
    pages = {claim.file: _page(root / claim.file) for claim in found}
    for claim in found:
        yield from _misplaced(claim, pages[claim.file])
    for name in pages:
        yield from _unclaimed(name, pages[name], [claim for claim in found if claim.file == name])
    for claim in found:
        if claim.figure and (corpora or not claim.record.startswith("corpus:")):
            yield from _miscounted(claim, root, corpora)


def _page(path: Path) -> str:
    """The text of a page on one line. Marks count where they stand alone on a line; there they become one character each."""
    try:
        text = path.read_text("utf-8")
        for mark, sign in ((OPEN, START), (CLOSE, END)):
            text = re.sub(rf"^{re.escape(mark)}$", sign, text, flags=re.MULTILINE)
        return _plain(text)
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: {error}", "a claim names a page in the repository") from None


def _plain(text: str) -> str:
    return " ".join(text.split())


def _misplaced(claim: Claim, page: str) -> Iterator[Fault]:
    text, value = _plain(claim.text), _plain(claim.value)
    place = f"{claim.file}: {text}"
    if page.count(text) != 1:
        yield Fault(place, f"these words stand in the page {page.count(text)} times, not once")
    if len(_spans(text, value)) != 1:
        yield Fault(place, f"{value} stands in these words {len(_spans(text, value))} times, not once")


def _spans(text: str, value: str) -> list[tuple[int, int]]:
    """Where a value stands in a text, and is not a piece of a longer figure."""
    edge = r"(?<![\d.,])" if value[:1].isdigit() else ""
    end = r"(?![\d]|[.,]\d)" if value[-1:].isdigit() else ""
    return [match.span() for match in re.finditer(edge + re.escape(value) + end, text)] if value else []


def _miscounted(claim: Claim, root: Path, corpora: Path | None) -> Iterator[Fault]:
    said = [_Said.of(found) for found in NUMBER.finditer(claim.value)]
    counted = count(claim.figure, claim.arguments, claim.record, claim.truth, root, corpora)
    values = list(counted) if isinstance(counted, list | tuple) else [counted]
    if len(said) != len(values) or not all(s.is_of(value) for s, value in zip(said, values, strict=True)):
        shown = ", ".join("undefined" if v is None else f"{float(v):.6g}" for v in values)
        yield Fault(f"{claim.file}: {_plain(claim.text)}", f"the page says {claim.value}, the recount of {claim.figure} {shown}")


@dataclass(frozen=True, slots=True)
class _Said:
    """A printed number: its value, its digits behind the point, and whether it is in per cent."""

    value: float
    digits: int
    is_share: bool

    @classmethod
    def of(cls, found: re.Match[str]) -> "_Said":
        plain = found[0].replace(",", "").replace("−", "-").rstrip("% ")
        is_share = found[0].endswith("%") or bool(RANGE.match(found.string, found.end()))
        return cls(float(plain), len(plain.partition(".")[2]), is_share)

    def is_of(self, counted: Any) -> bool:
        """Whether this is how a counted value is printed. Half a digit rounds either way."""
        if counted is None:
            return False
        value = float(counted) * (100 if self.is_share else 1)
        return bool(abs(value - self.value) <= 0.5 * 10**-self.digits + 1e-9)


def _unclaimed(name: str, page: str, found: Sequence[Claim]) -> Iterator[Fault]:
    """Figures between the marks that no claim covers."""
    covered = []
    for claim in found:
        text = _plain(claim.text)
        for start, end in _spans(text, _plain(claim.value)):
            at = page.find(text)
            covered.append((at + start, at + end))
    if re.sub(f"[^{START}{END}]", "", page) != (START + END) * page.count(START):
        yield Fault(name, f"{OPEN} and {CLOSE} are not in pairs")
    for part in re.finditer(f"{START}(.*?){END}", page):
        for number in NUMBER.finditer(part[1]):
            first, last = number.start() + part.start(1), number.end() + part.start(1)
            if not any(low <= first and last <= high for low, high in covered):
                around = page[max(first - 40, 0) : last + 40]
                yield Fault(f"{name}: … {around.strip(START + END)} …", f"no claim covers {number[0]}")
