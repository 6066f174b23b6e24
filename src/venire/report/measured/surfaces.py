"""What voting keeps: thresholds by keys, how well support ranks, and the findings that hang on one vote."""

from venire.model.measures import Pivot, Point, Study
from venire.report.measured.numbers import KEYS, is_double, majority, number, runs, span, stretches
from venire.report.measured.parts import Foreign, Items, Table, Text
from venire.report.wording import count


def _key(key: str) -> str:
    return KEYS.get(key, "other key")


def _cell(point: Point | None) -> str:
    """``2 / 0 +1*``: hits, false survivors, duplicates, and the mark of a survivor that is credited twice."""
    if point is None:
        return "undefined"
    extra = f" +{point.duplicates:,}" if point.duplicates else ""
    return f"{point.hits:,} / {point.false:,}{extra}{'*' if is_double(point) else ''}"


def _threshold(first: int, last: int, study: Study) -> str:
    least = majority(study)
    return span(first, last) + (f" (majority: {least:,})" if first <= least <= last else "")


def surface(study: Study) -> Table:
    """Thresholds down, keys across. Neighbouring thresholds with one outcome share a row."""
    points = [{point.k: point for point in surface.points} for surface in study.surfaces]
    cells = [tuple(_cell(by_k.get(first)) for by_k in points) for first, _ in stretches(study)]
    return Table(
        "What voting keeps: known defects / false survivors",
        ("votes needed", *(_key(surface.key) for surface in study.surfaces)),
        tuple(
            (_threshold(first, last, study), *row)
            for (first, last), row in zip(stretches(study), cells, strict=True)
        ),
        notes=_notes(study, "\n".join(cell for row in cells for cell in row)),
    )  # fmt: skip


def _notes(study: Study, shown: str) -> tuple[Text, ...]:
    """How to read the cells; a sign is explained where it occurs."""
    known = max((point.hits + point.missed for one in study.surfaces for point in one.points), default=0)
    return (
        f"Out of {count(known, 'known defect')}; the rest is missed. "
        f"Majority: {majority(study):,} of {count(runs(study), 'run')}.",
        *(["“+1”: one more survivor that names a defect already kept."] if "+" in shown else []),
        *(["“*”: one survivor is credited to more than one defect, so a hit may be none."] if "*" in shown else []),
        "A looser key rescues split votes and merges what is apart: a threshold and a key are a trade, not a truth filter.",
    )


def ranking(study: Study) -> Table:
    """How early a reader of the list ranked by support meets a known defect."""
    return Table(
        "How well votes rank",
        ("same finding means", "average precision", "lines before the first defect (chance 0.50)"),
        tuple((_key(one.key), number(one.precision), number(one.exam)) for one in study.surfaces),
        notes=(
            "The second figure is EXAM: the share of lines read, in the order of votes, before a known defect. Lower is better.",
        ),
    )


def pivots(study: Study) -> Items:
    """Findings on the edge of the majority, alike ones under several keys in one row."""
    keys: dict[tuple[str, int, int], list[str]] = {}
    for one in study.pivots:
        keys.setdefault((one.label, one.line, one.support), []).append(_key(one.key))
    first = {(one.label, one.line, one.support): one for one in reversed(study.pivots)}
    rows = tuple(_pivot(first[place], tuple(names)) for place, names in keys.items())
    none = f"None at the majority of {majority(study):,} of {count(runs(study), 'run')}."
    return Items("Lives or dies by one vote", rows or (none,))


def _pivot(one: Pivot, keys: tuple[str, ...]) -> Text:
    fate = "kept by one vote" if one.support >= one.majority else "dropped for want of one vote"
    votes = f" on line {one.line}: {count(one.support, 'vote')}, {fate} (majority {one.majority:,}; "
    return (Foreign(one.label, 60), votes + f"{', '.join(keys)})")
