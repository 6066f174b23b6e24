"""What frozen runs say about a model: cells and truths in, measures out. Pure."""

from venire.measure.studies import measure, study

__all__ = ["measure", "study"]
