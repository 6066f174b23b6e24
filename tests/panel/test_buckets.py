"""YAML → panel: ids by position, content by words, and every fault of all files at once with its line."""

import hashlib
from pathlib import Path
from textwrap import dedent

import pytest

from venire.model import Bucket, Panel, Severity, When
from venire.panel.buckets import build
from venire.panel.content import content_id
from venire.panel.modes import arrange


def panel_of(*texts: str) -> Panel:
    entries, faults = build([(f"{chr(97 + i)}.yml", dedent(text).encode()) for i, text in enumerate(texts)])
    assert faults == ()
    return arrange(entries)


def bucket_of(text: str) -> Bucket:
    return panel_of(text).buckets[0]


def faults_of(*texts: str) -> list[str]:
    return list(build([(f"{chr(97 + i)}.yml", dedent(text).encode()) for i, text in enumerate(texts)])[1])


FULL = """\
    when: {language: [python, go], model: "!tiny*"}
    buckets:
      - name: security
        instruction: |
          Look closely.

            Then once more.
        fields: [problem, line, check, severity]
        cap: 3
        when: {path: ["src/", "!src/gen/"]}
        checks:
          - text: SQL is built with bound parameters,
              never by joining strings.
            family: injection
            severity: high
            tags: [CWE-89, owasp]
            when: {language: python}
          - plain string is allowed too
      - name: other things
        checks: [One., Two.]
    """


def test_a_whole_file_is_read() -> None:
    first, second = panel_of(FULL).buckets

    assert (first.name, first.cap, first.fields) == ("security", 3, ("problem", "line", "check", "severity"))
    assert first.instruction == "Look closely.\n\n  Then once more."
    assert first.file_when == second.file_when == When(language=("python", "go"), model=("!tiny*",))
    assert first.when == When(path=("src/", "!src/gen/"))
    sql, plain = first.checks
    assert (sql.bucket, sql.id, sql.family, sql.severity, sql.tags) == (
        "security",
        "check_1",
        "injection",
        Severity.HIGH,
        ("CWE-89", "owasp"),
    )
    assert sql.text == "SQL is built with bound parameters, never by joining strings."
    assert sql.when == When(language=("python",))
    assert (plain.id, plain.text, plain.severity, plain.tags) == ("check_2", "plain string is allowed too", Severity.LOW, ())


def test_a_check_without_a_family_is_its_own() -> None:
    one, two = panel_of(FULL).buckets[1].checks

    assert one.family == one.content
    assert one.family != two.family


def test_what_a_bucket_does_not_say_has_a_default() -> None:
    plain = panel_of(FULL).buckets[1]

    assert plain == Bucket("other things", plain.checks, "", ("line", "problem", "check", "severity"), 0, When(), plain.file_when)


def test_ids_start_again_in_every_bucket_and_follow_position() -> None:
    assert [[c.id for c in b.checks] for b in panel_of(FULL).buckets] == [["check_1", "check_2"], ["check_1", "check_2"]]


def test_the_content_id_is_of_bucket_and_words_and_ignores_layout() -> None:
    text = "buckets: [{name: b, checks: ['%s']}]"
    one, same, other = (bucket_of(text % words).checks[0] for words in ("A  thing\tholds.", " A thing holds. ", "A thing holds"))

    assert one == same
    assert (
        one.content == content_id("b", "A thing holds.") == hashlib.sha256(b"venire/check/v1\0b\0A thing holds.").hexdigest()[:12]
    )
    assert one.content != other.content
    assert content_id("ab", "c") != content_id("a", "bc")


def test_layout_of_a_longer_text_makes_no_more_checks() -> None:
    found = bucket_of(
        """\
        buckets:
          - name: b
            checks:
              - |
                First line
                - looks like a check

                and goes on.
              - "- begins like a list"
              - "1. begins like a numbered one"
              - "[x] begins with a box"
              - 'check_9: says another id'
        """
    )

    assert [(c.id, c.text) for c in found.checks] == [
        ("check_1", "First line - looks like a check and goes on."),
        ("check_2", "- begins like a list"),
        ("check_3", "1. begins like a numbered one"),
        ("check_4", "[x] begins with a box"),
        ("check_5", "check_9: says another id"),
    ]


def test_more_than_a_hundred_checks_are_numbered_through() -> None:
    checks = "".join(f"      - Statement {n}.\n" for n in range(1, 151))
    found = build([("a.yml", f"buckets:\n  - name: b\n    checks:\n{checks}".encode())])[0][0].bucket

    assert [c.id for c in found.checks] == [f"check_{n}" for n in range(1, 151)]


@pytest.mark.parametrize("name", ["a::b", "a]b", "[a", "bücket", "安全", "x" * 200, "a: b", "#1"])
def test_a_bucket_may_have_any_printable_name(name: str) -> None:
    assert bucket_of(f"buckets: [{{name: '{name}', checks: [x]}}]").name == name


