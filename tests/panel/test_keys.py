"""A vote's key is a pair; only its display depends on the bucket."""

import pytest

from venire.panel import COMBINED, shown


@pytest.mark.parametrize(
    ("bucket", "text"),
    [("security", "security::check_1"), ("a::b", "a::b::check_1"), ("[x]", "[x]::check_1"), (COMBINED, "check_1")],
)
def test_a_key_is_shown_with_its_bucket_but_in_the_combined_one(bucket: str, text: str) -> None:
    assert shown(bucket, "check_1") == text
