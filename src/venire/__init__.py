"""venire: audit a change N times, vote on places, show every candidate."""

__version__ = "0.1.0"
