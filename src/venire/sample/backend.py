"""What every engine can do: state its facts, give one reply, close."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from venire.errors import BackendFailure
from venire.model import Ask, ModelInfo, Reply


class Backend(Protocol):
    """An engine with one model. Used by one thread at a time."""

    @property
    def width(self) -> int:
        """How many asks may be in flight together."""

    @property
    def loads(self) -> int:
        """How often the model was loaded so far; a change means that the next sample follows a cold start."""

    def describe(self) -> ModelInfo:
        """Reach the engine, load the model and state its facts; raises BackendUnavailable."""

    def recheck(self) -> ModelInfo:
        """State the facts once more after the last sample, without loading anything."""

    def reply(self, ask: Ask) -> Reply:
        """Draw one sample; raises BackendFailure."""

    def close(self) -> None:
        """Let go of the engine; never raises."""


@runtime_checkable
class Cooling(Protocol):
    """An engine on a server that can be told to let go of its model, so that the next load is a cold start."""

    def unload(self) -> None:
        """Have the model dropped from memory; raises BackendFailure or BackendUnavailable."""


@runtime_checkable
class Batching(Protocol):
    """An engine that can draw several replies to one prompt in one request."""

    @property
    def batch(self) -> int:
        """How many asks one call may take; 1 where it cannot."""

    def replies(self, asks: Sequence[Ask]) -> Sequence[Reply | BackendFailure]:
        """What became of each ask, in their order."""
