"""What the commands of an evening have in common: which is meant, its photo, values as they are typed."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from calibration.ranges import FiniteRange

__all__ = ["FACING", "FILE", "PHOTO", "colour_of", "of_an_evening", "stats_of"]

FILE = click.Path(path_type=Path)


class _Facing(FiniteRange):
    """A bearing, or a word for one."""

    name = "facing"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number, or the word. Raises click.BadParameter."""
        if value in ("line", "about"):
            return value
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            self.fail(
                f"expected degrees from -360 to 360 or the word that the help names, got {value!r}", param, ctx
            )


#: Degrees clockwise from the far edge; as its line lies, towards the enemy; or the other way about.
FACING = _Facing(min=-360.0, max=360.0)
#: The photo of a command that cannot do without one.
PHOTO = click.option("--photo", metavar="PHOTO", type=FILE, required=True, help="A picture of the table.")


def colour_of(text: str) -> str:
    """A colour as files have it, from ``9e2b25`` as it is typed; the word ``none`` stays. Raises BadParameter.

    With the # before it, it would begin a comment in most shells, unless it is quoted.
    """
    digits = text.removeprefix("#")
    if text != "none" and not re.fullmatch(r"[0-9a-fA-F]{6}", digits):
        raise click.BadParameter(f"expected a colour such as 9e2b25, got {text!r}")
    return text if text == "none" else f"#{digits}"


def of_an_evening(command: Callable[..., Any]) -> Callable[..., Any]:
    """Gives a command the options that say which evening is meant; it gets them as ``evening``."""

    @functools.wraps(command)
    def with_evening(
        *args: Any, data: Path | None, table_file: Path | None, lens_file: Path | None, **rest: Any
    ) -> Any:
        from webui.evening.offline import Evening

        return command(*args, evening=Evening(data=data, table=table_file, lens=lens_file), **rest)

    for option in (
        click.option("--intrinsics", "lens_file", type=FILE, help="The lens, if it is not the folder's lens.json."),
        click.option("--table", "table_file", type=FILE, help="The table, if it is not the folder's table.toml."),
        click.option("--data", metavar="DIR", type=FILE, help="The folder of the evening, as for vedette serve."),
    ):
        with_evening = option(with_evening)
    return with_evening


def stats_of(settings: tuple[str, ...]) -> dict[str, Any]:
    """Stats as they are typed, ``rep=4``. Raises UsageError."""
    from engine.commands.campaign_cli import value_of

    stats: dict[str, Any] = {}
    for setting in settings:
        key, sign, text = setting.partition("=")
        if not sign or not key:
            raise click.UsageError(f"expected KEY=VALUE such as rep=4, got {setting!r}")
        if key in stats:
            raise click.UsageError(f"{key} is given twice")
        stats[key] = value_of(text)
    return stats
