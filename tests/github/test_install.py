"""The action's installation: apart from the checkout, by hashes, once, and whole or not at all."""

import os
import subprocess
from pathlib import Path

import pytest
from support.act import export, install


@pytest.fixture
def action(tmp_path: Path) -> Path:
    return export(tmp_path / "action")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder in which everything that looks around would find something to obey."""
    folder = tmp_path / "checkout"
    folder.mkdir()
    for name in ("json", "sitecustomize", "usercustomize", "hashlib", "venv", "pip", "pathlib"):
        (folder / f"{name}.py").write_text(f"import os; os.mkdir({str(tmp_path / 'ran')!r})\n")
    (folder / "uv.toml").write_text('index-url = "http://127.0.0.1:9/"\n')
    (folder / "pyproject.toml").write_text('[tool.uv]\nindex-url = "http://127.0.0.1:9/"\n')
    (folder / ".python-version").write_text("2.7\n")
    return folder


def log(tmp_path: Path) -> list[str]:
    file = tmp_path / "uv.log"
    return file.read_text().splitlines() if file.exists() else []


def test_nothing_of_the_checkout_is_obeyed(action: Path, checkout: Path, tmp_path: Path) -> None:
    told = install(action, tmp_path, cwd=checkout, PYTHONPATH="", PYTHONSTARTUP=str(checkout / "json.py"))
    asked = log(tmp_path)
    assert len(asked) == 3
    assert all(line.startswith(f"in {action}: --no-config ") for line in asked)
    assert all(" --python /" in line for line in asked)
    assert not (tmp_path / "ran").exists()
    assert not Path(told["python"]).is_relative_to(checkout)


def test_what_is_installed_is_pinned_by_hash_and_venire_brings_nothing_along(action: Path, tmp_path: Path) -> None:
    install(action, tmp_path)
    _, dependencies, venire = log(tmp_path)
    assert "--require-hashes -r action/requirements.txt" in dependencies
    assert "--no-deps --no-build-isolation" in venire


def test_the_program_runs(action: Path, checkout: Path, tmp_path: Path) -> None:
    told = install(action, tmp_path)
    done = subprocess.run([told["python"], "-I", told["program"], "--version"], cwd=checkout, capture_output=True, text=True)
    assert (done.returncode, done.stdout[:7]) == (0, "venire ")
    assert not (tmp_path / "ran").exists()


def test_it_is_installed_once_and_again_when_anything_changed(action: Path, tmp_path: Path) -> None:
    first = install(action, tmp_path)
    assert install(action, tmp_path) == first
    assert len(log(tmp_path)) == 3
    (action / "src/venire/__init__.py").write_text("# other\n")
    assert install(action, tmp_path)["python"] != first["python"]
    assert len(log(tmp_path)) == 6


def test_an_installation_that_fails_leaves_nothing_to_be_taken_for_one(action: Path, tmp_path: Path) -> None:
    with pytest.raises(subprocess.CalledProcessError):
        install(action, tmp_path, TEST_PROGRAM="/nonexistent")
    assert list((tmp_path / "tools/venire").iterdir()) == []
    assert Path(install(action, tmp_path)["program"]).exists()


def test_without_a_tool_cache_it_goes_to_the_runner_s_temporary_folder(action: Path, tmp_path: Path) -> None:
    told = install(action, tmp_path, RUNNER_TOOL_CACHE="", RUNNER_TEMP=str(tmp_path / "temp"))
    assert told["python"].startswith(f"{tmp_path}/temp/venire/")


def test_a_python_that_is_too_old_is_said_to_be(action: Path, tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    (tmp_path / "old/python3").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "old/python3").chmod(0o755)
    path = f"{tmp_path / 'old'}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [str(action / "action/install.sh")],
        env={"PATH": path, "GITHUB_OUTPUT": str(tmp_path / "output")},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout) == (2, "::error title=venire::python3 is older than 3.11 on this runner\n")
