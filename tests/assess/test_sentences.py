"""One sentence is chosen by a stated rule; the others stay."""

from dataclasses import replace
from itertools import permutations

from support.places import finding

from venire.assess.sentences import chosen, ranked
from venire.model import Finding


def said(run: int, problem: str) -> Finding:
    return replace(finding("x = 1\n", run, 1), problem=problem)


def test_most_runs_win_over_most_findings() -> None:
    found = [said(1, "Loud."), said(1, "Loud."), said(1, "Loud."), said(2, "Quiet."), said(3, "quiet.")]

    assert chosen(found) == ("Quiet.", 2)


def test_white_space_and_case_do_not_tell_sentences_apart() -> None:
    assert ranked([said(1, "A  leak\n here."), said(2, "a leak HERE.")]) == ("A leak here.",)


def test_ties_go_to_the_shortest_then_to_the_alphabet_in_any_order() -> None:
    found = [said(1, "bb"), said(2, "aaa"), said(3, "ab")]

    assert {ranked(order) for order in permutations(found)} == {("ab", "bb", "aaa")}


def test_an_empty_sentence_is_none() -> None:
    assert chosen([said(1, " \n")]) == ("", 0)
