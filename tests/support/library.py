"""Functions of the standard library that runs the tests, for properties that have to hold for real code."""

from functools import cache

from hypothesis import strategies as st

from venire.measure.functions import Original, functions, modules

STEP = 6
"""Every so many modules are read: enough kinds of code, and a test run does not parse the whole library."""


@cache
def originals() -> tuple[Original, ...]:
    library = modules()
    return tuple(found for name in sorted(library)[::STEP] for found in functions(name, library[name]))


def some_function() -> st.SearchStrategy[Original]:
    return st.deferred(lambda: st.sampled_from(originals()))
