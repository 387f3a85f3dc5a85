"""The reference of the command line as a page: ``python -m webui.commands.reference > docs/commands.md``."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click

from webui.cli import COMMANDS, main

__all__ = ["reference"]

_HEAD = """# The commands

Every command is a word after `vedette`, and has its own `--help`. What it prints for programs is described in
[formats.md](formats.md). Exit status: 0 done, 1 the job could not be done, 2 unusable input or options; an error
is one line on standard error. A file to write that is called `-` is standard output. `vedette --version`
says which version it is. With `VEDETTE_TRACEBACK=1` in the environment a fault of the program itself is shown in
full, for a report.

This page is written by `python -m webui.commands.reference`.
"""


def reference() -> str:
    """The page: a section for each command, with its options."""
    context = click.Context(main, info_name="vedette")
    lines = [_HEAD]
    for name in COMMANDS:
        command = main.get_command(context, name)
        assert command is not None
        lines += _section(name, command, context)
    return "\n".join(lines)


def _section(name: str, command: click.Command, parent: click.Context) -> Iterator[str]:
    context = click.Context(command, info_name=name, parent=parent)
    yield f"## `{_one_line(command.get_usage(context).removeprefix('Usage: '))}`\n"
    yield f"{_one_line(command.help or '')}\n"
    records = [
        record
        for option in command.params
        if isinstance(option, click.Option) and (record := option.get_help_record(context)) is not None
    ]
    if records:
        yield "| option | |\n| --- | --- |"
        yield from (f"| `{_cell(names)}` | {_cell(text)} |" for names, text in records)
        yield ""
    if isinstance(command, click.Group):
        for inner in command.list_commands(context):
            found = command.get_command(context, inner)
            assert found is not None
            yield from _section(inner, found, context)


def _one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def _cell(text: str) -> str:
    return _one_line(text).replace("|", "\\|")


if __name__ == "__main__":
    click.echo(reference(), nl=False)
