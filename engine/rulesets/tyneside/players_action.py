"""``players``: which sides have players and which are run by the rules (TY-36, TY-81)."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from engine.errors import UnknownAction
from engine.events import Event, SetCondition
from engine.play import Procedure, happen
from engine.records.action import Action
from engine.records.game import Game
from engine.rulesets.tyneside.vocabulary import solo_run

__all__ = ["PlayersKeys", "players"]


class PlayersKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``players``: for each side that is named whether it has players; the others stay as they are."""

    sides: Mapping[str, bool]


def players(game: Game, _action: Action, keys: PlayersKeys) -> Procedure[None]:
    """Says who plays. Raises UnknownAction for a side that there is not."""
    names = [side.name for side in game.sides]
    for name in keys.sides:
        if name not in names:
            raise UnknownAction(f"players: sides: expected some of {', '.join(names)}, got {name!r}")
    playing = [name for name in names if keys.sides.get(name, not solo_run(game, name))]
    return _say(playing)


def _say(playing: list[str]) -> Procedure[None]:
    change = SetCondition(key="player_sides", value=playing)
    yield from happen(Event(event="players", facts={"sides": playing}, changes=(change,), rule="TY-36"))
