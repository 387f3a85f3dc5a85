"""Setting up an encounter: weather, territory, opponent, investment, and what comes next (MM-199 to MM-218)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from engine.dice import Roll
from engine.errors import UnknownAction
from engine.events import Change, Event, SetCondition
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.game import Game
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.base.verdicts import undecided
from engine.rulesets.muskets_mohawks.procedures.campaign.arrivals import is_winter, lost_heart
from engine.rulesets.muskets_mohawks.procedures.campaign.campaign_tables import (
    campaign_table,
    fielded,
    investment_most,
    is_fiw,
    other_side,
    side_campaign,
    written,
)
from engine.rulesets.muskets_mohawks.procedures.changes import noted
from engine.rulesets.muskets_mohawks.vocabulary import Encounter, conditions_of, state_of

__all__ = [
    "EncounterKeys", "NextKeys", "SideKeys", "encounter", "investment", "next_encounter", "opponent", "territory",
    "weather",
]  # fmt: skip

#: Weather turns bad on this score (MM-209).
_BAD = 1
_MONTHS = 12
_NOT_COUNTED = ("leader", "pef", "wagon")


class SideKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An action that is for one side."""

    side: str


class NextKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``next-encounter``."""

    last: Encounter
    success: bool


class EncounterKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``encounter``."""

    encounter: Encounter
    keep_investment: bool = False


def weather(game: Game, action: Action) -> Procedure[None]:
    """Begins ``weather``."""
    return _only(_weather(game))


def _only(procedure: Procedure[Any]) -> Procedure[None]:
    yield from procedure


def _weather(game: Game) -> Procedure[tuple[Game, dict[str, Any]]]:
    rolled = yield from roll(Roll(purpose="weather", count=1, rule="MM-209"))
    facts: dict[str, Any] = {"weather": "clear", "level": None}
    changes: list[Change] = []
    if rolled.total == _BAD:
        level = yield from roll(Roll(purpose="inclement weather", count=1, rule="MM-209"))
        facts = {"weather": "inclement", "level": level.total}
        changes.append(SetCondition(key="weather_level", value=level.total))
    changes.insert(0, SetCondition(key="weather", value=facts["weather"]))
    game = yield from happen(Event(event="weather", facts=facts, changes=tuple(changes), rule="MM-209"))
    return game, facts


def territory(game: Game, action: Action) -> Procedure[None]:
    """Begins ``territory``: the side with the higher total contests, the other controls (MM-201).

    Raises UnknownAction where there are not two sides.
    """
    if len(game.sides) != 2:
        raise UnknownAction("territory: expected a game of two sides")
    return _territory(game)


def _territory(game: Game) -> Procedure[None]:
    names = [side.name for side in game.sides]
    while True:
        totals: dict[str, int] = {}
        for name in names:
            rolled = yield from roll(Roll(purpose=f"{name}: who contests", count=1, rule="MM-201"))
            totals[name] = rolled.total + (side_campaign(game, name).local_campaign_morale or 0)
        if totals[names[0]] != totals[names[1]]:
            break
    contesting, controlling = sorted(names, key=lambda name: -totals[name])
    facts = {"contesting": contesting, "controlling": controlling, "totals": totals}
    change = written(game, **{contesting: {"territory": "contesting"}, controlling: {"territory": "controlling"}})
    yield from happen(Event(event="territory", facts=facts, changes=(change,), rule="MM-201"))


def opponent(game: Game, action: Action, keys: SideKeys) -> Procedure[None]:
    """Begins ``opponent``. Raises UnusableFile for an unknown side."""
    game.side(keys.side)
    return _only(_opponent(game, keys.side))


def _opponent(game: Game, side: str) -> Procedure[tuple[Game, str | None]]:
    """Against whom a side fights: the rival army, or its Indian allies (MM-207, R-58).

    Where those whom the die names have lost heart, and take no further part, it is the others (MM-204).
    """
    own, foe = side_campaign(game, side).army, other_side(game, side)
    rival = None if foe is None else side_campaign(game, foe).army
    if is_fiw(game, rival) and rival is not None:
        rolled = yield from roll(Roll(purpose=f"main opponent of {side}", count=1, rule="MM-207"))
        total = rolled.total + (1 if own == "british" else 0)  # not for their Indians
        nation = rival.removesuffix("-indians")
        both = (nation, f"{nation}-indians") if total <= 3 else (f"{nation}-indians", nation)
        rival = next((army for army in both if not lost_heart(game, str(foe), army)), both[0])
    facts = {"side": side, "army": rival}
    player = conditions_of(game).player_side or game.sides[0].name
    changes = noted(game, opponent=rival) if side == player else ()
    game = yield from happen(Event(event="opponent", facts=facts, changes=changes, rule="MM-207"))
    return game, rival


def investment(game: Game, action: Action) -> Procedure[None]:
    """Begins ``investment``. Raises ActionRefused while nobody contests the territory (R-60)."""
    return _all_levels(game, action, allow(action, _territory_reasons(game)))


def _territory_reasons(game: Game) -> Reasons:
    reasons = Reasons()
    open_sides = [side.name for side in game.sides if side_campaign(game, side.name).territory is None]
    text = f"who contests the territory is not settled for {', '.join(open_sides)}"
    reasons.add(bool(open_sides), text, "MM-201")
    return reasons


