"""Firing at each enemy unit: whether it is allowed, why not, and what it may bring (MP-115 to MP-168)."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from engine.geometry.grids.flat import faces
from engine.records.answer import FireOption, FireRoll
from engine.records.game import Cell, Unit
from engine.rulesets.musket_pike.board import Board
from engine.rulesets.musket_pike.fire_reasons import Manner, firing_reasons, longest, manner_of, rating, weapon_of
from engine.rulesets.musket_pike.fire_value import Shot, gun_fire, shot_at
from engine.rulesets.musket_pike.sight import CLEAR, shown, sight_over
from engine.rulesets.musket_pike.troops import Troop
from engine.rulesets.musket_pike.weather import visibility
from engine.rulesets.reasons import Reasons

__all__ = ["Firing", "Foe", "Mode", "aspect_of", "fire_options", "foes_of", "off_map", "struck_at"]

Mode = Literal["direct", "indirect"]
Aspect = Literal["front", "flank", "rear"]


class Firing:
    """One unit's fire as it stands: what holds for all its targets is worked out once."""

    def __init__(
        self, board: Board, troop: Troop, *, defending_melee: bool = False, manner: Manner | None = None
    ) -> None:
        self.board, self.troop = board, troop
        self.manner: Manner = manner or manner_of(board, troop, defending_melee=defending_melee)
        self.weapon = weapon_of(board, troop)
        own = firing_reasons(board, troop, self.manner)
        self._own = tuple(zip(own.texts, own.rules, strict=True))
        self._shooters = (troop.id,)
        self._rated = longest(self.weapon)
        self.reach = self._rated if troop.stats.range is None else min(troop.stats.range, self._rated)
        self.all_round = troop.skirmisher or troop.block or troop.type == "ship"
        self._sight, self._visibility = sight_over(board), visibility(board)

    @property
    def modes(self) -> tuple[Mode, ...]:
        """How the unit may fire (MP-126)."""
        return ("direct", "indirect") if self.weapon.indirect else ("direct",)

    def reasons(self, target: Troop, mode: Mode = "direct") -> Reasons:
        """Everything that speaks against a shot at a unit."""
        reasons = Reasons()
        reasons.extend(self._against(target, self.board.apart(self.troop.hex, target.hex), mode))
        return reasons

    def reasons_at(self, cell: Cell, *, hard: bool, what: str, mode: Mode) -> list[tuple[str, str]]:
        """Everything that speaks against a shot at a hard or soft target in a hex, each with its row."""
        return self._against_hex(cell, self.board.apart(self.troop.hex, cell), what, hard=hard, mode=mode)

    def _against(self, target: Troop, hexes: int, mode: Mode) -> list[tuple[str, str]]:
        found = self._against_hex(target.hex, hexes, target.id, hard=target.stats.armor > 0, mode=mode)
        if target.leader:
            found.append(("leaders cannot be fired at", "MP-125"))
        if target.side == self.troop.side:
            found.append((f"{target.id} is on its own side", "MP-125"))
        return found

    def _against_hex(self, cell: Cell, hexes: int, what: str, *, hard: bool, mode: Mode) -> list[tuple[str, str]]:
        found = [*self._own]
        if not self.all_round and not self.board.faces(self.troop, cell):
            found.append((f"{what} is not in its arc", "MP-120"))
        if hexes > self.reach:
            found.append((f"out of range: {hexes} hexes, it reaches {self.reach}", "MP-122"))
        elif rating(self.weapon, hexes, hard=hard) is None:
            found.append((f"its weapon does nothing to {what} at {hexes} hexes", "MP-122"))
        if mode == "direct":
            if not self._sight.line(self.troop.hex, cell).open:
                found.append((f"no line of sight to {what}", "MP-123"))
            if self._visibility is not None and hexes > self._visibility:
                found.append((f"out of sight: {hexes} hexes, one sees {self._visibility}", "MP-123"))
        return found

    def shot(self, target: Troop, hexes: int, mode: Mode = "direct") -> Shot | None:
        """What a shot at a unit may bring; None where the weapon has no rating for that range."""
        if hexes > self._rated:
            return None
        line = self._sight.line(self.troop.hex, target.hex) if mode == "direct" else CLEAR
        return shot_at(self.board, self.troop, target, hexes, self.manner, line)

    def option(self, foe: Foe, mode: Mode) -> FireOption:
        """The shot as an answer lists it."""
        target, hexes = foe.troop, foe.hexes
        against, shot = self._against(target, hexes, mode), self.shot(target, hexes, mode)
        extra: dict[str, Any] = {"range_hexes": hexes, "weapon": self.troop.unit.weapon}
        if shot is not None:
            struck = struck_at(self.board, self.troop, target)
            if len(struck) > 1:
                extra["at_risk"] = [other.id for other in struck if other is not target]
        stands = self.board.stands
        return FireOption(
            target=target.id, legal=not against, why_not=tuple(text for text, _ in against),
            why_rules=tuple(rule for _, rule in against), mode=mode,
            range_mm=hexes * self.board.grid.size_mm, range_sigma_mm=0.0,
            band="in-range" if hexes <= self.reach else "out-of-range",
            shooters=self._shooters, targets_seen=(target.id,), aspect=foe.aspect,
            cover=None, modifiers=() if shot is None else tuple(effect.modifier() for effect in shot.effects),
            roll=None if shot is None else _roll(shot),
            borderline=stands[self.troop.id].doubts + stands[target.id].doubts, extra=extra,
        )  # fmt: skip


