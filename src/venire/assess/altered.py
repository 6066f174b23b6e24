"""A record and the files that steer an audit → those of them that the audited change itself touches."""

from collections.abc import Iterable

from venire.assess.versions import renames
from venire.model import Record

CRITERIA = (".yml", ".yaml")
"""How the names of the files in a criteria folder end."""


def altered(record: Record, files: Iterable[str], criteria: Iterable[str] = ()) -> tuple[str, ...]:
    """Sorted paths. ``criteria`` are paths of files, or of folders whose own criteria files count; all relative to the root."""
    if record.audit.source.mode == "paths":
        return ()
    touched = {target.path for target in record.targets} | {skipped.path for skipped in record.skipped}
    touched |= set(renames((target.path, target.notes) for target in record.targets).values())
    wanted, places = set(files), {place.rstrip("/") for place in criteria}
    return tuple(sorted(path for path in touched if path in wanted or path in places or _is_inside(path, places)))


def _is_inside(path: str, folders: set[str]) -> bool:
    folder, _, name = path.rpartition("/")
    return folder in folders and name.endswith(CRITERIA) and not name.startswith(".")