def test_files_keep_their_order() -> None:
    one = "buckets: [{name: z, checks: [One.]}, {name: y, checks: [Two.]}]"
    two = "buckets: [{name: a, checks: [Three.]}]"

    assert [b.name for b in panel_of(one, two).buckets] == ["z", "y", "a"]
    assert [b.name for b in panel_of(two, one).buckets] == ["a", "z", "y"]


def test_aliases_within_the_limits_may_be_used() -> None:
    panel = panel_of("buckets: [{name: a, when: &w {language: go}, checks: [One.]}, {name: b, when: *w, checks: [Two.]}]")

    assert panel.buckets[0].when == panel.buckets[1].when == When(language=("go",))


def test_an_empty_when_says_nothing() -> None:
    assert bucket_of("{when: {}, buckets: [{name: a, when: {language: []}, checks: [x]}]}").when == When()


# ---------------------------------------------------------------- faults


def cases() -> list[tuple[str, list[str]]]:
    """The pairs in faults.txt: a file, and the faults in it without its name."""
    blocks = (Path(__file__).parent / "faults.txt").read_text("utf-8").split("=====\n")[1:]
    return [(text, faults.splitlines()) for text, faults in (block.split("-----\n") for block in blocks)]


@pytest.mark.parametrize(("text", "faults"), cases(), ids=lambda value: value[-1] if isinstance(value, list) else "")
def test_a_fault_names_its_line_and_what_would_be_right(text: str, faults: list[str]) -> None:
    assert list(build([("a.yml", text.encode())])[1]) == [f"a.yml:{fault}" for fault in faults]


ONE = "buckets:\n  - name: b\n    checks:\n      - {}\n"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "1: the file is empty"),
        (
            ONE.replace("name: b", f"name: {'x' * 201}").format("y"),
            "2: the name of bucket 1 is 201 characters long, at most 200 are allowed",
        ),
        (ONE.format("x" * 2001), "4: check_1 of bucket 'b' is 2001 characters long, at most 2000 are allowed"),
        (
            ONE.format("x") + f"    cap: {'9' * 5000}\n",
            f"5: the cap of bucket 'b' must be a whole number from 0 to 200, not '{'9' * 57}...'",
        ),
        ("a: 1\nb: \x00\n", "2: not YAML: the character U+0000 is not allowed"),
        ("a: 1\nb: \x1b[0m\n", "2: not YAML: the character U+001B is not allowed"),
    ],
)
def test_text_without_bound_and_control_characters_are_faults(text: str, fault: str) -> None:
    assert build([("a.yml", text.encode())])[1] == (f"a.yml:{fault}",)


def test_every_fault_of_all_files_is_reported_at_once_in_order() -> None:
    assert faults_of(
        """\
        buckets:
          - name: a
            cap: x
            checks: [One., Two., One.]
          - name: b
            checks: []
        """,
        "buckets: [",
        """\
        buckets:
          - name: a
            checks: [Three., Two.]
        """,
    ) == [
        "a.yml:3: the cap of bucket 'a' must be a whole number from 0 to 200, not 'x'",
        "a.yml:4: the check 'One.' is already at a.yml:4",
        "a.yml:6: bucket 'b' has no checks",
        "b.yml:1: not YAML: expected the node content, but found '<stream end>'",
        "c.yml:2: the bucket 'a' is already at a.yml:2",
        "c.yml:3: the check 'Two.' is already at a.yml:4",
    ]


def test_a_good_file_beside_a_bad_one_does_not_hide_the_fault() -> None:
    assert len(faults_of("buckets: [{name: a, checks: [One.]}]", "buckets: 1", "buckets: [{name: b, checks: [Two.]}]")) == 1


def test_a_fault_stays_on_one_line_and_shows_no_raw_control_character() -> None:
    (fault,) = build([("a\n\x1b[2J.yml", b'buckets: [{name: "a\\nb\\e", checks: [x]}]')])[1]

    assert fault.isprintable()


def test_bytes_that_are_not_utf8_and_files_too_large_are_faults() -> None:
    assert build([("a.yml", b"a: 1\nb: \xff\n")])[1] == ("a.yml:2: not UTF-8: save the file as UTF-8",)
    assert build([("a.yml", "a: 1".encode("utf-16"))])[1] == ("a.yml:1: not UTF-8: save the file as UTF-8",)
    assert build([("a.yml", b"#" * 1_000_001)])[1] == ("a.yml:1: the file is larger than 1000000 bytes",)


def test_a_bomb_is_a_fault_with_a_line() -> None:
    rows = ["a: &a [x,x,x,x,x,x,x,x,x]"] + [
        f"{n}: &{n} [{','.join([f'*{p}'] * 9)}]" for p, n in zip("abcdefgh", "bcdefghi", strict=True)
    ]

    assert build([("a.yml", "\n".join(rows).encode())])[1] == ("a.yml:5: more than 20000 entries, with aliases followed",)
