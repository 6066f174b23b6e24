"""The suite is the same for a version, a count and a seed, balanced, and its twins are the library's own text."""

import ast
import sysconfig
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from support.library import originals

from venire.errors import UsageError
from venire.measure.functions import LONGEST, SHORTEST, STATEMENTS, fingerprint, functions, modules, suite
from venire.measure.mutate import KINDS, mutations
from venire.model import Mutant

COUNT, SEED = 13, 5


@cache
def mutants() -> tuple[Mutant, ...]:
    return suite(COUNT, SEED)


def module(folder: Path, text: str) -> list[str]:
    """The texts of the functions that are taken from a module."""
    path = folder / "shop.py"
    path.write_text(text, "utf-8")
    return [original.text for original in functions("shop", path)]


BODY = "    a = os.getcwd()\n    b = a + a\n    if b:\n        a = b\n\n    # done\n    return sep.join(a)\n"


def test_the_same_seed_gives_the_same_suite_and_another_seed_another() -> None:
    again = suite(COUNT, SEED)
    assert again == mutants()
    assert fingerprint(again) == fingerprint(mutants())
    other = suite(COUNT, SEED + 1)
    assert {one.origin for one in other} != {one.origin for one in mutants()}
    assert fingerprint(other) != fingerprint(mutants())


