"""``vedette swap`` and ``vedette officers``: whose a base is, and who orders a unit, in a game without the page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from engine.cli import FILE, is_journal, open_journal
from engine.commands.hand_cli import said_by_hand

if TYPE_CHECKING:
    from engine.events import Event
    from engine.records.game import Game
    from webui.camera.memory import Memory

__all__ = ["officers", "swap"]


@click.command()
@click.argument("file", metavar="GAME", type=FILE)
@click.argument("one", metavar="FIGURE")
@click.argument("other", metavar="FIGURE")
def swap(file: Path, one: str, other: str) -> None:
    """Says that two figures were taken for each other: each stands where the other stood, on its base.

    Two units of as many figures are swapped whole. GAME is a game's file, or a journal, which gets an entry; as on
    the page, 'log undo' passes that over: swap them again.
    """
    from webui.camera.placing import swapped

    game = said_by_hand(file, "place", [lambda game: swapped(game, _memory(file, game), one, other)])
    names = (game.unit(name).name or name if name in game.by_id else name for name in (one, other))
    click.echo(" and ".join(names) + " are swapped")


@click.command()
@click.argument("journal_file", metavar="JOURNAL", type=FILE)
@click.argument("name", required=False)
@click.argument("units", metavar="[UNIT]...", nargs=-1)
@click.option("--side", help="The side whose units are handed out; that of the units unless told.")
@click.option("--dismiss", is_flag=True, help="NAME is no officer any more.")
@click.option("--json", "as_json", is_flag=True, help="Print the officers as JSON and nothing else.")
def officers(
    journal_file: Path, name: str | None, units: tuple[str, ...], side: str | None, dismiss: bool, as_json: bool
) -> None:
    """Shows who orders which units under a side's commander, or gives the player NAME these units and no others.

    What is handed out is an entry of the journal, which can be undone.
    """
    from engine.errors import UnusableFile
    from webui.errors import BadRequest
    from webui.people.officers import KIND, appointment, officers_of

    if name is not None and bool(units) == dismiss:
        raise click.UsageError(f"expected the units that {name} orders from now on, or --dismiss")
    if not journal_file.is_file() or not is_journal(journal_file):
        raise UnusableFile(f"{journal_file}: expected a journal: who orders what stands in no other file")

    def word(game: Game) -> Event:
        wanted = side if side is not None else _side_of(journal_file, game, name or "", units)
        try:
            return appointment(game, wanted, name or "", units)
        except BadRequest as error:
            raise UnusableFile(str(error)) from error

    if name is not None:
        said_by_hand(journal_file, KIND, [word])
    with open_journal(journal_file) as journal:
        found = officers_of(journal.entries)
    if as_json:
        import msgspec

        click.echo(msgspec.json.format(msgspec.json.encode({"officers": found}), indent=1))
        return
    for one in found:
        click.echo(f"{one.side}: {one.name}: {', '.join(one.units)}")
    if not found:
        click.echo("no units are handed out: each side's commander orders all of his")


def _side_of(file: Path, game: Game, name: str, units: tuple[str, ...]) -> str:
    """The side of the units, else the one that an officer is of. Raises UnusableFile."""
    from engine.errors import UnusableFile
    from webui.people.officers import officers_of

    if units:
        return game.unit(units[0]).side
    with open_journal(file) as journal:
        sides = [one.side for one in officers_of(journal.entries) if one.name == name]
    if len(sides) != 1:
        there = "there is no officer of that name" if not sides else "several sides have one: tell --side"
        raise UnusableFile(f"name: {name}: {there}; 'vedette officers' lists all")
    return sides[0]


def _memory(file: Path, game: Game) -> Memory:
    """Where the camera last saw each figure of a journal's game; nothing of a game's file."""
    from webui.camera.memory import told_again

    if not is_journal(file):
        return {}
    with open_journal(file) as journal:
        return told_again(journal.entries, game)
