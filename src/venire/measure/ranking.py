"""Places in reading order and seeded defects → how far a reader has to read. Pure.

EXAM is the share of the code that is examined before the defect is reached when code is examined in the order of a ranking
(W. E. Wong, R. Gao, Y. Li, R. Abreu, F. Wotawa, "A survey on software fault localization", IEEE Transactions on Software
Engineering 42(8), 2016). There it counts statements and the faulty one too; ``exam`` says what is counted here.
"""

import ast
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from statistics import fmean

from venire.assess.interval import wilson
from venire.assess.tokens import by_line
from venire.errors import UsageError
from venire.measure.order import Heard, Key, Place, of_pools, of_record
from venire.measure.source import is_docstring, parse
from venire.model import Estimate, Lines, Mutant, Pool, Ranking, Record

FIRST = 3
"""Places a reader surely looks at."""

RESAMPLES = 5000
SEED = 0
"""Of the bootstrap: the same figures give the same interval."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one mutant and its twin fared. Twin figures are None when no run on the twin was valid."""

    exam: float
    places: int
    is_pooled: bool
    is_top: bool
    chance_exam: float
    chance_pooled: float
    chance_top: float
    twin_places: int | None
    twin_share: float | None
    unheard: int  # of its two files, those without a valid run


def rank(pools: Mapping[str, Pool], mutants: Sequence[Mutant], setting: str, *, near: int = 0) -> Ranking:
    """How well the cards of pools, by target path, lead to the defects of ``mutants``.

    ``near`` widens every defect by so many lines; chance is widened with it. Raises UsageError for a file without a pool.
    """
    return gather(outcomes(of_pools(pools), mutants, near), setting, "region", near)


def rank_records(records: Iterable[Record], mutants: Sequence[Mutant], setting: str, key: Key, *, near: int = 0) -> Ranking:
    """The same from records, under any key: votes on lines (line0), on lines at most two apart (line2), or regions."""
    heard = {path: one for record in records for path, one in of_record(record, key).items()}
    return gather(outcomes(heard, mutants, near), setting, key, near)


def outcomes(
    heard: Mapping[str, Heard], mutants: Iterable[Mutant], near: int = 0, *, has_twins: bool = True
) -> tuple[Outcome, ...]:
    """One for each mutant. Raises UsageError for a file that was not heard at all, or that is another suite's."""
    return tuple(
        _outcome(
            mutant,
            _heard(heard, mutant.name, mutant.text),
            _heard(heard, mutant.twin, mutant.clean) if has_twins else None,
            near,
        )
        for mutant in mutants
    )


def _heard(heard: Mapping[str, Heard], name: str, text: str) -> Heard:
    """Suites share their names: what was said of another text must not be counted for this one."""
    if name not in heard:
        raise UsageError(f"{name} of the suite was not audited", "audit every file of the suite, then rank")
    if not heard[name].is_of(text):
        raise UsageError(f"{name} was audited with another text", "use the Python version, count and seed of that audit")
    return heard[name]


def gather(found: Sequence[Outcome], setting: str, key: Key, near: int) -> Ranking:
    """Means over mutants: 95 % bootstrap intervals for means (percentiles), Wilson's for shares."""
    twins = [(one.twin_places, one.twin_share) for one in found if one.twin_places is not None and one.twin_share is not None]
    return Ranking(
        setting=setting,
        mutants=len(found),
        twins=len(twins),
        exam=_mean([one.exam for one in found]),
        pooled=_share([one.is_pooled for one in found]),
        top3=_share([one.is_top for one in found]),
        chance_pooled=fmean([one.chance_pooled for one in found] or [0.0]),
        chance_top3=fmean([one.chance_top for one in found] or [0.0]),
        twin_candidates=_mean([float(places) for places, _ in twins]),
        twin_support=_mean([share for _, share in twins]),
        key=key,
        near=near,
        chance_exam=fmean([one.chance_exam for one in found] or [0.5]),
        candidates=_mean([float(one.places) for one in found]),
        unheard=sum(one.unheard for one in found),
    )


