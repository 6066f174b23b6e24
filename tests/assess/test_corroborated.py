"""An analyser's finding marks the candidate in one of whose statements it begins; it removes and moves nothing."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from support.pools import candidate

from venire.assess.corroborated import corroborate
from venire.model import AnchorVotes, Evidence

CARD = candidate(
    3, 5, anchors=(AnchorVotes("a", "a", "f", 16, 18, 2, False), AnchorVotes("b", "b", "f", 22, 22, 1, False)), first=16, last=22
)


def found(first: int, last: int | None = None, path: str = CARD.path) -> Evidence:
    return Evidence("bandit", "B602", path, first, last or first, "shell")


def test_a_finding_in_a_statement_marks_the_candidate() -> None:
    (done,) = corroborate([CARD], [found(22), found(17), found(17)])
    assert done == replace(CARD, evidence=(found(17), found(22)))


def test_a_finding_between_the_statements_in_another_file_or_about_the_whole_function_does_not() -> None:
    assert corroborate([CARD], [found(20), found(17, path="other.py"), found(10, 60)]) == (CARD,)


@given(st.lists(st.builds(found, st.integers(1, 30), st.integers(1, 40)), max_size=8).flatmap(st.permutations))
def test_order_changes_nothing_and_every_candidate_stays(evidence: list[Evidence]) -> None:
    done = corroborate([CARD], evidence)
    assert done == corroborate([CARD], sorted(evidence, key=repr))
    assert replace(done[0], evidence=()) == CARD
