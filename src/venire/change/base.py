"""The revision a change starts from → files of it, written into a folder of their own. The checkout is never read.

Whoever proposes a change decides what its checkout holds, so what steers an audit of it must come from before it.
"""

from pathlib import Path, PurePosixPath

from venire.change.git import GITLINK, LINK, Repository
from venire.errors import ChangeError
from venire.model import Source

TREE = "040000"
"""git's mode of a folder."""

CRITERIA = (".yml", ".yaml")
"""How the names of the files end that are taken from a folder: no other is read as criteria."""


def base_of(source: Source, root: Path) -> str:
    """The full name of the commit whose files count: the left end of a range, as it stands now, else the commit the change is
    made on; "" where there is none. A recorded range whose left end is gone counts from the commit the record names."""
    if source.mode in ("patch", "paths"):
        return ""
    repository = Repository.open(root)
    if source.mode != "range":
        return source.base or repository.head()
    ref = source.spec.partition("..")[0] or "HEAD"
    try:
        return repository.commit(ref)
    except ChangeError:
        if not source.base:
            raise
        return repository.commit(source.base)


def copy_out(root: Path, commit: str, paths: list[str], folder: Path) -> None:
    """Write what ``commit`` has at these paths below ``folder``; what it does not have is left out. ChangeError for a link, a
    submodule or an oversized file: it would count for nothing without a word."""
    repository = Repository.open(root)
    found = [entry for path in paths for entry in repository.entries(commit, path)]
    inner = [entry for mode, _, path in found if mode == TREE for entry in repository.entries(commit, f"{path}/")]
    files = [entry for entry in found if entry[0] != TREE]
    files += [entry for entry in inner if entry[0] != TREE and entry[2].endswith(CRITERIA)]
    with repository.blobs() as blobs:
        for mode, name, path in files:
            if mode in (LINK, GITLINK):
                raise ChangeError(f"{path} of {commit[:12]} is no plain file", "put the file itself there, on the base branch")
            content = blobs.read(name)
            if content.reason:
                raise ChangeError(f"{path} of {commit[:12]} cannot be read: {content.reason} {content.detail}".rstrip())
            target = folder / PurePosixPath(path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content.data)
