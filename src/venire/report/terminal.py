"""The pool for a terminal: severe candidates first and whole, frequent ones whole, the rest one line each."""

from collections.abc import Iterator

from venire.model import Candidate, Lane, Pool
from venire.report import cards, footer, overlaid, wording
from venire.report.flow import Piece, Row, paint
from venire.report.inert import SENTENCE, plain, unspoken

_COLORS = {Lane.SEVERE: "red", Lane.FREQUENT: "yellow", Lane.REST: "", Lane.OUTSIDE: "", Lane.DISMISSED: ""}
_STATUS = {
    "complete": "bold",
    "nothing": "bold",
    "partial": "bold yellow",
    "unfinished": "bold yellow",
    "inconclusive": "bold red",
}
_BLANK = Row("", (("", ""),))


def report(pool: Pool, *, width: int, color: bool) -> str:
    """The whole report; ``width`` in columns, at least 40."""
    return unspoken(paint(_rows(pool), width=max(40, width), color=color))


def brief(pool: Pool, *, width: int, color: bool) -> str:
    """Status and candidates only, for a hook: what the record holds besides, a replay shows."""
    return unspoken(paint((*_head(pool, "in the full report"), *_lanes(pool)), width=max(40, width), color=color))


def _rows(pool: Pool) -> Iterator[Row]:
    yield from _head(pool)
    yield from _lanes(pool)
    yield from _foot(pool)


def _lanes(pool: Pool) -> Iterator[Row]:
    for lane in (*wording.LANES, *wording.ASIDE):
        if candidates := wording.in_lane(pool, lane):
            yield from _lane(pool, lane, candidates)


def _head(pool: Pool, others: str = "below") -> Iterator[Row]:
    if alarm := overlaid.alarm(pool, plain):
        yield Row("", ((alarm, "bold red"),))
    yield Row("", ((wording.headline(pool), _STATUS[pool.status]),))
    if subhead := wording.subhead(pool):
        yield Row("", ((subhead, "bold"),))
    shown, full = wording.reasons(pool)
    yield from (Row("  - ", ((plain(reason, wording.REASON), ""),), is_short=True) for reason in shown)
    if len(full) > len(shown):
        yield Row("  - ", ((f"and {wording.count(len(full) - len(shown), 'more reason')}, {others}", ""),))
    yield from (Row("", ((line, "bold red" if is_grave else "bold"),)) for line, is_grave in overlaid.head(pool))
    yield from (Row("  - ", ((plain(reason, SENTENCE), ""),)) for reason in overlaid.reasons(pool))
    yield Row("", ((wording.gist(pool, plain), "dim"),))


def _title(title: str, note: str = "", style: str = "bold") -> Iterator[Row]:
    yield _BLANK
    yield Row("", ((title, style), (f" · {note}" if note else "", "dim")))


def _lane(pool: Pool, lane: Lane, candidates: tuple[Candidate, ...]) -> Iterator[Row]:
    name, note = wording.lane_title(pool, lane)
    is_short = lane in (Lane.REST, Lane.OUTSIDE, Lane.DISMISSED)
    note += "; cards in the markdown and json reports" if is_short else ""
    yield from _title(f"{name}: {wording.count(len(candidates), 'candidate')}", note, f"bold {_COLORS[lane]}".strip())
    if is_short:
        for candidate in candidates:
            yield from _brief(candidate)
        return
    if lane is Lane.SEVERE:
        yield from _glance(candidates)
    for candidate in candidates:
        yield _BLANK
        yield from _card(candidate, pool, _COLORS[lane])


def _glance(candidates: tuple[Candidate, ...]) -> Iterator[Row]:
    first, between, last = wording.glance(candidates)
    yield from map(_line, first)
    if between:
        yield Row("  ", ((f"and {between:,} more between", "dim"),))
    yield from map(_line, last)


def _brief(candidate: Candidate) -> Iterator[Row]:
    """One line, and a second one for who dismissed it and why."""
    yield _line(candidate)
    if candidate.lane is Lane.DISMISSED and candidate.decision:
        yield Row(" " * 13, ((overlaid.decision(candidate.decision, plain), "dim"),))


def _line(candidate: Candidate) -> Row:
    """A candidate in one line: votes, place, id, first label."""
    label = plain(candidate.labels[0].text) if candidate.labels else plain(candidate.problem)
    if candidate.lane is not Lane.DISMISSED and (mark := overlaid.mark(candidate)):
        label = f"[{mark}] {label}"
    return Row(
        f"  {candidate.support:>3} of {candidate.valid:<3} ",
        ((plain(cards.place(candidate)), "bold"), (f"  {plain(candidate.id)}  {candidate.severity}  ", "dim"), (label, "")),
        is_short=True,
    )


def _card(candidate: Candidate, pool: Pool, color: str) -> Iterator[Row]:
    def row(*body: Piece, lead: str = "") -> Row:
        return Row(f"┃ {lead}", body, "┃ " + " " * len(lead), color)

    yield row(
        (plain(cards.place(candidate)), "bold"),
        (f" · {candidate.severity} · {cards.support(candidate)}", ""),
        (f" · {plain(candidate.id)}", "dim"),
    )
    for line in cards.source(candidate):
        yield row((line, "cyan"), lead="  ")
    yield row((plain(candidate.problem, SENTENCE), "bold"), (f"  {cards.said(candidate)}", "dim"))
    if quarrel := cards.quarrel(candidate):
        yield row((quarrel, "bold"))
    for label in candidate.labels:
        yield row((cards.label(label, plain), ""), lead=f"{cards.share(label):<15}")
    for name, fact in cards.facts(candidate, pool, plain):
        yield row((fact, "dim"), lead=f"{name:<15}")


def _foot(pool: Pool) -> Iterator[Row]:
    for title, lines in footer.footnotes(pool, plain):
        yield from _title(title)
        yield from (Row("  - ", ((line, ""),)) for line in lines)
    yield from _title("Counts")
    yield Row("  ", ((footer.sums(pool), ""),))
    yield from (Row("  ", ((line, ""),)) for line in footer.scores(pool, plain))
    yield from _title("About this audit")
    yield from (Row(f"  {name:<10}", ((fact, "dim"),)) for name, fact in wording.facts(pool, plain, digits=16))
    yield _BLANK
    yield Row("", ((footer.caveat(pool), ""),))
