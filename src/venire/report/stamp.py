"""What a sticky comment says of itself in its first line: which audit wrote it, and of what. Written, and read back strictly."""

import re
from dataclasses import dataclass

from venire.errors import UsageError

_PARTS = {"profile": "[A-Za-z0-9._-]{1,64}", "head_sha": "[0-9a-f]{0,64}", "record": "[0-9a-f]{0,64}"}
_MARKER = re.compile(
    r"<!-- venire:pool:v1 id=({profile}) head_sha=({head_sha}) record=({record}) run=(0|[1-9][0-9]{{0,17}}) -->".format(**_PARTS)
)


@dataclass(frozen=True, slots=True)
class Stamp:
    """``profile`` tells several audits of one pull request apart; ``head_sha`` is the commit audited, ``record`` the head of
    its record, ``run`` the number of the workflow run. ``where``: one line of trusted Markdown that says where the whole
    report is. UsageError for what a marker cannot hold."""

    profile: str
    head_sha: str
    record: str
    run: int
    where: str = ""

    def __post_init__(self) -> None:
        for name, pattern in _PARTS.items():
            if not re.fullmatch(pattern, value := getattr(self, name)):
                raise UsageError(
                    f"{name.replace('_', ' ')} {value!r} cannot stand in a comment's marker", f"it must be {pattern}"
                )
        if not 0 <= self.run < 10**18:
            raise UsageError(f"run number {self.run} cannot stand in a comment's marker", "it must be 0 or more")
        if "\n" in self.where or "\r" in self.where or "<!--" in self.where:
            raise UsageError("where the whole report is must be said in one line", "leave line ends and HTML comments out")

    @property
    def marker(self) -> str:
        """The first line of the comment."""
        return f"<!-- venire:pool:v1 id={self.profile} head_sha={self.head_sha} record={self.record} run={self.run} -->"


def read_stamp(body: str) -> Stamp | None:
    """The stamp of a comment, None when its first line is anything but a whole marker. Nothing below that line is looked at,
    and no text of a model can begin an HTML comment in a report, so a marker is ours or its author's."""
    found = _MARKER.fullmatch(body.split("\n", 1)[0].removesuffix("\r"))
    return Stamp(found[1], found[2], found[3], int(found[4])) if found else None
