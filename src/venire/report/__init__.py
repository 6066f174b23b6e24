"""A pool in, a report out: ``render`` and the forms it knows. Pure; each form is one module, imported when it is asked for."""

from venire.report.forms import FORMS, REPORTS, render
from venire.report.wording import headline

__all__ = ["FORMS", "REPORTS", "headline", "render"]
