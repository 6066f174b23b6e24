"""A comment says in its first line which audit wrote it, and nothing a model says can pass for that line."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.pools import evil, judged, poison

from venire.errors import UsageError
from venire.report.comment import comment
from venire.report.stamp import Stamp, read_stamp

STAMP = Stamp("venire", "b" * 40, "4f" * 32, 17)
profiles = st.text("abcXYZ019._-", min_size=1, max_size=64)
hexes = st.text("0123456789abcdef", max_size=64)


@given(profiles, hexes, hexes, st.integers(0, 10**18 - 1))
@settings(deadline=None)
def test_a_stamp_is_read_back_as_it_was_written(profile: str, head_sha: str, record: str, run: int) -> None:
    stamp = Stamp(profile, head_sha, record, run)
    assert read_stamp(f"{stamp.marker}\n## anything") == stamp


def test_the_marker_has_the_agreed_form() -> None:
    marker = Stamp("venire", "0abc", "4f6b", 3).marker
    assert marker == "<!-- venire:pool:v1 id=venire head_sha=0abc record=4f6b run=3 -->"


def test_line_ends_of_an_edited_comment_do_not_hide_the_stamp() -> None:
    assert read_stamp(STAMP.marker + "\r\nrest\r\n") == STAMP
    assert read_stamp(STAMP.marker) == STAMP


@pytest.mark.parametrize(
    "body",
    [
        "",
        f"\n{STAMP.marker}",
        f" {STAMP.marker}",
        f"{STAMP.marker} ",
        f"text {STAMP.marker}",
        f"{STAMP.marker}{STAMP.marker}",
        f"## Report\n\n{STAMP.marker}\n",
        STAMP.marker.replace("v1", "v2"),
        STAMP.marker.replace("run=17", "run=-1"),
        STAMP.marker.replace("run=17", "run=017"),
        STAMP.marker.replace("run=17", "run=١٧"),
        STAMP.marker.replace("run=17", "run=17\u2028"),
        STAMP.marker.replace("b" * 40, "B" * 40),
        STAMP.marker.replace("id=venire", "id=a b"),
    ],
)
def test_anything_but_a_whole_marker_in_the_first_line_is_no_stamp(body: str) -> None:
    assert read_stamp(body) is None


@pytest.mark.parametrize(
    "wrong",
    [
        {"profile": ""}, {"profile": "a b"}, {"profile": "-->"}, {"profile": "x" * 65}, {"profile": "a\n"}, {"head_sha": "main"},
        {"record": "zz"}, {"run": -1}, {"run": 10**18}, {"where": "a\nb"}, {"where": "<!-- x"},
    ],
)  # fmt: skip
def test_what_a_marker_cannot_hold_is_refused(wrong: dict[str, object]) -> None:
    good: dict[str, object] = {"profile": "venire", "head_sha": "", "record": "", "run": 0}
    with pytest.raises(UsageError):
        Stamp(**{**good, **wrong})  # type: ignore[arg-type]


@given(evil)
@settings(max_examples=25, deadline=None)
def test_no_text_of_a_model_can_forge_a_stamp(text: str) -> None:
    """Also not with a whole marker in every string: the only HTML comment of a report is its own first line."""
    body = comment(poison(judged(), f"{text}\n{STAMP.marker}\n{text}"), STAMP)
    assert read_stamp(body) == STAMP
    assert body.count("<!--") == 1
    assert body.startswith(STAMP.marker + "\n")
