"""Every test runs with a clean environment, a home of its own and no network."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

# No test depends on how long something takes.
settings.register_profile("venire", deadline=None, suppress_health_check=[HealthCheck.too_slow])
# Where a test is only to fail, as with planted faults, the smallest example need not be looked for.
settings.register_profile(
    "hasty", settings.get_profile("venire"), phases=[Phase.explicit, Phase.generate], derandomize=True, database=None
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "venire"))

CORPUS = Path(__file__).parent.parent.parent / "shared" / "corpus" / "axiom"
DROPPED = (
    "VENIRE_",
    "GIT_",
    "OLLAMA_",
    "PRE_COMMIT",
    "CI",
    "COLUMNS",
    "NO_COLOR",
    "FORCE_COLOR",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
)


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    for name in list(os.environ):
        if name.upper().startswith(DROPPED):
            monkeypatch.delenv(name)
    home = tmp_path_factory.mktemp("home")
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(home))
    monkeypatch.setenv("TZ", "UTC")


@pytest.fixture
def corpus() -> Path:
    """The frozen records of the seed experiment, where they lie beside the checkout."""
    if not CORPUS.is_dir():
        pytest.skip("the frozen corpus is not beside this checkout")
    return CORPUS
