"""The key of a vote is the pair (bucket, check id). Here is how the pair is shown; nothing ever reads it back from that."""

COMBINED = "combined"
"""The bucket that all entries share in the combined mode. No criteria file may use the name."""


def shown(bucket: str, check: str) -> str:
    """A vote's key for people: ``bucket::check_n``, and plain ``check_n`` in the combined bucket."""
    return check if bucket == COMBINED else f"{bucket}::{check}"
