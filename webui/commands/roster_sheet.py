"""``vedette roster``: the rosters of a game as sheets to print, a side a page, with room to write."""

from __future__ import annotations

from pathlib import Path

import click

__all__ = ["roster"]


@click.command()
@click.argument("game_file", metavar="GAME", type=click.Path(path_type=Path))
@click.option(
    "-o", "output", metavar="FILE.pdf", type=click.Path(path_type=Path), default=Path("roster.pdf"),
    show_default=True, help="The PDF to write.",
)  # fmt: skip
def roster(game_file: Path, output: Path) -> None:
    """Prints the rosters of a game or campaign to a PDF: a page for each side, with room to write.

    GAME is a game's file, or a journal.
    """
    from engine.cli import at_hand
    from engine.records.files import write_file
    from webui.reporting.roster import roster_pdf

    game, ruleset = at_hand(game_file)
    write_file(output, roster_pdf(game, ruleset))
    click.echo(f"{output}: {len(game.sides)} rosters", err=output == Path("-"))
