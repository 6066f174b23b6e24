"""The artifact location of a SARIF result → a path below the root, as the audit names files; "" for a file that lies elsewhere.

An absolute URI counts from the root where it lies below it, else from the folder the analyser ran in where the file tells. A
relative one counts from its base where that is a folder below the root, else from the root: in another checkout, a container
for one, the base is another folder and the rest is the same.
"""

import posixpath
from collections.abc import Iterator, Sequence
from urllib.parse import unquote_to_bytes, urlsplit

from venire.evidence.sarif import Artifact, Run

BASES = 10
"""Bases may be relative to bases; a longer chain is a circle."""


def path_of(artifact: Artifact, run: Run, roots: Sequence[str]) -> str:
    """``roots`` are the absolute paths of the folder that paths count from: as it was reached, and without links."""
    found = _listed(artifact, run)
    if not found.uri:
        return ""
    own = _decoded(found.uri)
    based = _resolved(own, found.uriBaseId, run)
    if based.startswith("/"):
        folders = (*roots, *_folders(run))
        inside = next((inner for folder in folders if (inner := _below(based, folder))), "")
        return inside or ("" if own.startswith("/") else _clean(own))
    return _clean(based)


def _listed(artifact: Artifact, run: Run) -> Artifact:
    """The location itself, or that of the run's list of artifacts it points to."""
    if artifact.uri or artifact.index is None or not run.artifacts:
        return artifact
    within = 0 <= artifact.index < len(run.artifacts)
    return (run.artifacts[artifact.index].location if within else None) or artifact


def _decoded(uri: str) -> str:
    """The path of a URI, percent signs resolved; bytes that are not UTF-8 are written as the audit writes them."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return ""
    if parts.scheme not in ("", "file") and not (len(parts.scheme) == 1 and uri[1:2] == ":"):
        return ""
    return unquote_to_bytes(parts.path).decode("utf-8", "backslashreplace").replace("\0", "\\x00")


def _resolved(path: str, base: str | None, run: Run) -> str:
    """The path behind its base, that base behind its own, as far as they are known."""
    known = run.originalUriBaseIds or {}
    for _ in range(BASES):
        if path.startswith("/") or not base or base not in known:
            break
        path = posixpath.join(_decoded(known[base].uri or ""), path)
        base = known[base].uriBaseId
    return path


def _folders(run: Run) -> Iterator[str]:
    for invocation in run.invocations or ():
        if invocation.workingDirectory and (folder := _decoded(invocation.workingDirectory.uri or "")).startswith("/"):
            yield folder


def _below(path: str, folder: str) -> str:
    clean, top = posixpath.normpath(path), posixpath.normpath(folder).rstrip("/")
    return clean.removeprefix(f"{top}/") if clean.startswith(f"{top}/") else ""


def _clean(path: str) -> str:
    inner = posixpath.normpath(path)
    return "" if inner in (".", "..") or inner.startswith(("/", "../")) else inner
