"""What ``ask`` says about charging: every enemy unit, why not, and the dice of both sides (MM-125 to MM-138)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache

import numpy as np
from msgspec.structs import replace

from engine.geometry.plane.tolerance import at_most
from engine.records.answer import ChargeOption, ChargeRoll, Modifier
from engine.records.game import Game, Unit
from engine.rulesets.base.answers.reasons import Reasons, listed
from engine.rulesets.base.kept import once
from engine.rulesets.muskets_mohawks.options.charge_facts import CHARGE, ChargeFacts, cover_against, faces
from engine.rulesets.muskets_mohawks.options.charge_notes import notes_of
from engine.rulesets.muskets_mohawks.options.charge_way import Course, course_of, goes_through_water
from engine.rulesets.muskets_mohawks.options.fire_reasons import markers
from engine.rulesets.muskets_mohawks.options.shooting import range_borderline
from engine.rulesets.muskets_mohawks.seeing.sight import pairs
from engine.rulesets.muskets_mohawks.table.approaches import Approach, approach, approach_of_each
from engine.rulesets.muskets_mohawks.table.facts import aspect_of, at_gun, nearest_first, normal_move_mm
from engine.rulesets.muskets_mohawks.table.sheet import Sheet, sheet_of
from engine.rulesets.muskets_mohawks.table.told import told_of_each
from engine.rulesets.muskets_mohawks.table.troops import troop
from engine.rulesets.muskets_mohawks.vocabulary import MM_PER_INCH, figures_of, formation_of, state_of, stats_of
from engine.rulesets.muskets_mohawks.wording import dice, length

__all__ = [
    "CHARGE_SPOT_MM", "aspect", "charge_option", "charge_options", "charges_if_left", "counts_unformed",
    "rolls_if_left",
]  # fmt: skip

#: How far from its target a charging unit stands when the test is taken (MM-125).
CHARGE_SPOT_MM = 6 * MM_PER_INCH

_NEVER_CHARGE = {
    "gunners": "artillery does not charge",
    "leader": "a Leader on his own does not charge",
    "pef": "a possible enemy force does not charge",
    "wagon": "a wagon does not charge",
}


def charge_options(game: Game, unit: Unit) -> tuple[ChargeOption, ...]:
    """An entry for each enemy unit, nearest first."""
    sheet, units = sheet_of(game), game.by_id
    facts = CHARGE.at_enemies(sheet, unit)
    courses = {name: _course(game, unit, units[name], facts[name].way) for name in facts}
    told = told_of_each(
        sheet, "charges", unit, {name: (facts[name], courses[name]) for name in facts}, None,
        lambda name: _told(game, unit, units[name], facts[name], courses[name]),
    )  # fmt: skip
    return tuple(told[enemy.id] for enemy in nearest_first(game, unit))


def aspect(game: Game, attackers: Unit, target: Unit) -> str:
    """From where the attackers stand to the target: ``front``, ``flank`` or ``rear``; all their figures count."""
    return aspect_of(game, attackers, target)


def charge_option(game: Game, unit: Unit, target: Unit, *, by_reaction: bool = False) -> ChargeOption:
    """A charge at one enemy unit.

    ``by_reaction``: sent by a reaction test, it has its full normal move, and what it did in its own turn and its
    reload markers do not matter (MM-127).
    """
    facts = CHARGE.of(sheet_of(game), unit, target)
    course = _course(game, unit, target, facts.way, by_reaction=by_reaction)
    return _told(game, unit, target, facts, course, by_reaction=by_reaction)


def charges_if_left(game: Game, unit: Unit, target: Unit) -> Callable[[Unit], bool]:
    """Whether what is left of a unit could charge another by reaction, as `charge_option` says of it by itself.

    The way of each figure and what it sees are worked out once, whoever of them is left.
    """
    if any(one.bearing_deg is None for one in unit.figures):  # they face as those do who are left
        return lambda left: charge_option(game, left, target, by_reaction=True).legal
    sheet = sheet_of(game)
    ways, sighted = approach_of_each(sheet, unit, target), _sighted(sheet, unit, target)
    barred = bool(_reasons(game, unit, target, by_reaction=True))

    def legal(left: Unit) -> bool:
        those = [one.id for one in figures_of(left)]
        if barred or not those or not sighted & set(those):
            return False
        way = _shortest(ways, left)
        if not at_most(way.distance_mm, _reach_mm(game, left, by_reaction=True)) or _crossed(way, target):
            return False
        return not _course(game, left, target, way, by_reaction=True).barred

    return legal


def rolls_if_left(game: Game, unit: Unit, target: Unit) -> Callable[[Unit, Unit], ChargeRoll | None]:
    """The dice of a charge, as `charge_option` says, by what is left of a unit and the target as it is by then."""
    sheet = sheet_of(game)
    ways = approach_of_each(sheet, unit, target)
    covered = cache(lambda figure: cover_against(sheet, unit, target, ways[figure]))

    def rolls(left: Unit, foe: Unit) -> ChargeRoll | None:
        way = _shortest(ways, left)
        facts = ChargeFacts(way, aspect(game, left, target), covered(way.figure), (), ())
        wet = goes_through_water(game, left, foe)
        return _roll(game, left, foe, _modifiers(game, left, foe, facts, wet=wet))

    return rolls


def _shortest(ways: Mapping[str, Approach], left: Unit) -> Approach:
    """The shortest of the ways of those who are left."""
    return min((ways[one.id] for one in figures_of(left)), key=lambda way: round(way.distance_mm, 6))


def _sighted(sheet: Sheet, unit: Unit, target: Unit) -> frozenset[str]:
    """The figures of a unit that see one of another, within the arc where it counts."""
    seen = pairs(sheet, unit, target)
    clear = seen.clear & seen.in_arc if faces(unit) else seen.clear
    return frozenset(seen.lookers.ids[row] for row in np.flatnonzero(clear.any(axis=1)).tolist())


def _crossed(way: Approach, target: Unit) -> list[str]:
    """What bars the way to a target (R-22): not the building that it is in."""
    return [name for name in way.crossed if name != state_of(target).in_building]


def _reach_mm(game: Game, unit: Unit, *, by_reaction: bool) -> float:
    """From how far a unit may charge: with what is left of its move, or all of it by reaction (MM-127)."""
    left = normal_move_mm(game, unit) - (0.0 if by_reaction else state_of(unit).moved_mm)
    return max(0.0, left) + CHARGE_SPOT_MM


def _course(game: Game, unit: Unit, target: Unit, way: Approach | None, *, by_reaction: bool = False) -> Course:
    """What a charge comes to on its way; of one that is out of reach but what changes its dice."""
    if way is None:
        return Course()
    if not at_most(way.distance_mm, _reach_mm(game, unit, by_reaction=by_reaction)):
        return Course(wet=goes_through_water(game, unit, target))
    spot_mm = max(0.0, way.distance_mm - CHARGE_SPOT_MM)
    return course_of(game, unit, target, spot_mm, by_reaction=by_reaction)


def _told(
    game: Game, unit: Unit, target: Unit, facts: ChargeFacts, course: Course, *, by_reaction: bool = False
) -> ChargeOption:
    nearest = facts.way
    reasons = _reasons(game, unit, target, by_reaction=by_reaction)
    borderline: list[str] = []
    if nearest is not None:
        reach = _reach_mm(game, unit, by_reaction=by_reaction)
        if not at_most(nearest.distance_mm, reach):
            text = f"out of charge reach: {length(nearest.distance_mm)}, can reach {length(reach)}"
            reasons.add(True, text, "MM-125")
        reasons.extend((text, "MM-126" if row == "MM-83" else row) for text, row in facts.unseen)
        if crossed := _crossed(nearest, target):
            reasons.add(True, f"the straight path crosses {listed(crossed)}", "R-22")
        reasons.extend(course.barred)
        borderline = range_borderline(nearest.distance_mm, nearest.sigma_mm, reach, "charge reach")
        borderline += facts.doubts
    modifiers = _modifiers(game, unit, target, facts, wet=course.wet)
    return ChargeOption(
        target=target.id,
        legal=not reasons,
        why_not=reasons.texts,
        why_rules=reasons.rules,
        distance_mm=None if nearest is None else nearest.distance_mm,
        aspect=facts.aspect,
        modifiers=modifiers,
        roll=None if nearest is None else _roll(game, unit, target, modifiers),
        borderline=tuple(borderline),
        extra=notes_of(game, unit, target, course.meets),
    )


def _reasons(game: Game, unit: Unit, target: Unit, *, by_reaction: bool) -> Reasons:
    reasons, key = Reasons(), ("against charging", unit.id, by_reaction)
    reasons.extend(sheet_of(game).memo(key, lambda: _against_charging(unit, by_reaction=by_reaction), unit))
    reasons.add(not figures_of(target), f"{target.id} has no figures left on the table", "MM-125")
    reasons.add(target.type == "pef", f"{target.id} is only a possible enemy force", "MM-223")
    return reasons


def _against_charging(unit: Unit, *, by_reaction: bool) -> Reasons:
    """What speaks against any charge of the unit."""
    reasons, state = Reasons(), state_of(unit)
    reasons.add(not figures_of(unit), "no figures left on the table", "MM-127")
    reasons.add(unit.type in _NEVER_CHARGE, _NEVER_CHARGE.get(unit.type, ""), "MM-127")
    if not by_reaction:
        reasons.add(state.activated, "already activated this turn", "MM-127")
        reasons.add(state.stood, "has stood up: that was its whole move", "MM-50")
        reasons.add(state.reload_markers > 0, f"not loaded: {markers(state.reload_markers)}", "MM-127")
    reasons.add(state.prone, "prone: must stand up first", "MM-127")
    reasons.add(bool(state.in_melee), "already in melee", "MM-127")
    reasons.add(state.retiring, "retiring: must rally first", "MM-127")
    reasons.add(state.had_enough, "has had enough: may not charge", "MM-166")
    reasons.add(state.taking_trophies and not by_reaction, "spends this activation taking trophies", "MM-67")
    reasons.add(state.in_building is not None, "in a building: must leave it first", "MM-127")
    reasons.add(formation_of(unit) == "square", "a square cannot move", "MM-246")
    return reasons


def counts_unformed(game: Game, unit: Unit, target: Unit) -> bool:
    """Whether a unit loses its order on the way: a line in over 1 in of woods (R-22), all in water (MM-191)."""
    way = approach(sheet_of(game), unit, target)
    return way is not None and _unformed_by(way, unit, wet=goes_through_water(game, unit, target))


def _unformed_by(way: Approach, unit: Unit, *, wet: bool) -> bool:
    formation = formation_of(unit)
    return formation != "unformed" and (wet or (formation == "formed-line" and way.through_woods))


def _unformed(unit: Unit) -> Unit:
    """The unit as it is once it has lost its order."""
    return once(unit, "mm_unformed", lambda: replace(unit, formation="unformed"))


def _modifiers(game: Game, unit: Unit, target: Unit, facts: ChargeFacts, *, wet: bool) -> tuple[Modifier, ...]:
    if facts.way is None:
        return ()
    mine, theirs = len(figures_of(unit)), len(figures_of(target))
    found = list(_of_charger(game, _unformed(unit) if _unformed_by(facts.way, unit, wet=wet) else unit))
    if facts.aspect == "flank":
        found.append(dice("charging onto the flank", 1, "MM-131", who="charger"))
    if facts.aspect == "rear":
        found.append(dice("charging onto the rear", 2, "MM-132", who="charger"))
    if mine >= 2 * theirs:
        found.append(dice(f"charger outnumbers ({mine} to {theirs})", 1, "MM-133", who="charger"))
    if "cuirassier" in stats_of(unit).special:
        found.append(dice("charger cuirassiers", 1, "MM-245", who="charger"))
    found += _scouts(unit, "charger")
    found += _of_target(game, target)
    if facts.cover is not None:
        found.append(dice(f"target in cover ({facts.cover})", 1, "MM-136", who="target"))
    elif at_gun(game, target):
        found.append(dice("gunners at their gun", 1, "MM-136", who="target"))
    if state_of(target).reload_markers > 0:
        found.append(dice("target needs to reload", -1, "MM-137", who="target"))
    if theirs >= 2 * mine:
        found.append(dice(f"target outnumbers ({theirs} to {mine})", 1, "MM-138", who="target"))
    if "cuirassier" in stats_of(target).special:
        found.append(dice("target cuirassiers", 1, "MM-245", who="target"))
    return (*found, *_scouts(target, "target"))


def _scouts(unit: Unit, who: str) -> tuple[Modifier, ...]:
    """That Texian scouts test one Rep lower: no dice more or less, but harder ones (MM-254)."""
    if "texian-scout" not in stats_of(unit).special:
        return ()
    return (Modifier(name=f"{who}: Texian scouts", effect="Rep -1", rule="MM-254", extra={"who": who, "value": 0}),)


def _of_charger(game: Game, unit: Unit) -> Iterator[Modifier]:
    """What the troops of a charging unit count for."""
    charger = troop(unit, game)
    if charger.formed:
        yield dice("charger formed", 1, "MM-128", who="charger")
    if charger.cavalry:
        yield dice("charger cavalry", 1, "MM-129", who="charger")
    if charger.irregular:
        yield dice("charger Irregulars or Indians", 1, "MM-130", who="charger")


def _of_target(game: Game, unit: Unit) -> Iterator[Modifier]:
    """What the troops of a charged unit count for."""
    target = troop(unit, game)
    if target.formed:
        yield dice("target formed", 1, "MM-134", who="target")
    if target.cavalry:
        yield dice("target cavalry", 1, "MM-135", who="target")


def _roll(game: Game, unit: Unit, target: Unit, modifiers: tuple[Modifier, ...]) -> ChargeRoll | None:
    if troop(unit, game).cavalry and formation_of(target) == "square":
        return None  # no charge dice: the cavalry retires instead (MM-248)
    count = {"charger": 2, "target": 2}
    for modifier in modifiers:
        count[modifier.extra["who"]] += modifier.extra["value"]
    success = {"charger_success": f"<={_rep(unit)}", "target_success": f"<={_rep(target)}"}
    return ChargeRoll(charger=max(0, count["charger"]), target=max(0, count["target"]), die="d6", extra=success)


def _rep(unit: Unit) -> int:
    """The Reputation of a charge test: one lower for Texian scouts (MM-254)."""
    stats = stats_of(unit)
    return stats.rep - (1 if "texian-scout" in stats.special else 0)
