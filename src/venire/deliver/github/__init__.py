"""A report to GitHub: the comment on a pull request, code scanning, and the runner's own files."""

from venire.deliver.github.calls import Comment, Repository
from venire.deliver.github.client import Client, Refused
from venire.deliver.github.files import outputs, summarise
from venire.deliver.github.sticky import Notice, Posted, is_newer, stick

__all__ = [
    "Client",
    "Comment",
    "Notice",
    "Posted",
    "Refused",
    "Repository",
    "is_newer",
    "outputs",
    "stick",
    "summarise",
]
