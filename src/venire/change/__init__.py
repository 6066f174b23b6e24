"""What is audited: a source in git, a patch or plain files goes in; targets, skipped files and their windows come out."""

from venire.change.base import base_of, copy_out
from venire.change.collect import collect
from venire.change.git import Repository
from venire.change.outline import Outline, between, sent, staged
from venire.change.pushed import Push
from venire.change.windows import cut

__all__ = ["Outline", "Push", "Repository", "base_of", "between", "collect", "copy_out", "cut", "sent", "staged"]
