"""The only modules that send anything anywhere."""

from venire.deliver.progress import Step, Watcher, progress
from venire.deliver.stream import deliver, note, paper, writable

__all__ = ["Step", "Watcher", "deliver", "note", "paper", "progress", "writable"]
