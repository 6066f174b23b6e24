"""Settings: from flags, environment and file to one frozen value."""

from venire.config.load import Settings, settings
from venire.config.options import OPTIONS

__all__ = ["OPTIONS", "Settings", "settings"]
