"""What an action's dice can come to, in words: fire, guns, charges and melees to the end of what they cause."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from engine.errors import EngineError
from engine.records.action import Action
from engine.records.answer import FireOption
from engine.records.chances import Chances, Part
from engine.records.game import Game, Unit
from engine.records.reading import convert
from engine.rulesets.base.answers.chances import in_short, numbers_in_short
from engine.rulesets.base.forms.keys import keys_of
from engine.rulesets.base.ruleset import Outcome
from engine.rulesets.muskets_mohawks.odds.charging import Charged, charged, charged_at_square
from engine.rulesets.muskets_mohawks.odds.fighting import Fight, Fought, losses_of_both, rounds
from engine.rulesets.muskets_mohawks.odds.firing import DESTROYED, Fired, fired_together, volley
from engine.rulesets.muskets_mohawks.odds.gunnery import (
    UNTOLD,
    cannon_toll,
    cannon_volley,
    cannonade,
    units_at_risk,
)
from engine.rulesets.muskets_mohawks.options.charge_options import charge_option
from engine.rulesets.muskets_mohawks.options.charge_way import met_on_the_way
from engine.rulesets.muskets_mohawks.options.fire_options import fire_option
from engine.rulesets.muskets_mohawks.procedures.charges.charge import ChargeKeys
from engine.rulesets.muskets_mohawks.procedures.charges.melee import (
    MeleeKeys,
    Pools,
    due,
    fights_of,
    reasons_against,
    sharing_reasons,
)
from engine.rulesets.muskets_mohawks.procedures.firing.artillery import CanisterKeys
from engine.rulesets.muskets_mohawks.procedures.firing.fire import FireKeys, options_of
from engine.rulesets.muskets_mohawks.procedures.firing.together import (
    nearest_shooter,
    options_with,
    reasons_with,
)
from engine.rulesets.muskets_mohawks.procedures.movement.square import square_reasons
from engine.spreads import merged, read_as

__all__ = ["foretold"]

#: What becomes of a unit that has lost a round of melee.
BEATEN = frozenset({"retire", "runaway", DESTROYED})


@cache
def _table() -> Mapping[str, Any]:
    return tomllib.loads(files(__package__).joinpath("chances.toml").read_text(encoding="utf-8"))


@cache
def _words() -> Mapping[str, Mapping[str, str]]:
    words = {key: value for key, value in _table().items() if key != "number"}
    return convert(words, dict[str, dict[str, str]], "chances.toml")


@cache
def _numbers() -> Mapping[str, Outcome]:
    return convert(_table()["number"], dict[str, Outcome], "chances.toml")


def foretold(game: Game, action: Action) -> Chances | None:
    """The chances of an action that the rules allow; None where every way of its dice has to be walked.

    Walked are what the rules forbid, shots at buildings, and whatever else is rolled for.
    """
    tell = _TOLD.get(action.action)
    if tell is None or action.unit is None:
        return None
    try:
        return tell(game, action, game.unit(action.unit))
    except EngineError:
        return None  # walking it says what is wrong with it


def _fire(game: Game, action: Action, unit: Unit) -> Chances | None:
    if action.target is None:
        return None
    keys, target = keys_of(action, FireKeys), game.unit(action.target)
    options = options_of(game, action, keys)
    cause = game.unit(nearest_shooter(game, target.id, options))
    square = keys.form_square and not square_reasons(game, target, cause)
    if keys.form_square and not square:
        return None
    return _together(game, unit, target, options, square=square)


def _together(
    game: Game, unit: Unit, target: Unit, options: Mapping[str, FireOption], *, square: bool = False
) -> Chances | None:
    """Of one or several who fire at the same time."""
    others = {name: option for name, option in options.items() if name != unit.id}
    if not options[unit.id].legal or reasons_with(game, unit, others):
        return None
    shots = []
    for name, option in options.items():
        tell = cannon_volley if game.unit(name).type == "gunners" else volley
        shots.append(tell(game, game.unit(name), target, option))
    known = [shot for shot in shots if shot is not None]
    if len(known) < len(shots):
        return None
    cause = nearest_shooter(game, target.id, options)
    mode = options[cause].mode
    return _shot(fired_together(game, target, known, game.unit(cause), mode, square=square))


def _gun(mode: str) -> Callable[[Game, Action, Unit], Chances | None]:
    def tell(game: Game, action: Action, unit: Unit) -> Chances | None:
        if action.target is None or set(action.extra) - {"with"} or unit.type != "gunners":
            return None
        keys, target = keys_of(action, CanisterKeys), game.unit(action.target)
        option = fire_option(game, unit, target, mode)
        if keys.others:
            others = options_with(game, unit, target, keys.others)
            return _together(game, unit, target, {unit.id: option, **others})
        names = units_at_risk(game, option) if option.legal else ()
        if action.target not in names:
            return None
        tolls = {name: cannon_toll(game, unit, option, name) for name in names if name != action.target}
        return _shot(cannonade(game, unit, option, action.target), tuple(_at_risk(game, unit, tolls)))

    return tell


def _shot(spread: Mapping[Fired, float], more: tuple[Part, ...] = ()) -> Chances:
    """Casualties first, then what the target does and what its charge comes to, then who else is at risk."""
    hits = numbers_in_short(read_as(spread, lambda one: one.casualties), _numbers()["fire"], average=False)
    told = {one: chance for one, chance in spread.items() if one.result != UNTOLD}
    then = in_short(read_as(told, lambda one: one.result), _words()["they"])
    ends = {one: chance for one, chance in told.items() if one.charge is not None}
    charge = in_short(read_as(ends, lambda one: str(one.charge)), _words()["riposte"])
    parts = (*(part for part in (then, charge) if part is not None), *more)
    return Chances(outcomes=hits.outcomes, sentence=hits.sentence, then=parts)


def _at_risk(game: Game, unit: Unit, others: Mapping[str, Mapping[int, float]]) -> list[Part]:
    """How likely each other unit at risk is to lose a figure; friends are named as such."""
    found = []
    for name, lost in others.items():
        word = "friend" if game.unit(name).side == unit.side else "foe"
        told = numbers_in_short(lost, _numbers()["fire"])
        hit = in_short({word: 1.0 - lost.get(0, 0.0)}, _words()["others"])
        if hit is not None:
            found.append(Part(outcomes=told.outcomes, sentence=f"{hit.sentence} ({game.unit(name).name or name})"))
    return found


def _charge(game: Game, action: Action, unit: Unit) -> Chances | None:
    keys = keys_of(action, ChargeKeys)
    if action.target is None:
        return None
    target = game.unit(action.target)
    option = charge_option(game, unit, target)
    if not option.legal or option.roll is None or (keys.form_square and square_reasons(game, unit, target)):
        return None
    met = met_on_the_way(game, unit, target)
    if met is not None:
        target, option = met, charge_option(game, unit, met)
        square = keys.form_square and not square_reasons(game, unit, met)
        keys = ChargeKeys(target_mode=keys.target_mode, form_square=square)
        if option.roll is None:
            return None
    if keys.form_square:
        spread = charged_at_square(game, unit, target, mode=keys.target_mode)
    else:
        spread = charged(game, unit, target, option, mode=keys.target_mode)
    result = in_short(read_as(spread, _charge_ends), _words()["charge"])
    assert result is not None
    shot = read_as(spread, lambda one: one.casualties)
    parts = [_first_round(spread)] if any(one.fight for one in spread) else []
    if set(shot) != {0}:
        fire = numbers_in_short(shot, _numbers()["fire"])
        parts.append(Part(outcomes=fire.outcomes, sentence=""))  # what their fire costs: for the list alone
    return Chances(outcomes=result.outcomes, sentence=result.sentence, then=tuple(parts))


def _charge_ends(one: Charged) -> str:
    return DESTROYED if one.charger == DESTROYED else one.result


def _first_round(spread: Mapping[Charged, float]) -> Part:
    """How the first round ends, of all the charges and not of those alone that come to it."""
    ends = merged((_round_ends(one.fight), chance) for one, chance in spread.items() if one.fight is not None)
    words = _words()["fight"]
    told = in_short(ends, words)
    won = in_short({"won": ends.get("won", 0.0)}, words)
    assert told is not None
    return Part(outcomes=told.outcomes, sentence=(won or told).sentence)


def _round_ends(one: Fought) -> str:
    ours, theirs = one.result in BEATEN, one.enemy_result in BEATEN
    if ours and theirs:
        return "both-broken"
    return "lost" if ours else "won" if theirs else "drawn"


def _melee(game: Game, action: Action, unit: Unit) -> Chances | None:
    keys = keys_of(action, MeleeKeys)
    foes = [game.unit(share.id) for share in keys.enemies]
    foes += [] if keys.enemy is None else [game.unit(keys.enemy)]
    refused = any(foe.side == unit.side or reasons_against(game, unit, foe) for foe in foes)
    if not foes or refused or sharing_reasons(game, unit, foes, keys):
        return None
    fights = fights_of(game, unit, due(game, unit, foes), keys)
    return _several(fights) if keys.enemies else _one(game, Fight(unit=unit, enemy=foes[0], pools=fights[0]))


def _one(game: Game, fight: Fight) -> Chances:
    """Of a fight with one: his casualties, and what each does then."""
    spread = rounds(game, [fight])[0]
    told = numbers_in_short(read_as(spread, lambda one: one.enemy_casualties), _numbers()["enemy"], average=False)
    parts = (
        in_short(read_as(spread, lambda one: one.enemy_result), _words()["they"]),
        in_short(read_as(spread, lambda one: one.result), _words()["we"]),
    )
    return Chances(outcomes=told.outcomes, sentence=told.sentence, then=tuple(part for part in parts if part))


def _several(fights: Sequence[Pools]) -> Chances:
    """Of a fight with several: their casualties together, and the unit's own."""
    spread = losses_of_both(fights)
    theirs = numbers_in_short(read_as(spread, lambda both: both[1]), _numbers()["enemy"])
    ours = numbers_in_short(read_as(spread, lambda both: both[0]), _numbers()["ours"])
    return Chances(outcomes=theirs.outcomes, sentence=theirs.sentence, then=(ours,))


_TOLD: Mapping[str, Callable[[Game, Action, Unit], Chances | None]] = {
    "fire": _fire, "fire-canister": _gun("canister"), "fire-ball": _gun("ball"), "charge": _charge, "melee": _melee,
}  # fmt: skip
