"""The pool as GitHub-flavoured Markdown: severe and frequent candidates open, everything else folded, nothing left out.

Foreign text stands in code spans and fences only, and never begins a line.
"""

from collections.abc import Iterable

from venire.model import Candidate, Lane, Pool, Score
from venire.panel import shown
from venire.report import cards, footer, overlaid, wording
from venire.report.inert import SENTENCE, fence, plain, span, tail, unspoken


def report(pool: Pool) -> str:
    """The whole report. HTML in it is fixed text of this module."""
    lines = _head(pool)
    for lane in (*wording.LANES, *wording.ASIDE):
        if candidates := wording.in_lane(pool, lane):
            lines += _lane(pool, lane, candidates)
    return unspoken("\n".join(lines + _foot(pool)) + "\n")


def _items(rows: Iterable[str]) -> list[str]:
    return [f"- {row}" for row in rows]


def _folded(title: str, lines: list[str]) -> list[str]:
    """Lines behind a title the reader opens. ``title`` is text of ours: foreign text is not inert in HTML."""
    return [f"<details><summary>{title}</summary>", "", *lines, "", "</details>", ""]


def _head(pool: Pool) -> list[str]:
    shown, full = wording.reasons(pool)
    told = [span(reason, wording.REASON) for reason in shown]
    if len(full) > len(shown):
        told.append(f"and {wording.count(len(full) - len(shown), 'more reason')}, below")
    subhead = wording.subhead(pool)
    alarm = overlaid.alarm(pool, span)
    why = [span(reason, SENTENCE) for reason in overlaid.reasons(pool)]
    return [
        *([f"**{alarm}**", ""] if alarm else []),
        f"## {wording.headline(pool)}",
        "",
        *([f"**{subhead}**", ""] if subhead else []),
        *([*_items(told), ""] if told else []),
        *(line for text, is_grave in overlaid.head(pool) for line in (f"**{text}**" if is_grave else text, "")),
        *([*_items(why), ""] if why else []),
        wording.gist(pool, span),
        "",
    ]


def _lane(pool: Pool, lane: Lane, candidates: tuple[Candidate, ...]) -> list[str]:
    name, note = wording.lane_title(pool, lane)
    title = f"{name}: {wording.count(len(candidates), 'candidate')}, {note}"
    whole = [line for candidate in candidates for line in _card(candidate, pool)]
    if lane in (Lane.REST, Lane.OUTSIDE, Lane.DISMISSED):
        return _folded(title, _glance(candidates) + whole[:-1])
    return [f"### {title}", "", *(_glance(candidates) if lane is Lane.SEVERE else []), *whole]


def _glance(candidates: tuple[Candidate, ...]) -> list[str]:
    first, between, last = wording.glance(candidates)
    more = [f"and {between:,} more between"] if between else []
    return [*_items([*map(_line, first), *more, *map(_line, last)]), ""] if first else []


def _line(candidate: Candidate) -> str:
    label = candidate.labels[0].text if candidate.labels else candidate.problem
    mark = f", {said}" if (said := overlaid.mark(candidate)) else ""
    return f"{cards.support(candidate)}: {span(cards.place(candidate))} {candidate.severity}{mark}, {span(label)}"


def _card(candidate: Candidate, pool: Pool) -> list[str]:
    title = f"#### {span(cards.place(candidate))} · {candidate.severity} · {cards.support(candidate)}"
    labels = [f"{cards.share(label)}: {cards.label(label, span)}" for label in candidate.labels]
    quarrel = cards.quarrel(candidate)
    facts = [
        f"problem: {span(candidate.problem, SENTENCE)} {cards.said(candidate)}",
        *([f"**{quarrel}**"] if quarrel else []),
        *labels,
        *(f"{name}: {fact}" for name, fact in cards.facts(candidate, pool, span)),
        f"id: {span(candidate.id)}",
    ]
    return [title, "", *fence(cards.source(candidate)), "", *_items(facts), ""]


def _votes(scores: tuple[Score, ...]) -> list[str]:
    """The full table. A fence, not a table: a pipe in a path cannot break it."""
    heads = f"| {'pass':>5} {'fail':>5} {'no vote':>7}  check"
    rows = [
        f"| {score.passed:>5} {score.failed:>5} {score.no_vote:>7}  "
        f"{plain(shown(score.bucket, score.check))} in {plain(tail(score.path))} window {score.window}"
        for score in scores
    ]
    return fence([heads, *rows])


def _foot(pool: Pool) -> list[str]:
    folded = [line for title, rows in footer.footnotes(pool, span) for line in _folded(title, _items(rows))]
    votes = _folded(f"Votes of each check: {wording.count(len(pool.scores), 'row')}", _votes(pool.scores)) if pool.scores else []
    facts = _items(f"{name}: {fact}" for name, fact in wording.facts(pool, span))
    return [
        *folded,
        "### Counts",
        "",
        *_items([footer.sums(pool), *footer.scores(pool, span)]),
        "",
        *votes,
        "### About this audit",
        "",
        *facts,
        "",
        footer.caveat(pool),
    ]
