"""What fits is the beginning of what there is: the least lane gives way first, and says how much of it did."""

from hypothesis import given, settings
from hypothesis import strategies as st

from venire.report.fit import Section, fitted, octets, units

sizes = st.lists(st.integers(0, 3), max_size=12)


def section(name: str, lengths: list[int], *, has_cards: bool) -> Section:
    lines = [f"{name}{n}" + "." * length for n, length in enumerate(lengths)]
    cards = [f"CARD {line}" + "#" * 10 * length for line, length in zip(lines, lengths, strict=True)]
    return Section(name, f"<{name}>", f"</{name}>", len(lines), lines, cards if has_cards else (), has_cards)


@given(sizes, sizes, sizes, st.integers(0, 1500))
@settings(deadline=None, max_examples=200)
def test_what_fits_is_within_the_room_and_whole_lanes_come_first(a: list[int], b: list[int], c: list[int], room: int) -> None:
    sections = [section("a", a, has_cards=True), section("b", b, has_cards=True), section("c", c, has_cards=False)]
    frames = sum(one.frame(len) for one in sections)
    texts = list(fitted(sections, room, len))
    assert sum(map(len, texts)) <= max(room, frames)
    is_cut = False
    for one, text in zip(sections, texts, strict=True):
        lines, cards = list(one.lines), list(one.cards)
        told = text.replace("CARD ", "").replace("#", "").split("\n")
        shown = [n for n, line in enumerate(lines) if line in told]
        full = [n for n, card in enumerate(cards) if card in text.split("\n\n")]
        assert not (is_cut and shown), "a lesser lane has an entry though a greater one was cut"
        assert shown == list(range(len(shown)))
        assert full == list(range(len(full)))
        assert (f"\n\n**{one.total - len(shown):,} of {one.total:,} candidates ({one.name})" in text) is (len(shown) < one.total)
        bare = len(shown) - len(full) if cards else 0
        assert (f"**The cards of {bare:,} of {one.total:,} candidates ({one.name})" in text) is (bare > 0)
        is_cut = is_cut or len(shown) < one.total or len(full) < len(cards)


def test_nothing_is_asked_for_that_cannot_fit() -> None:
    """A million candidates cost what is shown of them."""
    asked = []

    def lines() -> object:
        for number in range(1_000_000):
            asked.append(number)
            yield f"line {number}"

    (text,) = fitted([Section("rest", "", "", 1_000_000, lines())], 500, len)  # type: ignore[arg-type]
    assert len(asked) < 60
    assert "999,9" in text


def test_units_are_those_of_utf_16_and_octets_those_of_utf_8() -> None:
    assert units("a🦊é") == 4
    assert octets("a🦊é") == 7
    assert octets("\ud800") == len("\\ud800")
