"""``ask``: what a unit can fire at with its small arms, in every mode, and what it would throw."""

from __future__ import annotations

import numpy as np

from engine.records.answer import FireOption, FireRoll
from engine.records.game import Game, Unit
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.presidio.artillery.grenades import grenade_options
from engine.rulesets.presidio.artillery.gun_options import gun_options
from engine.rulesets.presidio.artillery.gun_templates import through_template
from engine.rulesets.presidio.book import book
from engine.rulesets.presidio.small_arms.fire_reasons import COSTS, reasons_of
from engine.rulesets.presidio.small_arms.shooting import MODES, Mode, Shot, shot_of
from engine.rulesets.presidio.small_arms.shot_numbers import modifiers_of, number_of
from engine.rulesets.presidio.small_arms.through_fire import at_risk, behind_doubts
from engine.rulesets.presidio.table.sorts import class_of
from engine.rulesets.presidio.units.arms import marksman, weapons_of
from engine.rulesets.presidio.vocabulary import figures_of, is_artillery

__all__ = ["fire_option", "fire_options", "modes_of"]


def modes_of(unit: Unit) -> tuple[Mode, ...]:
    """The modes in which a unit's small arms are listed, whether or not they may be used now."""
    aims = any(marksman(unit, figure) for figure in figures_of(unit))
    moves = class_of(unit) in ("light", "skirmish")
    without = {mode for mode, has in (("aimed", aims), ("moving", moves)) if not has}
    return tuple(mode for mode in MODES if mode not in without)


def fire_options(game: Game, unit: Unit) -> tuple[FireOption, ...]:
    """An entry for each enemy unit, weapon and mode of fire, nearest enemy first."""
    if is_artillery(unit):
        return gun_options(game, unit)
    options = [
        fire_option(shot_of(game, unit, enemy, weapon, mode))
        for enemy in game.enemies(unit)
        for weapon in weapons_of(unit)
        for mode in modes_of(unit)
    ]
    options += grenade_options(game, unit)
    return tuple(sorted(options, key=lambda option: np.inf if option.range_mm is None else option.range_mm))


def fire_option(shot: Shot) -> FireOption:
    """The entry of one shot."""
    reasons = Reasons()
    reasons.extend(reasons_of(shot))
    there = shot.range is not None
    return FireOption(
        target=shot.target.id, legal=not reasons, why_not=reasons.texts, why_rules=reasons.rules, mode=shot.mode,
        range_mm=shot.range.length_mm if shot.range else None,
        range_sigma_mm=shot.range.sigma_mm if shot.range else 0.0,
        band=shot.band, shooters=shot.shooters, targets_seen=shot.field.names(shot.seen), aspect=None,
        cover=shot.cover.name if there else None, modifiers=modifiers_of(shot) if there else (), roll=_roll(shot),
        borderline=_borderline(shot) if there else (),
        extra={
            "weapon": shot.weapon, "actions": COSTS[shot.mode], "at_risk": list(at_risk(shot)),
            "template": through_template(shot),
        },
    )  # fmt: skip


def _borderline(shot: Shot) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*shot.borderline(), *behind_doubts(shot))))


def _roll(shot: Shot) -> FireRoll | None:
    """The dice of one action; None where none would be thrown."""
    number = number_of(shot) if shot.range is not None else None
    if number is None or shot.count == 0 or shot.band == "out":
        return None
    return FireRoll(count=shot.count, die=f"d{book().fire.die}", success=f">={number}")
