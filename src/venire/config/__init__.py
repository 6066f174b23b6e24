"""Settings: from flags, environment and file to one frozen value."""

from venire.config.load import Settings, is_skipped, settings
from venire.config.options import OPTIONS

__all__ = ["OPTIONS", "Settings", "is_skipped", "settings"]
