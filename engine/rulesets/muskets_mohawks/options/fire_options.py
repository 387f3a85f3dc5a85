"""What ``ask`` says about firing: every enemy unit in every mode, why not, and what to roll (MM-92 to MM-114)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.geometry.plane.tolerance import at_most
from engine.records.answer import FireOption, FireRoll, Modifier
from engine.records.game import Game, Unit
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.muskets_mohawks.options.fire_facts import FIRE, FireFacts
from engine.rulesets.muskets_mohawks.options.fire_reasons import markers, own_reasons, returns_fire, target_reasons
from engine.rulesets.muskets_mohawks.options.shooting import range_borderline
from engine.rulesets.muskets_mohawks.table.broken_ground import in_water
from engine.rulesets.muskets_mohawks.table.facts import nearest_first
from engine.rulesets.muskets_mohawks.table.sheet import sheet_of
from engine.rulesets.muskets_mohawks.table.told import told_of_each
from engine.rulesets.muskets_mohawks.table.troops import troop
from engine.rulesets.muskets_mohawks.vocabulary import (
    Weapon,
    conditions_of,
    figures_of,
    state_of,
    stats_of,
    weapon_of,
)
from engine.rulesets.muskets_mohawks.wording import dice, factor, length

__all__ = ["against_volleys", "bound_to", "fire_modes", "fire_option", "fire_options"]


def fire_options(game: Game, unit: Unit) -> tuple[FireOption, ...]:
    """An entry for each enemy unit and mode, nearest enemy first."""
    modes, enemies = fire_modes(game, unit), nearest_first(game, unit)
    if unit.type == "gunners":
        from engine.rulesets.muskets_mohawks.options.artillery_options import artillery_options

        return artillery_options(game, unit, enemies, modes)
    sheet, units = sheet_of(game), game.by_id
    facts = FIRE.at_enemies(sheet, unit)

    told = told_of_each(
        sheet, "fires", unit, facts, bound_to(game, unit),
        lambda name: _small_arm_options(game, unit, units[name], modes, facts[name]),
    )  # fmt: skip
    return tuple(option for enemy in enemies for option in told[enemy.id])


def fire_modes(game: Game, unit: Unit) -> tuple[str, ...]:
    """The modes that get an entry: legal or not, those that the unit's type and weapon have."""
    if unit.type == "gunners":
        return ("canister", "ball")
    if troop(unit, game).volley_type and weapon_of(unit).small_arm:
        return ("at-will", "volley")
    return ("at-will",)


def fire_option(
    game: Game, unit: Unit, target: Unit, mode: str, *, at_charger: bool = False, charger_at: Game | None = None
) -> FireOption:
    """One way of firing at one enemy.

    ``at_charger``: the target of a charge fires at the charger (MM-146): what it did in its own turn does not
    matter and fire at will is halved (MM-107). ``charger_at`` is the game with the charger at its 6 in spot, where
    ``game`` is not.
    """
    game = charger_at or game
    unit, target = game.unit(unit.id), game.unit(target.id)
    if mode in ("canister", "ball"):
        from engine.rulesets.muskets_mohawks.options import artillery_options

        return sheet_of(game).memo(
            ("gun", unit.id, target.id, mode, at_charger),
            lambda: artillery_options.artillery_option(game, unit, target, mode, at_charger=at_charger),
            unit, target,
        )  # fmt: skip
    facts = FIRE.of(sheet_of(game), unit, target)
    return _small_arm_options(game, unit, target, (mode,), facts, at_charger=at_charger)[0]


def _small_arm_options(
    game: Game, unit: Unit, target: Unit, modes: Sequence[str], found: FireFacts, *, at_charger: bool = False
) -> tuple[FireOption, ...]:
    """Firing by hand in some modes, of what is to be told of its ``facts``."""
    weapon, measured = weapon_of(unit), found.nearest
    in_range = measured is not None and weapon.small_arm and at_most(measured[0], weapon.range_mm)
    dice_modifiers = _dice_modifiers(game, unit, target, found, weapon)
    borderline = _borderline(found, weapon, measured)

    def option(mode: str) -> FireOption:
        reasons = _reasons(game, unit, target, mode, at_charger=at_charger)
        if measured is not None and weapon.small_arm and not in_range:
            reach = length(weapon.range_mm)
            reasons.add(True, f"out of range: {length(measured[0])}, {weapon.name} reaches {reach}", "MM-92")
        if in_range or not conditions_of(game).options.range_per_figure:
            reasons.extend(found.unseen)
        modifiers = dice_modifiers + _hit_modifiers(game, mode, found.aspect, found.cover, at_charger=at_charger)
        return FireOption(
            target=target.id,
            legal=not reasons and bool(found.shooters),
            why_not=reasons.texts,
            why_rules=reasons.rules,
            mode=mode,
            range_mm=None if measured is None else measured[0],
            range_sigma_mm=0.0 if measured is None else measured[1],
            band="in-range" if in_range else "out-of-range",
            shooters=found.shooters,
            targets_seen=found.targets_seen,
            aspect=found.aspect,
            cover=found.cover,
            modifiers=modifiers,
            roll=_roll(game, unit, found, weapon, mode, modifiers),
            borderline=borderline,
            extra={"weapon": weapon.name},
        )

    return tuple(option(mode) for mode in modes)


def bound_to(game: Game, unit: Unit) -> str | None:
    """The target that continuous fire binds the unit to (MM-110, R-20), or None."""
    return sheet_of(game).memo(("bound", unit.id), lambda: _bound_to(game, unit), unit)


