"""Is a record whole and unchanged, and does it still give the report it was sealed with."""

from pathlib import Path

from venire.commands.show import report_digest
from venire.commands.sound import sound
from venire.config import Settings
from venire.deliver import deliver
from venire.errors import Exit, RecordDamaged
from venire.record import read
from venire.record import verify as verdict_on


def verify(settings: Settings, path: Path, head: str = "") -> Exit:
    """Print the verdict; ``head`` is a chain head kept elsewhere, without which a rewritten record cannot be told."""
    verdict = verdict_on(path)
    if head and not (len(head) >= 12 and verdict.head.startswith(head.lower())):
        raise RecordDamaged(f"{path}: its head is {verdict.head}, not {head}", "this is another record, or a rewritten one")
    lines = [f"{path}: {verdict.status}, {verdict.entries} entries", f"head {verdict.head}"]
    lines.append("anchored: the head is the one you gave" if head else "not anchored: give --head HEX from the report you kept")
    if verdict.status != "sealed":
        lines.append(f"not finished; go on with: venire audit --resume {path}")
        deliver("\n".join(lines) + "\n", settings.output)
        return Exit.INCONCLUSIVE
    record = read(path)
    is_same = record.report == report_digest(sound(record))
    lines.append(
        "report: as sealed" if is_same else f"report: sealed by {record.audit.tool}; this version reads the runs otherwise"
    )
    deliver("\n".join(lines) + "\n", settings.output)
    return Exit.OK
