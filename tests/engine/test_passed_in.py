"""The same file, log and dice give the same game on any machine at any time: the engine makes nothing up."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import engine

ROOT = Path(engine.__file__).parent

#: Where a seed is drawn or a clock is read all the same, for whoever types a command; and why.
RIM = {
    "cli.py": "a seed for who gives neither dice nor one; it is printed",
    "clock.py": "when an entry was written, and the name under which a file that makes room is kept",
    "rulesets/musket_pike/campaign/commands.py": "a seed for the program's choice, where no die is given",
    "records/sealing.py": "the salt of a seal: nobody may foresee it",
}

_MODULES = {"random", "secrets", "time", "uuid"}
_CALLS = {"now", "today", "utcnow", "urandom", "default_rng", "time_ns", "monotonic"}


def drawn(source: str) -> Iterator[str]:
    """What a module draws from chance or a clock. A generator made from a seed is passed in."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names if one.name in _MODULES - {"random"})
        elif isinstance(node, ast.ImportFrom) and node.module in _MODULES:
            yield str(node.module)
        elif isinstance(node, ast.Attribute):
            on_module = isinstance(node.value, ast.Name) and node.value.id == "random"
            if node.attr in _CALLS or (on_module and node.attr != "Random"):
                yield ast.unparse(node)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "random.Random" and not node.args:
            yield "random.Random()"


def test_chance_and_the_time_are_passed_in_but_where_a_command_is_typed() -> None:
    found: dict[str, list[str]] = {}
    for path in sorted(ROOT.rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        told = list(drawn(path.read_text(encoding="utf-8")))
        if told:
            found[name] = told
    inside = {name: told for name, told in found.items() if name not in RIM and name.partition("/")[0] not in RIM}
    assert inside == {}
    for place in RIM:
        assert any(name == place or name.startswith(f"{place}/") for name in found), (
            f"{place} draws nothing any more"
        )


def test_what_draws_is_found() -> None:
    assert list(drawn("import secrets\nimport random\nrandom.random()")) == ["secrets", "random.random"]
    assert list(drawn("from datetime import datetime\nat = datetime.now()")) == ["datetime.now"]
    assert list(drawn("import random\nrandom.Random()")) == ["random.Random()"]
    assert list(drawn("import random\nrandom.Random(7).choice(at)")) == []
