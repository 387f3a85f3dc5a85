"""Who may fire at whom, at what range, and what is added to the die (PA-30 to PA-40)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.geometry.plane.directions import bearing_of, off
from engine.records.answer import FireOption, FireRoll, Modifier
from engine.records.game import Cell, Unit
from engine.rulesets.base.answers.fire_arcs import cells
from engine.rulesets.base.answers.reasons import Reasons, listed
from engine.rulesets.palouse.board import Board
from engine.rulesets.palouse.moving import own_reasons
from engine.rulesets.palouse.vocabulary import on_table, state_of

__all__ = ["fire_arc", "fire_option", "fire_options"]

_ARC_DEG = 1e-6  # R9: within so much of the limit counts as on it


def _past(angle: float, limit: float) -> str:
    """An angle with as many decimals as tell it from the limit that it is past, in degrees both.

    >>> _past(56.24, 45.0), _past(45.004, 45.0), _past(45.00001, 45.0)
    ('56.2', '45.004', 'just over 45')
    """
    told = (f"{angle:.{digits}f}" for digits in (1, 2, 3))
    return next((one for one in told if float(one) > limit), f"just over {limit:g}")


def fire_options(board: Board, unit: Unit) -> tuple[FireOption, ...]:
    """An entry for each enemy unit, nearest first; those off the table last."""
    options = [fire_option(board, unit, enemy) for enemy in board.game.enemies(unit)]
    return tuple(sorted(options, key=lambda option: np.inf if option.range_mm is None else option.range_mm))


def fire_option(board: Board, unit: Unit, target: Unit) -> FireOption:
    """Firing at one enemy unit."""
    reasons, state = own_reasons(board, unit, "combat"), state_of(unit)
    reasons.add(state.moved, "has moved this turn: a unit moves or shoots", "PA-17")
    reasons.add(state.fired, "has fired this turn", "PA-39")
    reasons.add(not on_table(target), f"{target.id} is eliminated", "PA-50")
    if unit.id not in board.stands or target.id not in board.stands:
        return _option(unit, target, reasons)
    weapon_name = _weapon_name(board, unit)
    weapon, bounds = board.book.weapons[weapon_name], board.bounds(unit, target)
    band = "short" if bounds <= weapon.short else "long" if bounds <= weapon.long else "out-of-range"
    text = f"out of range: {bounds} bounds, a {weapon_name} reaches {weapon.long}"
    reasons.add(band == "out-of-range", text, weapon.rule)
    angle, sigma = board.angle(unit, target)
    limit, all_round = board.conditions.options.arc_deg, _is(board, unit, "all_round")
    text = f"out of arc: {_past(angle, limit)} degrees off its facing, {limit:g} at most"
    reasons.add(not all_round and angle > limit + _ARC_DEG, text, "PA-30")
    near = f"{weapon.short} bound" if weapon.short == 1 else f"{weapon.short} bounds"
    text = f"{target.id} is in a fortification: only at short range, {near}"
    reasons.add(band != "short" and _is(board, target, "short_only"), text, "PA-38")
    blockers = list(_blockers(board, unit, target))
    if board.conditions.options.line_of_fire == "blocked":
        reasons.add(bool(blockers), f"the line of fire is stopped by {listed(blockers)}", "PA-40")
    modifiers = () if band == "out-of-range" else _modifiers(board, unit, band)
    borderline = [board.stands[one.id].doubt for one in (unit, target)]
    if not all_round and sigma > 0 and abs(angle - limit) <= 2 * sigma:
        borderline.append(f"arc {angle:.1f} ± {sigma:.1f} degrees against {limit:g} degrees")
    if board.conditions.options.line_of_fire == "blocked":
        borderline += _line_doubts(board, unit, target)
    here, there = board.stands[unit.id], board.stands[target.id]
    return _option(
        unit, target, reasons,
        mode=weapon_name, band=band, modifiers=modifiers,
        range_mm=float(np.hypot(*np.subtract(here.centre_mm, there.centre_mm))),
        range_sigma_mm=float(np.hypot(here.sigma_mm, there.sigma_mm)),
        roll=None if band == "out-of-range" else _roll(modifiers),
        borderline=tuple(text for text in borderline if text is not None),
        extra={"range_bounds": bounds, "angle_deg": angle, "weapon": weapon_name},
    )  # fmt: skip


def fire_arc(board: Board, unit: Unit) -> dict[str, Any] | None:
    """The squares that a unit's fire may go to, by the bands of its weapon, for the page to draw; None: nowhere.

    Each counts as a target that stood in its middle (PA-30).
    """
    weapon, here = board.book.weapons[_weapon_name(board, unit)], board.stands[unit.id]
    (column, row), most = here.cell, weapon.long
    across, along = np.meshgrid(np.arange(-most, most + 1) + column, np.arange(-most, most + 1) + row)
    squares = np.stack([across, along], axis=-1).reshape(-1, 2)
    way = board.grid.centres(squares) - np.array(here.centre_mm)
    ahead = off(bearing_of(way), np.array(here.bearing_deg)) <= board.conditions.options.arc_deg + _ARC_DEG
    wanted = board.grid.contains(squares) & (ahead | _is(board, unit, "all_round"))
    near: dict[str, list[Cell]] = {"short": [], "long": []}
    for x, y in squares[wanted].tolist():
        bounds = board.steps(here.cell, (x, y))
        if 0 < bounds <= most:
            near["short" if bounds <= weapon.short else "long"].append((x, y))
    return cells(near.items())


def _weapon_name(board: Board, unit: Unit) -> str:
    return board.kind(unit).weapons[0] if unit.weapon == "none" else unit.weapon


def _option(unit: Unit, target: Unit, reasons: Reasons, **known: Any) -> FireOption:
    """The entry; without ``known`` facts for a unit that has no place."""
    facts: dict[str, Any] = {
        "mode": unit.weapon, "band": "out-of-range", "modifiers": (), "range_mm": None, "range_sigma_mm": 0.0,
        "roll": None, "borderline": (), "extra": {"range_bounds": None, "angle_deg": None}, **known,
    }  # fmt: skip
    return FireOption(
        target=target.id, legal=not reasons, why_not=reasons.texts, why_rules=reasons.rules,
        shooters=tuple(figure.id for figure in unit.figures) or (unit.id,),
        targets_seen=tuple(figure.id for figure in target.figures) or (target.id,),
        aspect=None, cover=None, **facts,
    )  # fmt: skip


def _is(board: Board, unit: Unit, key: str) -> bool:
    """Whether the ground that a unit stands on has a property."""
    return any(getattr(ground, key) for ground in board.ground_at(board.stands[unit.id].cell))


def _blockers(board: Board, unit: Unit, target: Unit) -> Iterator[str]:
    """What stops the line of fire: units and ground in the squares between (PA-40)."""
    for cell in board.between(unit, target):
        yield from _stops_in(board, cell)


def _stops_in(board: Board, cell: Cell) -> Iterator[str]:
    """What stops a line of fire through a square."""
    other = board.occupant(cell)
    if other is not None:
        yield other.id
    for kind in sorted(board.kinds_at(cell)):
        if board.book.kinds[kind].stops_fire:
            yield f"{kind} in {list(cell)}"


def _line_doubts(board: Board, unit: Unit, target: Unit) -> Iterator[str]:
    """What stops the line of fire or not, as the measurement leaves it: squares grazed, units between squares."""
    for graze in board.grazed(unit, target):
        for what in _stops_in(board, graze.cell):
            far = f"{graze.apart_mm:.1f} ± {graze.sigma_mm:.1f} mm"
            yield f"line of fire past {what}: {far} from the corner of square {list(graze.cell)}"
    between = board.between(unit, target)
    for other in board.doubtful(unit, target):
        stand = board.stands[other.id]
        if len({cell in between for cell in stand.cells}) > 1:
            yield f"whether {other.id} stops the line of fire: {stand.doubt}"


def _modifiers(board: Board, unit: Unit, band: str) -> tuple[Modifier, ...]:
    kind, found = board.kind(unit), []
    value = kind.hits.short if band == "short" else kind.hits.long
    if value:
        found.append(_plus(f"{unit.type} at {band} range", value, kind.rule))
    spoilt = min((ground.spoils_fire for ground in board.ground_at(board.stands[unit.id].cell)), default=0)
    if kind.close_order and spoilt:
        found.append(_plus("close order firing from woods", spoilt, "PA-36"))
    return tuple(found)


def _roll(modifiers: tuple[Modifier, ...]) -> FireRoll:
    add = sum(modifier.extra["value"] for modifier in modifiers)
    return FireRoll(count=1, die="d3", success=None, extra={"add": add, "minimum": 0})


def _plus(name: str, value: int, rule: str) -> Modifier:
    return Modifier(name=name, effect=f"{value:+d}", rule=rule, extra={"value": value})
