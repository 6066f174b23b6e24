"""What the action and the workflows may and may not do, read from their text, and by the tools that know GitHub's rules."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from support.act import CHECKOUT, DOWNLOAD, OURS, ROOT, UPLOAD
from support.cli import VENIRE

from venire.config import OPTIONS

BIN = Path(sys.executable).parent
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
ACTION = ROOT / "action.yml"
READY = [path for path in WORKFLOWS if path.name.startswith("venire-")]
SCRIPTS = sorted((ROOT / "action").glob("*.sh"))
AWAITED = {"VENIRE_TRUST", "VENIRE_GATE", "VENIRE_EVIDENCE"}  # settings of the gate, the base's trust and evidence
PINS = {
    CHECKOUT: "v7.0.1",
    UPLOAD: "v7.0.1",
    DOWNLOAD: "v8.0.1",
    OURS: "v0.1.0",
    "actions/setup-python@5fda3b95a4ea91299a34e894583c3862153e4b97": "v7.0.0",
}


def load(path: Path) -> Any:
    return yaml.safe_load(path.read_text())


def jobs(path: Path) -> dict[str, Any]:
    return dict(load(path)["jobs"])


def steps(path: Path) -> list[dict[str, Any]]:
    if path == ACTION:
        return list(load(path)["runs"]["steps"])
    return [step for job in jobs(path).values() for step in job["steps"]]


def triggers(path: Path) -> Any:
    return load(path)[True]  # YAML 1.1 reads `on` as a truth value


def named(*words: str) -> dict[str, Any]:
    """The step of the action whose name begins so."""
    (found,) = [step for step in steps(ACTION) if step.get("name", "").startswith(words)]
    return found


def tool(*words: str) -> None:
    done = subprocess.run([str(BIN / words[0]), *words[1:]], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


# ---------------------------------------------------------------- the tools


def test_the_action_is_what_github_says_an_action_is() -> None:
    tool("check-jsonschema", "--builtin-schema", "vendor.github-actions", "action.yml")


def test_the_workflows_are_what_github_says_workflows_are() -> None:
    tool("check-jsonschema", "--builtin-schema", "vendor.github-workflows", *map(str, WORKFLOWS))


def test_zizmor_finds_nothing_in_what_we_ship() -> None:
    tool("zizmor", "--offline", "--no-progress", "--persona=auditor", "action.yml", *map(str, WORKFLOWS))


def test_zizmor_is_told_to_overlook_one_thing_only() -> None:
    """A ``workflow_run`` that checks nothing out: the one trigger by which a fork's audit can be commented on."""
    ignored = [
        (path.name, line.strip()) for path in (ACTION, *WORKFLOWS) for line in path.read_text().splitlines() if "zizmor" in line
    ]
    assert ignored == [("venire-comment.yml", "workflow_run: # zizmor: ignore[dangerous-triggers]")]


def test_shellcheck_finds_nothing_in_our_scripts() -> None:
    assert SCRIPTS
    tool("shellcheck", "--enable=all", "--exclude=SC2310,SC2312,SC2250,SC2292", *map(str, SCRIPTS))


# ---------------------------------------------------------------- our own rules


@pytest.mark.parametrize("path", [ACTION, *WORKFLOWS], ids=lambda path: path.name)
def test_every_use_is_pinned_by_a_hash_we_have_looked_up_and_says_its_version(path: Path) -> None:
    uses = [(found[1], found[2]) for found in re.finditer(r"uses: (\S+)(?: # (v[\d.]+))?$", path.read_text(), re.MULTILINE)]
    assert len(uses) == sum("uses" in step for step in steps(path))
    wrong = [(what, version) for what, version in uses if what != "./" and PINS.get(what) != version]
    assert wrong == []


