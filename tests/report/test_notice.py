"""What forms for other programs say of a candidate: its statement, its rule, its votes first."""

from dataclasses import replace

from support.pools import candidate, clean, inconclusive, judged, label, nothing, pool, troubled

from venire.model import AnchorVotes
from venire.report import notice
from venire.report.inert import plain


def test_the_spot_is_the_leading_statement() -> None:
    wide = candidate(anchors=(AnchorVotes("f", "e", "load", 18, 20, 40, False), AnchorVotes("0", "1", "", 16, 16, 5, False)))
    assert notice.spot(wide) == (18, 20)
    assert notice.spot(candidate(anchors=())) == (16, 17)
    assert notice.spot(candidate(anchors=(AnchorVotes("f", "e", "", 0, 0, 1, True),))) == (1, 1)


def test_a_rule_is_of_the_words_of_a_check() -> None:
    assert notice.leading(candidate()) == "correctness/" + label("correctness::check_1", 1).content
    assert notice.leading(candidate(labels=())) == "venire/other"
    assert notice.rule("security", "") == "security/other"


def test_a_message_begins_with_the_votes_and_tells_everything_said_of_the_place() -> None:
    severe = judged().candidates[0]
    assert notice.message(severe, plain) == (
        "1 of 51 runs point here, severity high: The user's name is put into the SQL text.; "
        "in 1 run: SQL statements are built with bound parameters, never by joining strings (security::check_1, CWE-89); "
        "confirmed by jo on 2026-11-02: The name comes from a request.; also reported by bandit B608 on line 9"
    )


def test_only_what_is_not_complete_is_in_doubt() -> None:
    assert notice.doubt(clean()) == notice.doubt(nothing()) == notice.doubt(pool(candidate())) == ""
    assert notice.doubt(inconclusive()).startswith("INCONCLUSIVE")
    assert notice.doubt(troubled()).startswith("PARTIAL")


def test_a_message_about_the_whole_audit_stands_at_a_file_of_it() -> None:
    assert [remark.path for remark in notice.remarks(inconclusive())] == ["src/store.py"]
    bare = replace(inconclusive(), coverage=())
    assert [remark.path for remark in notice.remarks(replace(bare, skipped=nothing().skipped))] == ["logo.png"]
    assert [remark.path for remark in notice.remarks(bare)] == ["venire.yml"]


def test_each_altered_file_has_a_remark_of_its_own() -> None:
    text = "This change alters what decides how changes are audited"
    assert notice.remarks(judged()) == [
        notice.Remark("venire/altered", "venire.yml", text),
        notice.Remark("venire/altered", ".venire/decisions.yml", text),
    ]
