"""A record that was read → its pool, for every command: a stranger's record may verify and still be none of an audit."""

from venire.assess import assess
from venire.errors import RecordDamaged
from venire.model import Pool, Record


def sound(record: Record) -> Pool:
    """The bare pool. RecordDamaged: somebody else wrote a record that verifies and yet holds what no audit writes."""
    try:
        return assess(record)
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as fault:
        message = f"record {record.audit.id}: its chain is whole, but it is no record of an audit ({type(fault).__name__})"
        raise RecordDamaged(message, "audit again; a record that venire wrote does not give this") from None
