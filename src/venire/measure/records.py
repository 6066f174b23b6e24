"""A record → its cells: one for each target and model."""

import hashlib
from collections.abc import Iterable, Iterator

from venire.assess.anchors import lay_out
from venire.assess.findings import place
from venire.assess.labels import Labels, labels
from venire.assess.replies import Reading, readings
from venire.measure.sightings import Setting, sightings, statements
from venire.model import Cell, Draw, ModelInfo, Prompt, Record, Sampling, Target


def cells(record: Record) -> tuple[Cell, ...]:
    """Every (target, model) that was asked, ordered by path and model.

    A draw is a run of which anything was sampled. It is valid when its replies to all prompts of the target are; any other
    has no findings here. Runs that a time budget left out are no draws.
    """
    heard = readings(record)
    known = labels(record.audit.panel)
    targets = sorted(record.targets, key=lambda target: target.path)
    models = sorted({prompt.model for prompt in record.prompts})
    made = (_cell(record, target, model, heard, known) for target in targets for model in models)
    return tuple(cell for cell in made if cell)


def _cell(record: Record, target: Target, model: str, heard: Iterable[Reading], known: Labels) -> Cell | None:
    prompts = [prompt for prompt in record.prompts if (prompt.path, prompt.model) == (target.path, model)]
    mine = [reading for reading in heard if (reading.run.path, reading.run.model) == (target.path, model)]
    if not prompts or not mine:
        return None
    runs = _by_run(mine)
    valid = {number for number, said in runs.items() if len(said) == len(prompts) and all(r.is_valid for r in said)}
    layout = lay_out(target.lines, target.language)
    found = place([reading for reading in mine if reading.run.number in valid], layout, target.lines, known)
    setting = Setting(target.path, layout, known, len(valid), record.audit.plan.lift)
    seen = sightings(found, setting, {key: "::".join(key) for key in known.checks})
    sampling = record.audit.plan.sampling
    return Cell(
        name=f"{record.audit.id} {target.path} {model}",
        target=target.path,
        model=model,
        contract=", ".join(sorted({prompt.contract for prompt in prompts})),
        is_pinned=sampling.pinned or sampling.temperature == 0,
        draws=tuple(Draw(n, n in valid, seen.get((model, n), ()), _digest(runs[n])) for n in sorted(runs)),
        lines=len(target.lines),
        facts=tuple(_facts(record, model, sampling, prompts)),
        statements=statements(layout),
    )


def _by_run(heard: Iterable[Reading]) -> dict[int, list[Reading]]:
    runs: dict[int, list[Reading]] = {}
    for reading in heard:
        runs.setdefault(reading.run.number, []).append(reading)
    return runs


def _digest(said: Iterable[Reading]) -> str:
    """Over the texts of every reply of a run. Not over the raw bodies: a server writes times into them."""
    state = hashlib.sha256()
    for reading in said:
        for attempt in reading.run.attempts:
            data = attempt.text.encode("utf-8", "surrogatepass")
            state.update(f"{len(data)}:".encode() + data)
    return state.hexdigest()


def _facts(record: Record, model: str, sampling: Sampling, prompts: Iterable[Prompt]) -> Iterator[tuple[str, str]]:
    """Where the runs come from, as far as the record says."""
    yield "audit", record.audit.id
    yield "tool", record.audit.tool
    info = next((info for info in record.models if info.name == model), None)
    yield from _of_model(info) if info else ()
    yield "temperature", str(sampling.temperature)
    yield "top_k", str(sampling.top_k)
    yield "top_p", str(sampling.top_p)
    yield "seed", str(sampling.seed)
    yield "prompts", str(len(list(prompts)))


def _of_model(info: ModelInfo) -> Iterator[tuple[str, str]]:
    for name in ("backend", "engine", "digest", "quantization", "parameters"):
        if value := getattr(info, name):
            yield name, str(value)
    if info.context:
        yield "context", str(info.context)
    yield "gpu_share", "not stated" if info.gpu_share is None else str(info.gpu_share)