def _all_levels(game: Game, action: Action, against: Sequence[str]) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    for side in game.sides:
        game, _ = yield from _level(game, side.name, side_campaign(game, side.name).army)


def _level(game: Game, side: str, army: str | None) -> Procedure[tuple[Game, int]]:
    """The higher of two dice, at most what the army commits (MM-208)."""
    rolled = yield from roll(Roll(purpose=f"investment of {side}", count=2, each=True, rule="MM-208"))
    held = side_campaign(game, side).territory or "controlling"
    level = min(max(rolled.scores), investment_most(game, army, held))
    facts = {"side": side, "level": level}
    change = written(game, **{side: {"investment_level": level}})
    game = yield from happen(Event(event="investment", facts=facts, changes=(change,), rule="MM-208"))
    return game, level


def next_encounter(game: Game, action: Action, keys: NextKeys) -> Procedure[None]:
    """Begins ``next-encounter``."""
    return _next(game, keys)


def _next(game: Game, keys: NextKeys) -> Procedure[None]:
    row = campaign_table("next-encounter")[keys.last]
    word = "success" if keys.success else "failure"
    player = conditions_of(game).player_side or game.sides[0].name
    foe = other_side(game, player)
    army = None if foe is None else fielded(game, foe)
    month = conditions_of(game).month
    in_winter = month is not None and is_winter(game, month % _MONTHS + 1)  # it is for the month after (MM-199)
    facts = {
        "encounter": row[word],
        "stand_up_possible": row.get("stand-up") == word and army in ("french", "british") and not in_winter,
    }
    changes = noted(game, due=row[word])
    yield from happen(Event(event="next-encounter", facts=facts, changes=changes, rule="MM-218"))


def encounter(game: Game, action: Action, keys: EncounterKeys) -> Procedure[None]:
    """Begins ``encounter``. Raises ActionRefused."""
    reasons = _territory_reasons(game)
    winter = keys.encounter == "stand-up-fight" and is_winter(game, conditions_of(game).month)
    reasons.add(winter, "no stand up fights in winter", "MM-199")
    return _encounter(game, action, keys, allow(action, reasons))


def _encounter(game: Game, action: Action, keys: EncounterKeys, against: Sequence[str]) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    player = conditions_of(game).player_side or game.sides[0].name
    enemy = other_side(game, player) or player
    game, army = yield from _opponent(game, player)
    scout = keys.encounter == "scout"
    ground, light = "wooded", "day"
    if not scout:
        ground = yield from overall_terrain("MM-233")
        rolled = yield from roll(Roll(purpose="day or night", count=1, rule="MM-233"))
        light = "night" if rolled.total == 6 else "day"
    levels: dict[str, int | None] = {}
    for side in (player, enemy):
        levels[side] = side_campaign(game, side).investment_level
        if not keys.keep_investment:
            own = army if side == enemy and is_fiw(game, army) else side_campaign(game, side).army
            game, levels[side] = yield from _level(game, side, own)
    game, sky = yield from _weather(game)
    structures = yield from _structures(game, keys.encounter, player)
    theirs = yield from _their_encounter(keys.encounter)
    facts = {
        "encounter": keys.encounter, "opponent": army, "overall_terrain": ground, "light": light,
        "investment": levels[player], "enemy_investment": levels[enemy], "weather": sky["weather"],
        "structures": structures, "enemy_encounter": theirs,
    }  # fmt: skip
    changes: tuple[Change, ...] = tuple(
        SetCondition(key=key, value=value)
        for key, value in (("encounter", keys.encounter), ("overall_terrain", ground), ("light", light))
    )
    changes = (
        *changes,
        *undecided(game),
        *noted(
            game,
            theirs=theirs,
            due=None,
            stage="before",
            markers=False,
            scouted=False,
            seen=[],
            structures=structures or 0,
        ),
    )
    yield from happen(Event(event="encounter", facts=facts, changes=changes, rule="MM-232"))


def overall_terrain(rule: str) -> Procedure[str]:
    """The overall terrain: clear, hilly or wooded (MM-181)."""
    rolled = yield from roll(Roll(purpose="overall terrain", count=1, rule=rule))
    return "clear" if rolled.total <= 2 else "hilly" if rolled.total == 3 else "wooded"


def _structures(game: Game, kind: str, player: str) -> Procedure[int | None]:
    """The buildings of section 2: rolled for a raid, one for each unit where the player defends (MM-234)."""
    if kind == "raid-attack":
        rolled = yield from roll(Roll(purpose="buildings in section 2", count=1, rule="MM-233"))
        return (rolled.total + 1) // 2
    if kind == "raid-defend":
        return sum(
            unit.side == player and unit.type not in _NOT_COUNTED and not state_of(unit).resting
            for unit in game.units
        )
    return None


def _their_encounter(kind: str) -> Procedure[str | None]:
    """What the enemy is on (MM-226)."""
    if kind == "scout":
        rolled = yield from roll(Roll(purpose="the enemy's own encounter", count=1, rule="MM-226"))
        return "scout" if rolled.total <= 3 else "raid-defend" if rolled.total == 4 else "raid-attack"
    return {"raid-attack": "raid-defend", "raid-defend": "raid-attack"}.get(kind)
