"""What changes the value of a shot, and what it comes to (MP-140 to MP-164)."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from engine.geometry.grids.flat import direction_between
from engine.records.game import Cell
from engine.rulesets.musket_pike.fire.effects import Effect, Effects, factor_of, percent_of, value_of
from engine.rulesets.musket_pike.fire.fire_reasons import Manner, column_percent, rating, weapon_of
from engine.rulesets.musket_pike.losses.casualties import Span, after_armour, span
from engine.rulesets.musket_pike.table.board import Board
from engine.rulesets.musket_pike.table.sight import CLEAR, Line
from engine.rulesets.musket_pike.table.troops import QUALITY, Troop, gun_fire
from engine.rulesets.musket_pike.table.weather import weather_name, weather_now

__all__ = ["Shot", "fatigue_percent", "firer_effects", "shot_at", "shot_at_bridge"]

#: The hex kinds that cover skirmishers alone (MP-151).
_SKIRMISH_COVER = frozenset({"building", "rough"})
_DENSE = 1200.0
_FAR = 5  # hexes from which the weather tells on artillery (MP-161)


class Shot(Struct, frozen=True, kw_only=True):
    """The value of a shot: men × rating with its effects, and the casualties that it may bring.

    ``result`` is the combat result before armour, ``loss`` after it.
    """

    men: float
    rating: float
    effects: tuple[Effect, ...]
    value: float
    result: Span
    armor_factor: float

    @property
    def base(self) -> float:
        """Men × rating."""
        return self.men * self.rating

    @property
    def percent(self) -> float:
        """The sum of the percents."""
        return percent_of(self.effects)

    @property
    def factor(self) -> float:
        """The product of the factors."""
        return factor_of(self.effects)

    @property
    def loss(self) -> Span:
        """The casualties after armour."""
        return self.result.times(self.armor_factor)


def fatigue_percent(fatigue: int) -> float:
    """What fatigue takes off fire and melee (MP-147, MP-187).

    >>> [fatigue_percent(points) for points in (299, 300, 600, 899, 900)]
    [0.0, -10.0, -20.0, -20.0, -40.0]
    """
    for least, percent in ((900, -40.0), (600, -20.0), (300, -10.0)):
        if fatigue >= least:
            return percent
    return 0.0


def shot_at(
    board: Board, troop: Troop, target: Troop, hexes: int, manner: Manner, line: Line = CLEAR
) -> Shot | None:
    """The value of a unit's shot at another; None where its weapon has no rating for that range."""
    hard = target.stats.armor > 0
    rated = rating(weapon_of(board, troop), hexes, hard=hard)
    if rated is None:
        return None
    effects = [*firer_effects(board, troop, hexes, manner, line), *_target_effects(board, troop, target, hexes)]
    return _shot(board, troop, rated, effects, target.stats.armor)


def shot_at_bridge(board: Board, troop: Troop, hexes: int, manner: Manner, line: Line = CLEAR) -> Shot | None:
    """The value of a shot at an empty bridge: the firer's rows alone, and the hard rating (MP-167)."""
    rated = rating(weapon_of(board, troop), hexes, hard=True)
    if rated is None:
        return None
    return _shot(board, troop, rated, firer_effects(board, troop, hexes, manner, line), 0)


def _shot(board: Board, troop: Troop, rated: float, effects: Iterable[Effect], armor: int) -> Shot:
    parameters, known = board.parameters, tuple(effects)
    men = troop.strength * parameters.men_per_gun if gun_fire(troop) else float(troop.strength)
    value = value_of(men * rated, known, board.options.modifiers_combine)
    result = span(value, parameters.fire_lcv, parameters.fire_hcv)
    return Shot(men=men, rating=rated, effects=known, value=value, result=result, armor_factor=after_armour(armor))


