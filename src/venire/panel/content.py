"""The identity of a check by its words."""

from hashlib import sha256


def content_id(bucket: str, text: str) -> str:
    """The id of a check by its words: 12 hex digits of SHA-256 over bucket and canonical text."""
    return sha256(f"venire/check/v1\0{bucket}\0{text}".encode()).hexdigest()[:12]
