"""Measures in, text or a figure out: ``render_measures`` and ``figure``. Pure."""

from venire.report.measured.figures import figure
from venire.report.measured.forms import SHOWN, render_measures

__all__ = ["SHOWN", "figure", "render_measures"]
