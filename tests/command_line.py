"""``vedette`` as it is typed, in the process of the test."""

from __future__ import annotations

import click
from click.testing import CliRunner, Result

from webui.cli import main

__all__ = ["command_of", "vedette"]


def vedette(*words: object) -> Result:
    """What a command prints, and how it ends."""
    return CliRunner().invoke(main, [str(word) for word in words], prog_name="vedette")


def command_of(words: list[str]) -> tuple[list[str], click.Command, list[str]]:
    """The command that words begin with, by its names, and the words that are left for it."""
    context, command, names = click.Context(main), main, []
    found: click.Command = command
    while isinstance(found, click.Group):
        assert words, f"vedette {' '.join(names)} is a group of commands"
        name, *words = words
        names.append(name)
        inner = found.get_command(context, name)
        assert inner is not None, f"there is no command vedette {' '.join(names)}"
        found = inner
    return names, found, words
