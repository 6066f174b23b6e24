"""The parts a pull request comment and a job summary are made of, in Markdown. Foreign text stands in code only."""

from collections.abc import Iterable, Iterator

from venire.model import Candidate, Lane, Pool
from venire.report import cards, footer, overlaid, wording
from venire.report.cost import cost
from venire.report.fit import Section
from venire.report.inert import SENTENCE, fence, span

LABELS = 6
"""Labels a card shows."""

FEW = 3
"""Severe candidates whose cards are all in sight; more of them are listed above the cards."""


def items(rows: Iterable[str]) -> str:
    return "\n".join(f"- {row}" for row in rows)


def folded(title: str, body: str) -> str:
    """Text behind a title the reader opens. ``title`` is text of ours: foreign text is not inert in HTML."""
    return f"<details><summary>{title}</summary>\n\n{body}\n\n</details>"


def alert(kind: str, title: str, rows: Iterable[str]) -> str:
    """A box with a coloured bar; where a forge knows no such box, a quotation."""
    told = [f"> - {row}" for row in rows]
    return "\n".join([f"> [!{kind}]", f"> **{title}**", *([">"] if told else []), *told])


# ---------------------------------------------------------------- above the candidates


def head(pool: Pool) -> str:
    """Status, who was asked about what, cost, what changed, and everything a reader must not miss."""
    parts = [f"## venire: {wording.headline(pool)}", *_doubts(pool)]
    if subhead := wording.subhead(pool):
        parts.append(f"**{subhead}**")
    parts.append(f"{wording.gist(pool, span)}  \n{cost(pool)}")
    if changed := overlaid.changes(pool):
        parts.append(f"**Since the earlier audit:** {changed}")
    return "\n\n".join(parts + _gate(pool) + _altered(pool))


def _doubts(pool: Pool) -> list[str]:
    """Why the audit is not complete, in a box that nobody takes for a clean result."""
    if pool.status in ("complete", "nothing"):
        return []
    return [alert("WARNING", "Why this is not a complete audit", overlaid.listed(pool.reasons, span, "reason"))]


def _altered(pool: Pool) -> list[str]:
    if not pool.altered:
        return []
    title = f"{overlaid.ALTERED}; {overlaid.in_force(pool, span)}"
    return [alert("IMPORTANT", title, overlaid.listed(pool.altered, span, "file"))]


def _gate(pool: Pool) -> list[str]:
    if not pool.gate or not (pool.gate.is_reached or pool.gate.reasons):
        return []
    state = "is reached" if pool.gate.is_reached else "is not reached"
    kind = "CAUTION" if pool.gate.is_reached else "NOTE"
    return [alert(kind, f"The gate ({pool.gate.policy}) {state}", overlaid.listed(pool.gate.reasons, span, "reason"))]


# ---------------------------------------------------------------- candidates


def sections(pool: Pool, *, is_whole: bool) -> list[Section]:
    """One for each lane with a candidate. Cards for the severe and the frequent; for every lane when ``is_whole``."""
    lanes = [(lane, wording.in_lane(pool, lane)) for lane in Lane]
    return [_section(pool, lane, found, is_whole) for lane, found in lanes if found]


def _section(pool: Pool, lane: Lane, found: tuple[Candidate, ...], is_whole: bool) -> Section:
    name, note = wording.lane_title(pool, lane)
    title = f"{name}: {wording.count(len(found), 'candidate')}, {note}"
    opens = is_whole or lane in (Lane.SEVERE, Lane.FREQUENT)
    is_open = lane is Lane.SEVERE
    return Section(
        name=name.lower(),
        opening="\n\n".join([f"### {title}", *_glance(found)]) if is_open else f"<details><summary>{title}</summary>",
        closing="" if is_open else "</details>",
        total=len(found),
        lines=map(line, found),
        cards=(card(candidate, pool) for candidate in found) if opens else (),
        has_cards=opens,
    )


