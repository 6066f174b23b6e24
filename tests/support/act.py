"""Workflows run on this machine by act, with our action in place of its release and GitHub's artifacts in a folder.

act models steps, expressions, outputs, and which jobs run. It does not model permissions (the local GitHub does, by token), the
limits of annotations and summaries, masking by secret store, or who may start what.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from support.github import GitHub

ROOT = Path(__file__).parents[2]
ACT = str(Path(sys.executable).parent / "act")
OURS = "OWNER/venire@" + "0" * 40
CHECKOUT = "actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1"
UPLOAD = "actions/upload-artifact@043fb46d1a93c77aae656e7c1c64a875d1fc6a0a"
DOWNLOAD = "actions/download-artifact@3e5f45b2cfb9172054b4087a40e8e0b5a5461e7c"
SHIPPED = ("action.yml", "action", "pyproject.toml", "README.md", "LICENSE", "src", "criteria", "records")

CHECKOUTS = """name: checkout
inputs: {ref: {}, fetch-depth: {}, persist-credentials: {}}
runs:
  using: composite
  steps:
    - shell: bash
      env: {REF: "${{ inputs.ref }}", DEPTH: "${{ inputs.fetch-depth }}", KEEPS: "${{ inputs.persist-credentials }}"}
      run: |
        test "$DEPTH" = 0 && test "$KEEPS" = false
        git clone -q --no-checkout "$ORIGIN" . && git -c advice.detachedHead=false checkout -q "$REF"
"""
UPLOADS = """name: upload
inputs: {name: {}, path: {}, overwrite: {}}
runs:
  using: composite
  steps:
    - shell: bash
      env: {NAME: "${{ inputs.name }}", FROM: "${{ inputs.path }}"}
      run: mkdir -p "$ARTIFACTS/$NAME" && cp "$FROM" "$ARTIFACTS/$NAME/"
"""
DOWNLOADS = """name: download
inputs: {name: {}, path: {}, run-id: {}, github-token: {}}
runs:
  using: composite
  steps:
    - shell: bash
      env: {NAME: "${{ inputs.name }}", TO: "${{ inputs.path }}"}
      run: mkdir -p "$TO" && cp -P "$ARTIFACTS/$NAME/"* "$TO/"
"""
UV = """#!/bin/sh
# Stands for uv: the environment of the tests in place of one from the package index. What it was asked is kept.
echo "in $PWD: $*" >>"$UV_LOG"
for last; do :; done
case " $* " in
*" venv "*)
  mkdir -p "$last/bin"
  printf '#!/bin/sh\\nexec "%s" "$@"\\n' "$TEST_PYTHON" >"$last/bin/python"
  chmod +x "$last/bin/python"
  ;;
*" --no-deps "*)
  while [ "$1" != --python ]; do shift; done
  cp "$TEST_PROGRAM" "$(dirname "$2")/venire"
  ;;
esac
"""


@dataclass
class Ran:
    """What act said of a run: exit code, the log's lines, and how each job ended."""

    code: int
    lines: list[str]
    jobs: dict[str, str]

    @property
    def log(self) -> str:
        return "\n".join(self.lines)


@dataclass
class Runner:
    """A runner with a home, a tool cache and a store of artifacts of its own."""

    folder: Path
    variables: dict[str, str] = field(default_factory=dict)
    env: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        (self.folder / "home/.config/act").mkdir(parents=True)
        (self.folder / "home/.config/act/actrc").write_text("--pull=false\n")
        for name, text in (("checkout", CHECKOUTS), ("upload", UPLOADS), ("download", DOWNLOADS)):
            (self.folder / name).mkdir()
            (self.folder / name / "action.yml").write_text(text)
        self.artifacts.mkdir()
        export(self.folder / "venire")
        install(
            self.folder / "venire", self.folder, RUNNER_TOOL_CACHE=str(self.folder / "cache/tool_cache")
        )  # act's own place for it

    @property
    def artifacts(self) -> Path:
        return self.folder / "artifacts"

    def run(self, event: str, workflow: str, payload: Any, repo: Path, github: GitHub, *, token: str = "secret") -> Ran:  # noqa: S107
        (self.folder / "event.json").write_text(json.dumps(payload))
        words = [
            ACT, event, "--json", "-C", str(repo), "-W", f".github/workflows/{workflow}", "-e", str(self.folder / "event.json"),
            "--pull=false", "--no-cache-server", "--action-offline-mode", "--action-cache-path", str(self.folder / "cache"),
            "-P", "gpu=-self-hosted", "-P", "ubuntu-24.04=-self-hosted", "-s", f"GITHUB_TOKEN={token}",
            *self._each("--local-repository", self._instead()),
            *self._each("--var", self.variables),
            *self._each("--env", {"ORIGIN": str(repo), **self._env(github)}),
        ]  # fmt: skip
        env = {"PATH": os.environ["PATH"], "HOME": str(self.folder / "home"), "XDG_CACHE_HOME": str(self.folder / "home/.cache")}
        done = subprocess.run(words, env=env, capture_output=True, text=True, timeout=250)
        return _ran(done)

    def _instead(self) -> dict[str, str]:
        places = {OURS: "venire", CHECKOUT: "checkout", UPLOAD: "upload", DOWNLOAD: "download"}
        return {action: str(self.folder / name) for action, name in places.items()}

    def _env(self, github: GitHub) -> dict[str, str]:
        return {
            "GITHUB_API_URL": github.api,
            "GITHUB_REPOSITORY": github.name,
            "ARTIFACTS": str(self.artifacts),
            **self.env,
        }

    @staticmethod
    def _each(flag: str, pairs: Mapping[str, str]) -> Sequence[str]:
        return [word for name, value in pairs.items() for word in (flag, f"{name}={value}")]


def _ran(done: subprocess.CompletedProcess[str]) -> Ran:
    lines, jobs = [], {}
    for line in done.stdout.splitlines():
        said = json.loads(line) if line.startswith("{") else {"msg": line}
        lines.append(str(said.get("msg", "")).rstrip("\n"))
        if "jobResult" in said:
            jobs[str(said.get("jobID", said.get("job")))] = str(said["jobResult"])
    return Ran(done.returncode, lines + done.stderr.splitlines(), jobs)


def export(to: Path) -> Path:
    """What a release of the action holds, in a folder of its own."""
    to.mkdir(parents=True)
    for name in SHIPPED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, to / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(source, to / name)
    return to


def install(action: Path, folder: Path, *, cwd: Path | None = None, **env: str) -> dict[str, str]:
    """Run the action's own installation, with a stand-in for uv; its outputs. ``folder``/uv.log keeps what uv was asked."""
    tools = folder / "bin"
    tools.mkdir(exist_ok=True)
    (tools / "uv").write_text(UV)
    (tools / "uv").chmod(0o755)
    output = folder / "install.output"
    own = {
        "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(folder),
        "GITHUB_OUTPUT": str(output),
        "RUNNER_TOOL_CACHE": str(folder / "tools"),
        "UV_LOG": str(folder / "uv.log"),
        "TEST_PYTHON": sys.executable,
        "TEST_PROGRAM": str(Path(sys.executable).parent / "venire"),
    }
    subprocess.run([str(action / "action/install.sh")], env={**own, **env}, cwd=cwd or folder, check=True, capture_output=True)
    return dict(line.split("=", 1) for line in output.read_text().splitlines())
