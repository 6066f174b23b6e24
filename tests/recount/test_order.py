"""The order of a record's lines changes no figure where it must not."""

import random
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from support.audits import audits, seal

from venire.model import Record
from venire.recount.count import Count
from venire.recount.entries import load
from venire.recount.figures import figures


@settings(max_examples=40)
@given(made=audits(), seed=st.integers(0, 2**32))
def test_shuffled_lines_count_the_same(made: Record, seed: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = seal(Path(folder), made)
        first, *rest = path.read_bytes().splitlines(keepends=True)
        before = figures(Count(load(path)))
        random.Random(seed).shuffle(rest)
        path.write_bytes(b"".join((first, *rest)))
        assert figures(Count(load(path))) == before
