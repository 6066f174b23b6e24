"""``venire decide``: a candidate, a verdict and a reason become an entry of the ledger, and the next report knows it."""

import hashlib
import json
from pathlib import Path

import pytest
from support.git import Repo
from support.judging import AFTER, LEAK, SQL, audit, backend, decide, found, ids, records, replay, repository
from support.pools import candidate, pool

from venire.commands.decide import _found
from venire.errors import UsageError

LEDGER = Path(".venire") / "decisions.yml"


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    folder = tmp_path_factory.mktemp("decide")
    repo = repository(folder)
    assert audit(repo, backend(folder, found(SQL), found(LEAK, "low", "other"))).code == 0
    return repo


@pytest.fixture
def repo(audited: Repo) -> Repo:
    (audited.root / LEDGER).unlink(missing_ok=True)
    return audited


def test_a_dismissed_candidate_moves_stays_counted_and_the_seal_still_fits(repo: Repo) -> None:
    before = replay(repo)
    one = ids(before)[SQL]
    done = decide(repo, one[:4], "dismiss", "--why", "names are checked  before")
    assert (done.code, done.out) == (0, "")
    assert "by A. Author; written to .venire/decisions.yml, commit it" in done.err

    after = replay(repo)
    (card,) = (c for c in after.json["candidates"] if c["id"] == one)
    assert (card["lane"], card["decision"]["verdict"], card["decision"]["why"]) == (
        "dismissed",
        "dismiss",
        "names are checked before",
    )
    assert after.json["counts"]["lanes"] == {"severe": 0, "frequent": 1, "rest": 0, "outside": 0, "dismissed": 1}
    assert after.json["counts"]["candidates"] == before.json["counts"]["candidates"]
    assert after.err == ""  # no word of another report than the sealed one
    for form in ("terminal", "markdown"):
        assert "dismissed by" in replay(repo, form=form).out


def test_git_sees_the_ledger_and_not_the_records(repo: Repo) -> None:
    done = decide(repo, ids(replay(repo))[SQL], "defer", "--why", "next week")
    assert "git ignores" not in done.err
    assert repo.git("status", "--porcelain", "--untracked-files=all") == "?? .venire/decisions.yml"


def test_a_ledger_that_git_ignores_is_told(repo: Repo) -> None:
    repo.write(".gitignore", ".venire/\n")
    try:
        done = decide(repo, ids(replay(repo))[SQL], "defer", "--why", "next week")
        assert done.code == 0
        assert "git ignores .venire/decisions.yml" in done.err
        assert "put .venire/records/ in place of .venire/" in done.err
    finally:
        (repo.root / ".gitignore").unlink()


def test_decisions_are_listed_and_the_newest_counts(repo: Repo) -> None:
    assert decide(repo, "--list").out == "no decisions in .venire/decisions.yml\n"
    one = ids(replay(repo))[SQL]
    assert decide(repo, one, "dismiss", "--why", "safe", "--who", "Ann").code == 0
    assert decide(repo, one, "confirm", "--why", "not so safe: \x1b[31m ::error::", "--who", "Bo").code == 0
    listed = decide(repo, "--list").out
    assert listed.index("Ann: safe") < listed.index("Bo: not so safe: \\x1b[31m ::error::")
    (card,) = (c for c in replay(repo).json["candidates"] if c["id"] == one)
    assert (card["lane"], card["decision"]["who"]) == ("severe", "Bo")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("{id}", "dismiss"), "a decision needs a reason"),
        (("{id}", "dismiss", "--why", "  "), "a decision needs a reason"),
        (("{id}", "reject", "--why", "x"), "'reject' is no decision"),
        (("{id}", "--why", "x"), "give ID and confirm, dismiss or defer"),
        (("--list", "{id}", "dismiss"), "or --list alone"),
        (("abc", "dismiss", "--why", "x"), "too short for an id"),
        (("0000000000zz", "dismiss", "--why", "x"), "no candidate '0000000000zz'"),
        (("{id}", "dismiss", "--why", "x", "--record", "missing.jsonl"), "missing.jsonl: cannot be read"),
    ],
)
def test_what_makes_no_decision_writes_nothing(repo: Repo, words: tuple[str, ...], message: str) -> None:
    one = next(iter(ids(replay(repo)).values()))
    done = decide(repo, *(word.format(id=one) for word in words))
    assert (done.code, message in done.err) == (2, True), done.err
    assert not (repo.root / LEDGER).exists()


