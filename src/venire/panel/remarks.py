"""What replies of the ``panel`` contract say beside their verdicts. Shown, never counted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from venire.panel.strict import ContractFault, load


@dataclass(frozen=True, slots=True)
class Remarks:
    """Each text once, in first-seen order."""

    summaries: tuple[str, ...] = ()
    issues: tuple[str, ...] = ()
    strengths: tuple[str, ...] = ()

    @classmethod
    def of(cls, replies: Iterable[str]) -> Remarks:
        """The union over replies. What is no text, or stands in no JSON object, is left out."""
        said = [value for reply in replies if (value := _object(reply))]
        return cls(
            summaries=_union([value.get("summary")] for value in said),
            issues=_union(value.get("issues") for value in said),
            strengths=_union(value.get("strengths") for value in said),
        )


def _object(reply: str) -> dict[str, object]:
    try:
        return load(reply)
    except ContractFault:
        return {}


def _union(lists: Iterable[object]) -> tuple[str, ...]:
    texts = (item.strip() for items in lists if isinstance(items, list) for item in items if isinstance(item, str))
    return tuple(dict.fromkeys(text for text in texts if text))
