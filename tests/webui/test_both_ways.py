"""Everything on the page can be done without it, and the other way round: docs/api.md says how, and it holds."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import pytest

from tests.command_line import command_of
from webui.app import create_app
from webui.cli import main
from webui.live import LiveTable

PAGE = (Path(__file__).parents[2] / "docs" / "api.md").read_text(encoding="utf-8")
#: Tables of the section, in its order: by command, in Python, and what commands are on the page.
BY_COMMAND, IN_PYTHON, ON_THE_PAGE = (
    [
        [cell.strip() for cell in row.strip("|").split("|")]
        for row in re.findall(r"^\|.*\|$", part, re.MULTILINE)[2:]
    ]
    for part in re.split(
        r"\n(?=What has a sense only|The other way round)", PAGE.split("\n## The same without the page\n")[1]
    )
)
VERBS = {"GET", "POST", "PUT", "PATCH", "DELETE"}


def quoted(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def addresses(cell: str) -> list[tuple[str, str]]:
    return re.findall(r"`(GET|POST) (/[^`]*)`", cell)


def commands(cell: str) -> list[str]:
    return [code for code in quoted(cell) if code.startswith("vedette ")]


def every_command(group: click.Group = main, before: tuple[str, ...] = ()) -> Iterator[str]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from every_command(command, (*before, name))
        else:
            yield " ".join((*before, name))


def named(path: str) -> Any:
    """What a dotted path names: a module, then what stands in it."""
    parts = path.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            found: Any = import_module(".".join(parts[:cut]))
        except ModuleNotFoundError:
            continue
        for part in parts[cut:]:
            found = getattr(found, part)
        return found
    raise AssertionError(f"{path}: there is no such module")


def routes(live: LiveTable) -> set[tuple[str, str]]:
    """Every verb and address of the page's interface."""
    return {
        (method, rule.rule.replace("<row>", "ROW"))
        for rule in create_app(live).url_map.iter_rules()
        for method in (rule.methods or set()) & VERBS
        if method != "GET" or rule.rule.startswith("/api/")
    }


def test_whatever_the_page_changes_or_shows_can_be_had_without_it(live: LiveTable) -> None:
    told = {address for row in BY_COMMAND for address in addresses(row[0]) if commands(row[1])}
    told |= {address for row in IN_PYTHON for address in addresses(row[0]) if quoted(row[1])}
    assert routes(live) - told == set(), "docs/api.md names neither command nor function for these"


def test_every_address_of_the_tables_is_one_of_the_page(live: LiveTable) -> None:
    told = {address for row in (*BY_COMMAND, *IN_PYTHON, *ON_THE_PAGE) for address in addresses("".join(row))}
    assert told <= routes(live)


@pytest.mark.parametrize("line", [line for row in BY_COMMAND for line in commands(row[1])])
def test_every_command_of_the_tables_can_be_typed_so(line: str) -> None:
    names, command, words = command_of(shlex.split(line, comments=True)[1:])
    command.make_context(" ".join(names), words)


@pytest.mark.parametrize("path", [quoted(row[1])[0] for row in IN_PYTHON])
def test_every_function_of_the_tables_is_there_and_says_what_it_does(path: str) -> None:
    assert callable(named(path))
    assert named(path).__doc__


def test_whatever_a_command_does_the_tables_say_where_the_page_does_it_or_why_not() -> None:
    lines = [line for row in BY_COMMAND for line in commands(row[1])]
    lines += [line for row in ON_THE_PAGE for line in commands(row[0])]
    told = {" ".join(command_of(shlex.split(line, comments=True)[1:])[0]) for line in lines}
    assert told == set(every_command())
    assert all(row[1] for row in ON_THE_PAGE)


def test_a_command_that_is_no_more_or_asks_for_other_words_would_be_noticed() -> None:
    for line in ("vedette fly", "vedette log fly game.db"):
        with pytest.raises(AssertionError, match="there is no command"):
            command_of(shlex.split(line, comments=True)[1:])
    names, command, words = command_of(shlex.split("log undo journal.db --fly"))
    with pytest.raises(click.UsageError):
        command.make_context(" ".join(names), words)