@pytest.mark.parametrize("path", [ACTION, *WORKFLOWS], ids=lambda path: path.name)
def test_no_expression_stands_in_a_shell_s_text(path: Path) -> None:
    """Not of the event nor of anything else: values reach a shell by its environment."""
    assert [step["run"] for step in steps(path) if "${{" in step.get("run", "")] == []


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_rights_are_given_by_job_and_none_else_and_every_job_ends(path: Path) -> None:
    assert load(path)["permissions"] == {}
    assert all(job["timeout-minutes"] <= 60 and "permissions" in job for job in jobs(path).values())
    assert load(path)["concurrency"]["group"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_no_workflow_runs_with_the_base_s_rights_on_a_stranger_s_code(path: Path) -> None:
    assert "pull_request_target" not in str(triggers(path))
    assert "allow-unsafe" not in path.read_text()
    for step in steps(path):
        if step.get("uses") == CHECKOUT:
            assert step["with"]["persist-credentials"] is False


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_no_workflow_holds_a_secret_or_a_cache(path: Path) -> None:
    text = path.read_text()
    assert "secrets." not in text
    assert "cache" not in text


def test_the_job_that_reads_can_only_read() -> None:
    for job in jobs(ROOT / ".github/workflows/venire-audit.yml").values():
        assert job["permissions"] == {"contents": "read"}
        ours = job["steps"][-1]["with"]
        assert (ours["token"], ours["comment"]) == ("", "none")


def test_the_job_that_writes_reads_no_code() -> None:
    (job,) = jobs(ROOT / ".github/workflows/venire-comment.yml").values()
    assert job["permissions"] == {"actions": "read", "pull-requests": "write"}
    assert [step["uses"] for step in job["steps"]] == [DOWNLOAD, OURS]
    assert job["runs-on"].startswith("ubuntu-")
    assert all("run" not in step for step in job["steps"])


def test_a_fork_never_reaches_a_runner_that_stays() -> None:
    for name in ("venire-trusted.yml", "venire-audit.yml"):
        job = jobs(ROOT / ".github/workflows" / name)["audit"]
        assert "github.event.pull_request.head.repo.full_name == github.repository" in job["if"]
    fork = jobs(ROOT / ".github/workflows/venire-audit.yml")["audit-fork"]
    assert fork["runs-on"] == "${{ vars.VENIRE_FORK_RUNNER }}"


@pytest.mark.parametrize("path", READY, ids=lambda path: path.name)
def test_a_ready_workflow_does_nothing_until_a_variable_is_set(path: Path) -> None:
    assert all(re.search(r"vars\.VENIRE_\w*RUNNER != ''", job["if"]) for job in jobs(path).values())


def test_the_second_workflow_follows_the_first_by_its_name() -> None:
    first = load(ROOT / ".github/workflows/venire-audit.yml")["name"]
    assert triggers(ROOT / ".github/workflows/venire-comment.yml")["workflow_run"]["workflows"] == [first]


# ---------------------------------------------------------------- the action


def test_every_input_is_used_and_every_use_is_an_input() -> None:
    declared = load(ACTION)["inputs"]
    used = set(re.findall(r"inputs\.([a-z-]+)", ACTION.read_text()))
    assert used == set(declared)


def test_inputs_go_to_settings_that_the_command_line_has() -> None:
    variables = {name for step in steps(ACTION) for name in step.get("env", {}) if name.startswith("VENIRE_")}
    assert variables - AWAITED <= {option.variable for option in OPTIONS.values()}


def test_an_input_s_default_is_one_the_setting_allows() -> None:
    for step in steps(ACTION):
        for variable, value in step.get("env", {}).items():
            option = next((option for option in OPTIONS.values() if option.variable == variable), None)
            default = load(ACTION)["inputs"][value.split("inputs.")[1].split(" ")[0]]["default"] if "inputs." in value else ""
            if option and option.choices and default:
                assert default in option.choices


def test_the_process_that_reads_code_never_sees_a_token() -> None:
    assert "token" not in str(named("Audit")).lower()
    assert named("Post")["env"]["GITHUB_TOKEN"] == "${{ inputs.token }}"
    assert named("Post")["working-directory"] == "${{ runner.temp }}"


def test_the_program_runs_apart_from_the_checkout_s_modules() -> None:
    for name in ("Audit", "Post"):
        assert named(name)["run"].startswith('"$INSTALLED_PYTHON" -I "$INSTALLED_PROGRAM" ')
        assert named(name)["env"]["PYTHONSAFEPATH"] == "1"


def test_the_action_has_no_logic_of_its_own() -> None:
    for step in steps(ACTION):
        assert step.get("run", "").count("\n") == 0


@pytest.mark.parametrize("name", ["action", "post"])
def test_the_commands_of_the_action_exist(name: str) -> None:
    done = subprocess.run([VENIRE, name, "--help"], capture_output=True, text=True)
    assert done.returncode == 0


def test_every_dependency_is_installed_by_its_hash() -> None:
    text = (ROOT / "action/requirements.txt").read_text()
    pinned = {found[1].lower(): found[2] for found in re.finditer(r"^([A-Za-z0-9_.-]+)==(\S+)", text, re.MULTILINE)}
    entries = re.split(r"^(?=[A-Za-z0-9])", text, flags=re.MULTILINE)[1:]
    assert all("--hash=sha256:" in entry for entry in entries)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    for line in [*project["project"]["dependencies"], *project["build-system"]["requires"]]:
        wanted = Requirement(line)
        assert wanted.specifier.contains(pinned[wanted.name.lower().replace("_", "-")]), line


def test_the_page_names_every_input_output_and_variable() -> None:
    page = (ROOT / "docs/action.md").read_text()
    for name in [*load(ACTION)["inputs"], *load(ACTION)["outputs"]]:
        assert f"`{name}`" in page, name
    for variable in {found for path in READY for found in re.findall(r"vars\.(VENIRE_\w+)", path.read_text())}:
        assert f"`{variable}`" in page, variable
