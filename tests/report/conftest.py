"""Snapshots: ``pytest tests/report --rewrite`` writes them, and the schema, anew. Review what changed."""

from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rewrite", action="store_true", help="write the expected reports and the report's schema anew")


@pytest.fixture
def expect(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compare text with a file, named from the repository's root; write the file under ``--rewrite``."""

    def compare(name: str, text: str) -> None:
        file = ROOT / name
        # A plain run of everything learns of this option too late to have it.
        if request.config.getoption("rewrite", default=False):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8", newline="")
        assert text == file.read_bytes().decode("utf-8")

    return compare
