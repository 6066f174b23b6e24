"""The reply texts of one run, whatever their contract → one Answer. Sampling and assessment read replies through here alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol

from venire.model import Claim, Contract, Prompt
from venire.panel import findings, issues, verdicts
from venire.panel.strict import ContractFault


class Reader(Protocol):
    """What every contract's module can say of a prompt's schema."""

    def expected(self, schema_text: str, /) -> tuple[str, ...]: ...

    def feedback(self, fault: str, schema_text: str, /) -> str: ...


READERS: Mapping[Contract, Reader] = MappingProxyType({"findings": findings, "panel": verdicts, "issues": issues})


@dataclass(frozen=True, slots=True)
class Answer:
    """What a run says. Verdicts (id, passed) and missing ids are, together and in order, the ids the prompt asks about.

    ``fault`` says why the last reply is refused; it is empty when there is nothing to ask again.
    ``canaries``: whether those at head and tail were reported, None where none were planted or the reply is refused.
    ``reasons``: why a check (id, sentence) fails where no line is to blame.
    """

    claims: tuple[Claim, ...] = ()
    verdicts: tuple[tuple[str, bool], ...] = ()
    missing: tuple[str, ...] = ()
    fault: str = ""
    canaries: tuple[bool, bool] | None = None
    reasons: tuple[tuple[str, str], ...] = ()

    @property
    def is_complete(self) -> bool:
        """Every check has a verdict."""
        return not self.missing


def answer(texts: Sequence[str], prompt: Prompt) -> Answer:
    """What the attempts of one run say, in their order; a failed attempt is "" and says nothing. Each is read alone.

    ``findings`` and ``issues``: the last reply counts, all of it or nothing. ``panel``: the last valid entry of each id counts,
    whichever attempt it is from. Any fault refuses a first reply; once asked again, a run is done when every id has its verdict.
    """
    match prompt.contract:
        case "panel":
            return _of_verdicts(texts, prompt)
        case "issues":
            return _of_issues(texts, prompt)
    return _of_findings(texts, prompt)


def expected(prompt: Prompt) -> tuple[str, ...]:
    """The ids of the checks a prompt asks about, in order."""
    return READERS[prompt.contract].expected(prompt.schema)


def feedback(fault: str, prompt: Prompt) -> str:
    """What a model is told after a refused reply: the same bytes for the same fault of the same prompt."""
    return READERS[prompt.contract].feedback(fault, prompt.schema)


def _of_findings(texts: Sequence[str], prompt: Prompt) -> Answer:
    ids = findings.expected(prompt.schema)
    try:
        claims, canaries = findings.read(texts[-1] if texts else "", prompt)
    except ContractFault as fault:
        return Answer(missing=ids, fault=str(fault))
    failed = {claim.check for claim in claims}
    return Answer(claims, tuple((id_, id_ not in failed) for id_ in ids), canaries=canaries)


def _of_issues(texts: Sequence[str], prompt: Prompt) -> Answer:
    ids = issues.expected(prompt.schema)
    try:
        claims = issues.read(texts[-1] if texts else "", prompt.schema)
    except ContractFault as fault:
        return Answer(missing=ids, fault=str(fault))
    failed = {claim.check for claim in claims}
    return Answer(claims, tuple((id_, id_ not in failed) for id_ in ids))


def _of_verdicts(texts: Sequence[str], prompt: Prompt) -> Answer:
    ids = verdicts.expected(prompt.schema)
    readings = [verdicts.read(text, prompt.schema) for text in texts or ("",)]
    last = {id_: verdict for reading in readings for id_, verdict in reading.verdicts.items()}
    missing = tuple(id_ for id_ in ids if id_ not in last)
    found = [(id_, last[id_]) for id_ in ids if id_ in last]
    return Answer(
        claims=tuple(verdict.claim for _, verdict in found if verdict.claim is not None),
        verdicts=tuple((id_, verdict.passed) for id_, verdict in found),
        missing=missing,
        fault=readings[-1].fault if missing or len(readings) == 1 else "",
        reasons=tuple((id_, verdict.reason) for id_, verdict in found if verdict.reason),
    )
