"""Summaries, issues and strengths are united over replies: each text once, in first-seen order."""

from support.asking import panel_reply

from venire.panel import Remarks


def test_each_text_is_kept_once_in_the_order_first_seen() -> None:
    one = panel_reply(summary="Good.", issues=["B.", "A."], strengths=["C."])
    two = panel_reply(summary="Good.", issues=["A. ", "D."], strengths=[])

    assert Remarks.of([one, two]) == Remarks(("Good.",), ("B.", "A.", "D."), ("C.",))
    assert Remarks.of([two, one]).issues == ("A.", "D.", "B.")


def test_lists_that_are_missing_or_no_lists_and_replies_that_are_no_object_add_nothing() -> None:
    bad = panel_reply(summary=None, issues=None, strengths=[1, "", " ", {}])

    assert Remarks.of(["", "prose", '{"criteria":[]}', bad]) == Remarks() == Remarks.of([])
