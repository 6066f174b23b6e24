"""Figures held against an independent recount: those of records, of the seed experiment, and those that a page quotes."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from venire import recount as independent
from venire.commands.sound import sound
from venire.config import Settings
from venire.deliver import deliver
from venire.errors import Exit, RecordDamaged, UsageError
from venire.record import read
from venire.record import verify as verdict_on
from venire.report import render
from venire.visible import visible

REMEDY = "One of the two counts is wrong. Please report it, with the record."


def recount(settings: Settings, paths: Sequence[Path]) -> Exit:
    """Recount every record; RecordDamaged names the first figure that differs. An unfinished record is not recounted."""
    code, lines = Exit.OK, []
    for path in paths:
        if verdict_on(path).status != "sealed":
            lines.append(
                f"{visible(str(path))}: not finished, not recounted; go on with: venire audit --resume {visible(str(path))}"
            )
            code = Exit.INCONCLUSIVE
            continue
        done = independent.recount(path, json.loads(render(sound(read(path)), "json")))
        if done.difference:
            deliver("".join(f"{line}\n" for line in lines), settings.output)
            raise RecordDamaged(f"{path}: {done.difference}", REMEDY)
        lines.append(f"{visible(str(path))}: ALL PASS, {done.compared} figures recounted")
    deliver("\n".join(lines) + "\n", settings.output)
    return code


def recount_experiment(settings: Settings, folder: Path) -> Exit:
    """Work out every statement of the seed experiment's article again from its files."""
    checked = independent.check(folder)
    wrong = [one for one in checked if not one.holds]
    for one in wrong[:1]:
        raise RecordDamaged(f"{folder}: {one.words}: the article says {one.said}, the recount {one.found}", REMEDY)
    lines = [f"{one.words}: {one.found}" for one in checked]
    deliver("\n".join([*lines, f"ALL PASS, {len(checked)} statements recounted"]) + "\n", settings.output)
    return Exit.OK


def recount_claims(settings: Settings, path: Path, corpora: Path | None) -> Exit:
    """Recount every figure that the pages of a repository quote. The file of claims lies in a folder below its root."""
    found = independent.claims(_yaml(path), str(path))
    faults = list(independent.faults(found, path.resolve().parent.parent, corpora))
    if faults:
        shown = "\n".join(f"{fault.place}: {fault.what}" for fault in faults)
        raise RecordDamaged(f"{path}: {len(faults)} wrong\n{shown}", "mend the page or the claim, whichever is wrong")
    measured = sum(not claim.record for claim in found)
    left = sum(claim.record.startswith("corpus:") for claim in found) if corpora is None else 0
    counted = len(found) - measured - left
    text = f"{visible(str(path))}: ALL PASS, {counted} {'claim' if counted == 1 else 'claims'} recounted"
    text += f", {measured} measured without a record" + (f", {left} about a corpus that is not here" if left else "")
    deliver(text + "\n", settings.output)
    return Exit.OK


def _yaml(path: Path) -> Any:
    import yaml

    try:
        return yaml.safe_load(path.read_text("utf-8"))
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}", "name a file of claims") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: {error}", "mend the YAML there") from None
