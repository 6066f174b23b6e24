"""One comment, ours, in place, and never put back behind a newer one."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.github import BOT, GitHub, Pull
from support.http import Answer, Request, said

from venire.deliver.github import Client, Notice, Posted, Refused, Repository, is_newer, stick

OLD, NOW = "0" * 39 + "1", "0" * 39 + "2"


@dataclass(frozen=True)
class Mark:
    """A mark as simple as can be: ``<!-- PROFILE SHA RECORD RUN -->``."""

    profile: str = "venire"
    head_sha: str = NOW
    record: str = "c" * 64
    run: int = 5

    @property
    def line(self) -> str:
        return f"<!-- {self.profile} {self.head_sha} {self.record} {self.run} -->"


def read(line: str) -> Mark | None:
    words = line.split(" ")
    return Mark(words[1], words[2], words[3], int(words[4])) if len(words) == 6 and words[0] == "<!--" else None


@pytest.fixture
def github() -> Iterator[GitHub]:
    with GitHub() as server:
        server.pulls[7] = Pull(NOW)
        yield server
        assert server.violations == []


def post(github: GitHub, mark: Mark | None = None, text: str = "a report", token: str = "secret") -> Posted:  # noqa: S107
    mine = mark or Mark()
    with Client(github.api, token, wait=lambda _: None) as client:
        return stick(Repository(client, github.name), Notice(7, BOT, mine, body(mine, text), read))


def body(mark: Mark, text: str) -> Callable[[int], str]:
    return lambda limit: f"{mark.line}\n{text}"[:limit]


def test_the_second_push_changes_the_comment_of_the_first(github: GitHub) -> None:
    github.pulls[7].head = OLD
    assert post(github, Mark(head_sha=OLD, run=4), "first").what == "created"
    github.pulls[7].head = NOW
    done = post(github, Mark(run=5), "second")
    assert (done.what, github.bodies(7)) == ("updated", [f"{Mark(run=5).line}\nsecond"])
    assert done.url == f"https://github.example/pull/7#issuecomment-{github.comments[0].id}"


def test_the_same_report_again_writes_nothing(github: GitHub) -> None:
    post(github)
    before = len(github.writes)
    github.comments[0].body = github.comments[0].body.replace("\n", "\r\n") + "\r\n"
    assert (post(github).what, len(github.writes)) == ("unchanged", before)


def test_our_comment_is_found_on_a_late_page(github: GitHub) -> None:
    for number in range(130):
        github.add(7, f"talk {number}", "someone")
    mine = github.add(7, f"{Mark(run=1).line}\nold")
    for number in range(130):
        github.add(7, f"more talk {number}", "someone")
    assert post(github).what == "updated"
    assert mine.body.endswith("a report")


def test_a_marker_in_somebody_else_s_comment_is_not_ours(github: GitHub) -> None:
    spoof = github.add(7, f"{Mark(run=999).line}\nAll clear.", "mallory")
    assert post(github).what == "created"
    assert spoof.body.endswith("All clear.")
    assert len(github.bodies(7)) == 1


@pytest.mark.parametrize(
    "text", ["quoted:\n{}", "\n{}", " {}", "> {}", "{} and more", "```\n{}\n```", "{}"[:1] + "x{}"], ids=range(7)
)
def test_a_marker_below_the_first_line_or_beside_other_text_is_none(github: GitHub, text: str) -> None:
    other = github.add(7, text.replace("{}", Mark(run=999).line))
    before = other.body
    assert post(github).what == "created"
    assert other.body == before


def test_another_profile_has_a_comment_of_its_own(github: GitHub) -> None:
    post(github, Mark(profile="security"))
    post(github, Mark(profile="style"))
    assert post(github, Mark(profile="style", run=6)).what == "updated"
    assert [one.partition(" ")[2].partition(" ")[0] for one in github.bodies(7)] == ["security", "style"]


def test_a_run_that_ends_late_leaves_the_newer_comment(github: GitHub) -> None:
    post(github, Mark(head_sha=NOW, run=6), "newer")
    before = len(github.writes)
    assert post(github, Mark(head_sha=OLD, run=5), "older").what == "superseded"
    assert (github.bodies(7), len(github.writes)) == ([f"{Mark(run=6).line}\nnewer"], before)


def test_a_branch_put_back_to_an_old_commit_gets_its_report_although_another_s_run_is_later(github: GitHub) -> None:
    post(github, Mark(head_sha=NOW, run=6), "of a commit that is no longer there")
    github.pulls[7].head = OLD
    assert post(github, Mark(head_sha=OLD, run=5), "of the commit at the head").what == "updated"


def test_a_workflow_whose_numbers_began_anew_is_not_shut_out(github: GitHub) -> None:
    github.add(7, f"{Mark(head_sha=OLD, run=4000).line}\nbefore the file was renamed")
    assert post(github, Mark(head_sha=NOW, run=1)).what == "updated"


@given(
    st.lists(st.tuples(st.sampled_from([OLD, NOW, "f" * 40]), st.integers(1, 4)), min_size=1, max_size=6),
    st.sampled_from([OLD, NOW, ""]),
)
def test_in_whatever_order_runs_end_none_newer_is_ever_lost(arrivals: list[tuple[str, int]], current: str) -> None:
    standing: Mark | None = None
    for sha, run in arrivals:
        ours = Mark(head_sha=sha, run=run)
        if standing is None or not is_newer(standing, ours, current):
            standing = ours
    assert standing is not None
    best = max((sha == current, run) for sha, run in arrivals)
    assert (standing.head_sha == current, standing.run) == best


def test_a_comment_renewed_between_the_list_and_the_change_is_seen(github: GitHub) -> None:
    post(github, Mark(head_sha=OLD, run=4), "old")

    def meanwhile(request: Request) -> None:
        if request.method == "GET" and "/issues/comments/" in request.path:
            github.comments[0].body = f"{Mark(run=9).line}\nfrom a faster run"

    github.before = meanwhile
    assert post(github, Mark(run=5)).what == "superseded"
    assert github.bodies(7) == [f"{Mark(run=9).line}\nfrom a faster run"]


@pytest.mark.parametrize(("other", "what", "stays"), [(9, "superseded", "theirs"), (3, "created", "ours")])
def test_of_two_runs_that_both_found_no_comment_one_stays(github: GitHub, other: int, what: str, stays: str) -> None:
    def meanwhile(request: Request) -> None:
        if request.method == "POST" and not github.comments:
            github.add(7, f"{Mark(run=other).line}\ntheirs")

    github.before = meanwhile
    assert post(github, Mark(run=5), "ours").what == what
    assert [one.rpartition("\n")[2] for one in github.bodies(7)] == [stays]


def test_a_post_that_went_through_although_the_answer_was_an_error_leaves_no_twin(github: GitHub) -> None:
    def lost(request: Request) -> None:
        if request.method == "POST" and len(github.writes) == 1:
            github.add(7, request.json["body"])
            github.once.append(("POST", Answer(502, b"")))

    github.before = lost
    assert post(github).what in ("created", "superseded")
    assert len(github.bodies(7)) == 1


def test_a_comment_deleted_under_our_hands_is_a_refusal(github: GitHub) -> None:
    post(github, Mark(run=1))
    github.once.append(("PATCH", said({"message": "Not Found"}, 404)))
    with pytest.raises(Refused, match="404"):
        post(github, Mark(run=2))


@pytest.mark.parametrize("size", [70_000, 61_000])
def test_a_body_that_is_too_long_is_sent_shorter(github: GitHub, size: int) -> None:
    mark = Mark()
    asked: list[int] = []

    def text(limit: int) -> str:  # whose idea of a character is another than GitHub's
        asked.append(limit)
        return mark.line + "\n" + "x" * (limit * size // 60_000)

    with Client(github.api, "secret", wait=lambda _: None) as client:
        stick(Repository(client, github.name), Notice(7, BOT, mark, text, read))
    assert len(github.bodies(7)) == 1
    assert asked == ([60_000, 30_000] if size > 65_000 else [60_000])


def test_a_body_that_no_length_helps_is_a_refusal(github: GitHub) -> None:
    github.once += [("POST", said({"message": "Validation Failed"}, 422))] * 3
    with pytest.raises(Refused, match="Validation Failed"):
        post(github)
    assert len(github.writes) == 3


def test_a_token_that_only_reads_is_a_refusal_and_writes_nothing(github: GitHub) -> None:
    with pytest.raises(Refused, match="Resource not accessible by integration"):
        post(github, token="fork")
    assert github.comments == []


def test_an_account_that_is_gone_does_not_end_the_search(github: GitHub) -> None:
    github.add(7, "bye", "x")
    github.add(7, f"{Mark(run=1).line}\nold")

    def ghost(request: Request) -> Answer:
        shown = [comment.shown(github.root) for comment in github.comments]
        shown[0]["user"] = None
        return said(shown)

    github.on("/repos/octo/app/issues/7/comments", ghost)
    assert post(github).what == "updated"
