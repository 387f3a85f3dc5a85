"""``vedette`` as it is typed, in the process of the test."""

from __future__ import annotations

from click.testing import CliRunner, Result

from webui.cli import main

__all__ = ["vedette"]


def vedette(*words: object) -> Result:
    """What a command prints, and how it ends."""
    return CliRunner().invoke(main, [str(word) for word in words], prog_name="vedette")
