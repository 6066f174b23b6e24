"""The forms in which measures are shown, and ``render_measures``, which looks one up."""

from collections.abc import Callable, Mapping
from typing import Literal

from venire.errors import UsageError
from venire.model.measures import Measures
from venire.report.measured.parts import Page

Shown = Literal["terminal", "markdown", "html"]


def _terminal(page: Page, width: int, color: bool) -> str:
    from venire.report.measured.terminal import report

    return report(page, width=width, color=color)


def _markdown(page: Page, width: int, color: bool) -> str:
    from venire.report.measured.markdown import report

    return report(page)


def _html(page: Page, width: int, color: bool) -> str:
    from venire.report.measured.html import report

    return report(page)


SHOWN: Mapping[str, Callable[[Page, int, bool], str]] = {"terminal": _terminal, "markdown": _markdown, "html": _html}
"""Every form; ``html`` draws figures, so it needs matplotlib."""


def render_measures(measures: Measures, form: Shown, *, width: int = 100, color: bool = False) -> str:
    """All measures as text that ends in a newline. ``width`` (columns) and ``color`` matter to the terminal form only."""
    from venire.report.measured.overview import page

    if form not in SHOWN:
        raise UsageError(f"measures have no form {form!r}", remedy=f"choose one of: {', '.join(SHOWN)}")
    return SHOWN[form](page(measures), width, color)
