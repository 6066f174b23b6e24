"""The table of report forms, and ``render``, which looks one up."""

from collections.abc import Callable, Mapping

from venire.errors import UsageError
from venire.model import Pool

Report = Callable[[Pool, int, bool], str]


def _terminal(pool: Pool, width: int, color: bool) -> str:
    from venire.report.terminal import report

    return report(pool, width=width, color=color)


def _brief(pool: Pool, width: int, color: bool) -> str:
    from venire.report.terminal import brief

    return brief(pool, width=width, color=color)


def _markdown(pool: Pool, width: int, color: bool) -> str:
    from venire.report.markdown import report

    return report(pool)


def _json(pool: Pool, width: int, color: bool) -> str:
    from venire.report.json_v1 import report

    return report(pool)


def _sarif(pool: Pool, width: int, color: bool) -> str:
    from venire.report.sarif import report

    return report(pool)


def _codequality(pool: Pool, width: int, color: bool) -> str:
    from venire.report.codequality import report

    return report(pool)


def _rdjsonl(pool: Pool, width: int, color: bool) -> str:
    from venire.report.rdjsonl import report

    return report(pool)


def _annotations(pool: Pool, width: int, color: bool) -> str:
    from venire.report.annotations import report

    return report(pool)


def _summary(pool: Pool, width: int, color: bool) -> str:
    from venire.report.summary import report

    return report(pool)


REPORTS: Mapping[str, Report] = {
    "terminal": _terminal,
    "brief": _brief,
    "markdown": _markdown,
    "json": _json,
    "sarif": _sarif,
    "codequality": _codequality,
    "rdjsonl": _rdjsonl,
    "annotations": _annotations,
    "summary": _summary,
}
FORMS: tuple[str, ...] = tuple(REPORTS)


def render(pool: Pool, form: str, *, width: int = 100, color: bool = False) -> str:
    """The whole report as text that ends in a newline. ``width`` (columns) and ``color`` matter to the terminal form only."""
    if form not in REPORTS:
        raise UsageError(f"there is no report form {form!r}", remedy=f"choose one of: {', '.join(FORMS)}")
    return REPORTS[form](pool, width, color)