def difference(one: Sequence[Outcome], other: Sequence[Outcome]) -> Estimate:
    """EXAM of the first setting less that of the second, mutant by mutant; below 0 the first is better.

    The same mutants, in the same order, under both: how hard each is cancels out. Raises ValueError where they are not as many.
    """
    return _mean([a.exam - b.exam for a, b in zip(one, other, strict=True)])


def exam(places: Iterable[Set[int]], defect: Set[int], code: Set[int]) -> float:
    """The share of the other lines of code that a reader goes through before the first line of the defect.

    Places are read in order, no line twice, then what is left of the code. Inside a place, and in the rest, lines come in random
    order: of s lines h of which are the defect's, (s - h) / (h + 1) are expected before the first of those h.
    So E = (lines of the places before + that) / (lines of code that are not the defect's): 0 is best, 1 is worst, and a random
    order of all lines gives 1 / (d + 1) for a defect of d lines, 0.5 for one line.
    """
    others, read, left = len(code - defect), 0, set(code)
    for place in (*places, code):
        block = left & place
        hits = len(block & defect)
        if hits:
            return (read + (len(block) - hits) / (hits + 1)) / others if others else 0.0
        read, left = read + len(block), left - block
    raise ValueError("the defect has no line of code")


def by_chance(places: Iterable[Set[int]], defect: Set[int], code: Sequence[int]) -> float:
    """The share of ways in which these places would hold the defect, were they moved round the code together, by every distance.

    Exact: their number, their sizes and how they overlap stay, and each line of code is covered equally often.
    """
    covered = {n for n, line in enumerate(code) if any(line in place for place in places)}
    wanted = {n for n, line in enumerate(code) if line in defect}
    return len({(want - have) % len(code) for want in wanted for have in covered}) / len(code)


def lines_of_code(text: str) -> tuple[int, ...]:
    """Lines on which a token of a statement begins; imports and docstrings left out, where no defect is planted."""
    tree = parse(text)
    idle = {
        row
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom) or is_docstring(node)
        for row in range(node.lineno, (node.end_lineno or node.lineno) + 1)  # type: ignore[attr-defined]
    }
    return tuple(row for row in sorted(by_line(text)) if row not in idle)


def _outcome(mutant: Mutant, heard: Heard, twin: Heard | None, near: int) -> Outcome:
    code = lines_of_code(mutant.text)
    defect = _rows(mutant.lines, near) & set(code) or _rows(mutant.lines, near)
    code = tuple(sorted({*code, *defect}))
    places = [_rows(place.lines) & set(code) for place in heard.places]
    return Outcome(
        exam=exam(places, defect, set(code)),
        places=len(places),
        is_pooled=any(place & defect for place in places),
        is_top=any(place & defect for place in places[:FIRST]),
        chance_exam=1 / (len(defect) + 1),
        chance_pooled=by_chance(places, defect, code),
        chance_top=by_chance(places[:FIRST], defect, code),
        twin_places=len(twin.places) if twin and twin.valid else None,
        twin_share=_top(twin.places) if twin and twin.valid else None,
        unheard=(not heard.valid) + (twin is not None and not twin.valid),
    )


def _rows(lines: Lines, near: int = 0) -> set[int]:
    return set(range(lines[0] - near, lines[1] + near + 1))


def _top(places: Sequence[Place]) -> float:
    return places[0].share if places else 0.0


def _mean(values: Sequence[float]) -> Estimate:
    """The mean, and the 2.5 and 97.5 percentiles of the means of resamples."""
    if len(values) < 2:
        return Estimate(values[0] if values else None)
    import numpy as np

    array = np.asarray(values)
    draws = np.random.RandomState(SEED)  # its stream is promised never to change, unlike that of a Generator
    means = array[draws.randint(0, len(array), (RESAMPLES, len(array)))].mean(axis=1)
    low, high = np.percentile(means, (2.5, 97.5))
    return Estimate(fmean(values), (float(low), float(high)))


def _share(flags: Sequence[bool]) -> Estimate:
    return Estimate(fmean(flags), wilson(sum(flags), len(flags))) if flags else Estimate(None)
