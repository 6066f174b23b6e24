"""Settings: from flags, environment and file to one frozen value."""

from venire.config.github import GitHub, Occasion, job, occasion
from venire.config.load import Settings, settings
from venire.config.options import OPTIONS

__all__ = ["OPTIONS", "GitHub", "Occasion", "Settings", "job", "occasion", "settings"]