def _bound_to(game: Game, unit: Unit) -> str | None:
    state = state_of(unit)
    target = game.by_id.get(state.firing_at or "")
    if target is None or target.side == unit.side or unit.type == "gunners" or not figures_of(target):
        return None
    other, weapon = state_of(target), weapon_of(unit)
    if state.retiring or state.in_melee or other.retiring or other.in_melee or other.runaway:
        return None
    if not weapon.small_arm or conditions_of(game).nothing_fires or state.had_enough:
        return None  # nor does it bind who has to go (MM-166)
    found = FIRE.of(sheet_of(game), unit, target)
    measured = found.nearest
    if measured is None or not found.shooters or not at_most(measured[0], weapon.range_mm):
        return None
    return target.id


def _reasons(game: Game, unit: Unit, target: Unit, mode: str, *, at_charger: bool) -> Reasons:
    reasons, sheet = Reasons(), sheet_of(game)
    returns = returns_fire(unit, target)
    key = "against firing", unit.id, at_charger, returns
    against = sheet.memo(key, lambda: _against_firing(game, unit, at_charger=at_charger, returns=returns), unit)
    reasons.extend(against)
    reasons.extend(target_reasons(target))
    bound = None if at_charger else bound_to(game, unit)
    if bound is not None and bound != target.id:
        reasons.add(True, f"continuous fire: bound to {bound} while it can still be fired at", "MM-110")
    if mode == "volley":
        reasons.extend(sheet.memo(("against volleys", unit.id), lambda: against_volleys(game, unit), unit))
    return reasons


def _against_firing(game: Game, unit: Unit, *, at_charger: bool, returns: bool) -> Reasons:
    """What speaks against any fire of the unit by hand."""
    reasons, weapon = Reasons(), weapon_of(unit)
    own_reasons(reasons, game, unit, at_charger=at_charger, returns=returns)
    text = "no weapon that fires" if weapon.name == "none" else f"{weapon.name}: no weapon that fires by hand"
    reasons.add(not weapon.small_arm, text, "MM-94")
    return reasons


def against_volleys(game: Game, unit: Unit) -> Reasons:
    """What speaks against any volley of the unit (MM-95)."""
    reasons, kind, loads = Reasons(), troop(unit, game), state_of(unit).reload_markers
    reasons.add(not kind.may_volley, "volleys are for Regulars", "MM-95")
    reasons.add(unit.formation != "formed-line" or not kind.formed, "volleys need a formed line", "MM-95")
    reasons.add(kind.mounted, "volleys are fired on foot", "MM-95")
    reasons.add(loads > 0, f"volleys need loaded weapons: {markers(loads)}", "MM-95")
    return reasons


def _dice_modifiers(game: Game, unit: Unit, target: Unit, found: FireFacts, weapon: Weapon) -> tuple[Modifier, ...]:
    modifiers, other = [], troop(target, game)
    if other.formed or other.mob:
        modifiers.append(dice("target in mob or formed", 2, "MM-99"))
    firing, seen = len(found.shooters), len(found.targets_seen)
    if seen and firing >= 3 * seen:
        modifiers.append(dice(f"three times as many firing as targets ({firing} to {seen})", 3, "MM-101"))
    elif seen and firing >= 2 * seen:
        modifiers.append(dice(f"twice as many firing as targets ({firing} to {seen})", 2, "MM-100"))
    if troop(unit, game).mounted:
        modifiers.append(dice("firing while mounted", -2, "MM-102"))
    if weapon.dice:
        modifiers.append(dice(f"firing with a {weapon.name}", weapon.dice, "MM-103"))
    if state_of(unit).in_building is None and in_water(game, unit):
        modifiers.append(dice("firing from inside a creek or ford", -2, "MM-104"))
    return tuple(modifiers)


def _hit_modifiers(
    game: Game, mode: str, aspect: str, cover: str | None, *, at_charger: bool
) -> tuple[Modifier, ...]:
    modifiers = []
    if cover is not None:
        modifiers.append(factor(f"target in cover ({cover})", 0.5, "MM-106"))
    if at_charger and mode == "at-will":
        modifiers.append(factor("at will at a charging enemy", 0.5, "MM-107"))
    if aspect == "flank":
        modifiers.append(factor("into the flank", 2, "MM-108"))
    if aspect == "rear" and conditions_of(game).options.rear_fire_doubles:
        modifiers.append(factor("into the rear (R-07)", 2, "MM-108"))
    return tuple(modifiers)


def _roll(
    game: Game, unit: Unit, found: FireFacts, weapon: Weapon, mode: str, modifiers: tuple[Modifier, ...]
) -> FireRoll | None:
    firing, seen = len(found.shooters), len(found.targets_seen)
    if not firing:
        return None
    start = firing if mode == "volley" else stats_of(unit).rep
    count, multiplier = start, 1.0
    for modifier in modifiers:
        count += modifier.extra.get("value", 0)
        multiplier *= modifier.extra.get("factor", 1)
    conditions = conditions_of(game)
    caps = ([firing] if mode == "at-will" else []) + ([seen] if conditions.options.cap_to_seen else [])
    extra: dict[str, object] = {"most_casualties": min(caps)} if caps else {}
    if conditions.misfires and weapon.name != "bow":
        extra["misfire"] = ">=5"
    return FireRoll(count=max(0, count), die="d6", success="==1", multiplier=multiplier, extra=extra)


def _borderline(found: FireFacts, weapon: Weapon, measured: tuple[float, float] | None) -> tuple[str, ...]:
    if measured is None or not weapon.small_arm:
        return found.doubts
    return (*range_borderline(*measured, weapon.range_mm), *found.doubts)
