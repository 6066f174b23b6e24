"""A sealed record's runs as the recount reads them."""

from pathlib import Path

import pytest

from venire.recount.cells import recorded

BENCH = Path(__file__).parent.parent.parent / "records" / "bench"


@pytest.mark.parametrize(("name", "runs", "distinct"), [("seeded-pinned", 11, 1), ("seeded-sampled", 25, 25)])
def test_pinned_runs_say_one_thing_and_sampled_ones_as_many_as_they_are(name: str, runs: int, distinct: int) -> None:
    (cell,) = recorded(BENCH / f"findings-{name}.jsonl")
    assert (len(cell.raw), len(set(cell.raw))) == (runs, distinct)


def test_the_replies_to_every_prompt_of_a_run_count() -> None:
    (cell,) = recorded(BENCH / "findings-seeded-pinned.jsonl")
    assert cell.raw[0].count('{"findings":') == 2