def test_a_beginning_that_two_ids_share_is_refused_and_both_are_named() -> None:
    both = pool(candidate(id="abcd11"), candidate(id="abcd22", first=40))
    assert _found(both, "ABCD1", Path("r")).id == "abcd11"
    with pytest.raises(UsageError, match="the beginning of 2 ids: abcd11, abcd22"):
        _found(both, "abcd", Path("r"))


def test_files_that_are_read_for_an_audit_are_not_put_to_a_model(tmp_path: Path) -> None:
    repo = repository(tmp_path)
    repo.write("lint.sarif", '{"version": "2.1.0", "runs": []}')
    repo.write("app.py", AFTER + "x = 1\n")
    report = audit(repo, backend(tmp_path), "--evidence", repo.root / "lint.sarif", "-o", "report.json")
    assert report.code == 0
    left = json.loads((repo.root / "report.json").read_text())
    assert [target["path"] for target in left["coverage"]] == ["app.py"]
    assert [skipped["path"] for skipped in left["skipped"]] == ["lint.sarif"]


def test_nobody_decides_without_a_name(audited: Repo, tmp_path: Path) -> None:
    """The record may lie anywhere, and there need be no repository."""
    record = records(audited)[-1]
    here = tmp_path / "here"
    here.mkdir()
    bare = Repo(here, is_new=False)
    one = next(iter(ids(replay(bare, record=record)).values()))
    assert "add --who NAME" in decide(bare, one, "confirm", "--why", "seen", "--record", record).err
    assert decide(bare, one, "confirm", "--why", "seen", "--who", "Ann", "--record", record).code == 0
    assert (here / LEDGER).is_file()
    assert "no sealed record here" in decide(bare, one, "confirm", "--why", "seen", "--who", "Ann").err


def test_a_broken_ledger_ends_an_audit_before_any_sample(repo: Repo, tmp_path: Path) -> None:
    repo.write(".venire/decisions.yml", "version: 1\ndecisions:\n- path: a.py\n")
    count = len(records(repo))
    done = audit(repo, backend(tmp_path))
    assert (done.code, done.out) == (2, "")
    assert "decisions.yml:3: decision 1: candidate, verdict, who, when, why, anchors missing" in done.err
    assert len(records(repo)) == count


def test_a_decision_survives_edits_elsewhere_and_a_severe_one_comes_back_when_its_statement_changes(tmp_path: Path) -> None:
    repo = repository(tmp_path)
    model = backend(tmp_path, found(SQL))
    one = ids(audit(repo, model))[SQL]
    assert decide(repo, one, "dismiss", "--why", "safe").code == 0

    repo.commit("lines above", app__py="# one\n# two\n" + AFTER)
    moved = audit(repo, backend(tmp_path, found(SQL + 2), name="moved.json")).json
    assert [(c["first"], c["lane"]) for c in moved["candidates"]] == [(SQL + 2, "dismissed")]
    assert all(skipped["path"] != "app.py" for skipped in moved["skipped"])

    repo.commit("an edit", app__py=AFTER.replace("SELECT 1 FROM t", "SELECT name FROM t"))
    back = audit(repo, model, "--diff", "main...change", "--gate", "acknowledge")
    (card,) = back.json["candidates"]
    assert (card["lane"], card["reopened"], card["decision"]["verdict"]) == ("severe", "statement", "dismiss")
    assert back.code == 1
    assert "OPEN AGAIN" in replay(repo, form="markdown").out


def test_the_ledger_itself_is_not_put_to_a_model(tmp_path: Path) -> None:
    repo = repository(tmp_path)
    repo.commit("a ledger", **{})
    repo.write(".venire/decisions.yml", "version: 1\ndecisions: []\n")
    repo.commit("ledger")
    report = audit(repo, backend(tmp_path, found(SQL))).json
    assert [target["path"] for target in report["coverage"]] == ["app.py"]
    assert [(skipped["path"], skipped["reason"]) for skipped in report["skipped"]] == [(".venire/decisions.yml", "ignored")]


def test_the_sealed_digest_is_that_of_the_bare_pool(repo: Repo, tmp_path: Path) -> None:
    bare = replay(repo).out
    assert decide(repo, ids(replay(repo))[SQL], "dismiss", "--why", "safe").code == 0
    elsewhere = Repo(tmp_path / "elsewhere")
    assert replay(elsewhere, record=records(repo)[-1]).out == bare
    assert hashlib.sha256(bare.encode()).hexdigest() in records(repo)[-1].read_text()
