"""What voting keeps, in words: thresholds, double credits, and findings on the edge."""

from support.measures import study, surfaces

from venire.model.measures import Pivot, Point, Surface
from venire.report.measured.parts import Foreign, pieces
from venire.report.measured.surfaces import pivots, ranking, surface


def said(text: object) -> str:
    return "".join(piece.text if isinstance(piece, Foreign) else piece for piece in pieces(text))  # type: ignore[arg-type]


def test_each_row_is_a_stretch_of_thresholds_and_the_majority_is_marked() -> None:
    rows = {said(row[0]): [said(cell) for cell in row[1:]] for row in surface(study()).rows}
    assert rows == {
        "1": ["3 / 3 +1", "3 / 2", "4 / 2*", "3 / 2", "3 / 2"],
        "2": ["3 / 1 +1", "3 / 1", "4 / 1*", "3 / 1", "3 / 1"],
        "3–4": ["3 / 0 +1", "3 / 0", "4 / 0*", "3 / 0", "3 / 0"],
        "5–19": ["2 / 0 +1", "2 / 0", "3 / 0*", "2 / 0", "2 / 0"],
        "20–26 (majority: 26)": ["2 / 0", "2 / 0", "3 / 0*", "2 / 0", "2 / 0"],
        "27–46": ["1 / 0", "2 / 0", "3 / 0*", "2 / 0", "2 / 0"],
        "47–51": ["1 / 0", "1 / 0", "1 / 0", "1 / 0", "1 / 0"],
    }


def test_a_sign_is_explained_only_where_it_occurs() -> None:
    plain = study(surfaces=(surfaces()[1],))
    assert not any("“*”" in said(note) or "“+1”" in said(note) for note in surface(plain).notes)
    assert sum("“*”" in said(note) or "“+1”" in said(note) for note in surface(study()).notes) == 2


def test_a_threshold_one_key_lacks_is_undefined_there() -> None:
    short = study(surfaces=(Surface("line0", (Point(1, 1, 0, 0, 1, 0),), None, None), surfaces()[1]), pivots=())
    assert [said(cell) for cell in surface(short).rows[1]][:2] == ["2", "undefined"]


def test_how_well_votes_rank_is_undefined_where_it_is() -> None:
    assert [said(cell) for cell in ranking(study()).rows[-1]] == ["region", "undefined", "0.13"]


def test_a_finding_at_the_majority_lives_by_one_vote_and_one_below_dies_by_one() -> None:
    edge = study(pivots=(Pivot("line0", "a", 1, 26, 26), Pivot("region", "a", 1, 26, 26), Pivot("line2", "b", 2, 25, 26)))
    assert [said(row) for row in pivots(edge).rows] == [
        "a on line 1: 26 votes, kept by one vote (majority 26; line ±0, region)",
        "b on line 2: 25 votes, dropped for want of one vote (majority 26; line ±2)",
    ]


def test_no_finding_on_the_edge_is_said_to_be_none() -> None:
    assert [said(row) for row in pivots(study(pivots=())).rows] == ["None at the majority of 26 of 51 runs."]
