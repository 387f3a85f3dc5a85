"""What a shot and a melee can come to: percentile dice fall in too many ways to walk them (MP-163 to MP-199)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from itertools import product

from engine.errors import EngineError
from engine.records.action import Action
from engine.records.chances import Chances
from engine.records.game import Game
from engine.rulesets.base.answers.chances import in_short, numbers_in_short
from engine.rulesets.base.data.rows import wording_of
from engine.rulesets.base.forms.keys import keys_of
from engine.rulesets.musket_pike.draws import spread_between
from engine.rulesets.musket_pike.fire.fire_action import FireKeys, mode_reasons
from engine.rulesets.musket_pike.fire.fire_action import draws_of as draws_of_fire
from engine.rulesets.musket_pike.fire.fire_value import shot_at
from engine.rulesets.musket_pike.fire.firing import Firing, struck_at
from engine.rulesets.musket_pike.losses.casualties import spread_of_guns, spread_of_men
from engine.rulesets.musket_pike.melee.melee_action import MeleeKeys, assault_at
from engine.rulesets.musket_pike.melee.melee_losses import draws_of, outlasts, winner_by
from engine.rulesets.musket_pike.melee.strengths import strengths_of
from engine.rulesets.musket_pike.table.board import board_of
from engine.rulesets.musket_pike.table.sight import sight_over
from engine.rulesets.musket_pike.table.troops import gun_fire
from engine.spreads import merged

__all__ = ["foretold"]


@cache
def _words() -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads(files(__package__).joinpath("chances.toml").read_text(encoding="utf-8"))


def foretold(game: Game, action: Action) -> Chances | None:
    """The chances of a direct shot at one unit and of a melee; None: every way of the dice has to be walked."""
    tell = {"fire": _fire, "melee": _melee}.get(action.action)
    try:
        return None if tell is None or action.unit is None or action.target is None else tell(game, action)
    except EngineError:
        return None  # walking it says what is wrong with it


def _fire(game: Game, action: Action) -> Chances | None:
    keys, board = keys_of(action, FireKeys), board_of(game)
    troop, target = board.troops.get(action.unit or ""), board.troops.get(action.target or "")
    if troop is None or target is None or keys.target_hex is not None or keys.mode != "direct":
        return None
    firing = Firing(board, troop, defending_melee=keys.defending_melee)
    if firing.reasons(target, keys.mode).texts or mode_reasons(firing, target.hex, keys):
        return None
    hexes, line = board.apart(troop.hex, target.hex), sight_over(board).line(troop.hex, target.hex)
    shot = shot_at(board, troop, target, hexes, firing.manner, line)
    if shot is None or struck_at(board, troop, target) != (target,):
        return None
    results = spread_between(shot.result.low, shot.result.high, draws_of_fire(board))
    men, guns = wording_of(__package__).outcomes["casualties"].each
    lost = merged(
        (number, chance * share)
        for result, chance in results.items()
        for number, share in (
            spread_of_guns(result * shot.armor_factor, board.parameters.artillery_fire, target.strength)
            if gun_fire(target)
            else spread_of_men(result * shot.armor_factor, target.strength)
        ).items()
    )
    told = numbers_in_short(lost, guns if gun_fire(target) else men)
    return Chances(outcomes=told.outcomes, sentence=told.sentence)


def _melee(game: Game, action: Action) -> Chances | None:
    """Who wins; not where it hangs on whether an attacker is left."""
    assault, reasons = assault_at(game, action, keys_of(action, MeleeKeys))
    if reasons.texts or assault.displaces:
        return None
    strengths, times = strengths_of(assault), draws_of(assault)
    attackers, defenders = (
        spread_between(draw.low, draw.high, times) for draw in (strengths.attackers_draw, strengths.defenders_draw)
    )
    if not all(outlasts(assault, value * strengths.light_share[0]) for value in attackers):
        return None
    wins = winner_by(assault, strengths)
    winner = merged(
        ("attackers" if wins(mine, theirs) else "defenders", chance * share)
        for (mine, chance), (theirs, share) in product(attackers.items(), defenders.items())
    )
    told = in_short(winner, _words()["melee"])
    return None if told is None else Chances(outcomes=told.outcomes, sentence=told.sentence)