def _glance(found: tuple[Candidate, ...]) -> list[str]:
    first, between, last = wording.glance(found) if len(found) > FEW else ((), 0, ())
    more = [f"- and {between:,} more between"] if between else []
    rows = [*map(line, first), *more, *map(line, last)]
    return ["\n".join(rows)] if rows else []


def line(candidate: Candidate) -> str:
    """A candidate in one line: votes, place, severity, first label, and what people and analysers said."""
    label = candidate.labels[0].text if candidate.labels else candidate.problem
    told = [overlaid.since(candidate), *_said(candidate)]
    more = "".join(f" · {one}" for one in told if one)
    return f"- {cards.support(candidate)}: {span(cards.place(candidate))} {candidate.severity}, {span(label)}{more}"


def _said(candidate: Candidate) -> Iterator[str]:
    if candidate.decision:
        yield overlaid.decision(candidate.decision, span)
    if candidate.reopened:
        yield f"**{overlaid.again(candidate, span)}**"
    if candidate.evidence:
        yield f"also reported by {overlaid.corroboration(candidate.evidence, span)}"


def card(candidate: Candidate, pool: Pool) -> str:
    """A candidate with its code, its problem, its labels and where its votes fell."""
    parts = [candidate.severity, cards.support(candidate), overlaid.since(candidate), span(candidate.id)]
    title = f"#### {span(cards.place(candidate))} · {' · '.join(filter(None, parts))}"
    source = "\n".join(fence(cards.source(candidate)))
    problem = f"**{span(candidate.problem, SENTENCE)}** {cards.said(candidate)}"
    return "\n\n".join([title, source, problem, items([*_said(candidate), *_labels(candidate), *_votes(candidate, pool)])])


def _labels(candidate: Candidate) -> list[str]:
    quarrel = cards.quarrel(candidate)
    shown = [f"{cards.share(label)}: {cards.label(label, span)}" for label in candidate.labels[:LABELS]]
    more = [f"and {wording.count(len(candidate.labels) - LABELS, 'more label')}"] if len(candidate.labels) > LABELS else []
    return [*([f"**{quarrel}**"] if quarrel else []), *shown, *more]


def _votes(candidate: Candidate, pool: Pool) -> Iterator[str]:
    """The card's facts, those that are one number in one line."""
    facts = cards.facts(candidate, pool, span)
    told = dict(facts)
    yield f"votes by line: {told['lines']}; {told['interval']}" if "lines" in told else told["interval"]
    yield from (f"{name}: {fact}" for name, fact in facts if name in ("models", "note"))


# ---------------------------------------------------------------- below the candidates


def gone(pool: Pool) -> list[str]:
    """Candidates of the earlier audit that no run reported, behind their count."""
    if not pool.gone:
        return []
    rows = [overlaid.gone(one, span) for one in pool.gone[: overlaid.LISTED]]
    more = [f"and {len(pool.gone) - len(rows):,} more"] if len(pool.gone) > len(rows) else []
    title = f"Not reported this time, which is not fixed: {wording.count(len(pool.gone), 'candidate')} of the earlier audit"
    return [folded(title, items(rows + more))]


def warnings(pool: Pool) -> list[str]:
    """Behind their count."""
    rows = overlaid.listed(pool.warnings, span, "warning")
    return [folded(wording.count(len(pool.warnings), "warning").capitalize(), items(rows))] if rows else []


def about(pool: Pool) -> str:
    """Everything that went into the audit, folded; the sum from findings to candidates and the votes lead."""
    facts = [f"{name}: {fact}" for name, fact in wording.facts(pool, span)]
    return folded("About this audit", items([footer.sums(pool), *footer.scores(pool, span), *facts]))


def advice(pool: Pool) -> str:
    """How a person settles a candidate, and what votes do not tell."""
    how = "Settle a candidate with `venire decide ID confirm|dismiss|defer --why TEXT`. " if pool.candidates else ""
    return how + footer.caveat(pool)
