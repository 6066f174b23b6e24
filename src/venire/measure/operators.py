"""The kinds of defect, and for each the function that finds the places for it in parsed Python.

An operator yields edits; whether the edited text still parses, compiles and means something else is settled in ``mutate``.
"""

from collections.abc import Callable, Iterator

from venire.measure.expressions import arguments, comparison, negation, off_by_one, operator
from venire.measure.source import Code, Edit
from venire.measure.steps import guard, missing_return, swallowed, unclosed
from venire.measure.variables import variable

Operator = Callable[[Code], Iterator[Edit]]

OPERATORS: dict[str, Operator] = {
    "comparison flipped": comparison,
    "off by one": off_by_one,
    "operator swapped": operator,
    "condition negated": negation,
    "guard against None removed": guard,
    "close or with dropped": unclosed,
    "wrong variable": variable,
    "swapped arguments": arguments,
    "swallowed exception": swallowed,
    "missing return": missing_return,
}
