"""What every form says about one candidate, in one wording. ``show`` makes foreign text inert for the form that asks."""

from venire.model import Candidate, Label, Located, Pool, Strict
from venire.panel import shown
from venire.report import overlaid
from venire.report.inert import Show, code, tail
from venire.report.wording import Fact, count, model_names

CODE_LINES = 8
"""Lines of the leading statement a card shows."""

PLACES = 8
"""Claimed lines a card's histogram shows."""

_BAR = 10
_MOVED: dict[Located, str] = {
    "snapped": "put on the nearest statement",
    "clamped": "clamped, since the line claimed is outside the file",
    "file": "about the file as a whole, since no line could be found",
}


def place(candidate: Candidate) -> str:
    """``path:first-last``, foreign text."""
    last = "" if candidate.last == candidate.first else f"-{candidate.last}"
    return f"{tail(candidate.path)}:{candidate.first}{last}"


def support(candidate: Candidate) -> str:
    return f"{candidate.support:,} of {count(candidate.valid, 'run')}"


def _share(share: float) -> str:
    """In per cent; what is not quite none or all is not rounded to it."""
    return "<1%" if 0 < share < 0.005 else ">99%" if 0.995 <= share < 1 else f"{share:.0%}"


def _interval(candidate: Candidate) -> str:
    low, high = map(_share, candidate.interval)
    asked = f"; {count(candidate.asked, 'run')} asked" if candidate.asked != candidate.valid else ""
    return f"{low} to {high} of runs like these (Wilson, 95%){asked}"


def source(candidate: Candidate) -> list[str]:
    """The leading statement, numbered; a long one is cut and says so."""
    shown = candidate.code[:CODE_LINES]
    digits = len(str(shown[-1][0])) if shown else 0
    lines = [f"{number:>{digits}} │ {code(line)}".rstrip() for number, line in shown]
    if rest := len(candidate.code) - len(shown):
        lines.append(f"{'…':>{digits}} │ and {count(rest, 'more line')} of this statement")
    return lines


def said(candidate: Candidate) -> str:
    """How often the problem sentence was given, and in how many other words."""
    others = len(candidate.problems) - 1
    return f"said so in {count(candidate.problem_runs, 'run')}" + (f", {count(others, 'other wording')}" if others > 0 else "")


def quarrel(candidate: Candidate) -> str:
    """One sentence when no label has a majority of the card's own runs, else empty."""
    if len(candidate.labels) < 2 or 2 * max(label.support for label in candidate.labels) > candidate.support:
        return ""
    return f"{support(candidate)} point here; they do not agree why"


def share(label: Label) -> str:
    """A label's own count."""
    return f"in {count(label.support, 'run')}"


def label(label: Label, show: Show) -> str:
    """The check's words from its YAML file, its vote key and tags."""
    return f"{show(label.text)} ({', '.join(map(show, [shown(label.bucket, label.check), *label.tags]))})"


def _histogram(candidate: Candidate) -> str:
    strongest = sorted(candidate.lines, key=lambda pair: (-pair[1], pair[0]))
    shown, rest = sorted(strongest[:PLACES]), strongest[PLACES:]
    top = max((runs for _, runs in candidate.lines), default=1)
    bars = [f"{line} {'█' * max(1, round(_BAR * runs / top))} {runs}" for line, runs in shown]
    more = [f"and {sum(runs for _, runs in rest)} on {count(len(rest), 'other line')}"] if rest else []
    return " · ".join(bars + more)


def _strict(strict: Strict, candidate: Candidate, show: Show) -> str:
    fate = "kept" if strict.is_kept else "lost"
    where = f"on line {strict.line} ({show(shown(strict.bucket, strict.check))})"
    return f"best ballot {strict.support:,} of {candidate.valid:,} {where}, {fate} by majority; {count(strict.ballots, 'ballot')}"


def _notes(candidate: Candidate) -> list[Fact]:
    moved = [f"{count(number, 'finding')} {_MOVED[how]}" for how, number in candidate.located if how in _MOVED and number]
    weak = "weak identity: there is no syntax tree here, so an edit nearby may change the id"
    return [("note", note) for note in ([weak] if candidate.is_weak else []) + moved]


def _models(candidate: Candidate, show: Show) -> str:
    """Each model's runs out of its valid ones, and who dissents."""
    counts = ", ".join(f"{show(model)} {runs:,} of {valid:,}" for model, runs, valid in candidate.models)
    silent = [show(model) for model, runs, valid in candidate.models if valid and not runs]
    return counts + (f"; dissent: {', '.join(silent)} never points here" if silent else "")


def facts(candidate: Candidate, pool: Pool, show: Show) -> list[Fact]:
    """Where the ballots fell and what else is known, by name."""
    severities = ", ".join(f"{severity} in {count(runs, 'run')}" for severity, runs in candidate.severities)
    models = _models(candidate, show) if len(model_names(pool)) > 1 else ""
    told = [
        ("scope", show(candidate.scope) if candidate.scope else ""),
        ("interval", _interval(candidate)),
        ("lines", _histogram(candidate)),
        ("severity", severities),
        ("models", models),
        ("strict voting", _strict(candidate.strict, candidate, show)),
    ]
    return overlaid.facts(candidate, show) + [fact for fact in told if fact[1]] + _notes(candidate)
