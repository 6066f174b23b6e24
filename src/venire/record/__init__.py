"""The waist: an audit's values ↔ one sealed file. The only place that knows the stored form (docs/record.md)."""

from venire.record.cache import is_final, recall, remember
from venire.record.codec import digest
from venire.record.store import Writer
from venire.record.verify import Verdict, read, verify

__all__ = ["Verdict", "Writer", "digest", "is_final", "read", "recall", "remember", "verify"]
