"""The report again, from a record alone: no model, no git, no network."""

from pathlib import Path

from venire.commands.show import report_digest, show
from venire.commands.sound import sound
from venire.config import Settings
from venire.errors import Exit, UsageError
from venire.record import read


def replay(settings: Settings, path: Path) -> Exit:
    """Verify, assess and show a record."""
    if settings.output and Path(settings.output).resolve() == path.resolve():
        raise UsageError(f"{path}: the report would take the record's place", "name another file with -o")
    record = read(path)
    is_other = record.report and record.report != report_digest(sound(record))
    remark = f"{path}: sealed by {record.audit.tool} with another report; this is how the present version reads the same runs"
    return show(record, settings, *([remark] if is_other else []))


def example() -> Path:
    """The record of the demo: inside the installed package, or in the checkout it runs from."""
    package = Path(__file__).parent.parent
    for path in (package / "_records" / "demo.jsonl", package.parent.parent / "records" / "demo.jsonl"):
        if path.is_file():
            return path
    raise UsageError("this installation came without its example record", "replay a record of your own")
