"""Records, or the seed experiment's files, and perhaps a truth file → a delivered page of figures about the model."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from venire.config import Settings
from venire.deliver import deliver, note, paper, writable
from venire.errors import Exit, UsageError
from venire.model import Cell, Measures, Truth

Form = Literal["terminal", "markdown", "json", "html"]
Measure = Callable[[Iterable[Cell], Sequence[Truth] | None], Measures]
FORMS: tuple[Form, ...] = ("terminal", "markdown", "json", "html")
FIGURES: Mapping[str, Literal["svg", "png"]] = {".svg": "svg", ".png": "png"}
LOG = "audit_logs.jsonl"


@dataclass(frozen=True, slots=True)
class Request:
    """What to measure: ``records``, or the folder ``axiom``; ``form`` and ``figure`` are empty where not given."""

    records: tuple[Path, ...] = ()
    axiom: Path | None = None
    truth: Path | None = None
    form: str = ""
    figure: Path | None = None


def stats(settings: Settings, request: Request) -> Exit:
    """Measure, render in the form asked for, deliver. UsageError when a file cannot be read as what it should be."""
    form = form_of(request.form or settings.format)
    _check_outputs(settings, request)
    measure = statistics()
    known = read_truths(request.truth) if request.truth else None
    cells = _of_axiom(request.axiom) if request.axiom else tuple(_of_records(request.records))
    if not cells:
        raise UsageError("nothing was sampled in what you gave: there is nothing to measure", "name a record that holds runs")
    show_measures(measure(cells, known), settings, form, request.figure)
    return Exit.OK


def show_measures(measures: Measures, settings: Settings, form: Form, figure: Path | None = None) -> None:
    """Deliver the page in this form, and the figure where one is asked for."""
    if figure:
        _draw(measures, figure)
    deliver(_rendered(measures, form, settings), settings.output)


def statistics() -> Measure:
    """The statistics, whose libraries an installation may lack."""
    try:
        from venire.measure import measure
    except ModuleNotFoundError as error:
        raise UsageError(f"stats needs {error.name}, which is not installed", 'pip install "venire[stats]"') from None
    return measure


def form_of(name: str) -> Form:
    """The form of that name; UsageError where there is none."""
    for form in FORMS:
        if form == name:
            return form
    raise UsageError(f"figures have no form {name!r}", f"choose one of: {', '.join(FORMS)}")


def _check_outputs(settings: Settings, request: Request) -> None:
    """Refuse to write over what is read, or to where nothing can be written, before the work rather than after."""
    inputs = [*request.records, *([request.truth] if request.truth else [])]
    if request.axiom:
        inputs += [request.axiom / LOG, *request.axiom.glob("target_*.txt")]
    outputs = [Path(settings.output)] if settings.output not in ("", "-") else []
    if request.figure:
        if request.figure.suffix not in FIGURES:
            raise UsageError(f"{request.figure}: no kind of figure", f"end its name with {' or '.join(FIGURES)}")
        outputs += [request.figure, _second(request.figure)]
    for output in outputs:
        if any(output.resolve() == path.resolve() for path in inputs):
            raise UsageError(f"{output}: would take the place of what is measured", "name another file")
        writable(str(output))
    if len({output.resolve() for output in outputs}) < len(outputs):
        raise UsageError(f"{settings.output}: the page and a figure cannot be one file", "name another file for one of them")


def read_truths(path: Path) -> tuple[Truth, ...]:
    """The truths of a file; UsageError where it cannot be read as such."""
    from venire.measure.truth import truths

    return truths(_text(path, "a truth file: target,id,line_lo,line_hi,category,severity,note"), str(path))


def _of_axiom(folder: Path) -> tuple[Cell, ...]:
    from venire.measure.axiom import cells

    log = folder / LOG
    texts = {path.name.removesuffix(".txt"): _text(path, "the audited file").replace("\r\n", "\n") for path in _targets(folder)}
    return cells(_lines(log), texts, str(log))


def _targets(folder: Path) -> list[Path]:
    """Files by what lies in the folder: a name in the log is foreign text, and opens nothing."""
    return sorted(folder.glob("target_*.txt"))


def _lines(path: Path) -> Iterator[str]:
    """Line by line: the log repeats every sentence of the model, and only its numbers are kept."""
    try:
        with path.open(encoding="utf-8-sig", newline="\n") as stream:
            yield from stream
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}", f"name the folder that holds {LOG}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path}: not UTF-8", "store it as UTF-8") from None


def _text(path: Path, what: str) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}", f"name {what}") from None
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: not UTF-8 (byte {error.start})", "store it as UTF-8") from None


def _of_records(paths: tuple[Path, ...]) -> Iterator[Cell]:
    from venire.measure.records import cells
    from venire.record import read

    names: dict[str, Path] = {}
    for path in paths:
        record = read(path)
        if record.stop is None:
            note(f"{path}: not finished; measured as far as it goes")
        for cell in cells(record):
            if cell.name in names:
                raise UsageError(f"{path}: holds the same audit as {names[cell.name]}", "give every record once")
            names[cell.name] = path
            yield cell


def _rendered(measures: Measures, form: Form, settings: Settings) -> str:
    if form == "json":
        from venire.report.measured_json import report

        return report(measures)
    from venire.report.measured import render_measures

    around = settings.surroundings
    width, color = paper(columns=around.columns, no_color=around.no_color, force_color=around.force_color)
    return render_measures(measures, form, width=width, color=color and not settings.output)


def _draw(measures: Measures, path: Path) -> None:
    """The votes of every finding; beside it, where there are truths, the surface."""
    from venire.report.measured import figure

    form = FIGURES[path.suffix]
    deliver(figure(measures.studies, "votes", form), str(path))
    if any(study.surfaces for study in measures.studies):
        deliver(figure(measures.studies, "surface", form), str(_second(path)))


def _second(path: Path) -> Path:
    return path.with_name(f"{path.stem}-surface{path.suffix}")