def fire_options(board: Board, unit: Unit) -> tuple[FireOption, ...]:
    """An entry for each enemy unit and mode, nearest first; those that are not on the map last (MP-125)."""
    troop = board.troops.get(unit.id)
    if troop is None:
        return tuple(_absent(other, unit.id) for other in board.game.enemies(unit))
    firing = Firing(board, troop)
    there = tuple(firing.option(foe, mode) for foe in foes_of(board, troop) for mode in firing.modes)
    return (*there, *(_absent(other, other.id) for other in off_map(board, troop.side)))


def struck_at(board: Board, troop: Troop, target: Troop) -> tuple[Troop, ...]:
    """The units that a shot at a target strikes: artillery strikes every line of foot in the hex (MP-166)."""
    through = board.options.column_pass_through
    if not gun_fire(troop) or not (target.line or (through and target.column)):
        return (target,)
    enemies = board.enemies_at(target.hex, troop.side)
    return tuple(other for other in enemies if other.line or (through and other.column))


class Foe(NamedTuple):
    """An enemy as a unit has him before it: how far away, and from which side the unit would come at him."""

    hexes: int
    troop: Troop
    aspect: Aspect


def foes_of(board: Board, troop: Troop) -> tuple[Foe, ...]:
    """The enemies whom a unit's side knows of, nearest first, worked out once for each board."""
    known: dict[str, tuple[Foe, ...]] = board.game.__dict__.setdefault("mp_foes", {})
    if troop.id not in known:
        near = sorted((board.apart(troop.hex, one.hex), one.number, one) for one in shown(board, troop.side))
        known[troop.id] = tuple(Foe(hexes, one, aspect_of(board, one, troop)) for hexes, _, one in near)
    return known[troop.id]


def aspect_of(board: Board, troop: Troop, other: Troop) -> Aspect:
    """Where another unit stands, seen from one: before it, behind it or beside it."""
    if troop.facing is None or board.faces(troop, other.hex):
        return "front"
    behind = faces(troop.hex, troop.facing + 3, other.hex, board.arc)
    return "rear" if behind else "flank"


def off_map(board: Board, side: str) -> tuple[Unit, ...]:
    """The enemy units of a side that are not on the map; in the fog of war it does not know of them."""
    if board.conditions.fog_of_war:
        return ()
    return tuple(unit for unit in board.game.units if unit.id not in board.troops and unit.side != side)


def _absent(target: Unit, absentee: str) -> FireOption:
    """A shot that one of the two is not on the map for."""
    return FireOption(
        target=target.id, legal=False, why_not=(f"{absentee} is not on the map",), why_rules=("MP-03",),
        mode="direct", range_mm=None, range_sigma_mm=0.0, band="out-of-range", shooters=(), targets_seen=(),
        aspect=None, cover=None, modifiers=(), roll=None, borderline=(), extra={"range_hexes": None},
    )  # fmt: skip


def _roll(shot: Shot) -> FireRoll:
    extra = {
        "men": shot.men, "rating": shot.rating, "base_value": shot.base, "percent": shot.percent,
        "factor": shot.factor, "fire_value": shot.value, "low": shot.result.low, "high": shot.result.high,
        "armor_factor": shot.armor_factor, "loss_low": shot.loss.low, "loss_high": shot.loss.high,
    }  # fmt: skip
    return FireRoll(count=1, die="d100", success=None, extra=extra)
