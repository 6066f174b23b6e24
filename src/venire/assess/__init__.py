"""What the runs say: a record → a pool of candidates. Pure."""

from venire.assess.pool import assess as assess

__all__ = ["assess"]
