"""Settings: from flags, environment and file to one frozen value."""

from venire.config.files import NAMES, table
from venire.config.github import GitHub, Occasion, job, occasion
from venire.config.load import LEDGER, Settings, is_skipped, project_root, settings, trust
from venire.config.options import OPTIONS

__all__ = [
    "LEDGER",
    "NAMES",
    "OPTIONS",
    "GitHub",
    "Occasion",
    "Settings",
    "is_skipped",
    "job",
    "occasion",
    "project_root",
    "settings",
    "table",
    "trust",
]
