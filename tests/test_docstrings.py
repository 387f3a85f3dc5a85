"""Docstrings are true: the examples in them give what they say, and what a public function raises is told there."""

from __future__ import annotations

import ast
import doctest
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("calibration", "vision", "engine", "webui")
#: The modules that show examples.
SHOWING = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for package in PACKAGES
    for path in sorted((ROOT / package).rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("name", SHOWING)
def test_examples_give_what_they_say(name: str) -> None:
    found = doctest.testmod(import_module(name))
    assert found.attempted > 0
    assert found.failed == 0


def public_functions(body: list[ast.stmt]) -> Iterator[ast.FunctionDef]:
    """Those of a module and of its public classes, but for commands: what goes wrong in one is said to its user."""
    for one in body:
        if isinstance(one, ast.ClassDef | ast.FunctionDef) and one.name.startswith("_"):
            continue
        if isinstance(one, ast.ClassDef):
            yield from public_functions(one.body)
        elif isinstance(one, ast.FunctionDef) and not any(
            "command" in ast.unparse(by) for by in one.decorator_list
        ):
            yield one


def raised_in(body: list[ast.stmt]) -> set[str]:
    """The errors that are raised there by name, but not in functions within; click's are said to the user."""
    names = set()
    left: list[ast.AST] = list(body)
    while left:
        node = left.pop()
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Lambda):
            continue
        if isinstance(node, ast.Raise) and node.exc is not None:
            raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
            if isinstance(raised, ast.Name) and raised.id[0].isupper() and raised.id != "AssertionError":
                names.add(raised.id)
        left += ast.iter_child_nodes(node)
    return names


@pytest.mark.parametrize("package", PACKAGES)
def test_what_a_function_raises_is_in_its_docstring(package: str) -> None:
    untold = [
        f"{path.relative_to(ROOT)}: {function.name}: {', '.join(sorted(raised_in(function.body)))}"
        for path in sorted((ROOT / package).rglob("*.py"))
        for function in public_functions(ast.parse(path.read_text(encoding="utf-8")).body)
        if raised_in(function.body) and "raises" not in (ast.get_docstring(function) or "").lower()
    ]
    assert untold == []


def test_an_error_that_is_not_told_is_found() -> None:
    body = ast.parse(
        "def f():\n    if True:\n        raise ValueError('no')\n    def g():\n        raise KeyError"
    ).body
    (function,) = public_functions(body)
    assert raised_in(function.body) == {"ValueError"}