def firer_effects(board: Board, troop: Troop, hexes: int, manner: Manner, line: Line) -> tuple[Effect, ...]:
    """What the firer and the way to the target change (MP-140 to MP-149, MP-160, MP-161)."""
    effects, state, quality = Effects(), troop.state, QUALITY[troop.stats.quality]
    effects.percent(quality >= QUALITY["A"], 20, "firer of quality A or better", "MP-140")
    effects.percent(quality <= QUALITY["E"], -20, "firer of quality E or worse", "MP-140")
    effects.factor(state.disordered, 0.5, "firer disordered", "MP-141")
    effects.factor(troop.column, column_percent(board, troop) / 100, "firer in column", "MP-142")
    two_rank = "two-rank" in troop.attributes and troop.line
    open_line = two_rank and troop.formation != "shortened-line"
    effects.percent(open_line, 50, "two ranks in line", "MP-143")
    effects.factor(two_rank and troop.formation == "shortened-line", 0.75, "two ranks in shortened line", "MP-144")
    effects.factor(troop.skirmisher, 0.75, "skirmishers", "MP-145")
    effects.factor(troop.gun and state.captured_by is not None, 0.5, "captured guns", "MP-146")
    effects.percent(True, fatigue_percent(state.fatigue), "firer's fatigue", "MP-147")
    effects.factor(manner == "offensive" and state.moved, 0.5, "fire after movement", "MP-148")
    effects.factor(manner == "opportunity", 0.5, "opportunity fire", "MP-149")
    effects.percent(line.veiled, -20, "skirmishers or leaders in the way", "MP-160")
    if gun_fire(troop) and hexes >= _FAR:
        percent = weather_now(board).artillery
        effects.percent(True, percent, f"{weather_name(board)} weather, {_FAR} hexes or more", "MP-161")
    return effects.found


def _target_effects(board: Board, troop: Troop, target: Troop, hexes: int) -> tuple[Effect, ...]:
    """What the target and its place change (MP-150 to MP-159)."""
    effects, parameters = Effects(), board.parameters
    _cover(effects, board, troop, target)
    enfiladed = target.line and not board.faces(target, troop.hex)
    effects.percent(enfiladed, parameters.enfilade_percent, "enfilade", "MP-153")
    effects.factor(target.wagon, 2, "target is a supply wagon", "MP-154")
    massed = target.column or target.block
    effects.percent(massed and gun_fire(troop), 50, f"artillery at infantry in {target.formation}", "MP-155")
    effects.percent(massed and troop.foot, 25, f"infantry at infantry in {target.formation}", "MP-155")
    if target.horse and hexes <= 12:
        percent = parameters.cavalry_fire_percent / (1 if hexes <= 6 else 2)
        effects.percent(True, percent, f"target is mounted, {hexes} hexes away", "MP-156")
    limbered = target.gun and target.formation == "limbered"
    effects.percent(limbered, 50, "target is limbered artillery", "MP-157")
    stack = board.stack_men(target.hex)
    few = target.skirmisher and stack <= parameters.max_stacking / 8
    effects.factor(few, 0.25, "skirmishers in a thinly held hex", "MP-158")
    dense = board.options.target_density and stack > _DENSE
    effects.factor(dense, stack / _DENSE, f"target density, {stack:g} men", "MP-159")
    return effects.found


def _cover(effects: Effects, board: Board, troop: Troop, target: Troop) -> None:
    """What the target's hex, the side that it is fired at over and its height take off (MP-150 to MP-152)."""
    parameters, ground, cell = board.parameters, board.ground, target.hex
    if not target.state.moved:
        percent, names = _hexside_percent(board, troop.hex, cell)
        effects.percent(True, percent, f"target behind {names}", "MP-150")
    kind = ground.kind(cell)
    if kind not in _SKIRMISH_COVER or target.skirmisher:
        effects.percent(True, parameters.terrain_fire_percent.get(kind, 0.0), f"target in {kind}", "MP-151")
    effects.percent(cell in ground.abatis, parameters.abatis_fire_percent, "target in abatis", "MP-151")
    effects.percent(cell in ground.trenches, parameters.trench_fire_percent, "target in a trench", "MP-151")
    rise = ground.level(cell) - ground.level(troop.hex)
    twice = 2 if rise >= 2 else 1
    effects.percent(rise > 0, parameters.elevation_fire_percent * twice, "target stands higher", "MP-152")


def _hexside_percent(board: Board, start: Cell, end: Cell) -> tuple[float, str]:
    """The percents of the hexside by which a line enters its hex, and what lies there; of two the smaller."""
    ground = board.ground
    if not any(ground.side(end, direction) for direction in range(6)):
        return 0.0, ""
    steps = board.grid.samples(start, end)
    before = steps[-1] if steps else (start,)
    table = board.parameters.hexside_fire_percent
    found = []
    for cell in before:
        direction = direction_between(end, cell)
        kinds = sorted(ground.side(end, direction)) if direction is not None else []
        found.append((sum(table.get(kind, 0.0) for kind in kinds), " and ".join(kinds)))
    return max(found, key=lambda side: side[0])
