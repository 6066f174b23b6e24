"""Cards: one a place, around its strongest region, without chains."""

from hypothesis import given
from hypothesis import strategies as st
from support.places import cards, findings, layout

TEXT = "".join(f"x{n} = {n}\n" for n in range(12))
claims = st.tuples(st.integers(1, 12), st.sampled_from(["check_1", "check_2", "check_3", "check_4"]))
audits = st.dictionaries(st.integers(1, 6), st.lists(claims, max_size=6), min_size=1, max_size=6)


@given(audits)
def test_every_region_is_on_one_card_and_leading_statements_differ(said: dict[int, list[tuple[int, str]]]) -> None:
    made = cards(TEXT, findings(TEXT, said))
    ballots = [ballot[:3] for card in made for region in card for ballot in region.ballots]
    leading = [card[0].anchors[0] for card in made]

    assert len(ballots) == len(set(ballots)) == len({(f.anchor, f.bucket, f.check) for f in findings(TEXT, said)})
    assert len(set(leading)) == len(leading)
    assert all(set(region.anchors) & set(card[0].anchors) for card in made for region in card)


def test_families_that_share_a_statement_share_a_card() -> None:
    said = {1: [(5, "check_1")], 2: [(5, "check_1")], 3: [(5, "check_3")], 4: [(5, "check_4")]}
    (card,) = cards(TEXT, findings(TEXT, said))

    assert [region.family for region in card] == ["x", "y", "z"]


def test_cards_do_not_chain() -> None:
    """x holds statements 1 to 3, y 3 to 5, z 5 to 7: z shares a statement with y, but not with the strongest."""
    rows = {"check_1": (1, 2, 3, 3), "check_3": (3, 4, 5), "check_4": (5, 6, 7)}
    said: dict[int, list[tuple[int, str]]] = {}
    for name, lines in rows.items():
        for line in lines:
            said[len(said) + 1] = [(line, name)]
    made = cards(TEXT, findings(TEXT, said))

    assert [[region.family for region in card] for card in made] == [["x", "y"], ["z"]]
    assert layout(TEXT).anchors[made[1][0].anchors[0]].first == 5
