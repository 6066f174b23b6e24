"""Record and readings → how far the audit got: status, reasons, warnings."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from venire.assess.replies import Reading
from venire.model import Lines, Prompt, PromptKey, Record, RunId, Status, Target


@dataclass(frozen=True, slots=True)
class Standing:
    """The record with its readings by prompt, the models asked, and the prompts in order, all of them and by target.

    ``asked`` is the number of runs of all models.
    """

    record: Record
    heard: dict[PromptKey, tuple[Reading, ...]]
    models: tuple[str, ...]
    prompts: tuple[Prompt, ...]
    by_path: Mapping[str, tuple[Prompt, ...]]

    @property
    def asked(self) -> int:
        return sum(map(self.record.audit.runs, self.models))

    def runs(self, prompt: Prompt) -> int:
        """The runs a prompt should have."""
        return self.record.audit.runs(prompt.model)

    def samples(self, path: str | None = None) -> int:
        """The runs that all prompts should have, of one target or of all."""
        return sum(self.runs(prompt) for prompt in self.of(path))

    def of(self, path: str | None) -> tuple[Prompt, ...]:
        """The prompts of one target, or all."""
        return self.prompts if path is None else self.by_path.get(path, ())

    def valid(self, prompt: Prompt) -> frozenset[RunId]:
        """The runs with a valid reply to the prompt."""
        return frozenset(reading.voter for reading in self.heard.get(prompt.key, ()) if reading.is_valid)

    def complete(self, path: str | None = None) -> frozenset[RunId]:
        """The runs valid in every prompt of their model, of one target or of all; none where nothing was asked."""
        found: set[RunId] = set()
        for model in self.models:
            asked = [prompt for prompt in self.of(path) if prompt.model == model]
            found |= frozenset.intersection(*map(self.valid, asked)) if asked else frozenset()
        return frozenset(found)


RELOAD_MS = 1000
"""A model in memory answers within some tens of milliseconds of load time."""


def stand(record: Record, heard: Iterable[Reading]) -> Standing:
    """The standing of a record; a model counts once however often its server was reached."""
    groups: dict[PromptKey, list[Reading]] = defaultdict(list)
    for reading in heard:
        groups[reading.run.prompt].append(reading)
    models = {prompt.model for prompt in record.prompts}
    prompts = tuple(sorted(record.prompts, key=lambda prompt: prompt.key))
    by_path = {path: tuple(own) for path, own in groupby(prompts, key=lambda prompt: prompt.path)}
    return Standing(record, {key: tuple(group) for key, group in groups.items()}, tuple(sorted(models)), prompts, by_path)


def status(at: Standing) -> tuple[Status, tuple[str, ...]]:
    """What the audit amounts to, and every reason why it is not complete, the gravest first."""
    grave, light = [*_changed(at), *_holes(at), *_thin(at)], [*_stopped(at), *_missing(at)]
    if at.record.stop is None:
        return "unfinished", ("the audit did not finish", *grave, *light)
    if not at.record.prompts and not grave:
        return "nothing", ("no check of the panel applies to the changed files",) if at.record.targets else ()
    if grave:
        return "inconclusive", (*grave, *light)
    return ("partial" if light else "complete"), tuple(light)


def warnings(at: Standing) -> tuple[str, ...]:
    """What a reader must know before trusting the counts."""
    return (*_models(at), *_copies(at), *_blind(at), *_few(at), *_unasked(at))


def _holes(at: Standing) -> Iterator[str]:
    """Text that should have been audited and was not shown."""
    for skipped in sorted(at.record.skipped, key=lambda item: (item.path, item.reason)):
        if skipped.is_gap:
            yield f"{skipped.path}: not audited ({': '.join(filter(None, (skipped.reason, skipped.detail)))})"
    for target in sorted(at.record.targets, key=lambda item: item.path):
        if missed := _missed(target, at.record.audit.plan.scope == "changed"):
            yield f"{target.path}: lines {', '.join(map(_span, missed))} were not shown to a model"


def _missed(target: Target, is_change: bool) -> list[Lines]:
    def counts(hole: Lines) -> bool:
        return not is_change or any(low <= hole[1] and hole[0] <= high for low, high in target.changed)

    return [hole for hole in target.uncovered if counts(hole)]


def _thin(at: Standing) -> Iterator[str]:
    """Prompts to which fewer than half of the runs gave a valid reply."""
    for prompt in at.prompts:
        if 2 * (got := len(at.valid(prompt))) < (asked := at.runs(prompt)):
            by = f" by {prompt.model}" if len(at.models) > 1 else ""
            place = f"{prompt.path}{_where(at, prompt)}, {prompt.bucket}{by}"
            yield f"{place}: {got} of {asked} runs gave a valid reply, fewer than half"


def _where(at: Standing, prompt: Prompt) -> str:
    """The lines a prompt shows, where its target needs more than one window."""
    windows = next((target.windows for target in at.record.targets if target.path == prompt.path), ())
    shown = [", ".join(map(_span, window.shown)) for window in windows if window.index == prompt.window]
    return f" lines {shown[0]}" if len(windows) > 1 and shown else ""


def _stopped(at: Standing) -> Iterator[str]:
    if at.record.stop == "max-time":
        yield f"the time budget ended sampling: {len(at.complete())} of {at.asked} runs are complete"


def _missing(at: Standing) -> Iterator[str]:
    """Samples of each file that gave no vote, by what became of them."""
    for path, prompts in at.by_path.items():
        total = at.samples(path)
        parts = {
            "gave no valid reply": sum(not reading.is_valid for prompt in prompts for reading in at.heard.get(prompt.key, ())),
            "were not drawn": total - sum(len(at.heard.get(prompt.key, ())) for prompt in prompts),
        }
        if any(parts.values()):
            yield f"{path}: of {total} samples " + ", ".join(f"{count} {what}" for what, count in parts.items() if count)


def _models(at: Standing) -> Iterator[str]:
    yield from dict.fromkeys(f"{model.name}: {warning}" for model in at.record.models for warning in model.warnings)
    for name in at.models:
        loads = sum(last.load_ms >= RELOAD_MS for run in at.record.runs if run.model == name for last in run.attempts[-1:])
        if loads:
            yield f"{name}: the model was loaded again before {loads} of the counted samples"


def _changed(at: Standing) -> Iterator[str]:
    """A tag that was pulled anew in between: the runs before and after are of two models."""
    for name in at.models:
        digests = {model.digest for model in at.record.models if model.name == name and model.digest}
        if len(digests) > 1:
            yield f"{name}: the model changed during the audit ({len(digests)} digests); its runs are not one sample"


def _copies(at: Standing) -> Iterator[str]:
    """Every run of a model saying the same bytes looks like agreement and may be one reply sent again."""
    sampling = at.record.audit.plan.sampling
    for model in at.models:
        groups = [_texts(at, prompt) for prompt in at.prompts if prompt.model == model]
        telling = [texts for texts in groups if len(texts) > 1]
        if telling and all(len(set(texts)) == 1 for texts in telling) and sampling.temperature > 0 and not sampling.pinned:
            yield f"{model}: independence not shown: all runs gave the same bytes at temperature {sampling.temperature}"


def _texts(at: Standing, prompt: Prompt) -> Sequence[str]:
    """The valid replies to a prompt, if any of them makes a claim: that several find nothing is no sign of a copy."""
    heard = [reading for reading in at.heard.get(prompt.key, ()) if reading.is_valid]
    return [reading.run.attempts[-1].text for reading in heard] if any(reading.claims for reading in heard) else []


def _blind(at: Standing) -> Iterator[str]:
    """Valid samples that report neither of the defects planted in their prompt. They stay valid: a miss proves nothing."""
    for model in at.models:
        found = [r.canaries for key in at.heard if key[3] == model for r in at.heard[key] if r.canaries is not None]
        if missed := sum(not any(both) for both in found):
            yield f"{model}: {missed} of {len(found)} samples did not report the planted defects"


def _few(at: Standing) -> Iterator[str]:
    if at.record.prompts and (got := len(at.complete())) < 3:
        yield f"{got} {'run is' if got == 1 else 'runs are'} valid in every prompt; frequency says little below 3"


def _unasked(at: Standing) -> Iterator[str]:
    asked = {prompt.path for prompt in at.record.prompts}
    for target in sorted(at.record.targets, key=lambda item: item.path):
        if asked and target.path not in asked:
            yield f"{target.path}: no check of the panel applies to it"


def _span(lines: Lines) -> str:
    return str(lines[0]) if lines[0] == lines[1] else f"{lines[0]}-{lines[1]}"
