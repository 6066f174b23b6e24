"""Asking N times: settings to a backend, prompts and a backend to runs."""

from venire.sample.backend import Backend, Cooling
from venire.sample.choose import open_backend, survey
from venire.sample.glance import glance
from venire.sample.runs import Progress, Sitting, sample

__all__ = ["Backend", "Cooling", "Progress", "Sitting", "glance", "open_backend", "sample", "survey"]
