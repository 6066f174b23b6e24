"""An outlined change and settings → the record of an earlier audit that asked the same of the same model, if there is one.

Two steps, since a hook that finds its answer should neither read the change nor load a model. The question, under which a record
is noted, is a digest of what decides every prompt: the change (as git names it), the criteria's bytes, the plan but for its time
budget, the models with their runs and contracts, and the version. A record found by it is taken only if the model still has the
same digest and the prompts made anew are the record's, text and schema, byte for byte.
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

from venire import __version__
from venire.change import Outline
from venire.config import Settings
from venire.deliver import note
from venire.errors import BackendUnavailable
from venire.model import Record
from venire.record import recall


def question(settings: Settings, outline: Outline) -> str:
    """What is asked, in a digest. It does not name the commits: what was audited when committed is known when pushed."""
    facts = {
        "change": outline.digest,
        "criteria": list(_criteria(settings)),
        "buckets": settings.buckets,
        "ignore": [*settings.ignore, settings.output],
        "plan": asdict(replace(settings.plan, max_time=0.0)),
        "models": [asdict(seat) for seat in settings.seats],
        "gpu": settings.require_gpu,
        "tool": __version__,
    }
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode("utf-8", "surrogatepass")).hexdigest()


def _criteria(settings: Settings) -> Iterator[str]:
    """The criteria files' bytes in the order they are read; one that cannot be read is told when the panel is loaded."""
    from venire.panel import files

    try:
        for file in files([Path(path) for path in settings.criteria]):
            yield hashlib.sha256(file.read_bytes()).hexdigest()
    except OSError as error:
        yield str(error)


def answered(settings: Settings, asked: str) -> tuple[Path, Record] | None:
    """The record that answers a question, with its place. Says in one line that it is from the cache."""
    found = recall(settings.records, asked)
    if found is None:
        return None
    path, record = found
    try:
        if not _is_same_model(record, settings):
            return None
        unseen = ""
    except BackendUnavailable as error:
        unseen = f"; the model itself was not reached: {error.message}"
    if not _asks_the_same(record):
        return None
    note(f"from the cache: record {path}, audited {record.audit.started}{unseen}")
    return found


def _is_same_model(record: Record, settings: Settings) -> bool:
    """Are the models that would be asked now those of the record, by name and digest?"""
    from venire.commands.sitting import seated
    from venire.sample import glance

    now = [glance(seated(settings, seat)) for seat in settings.seats]
    if [info.name for info in now] != [seat.model for seat in record.audit.seats]:
        return False
    return {(info.name, info.digest) for info in now} == {(model.name, model.digest) for model in record.models}


def _asks_the_same(record: Record) -> bool:
    from venire.commands.laying import prompted

    return tuple(prompted(record.targets, record.audit.panel, record.audit)) == record.prompts
