"""Every kind of defect on a small text: exactly these places, exactly these changes."""

import pytest

from venire.measure.mutate import KINDS, mutations

FLIPPED, OFF, SWAPPED, NEGATED, GUARD, OPEN, VARIABLE, ARGUMENTS, SWALLOWED, RETURN = KINDS


def changes(kind: str, *lines: str) -> set[tuple[str, str]]:
    text = "\n".join(("def f(a, b, c=None):", *(f"    {line}" for line in lines), ""))
    return {(" ".join(one.before.split()), " ".join(one.after.split())) for one in mutations(text, kind)}


def after(kind: str, *lines: str) -> set[str]:
    return {new for _, new in changes(kind, *lines)}


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("a < b", {"a <= b", "a > b"}),
        ("a <= b", {"a < b", "a >= b"}),
        ("a > b", {"a >= b", "a < b"}),
        ("a >= b", {"a > b", "a <= b"}),
        ("a == b", {"a != b"}),
        ("a != b", {"a == b"}),
        ("a in b", {"a not in b"}),
        ("a not  in b", {"a in b"}),
        ("(a) < (b)", {"(a) <= (b)", "(a) > (b)"}),
        ("0 < a <= 9", {"0 <= a <= 9", "0 > a <= 9", "0 < a < 9", "0 < a >= 9"}),
        ("a == a", set()),
        ("a is b", set()),
        ("assert a < b", set()),
        ("x: 'a < b' = 1", set()),
        ("f'{a < b}'", set()),
    ],
)
def test_comparisons_are_flipped(line: str, found: set[str]) -> None:
    assert after(FLIPPED, line) == found


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("a[0]", {"a[1]"}),
        ("a[3]", {"a[2]", "a[4]"}),
        ("a[-1]", {"a[-2]"}),
        ("a[-2]", {"a[-1]", "a[-3]"}),
        ("a[b + 1]", {"a[b]"}),
        ("a[b + 2]", {"a[b + 1]", "a[b + 3]"}),
        ("a[b]", set()),  # for all that is known, a key
        ("a['key']", set()),
        ("a[f(b)]", set()),
        ("a[1:b]", {"a[0:b]", "a[2:b]", "a[1:b + 1]", "a[1:b - 1]"}),
        ("a[:len(b) - 1]", {"a[:len(b)]"}),
        ("range(a)", {"range(a + 1)", "range(a - 1)"}),
        ("range(1, a)", {"range(0, a)", "range(2, a)", "range(1, a + 1)", "range(1, a - 1)"}),
        ("range(a, b, 2)", {"range(a + 1, b, 2)", "range(a - 1, b, 2)", "range(a, b + 1, 2)", "range(a, b - 1, 2)"}),
        ("other(3)", set()),
    ],
)
def test_bounds_are_off_by_one(line: str, found: set[str]) -> None:
    assert after(OFF, line) == found


def test_an_index_that_counts_is_off_by_one() -> None:
    assert {"c = a[b + 1]", "c = a[b - 1]"} <= after(OFF, "for b in range(9):", "    c = a[b]")
    assert {"a[b + 1]", "a[b - 1]"} == after(OFF, "b += 1", "a[b]")


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("a + b", {"a - b"}),
        ("a - b", {"a + b"}),
        ("a * b", {"a + b"}),
        ("a / b", {"a * b"}),
        ("a // b", {"a % b"}),
        ("a % b", {"a // b"}),
        ("a << b", {"a >> b"}),
        ("a & b", {"a | b"}),
        ("a += b", {"a -= b"}),
        ("a -= b", {"a += b"}),
        ("a and b", {"a or b"}),
        ("a or b or c", {"a and b or c", "a or b and c"}),
        ("'x' + a", set()),
        ("'%s' % a", set()),
        ("a + [b]", set()),
        ("a += 'x'", set()),
        ("a @ b", set()),
    ],
)
def test_operators_are_swapped(line: str, found: set[str]) -> None:
    assert after(SWAPPED, line) == found


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("if a: b", {"if not a: b"}),
        ("if not a: b", {"if a: b"}),
        ("if not (a or b): c", {"if (a or b): c"}),
        ("if not(a): b", {"if (a): b"}),
        ("while f(a): b", {"while not f(a): b"}),
        ("if a and b: c", {"if not (a and b): c"}),
        ("if a is None: b", {"if a is not None: b"}),
        ("if a is not None: b", {"if a is None: b"}),
        ("a if b else c", {"a if not b else c"}),
        ("[x for x in a if x]", {"[x for x in a if not x]"}),
        ("if a < b: c", set()),  # flipped, not negated
        ("while True: a", set()),
        ("if __debug__: a", set()),
        ("if TYPE_CHECKING: a", set()),
    ],
)
def test_conditions_are_negated(line: str, found: set[str]) -> None:
    assert after(NEGATED, line) == found


def test_a_guard_against_none_is_removed() -> None:
    guard = ("if a is None:", "    return b")
    assert changes(GUARD, *guard, "return a.x") == {("if a is None: return b", "")}
    assert changes(GUARD, "if a is None:", "    raise ValueError", "a()") == {("if a is None: raise ValueError", "")}
    assert after(GUARD, "if a is not None and a.x: b") == {"if a.x: b"}
    assert after(GUARD, "if a is not None and b:", "    a.x") == {"if b:"}


