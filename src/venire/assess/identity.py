"""Content → names that last: fingerprints of statements and ids of candidates. Never from prose, line numbers or severity."""

import hashlib


def digest(tag: str, *parts: str) -> str:
    """SHA-256 in hex over ``tag`` and ``parts``, each preceded by its length, so that no two lists of parts read alike."""
    state = hashlib.sha256()
    for part in (tag, *parts):
        data = part.encode("utf-8", "surrogatepass")
        state.update(f"{len(data)}:".encode())
        state.update(data)
    return state.hexdigest()


def fp1(scope: str, text: str, ordinal: int) -> str:
    """The fingerprint of a statement in its scope; ``ordinal`` counts equal texts in that scope from 1."""
    return digest("stmt/v1", scope, text, str(ordinal))[:16]


def fp2(text: str, ordinal: int) -> str:
    """The fingerprint without the scope, which survives a renamed function; ``ordinal`` counts equal texts in the file from 1."""
    return digest("text/v1", text, str(ordinal))[:16]


def candidate_id(path: str, leading: str) -> str:
    """The id of the candidate at ``path`` whose leading anchor has the fingerprint ``leading``."""
    return digest("venire/candidate/v1", path, leading)[:12]
