"""What frozen runs say about a model: how stable its findings are, and how right. Frozen values."""

from dataclasses import dataclass
from typing import Literal

from venire.model.change import Lines


@dataclass(frozen=True, slots=True)
class Truth:
    """A defect known to be in a target. ``labels``: the categories or checks that name it, the first one leading."""

    target: str
    id: str
    labels: tuple[str, ...]
    lines: Lines
    severity: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Sighting:
    """A finding of one run, as the statistics need it. ``statement`` and ``region`` are -1 where the file's text is not known."""

    line: int
    label: str
    statement: int = -1  # index of the anchor in its file
    region: int = -1  # index of the region in its cell: the region's rank by support


@dataclass(frozen=True, slots=True)
class Draw:
    """One run of a cell. ``digest`` is of the raw replies; equal digests are equal bytes."""

    number: int
    is_valid: bool
    sightings: tuple[Sighting, ...]
    digest: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """N runs of one model on one target under one setting: what every figure is about."""

    name: str
    target: str
    model: str
    contract: str
    is_pinned: bool
    draws: tuple[Draw, ...]
    lines: int = 0  # of the target, 0 where its text is not known
    facts: tuple[tuple[str, str], ...] = ()  # provenance: engine, digest, quantization, temperature, GPU share, …
    statements: tuple[Lines, ...] = ()  # by anchor index, its lines; () where the text is not known


Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A point estimate and its 95 % bootstrap interval over runs. ``value`` is None where it is undefined."""

    value: float | None
    interval: Interval | None = None


@dataclass(frozen=True, slots=True)
class Agreement:
    """Mean pairwise Jaccard under one key. ``spoken`` leaves out pairs with an empty run; ``pairs`` is how many are left."""

    key: str  # strict, relaxed2, relaxed5, region
    all: Estimate
    spoken: Estimate
    pairs: int


@dataclass(frozen=True, slots=True)
class Reliability:
    """How much runs agree with each other; no ground truth needed."""

    runs: int
    valid: int
    empty: int  # runs without a finding, invalid ones among them
    mean_findings: float
    agreements: tuple[Agreement, ...]
    alpha: Estimate  # Krippendorff's, over runs x regions
    distinct: int  # different replies among the runs, 0 when digests are not known


@dataclass(frozen=True, slots=True)
class Validity:
    """How right runs are, against the truths of the target, a truth's lines widened by ``near``."""

    near: int
    truths: int
    precision: Estimate  # mean over runs with a finding
    recall: Estimate
    recall_by_line: Estimate
    false_positives: Estimate  # findings a run that name no truth
    found: tuple[str, ...]  # ids named in any run
    found_by_line: tuple[str, ...]
    drifted: tuple[str, ...]  # found from more than one line
    pooled_recall: float | None  # regions of the pool credited one-to-one, over truths


@dataclass(frozen=True, slots=True)
class Point:
    """What voting with threshold ``k`` keeps. ``duplicates``: survivors beyond the first that name the same truth."""

    k: int
    hits: int  # truths credited: TP
    false: int  # survivors that credit none: FP
    missed: int  # FN
    survivors: int
    duplicates: int


@dataclass(frozen=True, slots=True)
class Surface:
    """All thresholds under one key, and how well support under that key ranks truths before the rest."""

    key: str  # line0, line2, line5, statement, region
    points: tuple[Point, ...]
    precision: float | None  # average precision of the ranking by support
    exam: float | None  # share of lines read before the first defect; chance is 0.5


@dataclass(frozen=True, slots=True)
class Pivot:
    """A finding that lives or dies by one vote at the majority threshold."""

    key: str
    label: str
    line: int
    support: int
    majority: int


@dataclass(frozen=True, slots=True)
class Unseen:
    """What one more run would bring. ``refused`` says why no figure is given; then the figures are None."""

    next: float | None = None  # Q1/n
    chao2: float | None = None
    jackknife: float | None = None
    seen: int = 0
    refused: str = ""


@dataclass(frozen=True, slots=True)
class Bar:
    """One finding of a figure: its votes under the strict key."""

    label: str
    line: int
    support: int
    is_seeded: bool


@dataclass(frozen=True, slots=True)
class Study:
    """Every figure of one cell."""

    cell: Cell
    reliability: Reliability
    unseen: Unseen
    validity: Validity | None = None  # None without truths for its target
    surfaces: tuple[Surface, ...] = ()
    pivots: tuple[Pivot, ...] = ()
    bars: tuple[Bar, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ranking:
    """How well a setting ranks the one seeded defect of each mutant, next to chance."""

    setting: str
    mutants: int
    twins: int
    exam: Estimate
    pooled: Estimate  # share of mutants whose defect is somewhere in the pool
    top3: Estimate  # share of mutants whose defect is among the first three candidates
    chance_pooled: float
    chance_top3: float
    twin_candidates: Estimate  # a clean twin
    twin_support: Estimate  # share of runs behind a clean twin's first candidate
    key: str = "region"  # line0, line2, region
    near: int = 0  # lines by which every defect was widened
    chance_exam: float = 0.5  # of a random order of the lines: 0.5 for a defect of one line, less for more
    candidates: Estimate = Estimate(None)  # a mutant
    unheard: int = 0  # files none of whose runs was valid: a mutant counts as not found, a twin is left out
    less: Estimate | None = None  # EXAM less that of the first setting, mutant by mutant; None for the first one itself


@dataclass(frozen=True, slots=True)
class Measures:
    """A whole answer of ``stats`` or ``bench``."""

    studies: tuple[Study, ...]
    rankings: tuple[Ranking, ...] = ()
    suite: str = ""  # which mutants: fingerprint and Python
    seeds: tuple[tuple[str, Literal["one seed", "six seeds"], int, int], ...] = ()  # target, probe, replies, distinct replies
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Mutant:
    """A real function with one seeded defect, and the same function untouched: its clean twin. Both are audited as files."""

    name: str  # of its file
    twin: str  # of the twin's file
    text: str
    clean: str
    kind: str
    lines: Lines  # of ``text``: the defect
    origin: str  # module and qualified name
    before: str  # the lines the defect changed
    after: str
