"""The ledger of human decisions: a YAML file that people commit, read and edit. It adds to a report and removes nothing."""

from venire.decisions.ledger import add, read

__all__ = ["add", "read"]
