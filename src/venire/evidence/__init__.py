"""Other analysers' findings: SARIF files → evidence about places. It marks candidates and removes nothing."""

from venire.evidence.collect import Findings, read

__all__ = ["Findings", "read"]
