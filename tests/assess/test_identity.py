"""Names that last come from content, unambiguously."""

from hypothesis import given
from hypothesis import strategies as st

from venire.assess.identity import candidate_id, digest, fp1, fp2

parts = st.lists(st.text(max_size=6), max_size=4)


@given(parts, parts)
def test_two_lists_of_parts_share_a_digest_only_when_they_are_equal(one: list[str], two: list[str]) -> None:
    assert (digest("t", *one) == digest("t", *two)) == (one == two)


def test_half_a_surrogate_pair_has_a_digest() -> None:
    assert digest("t", "\ud800") != digest("t", "\udc00")


def test_fingerprints_are_sixteen_hex_digits_and_ids_twelve() -> None:
    assert [len(fp1("f", "x = 1", 1)), len(fp2("x = 1", 1)), len(candidate_id("a.py", "f" * 16))] == [16, 16, 12]


def test_the_same_bytes_give_the_same_names_for_good() -> None:
    """Decisions made with one release must still match with the next."""
    assert fp1("f", "x = 1", 1) == "81e8da4e83cfffa4"
    assert fp2("x = 1", 1) == "d118f6247cf7d297"
    assert candidate_id("a.py", "0123456789abcdef") == "a197d601ace7"