@pytest.mark.parametrize(
    "lines",
    [
        ("if a is None:", "    return b", "return b"),  # a is not used after it
        ("if a is None:", "    a = b", "return a"),  # a default, no guard
        ("if a is None:", "    return b", "else:", "    return a"),
        ("if b:", "    pass", "elif a is None:", "    return b", "return a"),
        ("if a is not None and b: c",),
        ("if a is None and b:", "    return b", "return a"),
    ],
)
def test_what_only_looks_like_a_guard_stays(lines: tuple[str, ...]) -> None:
    assert changes(GUARD, *lines) == set()


def test_a_resource_is_left_open() -> None:
    assert changes(OPEN, "with open(a) as b:", "    b.x", "    if b:", "        b.y") == {("with open(a) as b:", "b = open(a)")}
    assert changes(OPEN, "a.x()", "a.close()") == {("a.close()", "")}


def test_the_block_of_a_dropped_with_moves_out_and_keeps_its_comments() -> None:
    (found,) = mutations("def f(a):\n    with open(a) as b:  # why\n        # first\n        b.x\n\n        b.y\n    a.z\n", OPEN)
    assert found.text == "def f(a):\n    b = open(a)  # why\n    # first\n    b.x\n\n    b.y\n    a.z\n"
    assert found.lines == (2, 2)


@pytest.mark.parametrize(
    "lines",
    [
        ("with a: b",),
        ("with a as b: b",),
        ("with open(a) as b: b",),  # on one line
        ("with open(a) as b, open(c) as d:", "    b"),
        ("with open(a) as b:", "    c = '''", "    long'''"),
        ("a.close()",),  # nothing would be left
        ("a.close(b)", "c"),
        ("a.closed()", "c"),
    ],
)
def test_resources_that_cannot_be_left_open_stay(lines: tuple[str, ...]) -> None:
    assert changes(OPEN, *lines) == set()


def test_a_variable_is_taken_for_another() -> None:
    assert after(VARIABLE, "return a") == {"return b", "return c"}
    assert after(VARIABLE, "d = a", "return d") == {"d = b", "d = c", "return b", "return c"}  # d and a are the same


@pytest.mark.parametrize(
    "line",
    ["a()", "unknown", "lambda x: x", "d = a", "self = 1"],
)
def test_variables_that_say_nothing_stay(line: str) -> None:
    """Called, not local, another function's, given to a name nobody reads, or written."""
    assert after(VARIABLE, line) == set()


def test_a_name_of_an_inner_scope_is_no_choice() -> None:
    assert after(VARIABLE, "b = [d for d in a]", "e = lambda x: x", "return b") >= {"return a", "return c", "return e"}
    assert not {"return d", "return x"} & after(VARIABLE, "b = [d for d in a]", "e = lambda x: x", "return b")


def test_a_name_bound_later_is_no_choice() -> None:
    assert after(VARIABLE, "b(a)", "d = 1", "b(d)") == {"b(b)", "b(c)", "b(a)"}


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("f(a, b)", {"f(b, a)"}),
        ("f(a, b, c)", {"f(b, a, c)", "f(a, c, b)"}),
        ("f('x', 'y')", {"f('y', 'x')"}),
        ("f((a), b)", {"f((b), a)"}),
        ("f(a, a)", set()),
        ("f(a, 'x')", set()),
        ("f(a, 0)", set()),
        ("f(*a, b)", set()),
        ("f(a, x=b)", set()),
        ("max(a, b)", set()),
        ("isinstance(a, b)", set()),
    ],
)
def test_arguments_are_exchanged(line: str, found: set[str]) -> None:
    assert after(ARGUMENTS, line) == found


def test_an_exception_is_swallowed() -> None:
    assert changes(SWALLOWED, "try:", "    a", "except E:", "    raise") == {("raise", "pass")}
    assert changes(SWALLOWED, "try:", "    a", "except E:", "    b()", "    raise F") == {
        ("b() raise F", "pass"),
        ("raise F", ""),
    }
    assert changes(SWALLOWED, "try:", "    a", "except E:", "    log(b)") == {("log(b)", "pass")}
    for body in ("pass", "continue", "b = 1", "return b"):
        assert changes(SWALLOWED, "for x in a:", "    try:", "        a", "    except E:", f"        {body}") == set()


def test_a_swallowed_exception_lies_on_its_handler_and_in_it() -> None:
    (found,) = mutations("try:\n    a\nexcept E:\n    # why\n    raise\n", SWALLOWED)
    assert (found.text, found.lines) == ("try:\n    a\nexcept E:\n    # why\n    pass\n", (3, 5))


def test_a_return_is_forgotten() -> None:
    assert changes(RETURN, "return f(a)") == {("return f(a)", "f(a)")}
    assert changes(RETURN, "return (a,", "        b)") == {("return (a,", "(a,")}
    assert changes(RETURN, "b()", "return a") == {("return a", "")}
    assert changes(RETURN, "return a") == set()  # nothing would be left
    assert changes(RETURN, "return", "return None", "return -1") == set()
