"""Firing at each enemy unit: whether it is allowed, why not, and what it may bring (MP-115 to MP-168)."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from engine.geometry.grids.facings import in_arc
from engine.records.answer import FireOption, FireRoll
from engine.records.game import Cell, Unit
from engine.rulesets.base.answers.fire_arcs import cells
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.musket_pike.fire.fire_reasons import (
    Manner,
    firing_reasons,
    longest,
    manner_of,
    rating,
    weapon_of,
)
from engine.rulesets.musket_pike.fire.fire_value import Shot, shot_at
from engine.rulesets.musket_pike.parameters import Weapon
from engine.rulesets.musket_pike.table.board import Board
from engine.rulesets.musket_pike.table.foes import Foe, foes_of, known_enemies, off_map
from engine.rulesets.musket_pike.table.sight import CLEAR, sight_over
from engine.rulesets.musket_pike.table.troops import Troop, gun_fire
from engine.rulesets.musket_pike.table.weather import visibility

__all__ = ["Firing", "Mode", "fire_arc", "fire_options", "struck_at"]

Mode = Literal["direct", "indirect"]


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
        self._shooters, self._size_mm = (troop.id,), board.grid.size_mm
        self._stands = board.stands
        self._doubts = self._stands[troop.id].doubts
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
        ahead, hexes = self.board.faces(self.troop, target.hex), self.board.apart(self.troop.hex, target.hex)
        reasons.extend(self._against(target, hexes, mode, ahead=ahead))
        return reasons

    def reasons_at(self, cell: Cell, *, hard: bool, what: str, mode: Mode) -> list[tuple[str, str]]:
        """Everything that speaks against a shot at a hard or soft target in a hex, each with its row."""
        ahead, hexes = self.board.faces(self.troop, cell), self.board.apart(self.troop.hex, cell)
        return self._against_hex(cell, hexes, what, hard=hard, mode=mode, ahead=ahead)

    def _against(self, target: Troop, hexes: int, mode: Mode, *, ahead: bool) -> list[tuple[str, str]]:
        hard = target.stats.armor > 0
        found = self._against_hex(target.hex, hexes, target.id, hard=hard, mode=mode, ahead=ahead)
        if target.type == "leader":
            found.append(("leaders cannot be fired at", "MP-125"))
        if target.side == self.troop.side:
            found.append((f"{target.id} is on its own side", "MP-125"))
        return found

    def _against_hex(
        self, cell: Cell, hexes: int, what: str, *, hard: bool, mode: Mode, ahead: bool
    ) -> list[tuple[str, str]]:  # fmt: skip
        found = [*self._own]
        if not ahead and not self.all_round:
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
        hexes, target, ahead, aspect = foe
        against = self._against(target, hexes, mode, ahead=ahead)
        shot = None if hexes > self._rated else self.shot(target, hexes, mode)
        extra: dict[str, Any] = {"range_hexes": hexes, "weapon": self.troop.unit.weapon}
        if shot is not None:
            struck = struck_at(self.board, self.troop, target)
            if len(struck) > 1:
                extra["at_risk"] = [other.id for other in struck if other is not target]
        texts, rules = zip(*against, strict=True) if against else ((), ())
        unsure = self._sight.doubts(self.troop, target) if mode == "direct" else ()
        return FireOption(
            target=target.id, legal=not against, why_not=texts, why_rules=rules, mode=mode,
            range_mm=hexes * self._size_mm, range_sigma_mm=0.0,
            band="in-range" if hexes <= self.reach else "out-of-range",
            shooters=self._shooters, targets_seen=(target.id,), aspect=aspect,
            cover=None, modifiers=() if shot is None else tuple(effect.modifier() for effect in shot.effects),
            roll=None if shot is None else _roll(shot),
            borderline=self._doubts + self._stands[target.id].doubts + unsure, extra=extra,
        )  # fmt: skip


def fire_options(board: Board, unit: Unit) -> tuple[FireOption, ...]:
    """An entry for each enemy unit and mode, nearest first; those that are not on the map last (MP-125)."""
    troop = board.troops.get(unit.id)
    if troop is None:
        return tuple(_absent(board, other, unit.id) for other in known_enemies(board, unit.side))
    firing = Firing(board, troop)
    there = [firing.option(foe, mode) for foe in foes_of(board, troop) for mode in firing.modes]
    return (*there, *(_absent(board, other, other.id) for other in off_map(board, troop.side)))


def fire_arc(board: Board, troop: Troop) -> dict[str, Any] | None:
    """The hexes that a unit's fire may go to, in its arc and range, for the page to draw; None: nowhere."""
    firing = Firing(board, troop)
    if troop.leader or troop.wagon or not firing.reach:
        return None
    (column, row), most = troop.hex, firing.reach
    across, along = np.meshgrid(np.arange(-most, most + 1) + column, np.arange(-most, most + 1) + row)
    hexes = np.stack([across, along], axis=-1).reshape(-1, 2)
    hexes = hexes[board.grid.contains(hexes)]
    away = board.grid.distances(troop.hex, hexes)
    rated = [0, *(_rated(firing.weapon, number) for number in range(1, most + 1))]
    wanted = (away <= most) & np.array(rated, dtype=bool)[np.minimum(away, most)]
    if not firing.all_round and troop.facing is not None:
        wanted &= in_arc(board.grid, troop.hex, troop.facing, hexes, board.arc) > 0
    return cells([("in-range", hexes[wanted].tolist())])


def _rated(weapon: Weapon, hexes: int) -> bool:
    """Whether a weapon does anything at a range, to hard or soft targets (MP-122)."""
    return any(rating(weapon, hexes, hard=hard) is not None for hard in (False, True))


def struck_at(board: Board, troop: Troop, target: Troop) -> tuple[Troop, ...]:
    """The units that a shot at a target strikes: artillery strikes every line of foot in the hex (MP-166)."""
    through = board.options.column_pass_through
    if not gun_fire(troop) or not (target.line or (through and target.column)):
        return (target,)
    enemies = board.enemies_at(target.hex, troop.side)
    return tuple(other for other in enemies if other.line or (through and other.column))


def _absent(board: Board, target: Unit, absentee: str) -> FireOption:
    """A shot that one of the two is not on the map for."""
    return FireOption(
        target=target.id, legal=False, why_not=(f"{absentee} is not on the map",), why_rules=("MP-03",),
        mode="direct", range_mm=None, range_sigma_mm=0.0, band="out-of-range", shooters=(), targets_seen=(),
        aspect=None, cover=None, modifiers=(), roll=None, borderline=board.beside.get(absentee, ()),
        extra={"range_hexes": None},
    )  # fmt: skip


def _roll(shot: Shot) -> FireRoll:
    extra = {
        "men": shot.men, "rating": shot.rating, "base_value": shot.base, "percent": shot.percent,
        "factor": shot.factor, "fire_value": shot.value, "low": shot.result.low, "high": shot.result.high,
        "armor_factor": shot.armor_factor, "loss_low": shot.loss.low, "loss_high": shot.loss.high,
        "loss_mean": shot.loss.mean,
    }  # fmt: skip
    return FireRoll(count=1, die="d100", success=None, extra=extra)
