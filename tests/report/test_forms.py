"""One table of forms; each is a pure function of the pool."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from support.pools import POOLS, severe_among_frequent, troubled

from venire.errors import UsageError
from venire.report import FORMS, render

ENDINGS = {
    "terminal": "txt", "brief": "brief.txt", "markdown": "md", "json": "json", "sarif": "sarif",
    "codequality": "codequality.json", "rdjsonl": "rdjsonl", "annotations": "annotations.txt", "summary": "summary.md",
}  # fmt: skip
SUPPORT = str(Path(__file__).parent.parent)


def python(code: str, **variables: str) -> str:
    """What a fresh interpreter prints."""
    environment = {"PYTHONPATH": SUPPORT, "PYTHONIOENCODING": "utf-8", "PATH": os.environ["PATH"], **variables}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, timeout=60, check=True)
    return done.stdout.decode("utf-8")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", POOLS)
def test_whole_reports_are_as_reviewed(name: str, form: str, expect: Callable[[str, str], None]) -> None:
    expect(f"tests/snapshots/report/{name}.{ENDINGS[form]}", render(POOLS[name](), form))


def test_the_narrow_and_the_coloured_report_are_as_reviewed(expect: Callable[[str, str], None]) -> None:
    expect("tests/snapshots/report/partial-80.txt", render(troubled(), "terminal", width=80))
    expect("tests/snapshots/report/partial-color.txt", render(troubled(), "terminal", color=True))


@pytest.mark.parametrize("form", FORMS)
def test_the_same_pool_gives_the_same_bytes_in_any_environment(form: str) -> None:
    shown = f"render(troubled(), {form!r}) + render(troubled(), {form!r}, color=True)"
    code = f"from support.pools import troubled; from venire.report import render; print({shown})"
    odd = {"COLUMNS": "40", "TERM": "dumb", "FORCE_COLOR": "1", "NO_COLOR": "1", "JUPYTER_COLUMNS": "50", "LINES": "7",
           "TTY_COMPATIBLE": "1", "UNICODE_VERSION": "4.1.0", "LANG": "C", "PYTHONHASHSEED": "7"}  # fmt: skip
    here = render(troubled(), form) + render(troubled(), form, color=True) + "\n"
    assert python(code, **odd) == python(code, PYTHONHASHSEED="8") == here


def test_a_report_loads_no_library_that_it_does_not_need() -> None:
    heavy = "{'rich', 'pydantic', 'httpx', 'yaml', 'git'} & set(sys.modules)"
    start = "import sys; from support.pools import troubled; import venire.report as r"
    assert python(f"{start}; print({heavy}); r.render(troubled(), 'json'); print({heavy})") == "set()\nset()\n"
    assert python(f"{start}; r.render(troubled(), 'terminal'); print({heavy})") == "set()\n"
    assert python(f"{start}; r.render(troubled(), 'terminal', color=True); print({heavy})") == "{'rich'}\n"


def test_an_unknown_form_names_the_known_ones() -> None:
    with pytest.raises(UsageError, match="no report form 'html'") as raised:
        render(troubled(), "html")
    known = "terminal, brief, markdown, json, sarif, codequality, rdjsonl, annotations, summary"
    assert raised.value.remedy == f"choose one of: {known}"


@pytest.mark.parametrize("form", FORMS)
def test_every_report_ends_in_one_newline(form: str) -> None:
    assert render(severe_among_frequent(), form).endswith("\n")
    assert not render(severe_among_frequent(), form).endswith("\n\n")
