"""One cell's measures, part by part: what was asked, how much runs agree, how right they are, what is still unseen."""

from venire.model.measures import Agreement, Bar, Study, Validity
from venire.report.inert import SENTENCE
from venire.report.measured.numbers import KEYS, estimate, interval, majority, number, percent, ranked, runs
from venire.report.measured.parts import Facts, Foreign, Items, Part, Picture, Section, Table, Text, listed
from venire.report.measured.surfaces import pivots, ranking, surface
from venire.report.wording import count

BARS = 30
"""Findings listed by votes; the rest is counted."""

_LENGTH = 16
"""Letters of the longest bar."""


def section(study: Study, order: int) -> Section:
    """Everything about one cell. ``order`` is its number on the page."""
    warned = tuple(Foreign(warning, SENTENCE) for warning in study.warnings)
    parts: list[Part] = [
        about(study),
        *([Items("Warnings", warned, is_warning=True)] if warned else []),
        Picture(study),
        votes(study),
        reliability(study),
        *([validity(study, study.validity)] if study.validity else []),
        *([surface(study), ranking(study)] if study.surfaces else []),
        pivots(study),
        unseen(study),
    ]
    return Section(("Cell ", Foreign(study.cell.name)), tuple(parts), order)


def about(study: Study) -> Facts:
    """What was asked of which model, and what the record says of the machine."""
    cell, told = study.cell, study.reliability
    invalid = f", {count(told.runs - told.valid, 'invalid one')} among them" if told.valid < told.runs else ""
    sampling = (
        "pinned: nothing is left to chance, so runs should be equal" if cell.is_pinned else "sampled: runs differ by chance"
    )
    rows: list[tuple[Text, Text]] = [
        ("target", (Foreign(cell.target), f", {count(cell.lines, 'line')}" if cell.lines else "")),
        ("model", Foreign(cell.model)),
        ("contract", Foreign(cell.contract)),
        ("runs", f"{told.runs:,}{invalid}; {sampling}"),
    ]
    if facts := [fact for fact in cell.facts if fact[1] not in (cell.target, cell.model)]:
        rows.append(("provenance", tuple(piece for fact in facts for piece in _fact(*fact))[:-1]))
    return Facts(tuple(rows))


def _fact(name: str, value: str) -> tuple[str | Foreign, ...]:
    return Foreign(name, 40), " ", Foreign(value), ", "


def votes(study: Study) -> Table:
    """Every finding by its votes, at most ``BARS``: the figure in words."""
    bars, least = ranked(study.bars), majority(study)
    truth = ["truth"] if study.validity else []
    return Table(
        "Votes of each finding",
        ("finding", *truth, f"of {runs(study):,}", "line", "votes", f"majority, {least:,} of {runs(study):,}"),
        tuple(_votes(study, bar) for bar in bars[:BARS]),
        names=2 + len(truth),
        notes=_unlisted(study, bars),
        drawing=1 + len(truth),
    )


def _votes(study: Study, bar: Bar) -> tuple[Text, ...]:
    truth = ["known defect" if bar.is_seeded else "not in the ground truth"] if study.validity else []
    ink = "▒" if study.validity and not bar.is_seeded else "█"
    drawn = ink * max(1, round(_LENGTH * bar.support / max(1, runs(study))))
    fate = "kept" if bar.support >= majority(study) else "dropped"
    return Foreign(bar.label, 60), *truth, drawn, str(bar.line), f"{bar.support:,}", fate


def _unlisted(study: Study, bars: list[Bar]) -> tuple[str, ...]:
    if not bars:
        return (f"No finding in {count(runs(study), 'run')}.",)
    rest = (
        f"And {count(len(bars) - BARS, 'more finding')}, none above {count(bars[BARS].support, 'vote')}." if bars[BARS:] else ""
    )
    return (
        *([rest] if rest else []),
        "A finding is a line and a label here, each line for itself. Votes measure persistence, not correctness.",
    )


def _agreement(one: Agreement) -> tuple[Text, ...]:
    name = KEYS.get(one.key) or Foreign(one.key, 40)
    return name, number(one.all.value), interval(one.all), number(one.spoken.value), interval(one.spoken), f"{one.pairs:,}"


