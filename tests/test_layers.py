"""Imports point down the pipeline, and the pure stages touch nothing outside."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent / "src" / "venire"
LAYERS = (
    "errors model visible",
    "panel change record config decisions evidence",
    "sample assess report deliver recount",
    "measure",
    "commands",
    "cli",
    "__main__",
)
LEVEL = {name: level for level, row in enumerate(LAYERS) for name in row.split()}
PURE = {"errors", "model", "visible", "assess", "report", "panel"}
PURE |= {"measure"}
LOADERS = {"panel/criteria.py", "panel/documents.py"}  # the criteria loader reads files
LOADED_LATE = {"sample/backends/transport.py"}  # subclasses an httpx type; imported inside a function
LOADED_LATE |= {  # numbers through and through; ``stats`` imports them inside a function
    f"measure/{name}.py"
    for name in ("credit", "matching", "reliability", "resample", "surface", "table", "unseen", "validity", "votes")
}
OUTSIDE = frozenset(
    (
        "os",
        "sys",
        "io",
        "pathlib",
        "subprocess",
        "socket",
        "urllib",
        "http",
        "time",
        "random",
        "threading",
        "secrets",
        "tempfile",
        "shutil",
        "httpx",
        "git",
    )
)
HEAVY = {
    "scipy",
    "numpy",
    "ollama",
    "httpx",
    "pydantic",
    "xllamacpp",
    "rich",
    "git",
    "yaml",
    "identify",
    "pathspec",
    "filelock",
    "unidiff",
}


def modules() -> Iterator[tuple[str, str, ast.Module]]:
    for path in sorted(ROOT.rglob("*.py")):
        inner = path.relative_to(ROOT)
        if str(inner) != "__init__.py":
            yield inner.parts[0].removesuffix(".py"), inner.as_posix(), ast.parse(path.read_text("utf-8"))


def imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = "." * node.level + (node.module or "")
            yield from (
                [f"venire.{alias.name}" for alias in node.names if alias.name != "__version__"] if base == "venire" else [base]
            )


def at_import_time(tree: ast.Module) -> Iterator[str]:
    """Imports that run when the module is loaded: not those in functions or under TYPE_CHECKING."""
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from imported(node)


def test_every_folder_has_a_level() -> None:
    assert {here for here, _, _ in modules()} <= set(LEVEL)


def test_imports_point_down() -> None:
    wrong = [
        (file, name)
        for here, file, tree in modules()
        for name in imported(tree)
        if name.startswith(".")
        or (name.startswith("venire.") and (there := name.split(".")[1]) != here and LEVEL[there] >= LEVEL[here])
    ]
    assert wrong == []


def test_pure_stages_touch_nothing_outside() -> None:
    wrong = [
        (file, name)
        for here, file, tree in modules()
        if here in PURE and file not in LOADERS
        for name in imported(tree)
        if name.split(".")[0] in OUTSIDE
    ]
    assert wrong == []


def test_only_one_module_touches_git() -> None:
    assert [file for _, file, tree in modules() if "git" in {name.split(".")[0] for name in imported(tree)}] == ["change/git.py"]


def test_only_record_knows_the_stored_form() -> None:
    assert [
        file for here, file, tree in modules() if here != "record" and any(n.startswith("venire.record.") for n in imported(tree))
    ] == []


def test_heavy_libraries_load_only_when_used() -> None:
    wrong = [
        (file, name)
        for _, file, tree in modules()
        if file not in LOADED_LATE
        for name in at_import_time(tree)
        if name.split(".")[0] in HEAVY
    ]
    assert wrong == []


def test_only_config_and_cli_read_the_environment() -> None:
    """cli hands ``os.environ`` to config; GitPython, which needs a whole environment, is fed in change/git.py."""
    wrong = [
        file
        for here, file, tree in modules()
        if here not in ("config", "cli")
        and any(isinstance(n, ast.Attribute) and n.attr in ("environ", "getenv") for n in ast.walk(tree))
    ]
    assert wrong == []


def test_nothing_prints_but_deliver() -> None:
    wrong = [
        file
        for here, file, tree in modules()
        if here != "deliver"
        and any(isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == "print" for n in ast.walk(tree))
    ]
    assert wrong == []
