"""``vedette turn`` and ``vedette place``: what the umpire says of a game, in its file or in its journal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from engine.cli import FILE, at_hand, is_journal, open_journal
from engine.clock import now_text
from engine.records.files import as_it_is, write_file
from engine.rulesets.games import ready

if TYPE_CHECKING:
    from engine.events import Event, Place
    from engine.records.game import Game

__all__ = ["place", "said_by_hand", "turn"]


@click.command()
@click.argument("file", metavar="GAME", type=FILE)
@click.argument("number", required=False, metavar="[NUMBER")
@click.argument("side", required=False, metavar="SIDE]")
@click.option("--json", "as_json", is_flag=True, help="Print the turn as JSON and nothing else.")
def turn(file: Path, number: str | None, side: str | None, as_json: bool) -> None:
    """Shows whose turn it is, or says that it is turn NUMBER and SIDE's: the umpire's word.

    GAME is a game's file, or a journal, which gets an entry that can be undone.
    """
    from engine.moved.by_hand import turn_event

    if number is None:
        game = at_hand(file)[0]
    elif side is None or not number.isdecimal():
        got = f"{number} alone" if side is None else f"{number} {side}"
        raise click.UsageError(f"expected NUMBER and SIDE, such as 3 french, got {got}")
    else:
        wanted = int(number), side
        game = at_hand(file)[0]
        if wanted != (game.turn.number, game.turn.active_side):
            game = said_by_hand(file, "turn", [lambda game: turn_event(game, *wanted)])
    if as_json:
        import msgspec

        click.echo(msgspec.json.encode({"number": game.turn.number, "active_side": game.turn.active_side}))
        return
    click.echo(f"turn {game.turn.number}: {game.turn.active_side or 'nobody’s alone'}")


@click.command()
@click.argument("file", metavar="GAME", type=FILE)
@click.argument("wanted", nargs=-1, metavar="[FIGURE=X,Y[,BEARING]]...")
@click.option("--back", metavar="UNIT", help="Put a unit's figures back where they stood before that (a journal).")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON and nothing else.")
def place(file: Path, wanted: tuple[str, ...], back: str | None, as_json: bool) -> None:
    """Shows where every figure stands, or puts some of them where a person says that they stand.

    X and Y are in mm on the table, BEARING in degrees; without it a figure keeps its own. GAME is a game's file, or
    a journal, which gets an entry; as on the page, 'log undo' passes that over, and --back takes it back.
    """
    named = [one.rpartition("=")[0] for one in wanted]
    for name in named:
        if named.count(name) > 1:
            raise click.UsageError(f"{name} is given twice")
    if back is not None:
        game, named = _put_back(file, back, wanted)
    else:
        game = said_by_hand(file, "place", [lambda game: _placed(game, wanted)]) if wanted else at_hand(file)[0]
    figures = [one for unit in game.units for one in unit.figures if not named or one.id in named]
    if as_json:
        import msgspec

        told = [
            {"id": one.id, "x_mm": one.x_mm, "y_mm": one.y_mm, "bearing_deg": one.bearing_deg} for one in figures
        ]
        click.echo(msgspec.json.format(msgspec.json.encode({"figures": told}), indent=1))
        return
    for one in figures:
        turned = "" if one.bearing_deg is None else f",{one.bearing_deg:g}"
        click.echo(f"{one.id}={one.x_mm:.10g},{one.y_mm:.10g}{turned}")


def _put_back(file: Path, unit: str, wanted: Sequence[str]) -> tuple[Game, list[str]]:
    """The game in which a unit's figures stand where they stood before people put them elsewhere, and their ids.

    Raises UsageError where places are given as well or there is no journal, UnusableFile where nothing was put
    elsewhere.
    """
    from engine.keeping.placing import figures_placed
    from engine.moved.put_back import put_back_event, stood_before

    if wanted:
        raise click.UsageError("--back puts figures where they stood: give no places with it")
    if not is_journal(file):
        raise click.UsageError("--back: expected a journal: a game's file does not keep where figures stood before")
    with open_journal(file) as journal:
        stood = stood_before(journal.entries)
    put: list[str] = []

    def back(game: Game) -> Event:
        event = put_back_event(game, unit, stood)
        put.extend(figures_placed(event))
        return event

    return said_by_hand(file, "place", [back]), put


def _placed(game: Game, wanted: tuple[str, ...]) -> Event:
    from engine.moved.by_hand import placed_event

    return placed_event(game, [_place_of(game, one) for one in wanted])


#: No table is as wide in mm, no bearing as large.
_MOST = 1e6


def _place_of(game: Game, text: str) -> Place:
    """A figure's place as it is typed, `gren-1=250,300,90`. Raises UsageError, UnusableFile."""
    from engine.moved.by_hand import placed_at

    name, _, numbers = text.rpartition("=")
    try:
        place = tuple(float(one) for one in numbers.split(","))
    except ValueError:
        place = ()
    if not name or "_" in numbers or len(place) not in (2, 3) or abs(place[-1]) > _MOST:
        raise click.UsageError(f"expected FIGURE=X,Y or FIGURE=X,Y,BEARING such as gren-1=250,300,90, got {text!r}")
    return placed_at(game, name, place[0], place[1], place[2] if len(place) == 3 else None)


def said_by_hand(file: Path, kind: str, events_of: Sequence[Callable[[Game], Event]]) -> Game:
    """The game after a person's words, written into its file, or into its journal as an entry of ``kind``.

    Each word is told of the game that the last one left. Raises UnusableFile where one does not fit the game, or a
    running program has the journal: then nothing is written.
    """
    from engine.errors import UnusableFile
    from engine.events import apply
    from engine.keeping.shelf import held_with
    from engine.records.game import game_json
    from engine.rulesets import find_ruleset

    def told(game: Game) -> tuple[tuple[Event, ...], Game]:
        events: list[Event] = []
        try:
            for event_of in events_of:
                events.append(event_of(game))
                game = apply(game, events[-1])
            find_ruleset(game.ruleset).check(game)
        except UnusableFile as error:
            named = str(error)
            raise UnusableFile(named if str(file) in named else f"{file}: {named}") from error
        return tuple(events), game

    if is_journal(file):
        with held_with(file), open_journal(file, to_write=True) as journal:
            journal.append(at=now_text(), kind=kind, events=told(journal.game)[0])
            return journal.game
    before = as_it_is(file)
    _, after = told(ready(file)[0])
    write_file(file, game_json(after), over=before)
    return after
