"""Findings → the sentences in them, most said first.

The rule: two sentences are the same when they differ only in white space and case. The one said by most runs leads; ties
go to the shortest, then to the first in alphabetical order. It is chosen, never composed.
"""

from collections import defaultdict
from collections.abc import Iterable

from venire.model import Finding, RunId


def chosen(findings: Iterable[Finding]) -> tuple[str, int]:
    """The leading sentence and the number of runs that said it; ("", 0) when there is none."""
    return next(iter(_order(findings)), ("", 0))


def ranked(findings: Iterable[Finding]) -> tuple[str, ...]:
    """Every distinct sentence, the leading one first."""
    return tuple(text for text, _ in _order(findings))


def _order(findings: Iterable[Finding]) -> list[tuple[str, int]]:
    wordings: dict[str, set[str]] = defaultdict(set)
    runs: dict[str, set[RunId]] = defaultdict(set)
    for finding in findings:
        text = " ".join(finding.problem.split())
        if text:
            wordings[text.casefold()].add(text)
            runs[text.casefold()].add(finding.run)
    said = [(min(wordings[key]), len(runs[key])) for key in wordings]
    return sorted(said, key=lambda item: (-item[1], len(item[0]), item[0]))
