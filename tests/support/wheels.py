"""The distributions that are installed here, as wheels again: an environment can be built from them with no network at all."""

from collections.abc import Iterable
from importlib.metadata import Distribution, distribution
from pathlib import Path
from zipfile import ZipFile

from packaging.requirements import Requirement

OWN = ("INSTALLER", "REQUESTED", "direct_url.json")  # what an installer adds


def wheelhouse(folder: Path, names: Iterable[str]) -> Path:
    """A folder of wheels of these distributions and everything they need."""
    folder.mkdir(parents=True, exist_ok=True)
    for found in _closure(names):
        _pack(found, folder)
    return folder


def _closure(names: Iterable[str]) -> list[Distribution]:
    queue, found = list(names), {}
    while queue:
        dist = distribution(queue.pop())
        if dist.metadata["Name"] in found:
            continue
        found[dist.metadata["Name"]] = dist
        needed = map(Requirement, dist.requires or [])
        queue += [need.name for need in needed if need.marker is None or need.marker.evaluate({"extra": ""})]
    return list(found.values())


def _pack(dist: Distribution, folder: Path) -> None:
    wheel = dist.read_text("WHEEL") or ""
    tags = [line.partition(": ")[2].split("-") for line in wheel.splitlines() if line.startswith("Tag: ")]
    tag = "-".join(".".join(dict.fromkeys(column)) for column in zip(*tags, strict=True))
    name = dist.metadata["Name"].replace("-", "_")
    with ZipFile(folder / f"{name}-{dist.version}-{tag}.whl", "w") as archive:
        for file in dist.files or []:
            if ".." in file.parts or "__pycache__" in file.parts or file.name in OWN:
                continue
            archive.write(Path(str(dist.locate_file(file))), str(file))