def test_every_kind_comes_about_equally_often() -> None:
    counts = Counter(mutant.kind for mutant in mutants())
    assert set(counts) == set(KINDS)
    assert set(counts.values()) == {COUNT // len(KINDS), COUNT // len(KINDS) + 1}


def test_few_mutants_are_all_of_different_kinds() -> None:
    assert len({mutant.kind for mutant in suite(7, SEED)}) == 7


def test_a_function_is_taken_once_and_a_module_twice_at_most() -> None:
    origins = [mutant.origin for mutant in mutants()]
    assert len(set(origins)) == len(origins) == COUNT
    names = sorted(modules(), key=len, reverse=True)
    homes = Counter(next(name for name in names if origin.startswith(f"{name}.")) for origin in origins)
    assert max(homes.values()) <= 2


def test_names_do_not_tell_a_mutant_from_its_twin() -> None:
    names = [name for mutant in mutants() for name in (mutant.name, mutant.twin)]
    assert sorted(names) == [f"t{number:04d}.py" for number in range(1, 2 * COUNT + 1)]
    assert 0 < sum(mutant.name < mutant.twin for mutant in mutants()) < COUNT
    assert 0 < sum(int(mutant.name[1:5]) % 2 for mutant in mutants()) < COUNT
    assert [mutant.name for mutant in mutants()] != sorted(mutant.name for mutant in mutants())


def test_a_mutant_is_its_twin_with_one_mutation_of_its_kind() -> None:
    for mutant in mutants():
        made = {(one.text, one.lines, one.before, one.after) for one in mutations(mutant.clean, mutant.kind)}
        assert (mutant.text, mutant.lines, mutant.before, mutant.after) in made


def test_a_twin_is_the_text_of_the_library() -> None:
    """Its lines follow each other in the module, but for the margin and for the imports above them."""
    library = modules()
    for mutant in mutants():
        home = next(name for name in sorted(library, key=len, reverse=True) if mutant.origin.startswith(f"{name}."))
        rows = [row.strip() for row in library[home].read_text("utf-8").split("\n")]
        tree = ast.parse(mutant.clean)
        first = min([tree.body[-1].lineno, *(item.lineno for item in tree.body[-1].decorator_list)])  # type: ignore[attr-defined]
        mine = [row.strip() for row in mutant.clean.split("\n")[first - 1 : -1]]
        assert any(rows[n : n + len(mine)] == mine for n in range(len(rows)))


def test_real_functions_are_of_readable_length_and_stand_alone() -> None:
    for original in originals():
        tree = ast.parse(original.text)
        node = tree.body[-1]
        assert SHORTEST <= (node.end_lineno or 0) - node.lineno + 1 <= LONGEST
        assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        assert all(isinstance(above, ast.Import | ast.ImportFrom) for above in tree.body[:-1])
        assert original.origin.endswith(f".{node.name}")


def test_a_function_comes_with_the_imports_it_uses(tmp_path: Path) -> None:
    text = "from __future__ import annotations\nimport os, sys\nfrom os.path import join, sep\n\n\ndef f():\n" + BODY
    assert module(tmp_path, text) == [
        "from __future__ import annotations\nimport os\nfrom os.path import sep\n\n\ndef f():\n" + BODY
    ]


def test_a_method_is_moved_out_of_its_class_with_its_decorators(tmp_path: Path) -> None:
    method = "@property\ndef f(self):\n    '''What\n    it is.'''\n" + BODY
    inner = "".join(f"        {line}\n" if line else "\n" for line in method.rstrip().split("\n"))
    assert module(tmp_path, f"class A:\n    class B:\n{inner}\n") == [method]


@pytest.mark.parametrize(
    "text",
    [
        "def f():\n" + "    a = 1\n" * (LONGEST + 1),
        "def f():\n    return g(\n" + "        a,\n" * SHORTEST + "    )\n",  # one statement
        "def f():\n    a = {\n" + "        1: 2,\n" * SHORTEST + "    }\n    b = 1\n    return a\n",  # mostly literals
        "class A:\n    def f(self):\n        a = '''\nb'''\n" + "        g(a)\n" * SHORTEST,  # a text would change
        "# Generated by a tool\ndef f(a):\n" + "    a(a)\n" * SHORTEST,
        "def f(a):\n\f\n" + "    a(a)\n" * SHORTEST,
        "def f(:\n",
        "# -*- coding: no-such-thing -*-\n",
    ],
)
def test_what_is_not_worth_reading_or_cannot_be_shown_is_left_out(tmp_path: Path, text: str) -> None:
    assert module(tmp_path, text) == []


def test_a_short_function_is_left_out_whatever_its_decorators(tmp_path: Path) -> None:
    decorated = "@a\n@b\n@c\ndef f(a):\n"
    assert module(tmp_path, decorated + "    a(a)\n" * (SHORTEST - 2)) == []
    assert len(module(tmp_path, decorated + "    a(a)\n" * (SHORTEST - 1))) == 1
    assert STATEMENTS < SHORTEST


def test_modules_are_the_library_without_tests_and_tables() -> None:
    names = set(modules())
    assert {"shutil", "json.decoder", "email.message"} <= names
    assert not {name for name in names if {"test", "tests", "encodings", "idlelib", "lib2to3"} & set(name.split("."))}


def test_a_suite_that_cannot_be_made_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="a suite of 0 mutants"):
        suite(0, 1)
    monkeypatch.setattr(sysconfig, "get_path", lambda _: str(tmp_path))
    with pytest.raises(UsageError, match="no standard library in"):
        suite(1, 1)
    (tmp_path / "shlex.py").write_text("def f(a):\n" + "    a(a)\n" * SHORTEST, "utf-8")
    with pytest.raises(UsageError, match="9 mutants asked for, 0 can be made"):
        suite(9, 1)


def test_of_a_getter_and_its_setter_one_is_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """They share the name by which a mutant is known."""
    monkeypatch.setattr(sysconfig, "get_path", lambda _: str(tmp_path))
    twice = "@property\n{0}\n@f.setter\n{0}\n".format("def f(a, b):\n" + "    a(b, a)\n" * SHORTEST)
    (tmp_path / "shlex.py").write_text(twice + twice.replace("def f(", "def g("), "utf-8")
    assert {one.origin for one in suite(2, 1)} == {"shlex.f", "shlex.g"}
    (tmp_path / "shlex.py").write_text(twice, "utf-8")
    with pytest.raises(UsageError, match="2 mutants asked for, 1 can be made"):
        suite(2, 1)
