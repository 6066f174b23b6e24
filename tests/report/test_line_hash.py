"""The hash of a line is GitHub's: its published vectors, and the properties its alerts rest on."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from venire.report.line_hash import line_hashes

GREETING = ("e9496ae3ebfced30:1", "fb7c023a8b9ccb3f:1", "ce8ba1a563dcdaca:1", "e20e36e16fcb0cc8:1", "b3edc88f2938467e:1",
            "c8e28b0b4002a3a0:1", "c129715d7a2bc9a3:1")  # fmt: skip
VECTORS = {
    "empty": ("", ("c129715d7a2bc9a3:1",)),
    "blanks": (" a\nb\n  \t\tc\n d", ("271789c17abda88f:1", "54703d4cd895b18:1", "180aee12dab6264:1", "a23a3dc5e078b07b:1")),
    "no last line end": (
        " hello; \t\nworld!!!\n\n\n  \t\tGreetings\n End",
        ("8b7cf3e952e7aeb2:1", "b1ae1287ec4718d9:1", "bff680108adb0fcc:1", "c6805c5e1288b612:1", "b86d3392aea1be30:1",
         "e6ceba753e1a442:1"),
    ),
    "LF": (" hello; \t\nworld!!!\n\n\n  \t\tGreetings\n End\n", GREETING),
    "CR": (" hello; \t\nworld!!!\r\r\r  \t\tGreetings\r End\r", GREETING),
    "CRLF": (" hello; \t\r\nworld!!!\r\n\r\n\r\n  \t\tGreetings\r\n End\r\n", GREETING),
    "all line ends": (" hello; \t\nworld!!!\r\n\n\r  \t\tGreetings\r End\r\n", GREETING),
    "repeated": (
        "Lorem ipsum dolor sit amet.\n" * 10,
        (*(f"a7f2ff13bc495cf2:{n}" for n in range(1, 7)), "a7f2ff1481e87703:1", "a9cf91f7bbf1862b:1", "55ec222b86bcae53:1",
         "cc97dc7b1d7d8f7b:1", "c129715d7a2bc9a3:1"),
    ),
}  # fmt: skip
"""Published with the codeql-action (``src/fingerprints.test.ts``)."""


@pytest.mark.parametrize("name", VECTORS)
def test_the_published_vectors_hold(name: str) -> None:
    text, hashes = VECTORS[name]
    assert line_hashes(text) == hashes


texts = st.text(st.sampled_from("ab \t\n\r\u2028🦊\ud800"), max_size=300)


def rolled(text: str) -> list[str]:
    """The scheme as a rolling window, one unit at a time, as its authors tell it: the oracle."""
    data = text.encode("utf-16-le", "surrogatepass")
    found: dict[int, int] = {}
    window, value, line, at_start, after_return = [0] * 100, 0, 0, True, False
    marks: list[int | None] = [None] * 100
    stream = [int.from_bytes(data[n : n + 2], "little") for n in range(0, len(data), 2)] + [65535]
    place = 0

    def push(unit: int) -> None:
        nonlocal value, place
        value = (value * 37 + unit - window[place] * pow(37, 100, 2**64)) % 2**64
        window[place] = unit
        place = (place + 1) % 100

    def emit() -> None:
        if (mark := marks[place]) is not None:
            found[mark] = value
            marks[place] = None

    for unit in stream:
        if unit in (32, 9) or (after_return and unit == 10):
            after_return = False
            continue
        after_return = unit == 13
        unit = 10 if unit == 13 else unit
        emit()
        if at_start:
            line, at_start = line + 1, False
            marks[place] = line
        at_start = unit == 10
        push(unit)
    for _ in range(100):
        emit()
        push(0)
    counts: dict[int, int] = {}
    told = []
    for number in sorted(found):
        counts[found[number]] = counts.get(found[number], 0) + 1
        told.append(f"{found[number]:x}:{counts[found[number]]}")
    return told


@given(texts)
@settings(deadline=None, max_examples=200)
def test_sums_give_what_a_rolling_window_gives(text: str) -> None:
    assert list(line_hashes(text)) == rolled(text)


@given(texts, texts)
@settings(deadline=None)
def test_what_stands_above_changes_no_value_below(above: str, below: str) -> None:
    """An alert survives an edit above it; only the count behind the colon may move."""

    def values(text: str) -> list[str]:
        return [one.split(":")[0] for one in line_hashes(text)]

    assert values(f"{above}\n{below}")[-len(values(below)) :] == values(below)


def test_a_line_of_another_plane_counts_two_units() -> None:
    far, near = "🦊" * 50 + "x", "🦊" * 50 + "y"
    assert line_hashes(far)[0].split(":")[0] == line_hashes(near)[0].split(":")[0]
    assert line_hashes("🦊" * 49 + "x") != line_hashes("🦊" * 49 + "y")