def _silence(study: Study) -> str:
    told = study.reliability
    silent = f"{told.empty:,} of {count(told.runs, 'run')} silent ({percent(told.empty, told.runs)})"
    return f"{silent}; {number(told.mean_findings)} findings a run on average"


def _replies(study: Study) -> str:
    told = study.reliability
    if not told.distinct:
        return "not known: there are no digests of the replies"
    return f"{told.distinct:,} among {count(told.runs, 'run')}"


def reliability(study: Study) -> Table:
    """Agreement between runs, with what each figure leaves untold beside it."""
    told = study.reliability
    return Table(
        "Reliability: mean pairwise Jaccard of findings",
        ("same finding means", "all pairs", "95% interval", "both spoke", "95% interval", "pairs"),
        tuple(_agreement(one) for one in told.agreements),
        notes=(
            "“All pairs” counts two silent runs as full agreement; “both spoke” leaves out every pair with a silent run.",
            "A wrong finding can be repeated as steadily as a right one: agreement is persistence, not correctness.",
            f"Silent runs: {_silence(study)}.",
            f"Different replies: {_replies(study)}.",
            f"Krippendorff's alpha over runs and regions: {estimate(told.alpha)}. "
            "It gauges how stable this model is on this file, not quality: only regions that some run reported enter it.",
            f"{count(told.runs, 'run')} of one model on one file are one reviewer: no figure here speaks for other code.",
        ),
    )


def _found(name: str, found: tuple[str, ...], whole: int) -> tuple[Text, ...]:
    return name, f"{len(found):,} of {whole:,}" if whole else "undefined", ""


def _left_out(silent: int) -> str:
    if not silent:
        return "No run was silent, so precision leaves none out."
    return f"Precision leaves out {count(silent, 'silent run')}: without a finding it is undefined, not zero."


def _credits(told: Validity) -> list[Text]:
    """Which truths were found, by their ids, and what it means that there are none."""
    lists = (("Found", told.found), ("Found by line", told.found_by_line), ("Found on several lines", told.drifted))
    found: list[Text] = [(f"{title}: ", *listed(names), ".") for title, names in lists if names]
    none = "No known defect in this target: recall is undefined, and every finding is a false positive."
    return found if told.truths else [*found, none]


def validity(study: Study, told: Validity) -> Table:
    """How right the runs are. ``told`` is the study's own, which is not None."""
    near = f"A finding names a defect when its label fits and it lies at most {count(told.near, 'line')} from it"
    return Table(
        f"Validity: against {count(told.truths, 'known defect')}",
        ("measure", "value", "95% interval"),
        (
            ("precision of a run", number(told.precision.value), interval(told.precision)),
            ("recall of a run", number(told.recall.value), interval(told.recall)),
            ("recall of a run, by line", number(told.recall_by_line.value), interval(told.recall_by_line)),
            ("false positives a run", number(told.false_positives.value), interval(told.false_positives)),
            _found("found in any run", told.found, told.truths),
            _found("found in any run, by line", told.found_by_line, told.truths),
            _found("drift: found on several lines", told.drifted, len(told.found)),
            ("recall of the whole pool", number(told.pooled_recall), ""),
        ),
        notes=(
            f"{near}; “by line” leaves the label out. In the pool one region credits one defect.",
            _left_out(study.reliability.empty),
            "The ground truth is what somebody wrote down: a finding outside it may still be right.",
            *_credits(told),
        ),
    )


def unseen(study: Study) -> Items:
    """What one more run would bring, or why no figure is given."""
    told = study.unseen
    if told.refused or told.next is None:
        reason: Text = ("No figure is given: ", Foreign(told.refused or "it is undefined", SENTENCE))
        return Items("Still unseen", (reason, "What a model never reports, no count of its reports can show."))
    clean = study.validity is not None and not study.validity.truths
    return Items(
        "Still unseen",
        (
            f"About {number(told.next)} more distinct reports expected from one more run of this model and prompt; "
            "says nothing about defects it never reports.",
            f"Distinct reports seen: {told.seen:,}; expected in the long run, as lower bounds: "
            f"{number(told.chao2)} (Chao2), {number(told.jackknife)} (jackknife).",
            *(["On a target without known defects these are false alarms still to come."] if clean else []),
        ),
    )
