"""``vedette unit``: what a unit's state and stats say, and the umpire's word on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from engine.cli import FILE, at_hand, console
from engine.commands.campaign_cli import value_of
from engine.commands.hand_cli import said_by_hand

if TYPE_CHECKING:
    from engine.events import Event
    from engine.records.game import Game, Unit
    from engine.rulesets.base.ruleset import Ruleset

__all__ = ["unit"]


@click.command()
@click.argument("file", metavar="GAME", type=FILE)
@click.argument("name", metavar="ID")
@click.argument("settings", nargs=-1, metavar="[KEY=VALUE]...")
@click.option("--json", "as_json", is_flag=True, help="Print the unit's state and stats as JSON and nothing else.")
def unit(file: Path, name: str, settings: tuple[str, ...], as_json: bool) -> None:
    """Shows what a unit's state and stats say, or sets some of them: the umpire's word.

    GAME is a game's file, or a journal, which gets an entry that can be undone. KEY=VALUE is rep=4 or
    retiring=true: a number, true, false, null, a word, or JSON. A key that stands in both is told apart as
    state.KEY or stats.KEY.
    """
    from engine.rulesets import find_ruleset
    from engine.rulesets.base.actions.amending import amended
    from engine.rulesets.base.units.keys import unit_keys

    if settings:
        said: list[str] = []

        def word(game: Game) -> Event:
            ruleset = find_ruleset(game.ruleset)
            event = amended(game, ruleset, name, **_wanted(ruleset, game.unit(name), settings))
            said.append(str(event.facts["said"]))
            return event

        game = said_by_hand(file, "amend", [word])
        if not as_json:
            click.echo(f"{game.unit(name).name or name}: {said[-1]}")
            return
    else:
        game = at_hand(file)[0]
    ruleset = find_ruleset(game.ruleset)
    told = unit_keys(ruleset, game.unit(name))
    if as_json:
        import msgspec

        click.echo(msgspec.json.format(msgspec.json.encode({"unit": name, **told}), indent=1))
        return
    _print(game.unit(name).name or name, told)


def _wanted(ruleset: Ruleset, record: Unit, settings: Sequence[str]) -> dict[str, dict[str, Any]]:
    """What is to be set of ``state`` and of ``stats``. Raises UsageError, UnusableFile for a key of neither."""
    from engine.errors import UnusableFile
    from engine.rulesets.base.units.keys import unit_keys

    known = unit_keys(ruleset, record)
    wanted: dict[str, dict[str, Any]] = {"state": {}, "stats": {}}
    for setting in settings:
        named, sign, text = setting.partition("=")
        if not sign or not named:
            raise click.UsageError(f"expected KEY=VALUE such as rep=4, got {setting!r}")
        place, dot, key = named.partition(".")
        if dot and place in known:
            where = [place]  # what may stand there the rules themselves say
        else:
            key, where = named, [place for place in known if named in known[place]]
        if not where:
            raise UnusableFile(f"{record.id}: {named}: expected one of {_listed(known)}")
        if len(where) > 1:
            raise click.UsageError(f"{key} stands in both: say state.{key} or stats.{key}")
        if key in wanted[where[0]]:
            raise click.UsageError(f"{named} is given twice")
        wanted[where[0]][key] = value_of(text)
    return wanted


def _listed(known: Mapping[str, Mapping[str, Any]]) -> str:
    return "; ".join(f"{', '.join(keys)} ({place})" for place, keys in known.items() if keys)


def _print(title: str, told: Mapping[str, Mapping[str, Any]]) -> None:
    """Every key with its value, as it is typed to set it."""
    import msgspec

    out = console()
    out.print(title, style="bold")
    for place, keys in told.items():
        out.print(f"  {place}")
        for key, value in keys.items():
            word = value if isinstance(value, str) else msgspec.json.encode(value).decode()
            out.print(f"    {key}={word}", soft_wrap=True)
