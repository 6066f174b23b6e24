"""Measures in, text or a figure out: ``render_measures`` and ``figure``. Pure."""

from venire.report.measured.figures import figure

__all__ = ["figure"]
