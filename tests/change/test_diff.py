"""Old and new contents → changed lines, against an independent count by difflib."""

from difflib import SequenceMatcher

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from venire.change.diff import Comparison, merged, touched


def compared(*pairs: tuple[bytes | None, bytes | None]) -> dict[int, tuple[int, tuple[tuple[int, int], ...]]]:
    with Comparison() as comparison:
        for number, (old, new) in enumerate(pairs):
            comparison.add(number, old, new)
        found = comparison.run()
    return {number: (item.old, item.changed((pairs[number][1] or b"").count(b"\n"))) for number, item in found.items()}


def test_many_pairs_are_compared_at_once_and_kept_apart() -> None:
    found = compared(
        (b"1\n2\n", b"1\ntwo\n"), (b"1\n", b"1\n"), (b"1\n2\n3\n", b"1\n3\n"), (b"", b"1\n"), (b"1\n", None), (None, b"9\n")
    )
    assert found == {0: (0, ((2, 2),)), 2: (2, ((1, 2),)), 3: (3, ((1, 1),))}


def test_a_deleted_and_a_new_content_that_are_alike_are_paired() -> None:
    old = b"".join(b"line %d\n" % number for number in range(20))
    assert compared((old, None), (None, old.replace(b"line 5\n", b"five\n")), (b"other\n", None)) == {1: (0, ((6, 6),))}


def test_code_that_looks_like_a_diff_does_not_mislead() -> None:
    old = b"--- a/x\n+++ b/x\n@@ -1 +1 @@\n"
    new = b"--- a/x\n+++ b/y\ndiff --git a/1 b/1\n@@ -1 +1 @@\n+x\n\\ No newline at end of file\n"
    assert compared((old, new)) == {0: (0, ((2, 3), (5, 6)))}


def test_any_bytes_are_compared_by_line_feeds_alone() -> None:
    assert compared((b"a\0\x85\rb\n\xff\n", b"a\0\x85\rc\n\xff\n")) == {0: (0, ((1, 1),))}


LINES = st.lists(st.sampled_from([b"a", b"b", b"c", b"", b"d\r"]), max_size=12)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(LINES, LINES), min_size=1, max_size=20))
def test_what_is_not_marked_is_a_common_subsequence(pairs: list[tuple[list[bytes], list[bytes]]]) -> None:
    """Every line of the new side outside the marked ones stands in the old side, in the same order."""
    files = [tuple(b"".join(line + b"\n" for line in side) for side in pair) for pair in pairs]
    found = compared(*((old, new) for old, new in files))
    for number, (old, new) in enumerate(pairs):
        marked = {line for first, last in found.get(number, (0, ()))[1] for line in range(first, last + 1)}
        assert all(1 <= line <= len(new) for line in marked if new)
        rest = [line.rstrip(b"\r") for index, line in enumerate(new, 1) if index not in marked]
        before = iter([line.rstrip(b"\r") for line in old])
        assert all(line in before for line in rest)
        if [line.rstrip(b"\r") for line in old] != [line.rstrip(b"\r") for line in new] and new:
            assert marked
        assert SequenceMatcher(a=old, b=new, autojunk=False).ratio() < 1 or not marked


def test_ranges_are_joined_and_cuts_stay_inside_the_file() -> None:
    assert merged([(5, 6), (1, 2), (3, 3), (9, 9), (5, 5)]) == ((1, 3), (5, 6), (9, 9))
    assert touched(3, 2, 9) == (3, 4)
    assert (touched(0, 0, 5), touched(3, 0, 5), touched(5, 0, 5)) == ((1, 1), (3, 4), (5, 5))
