"""One piece's fire at a unit in one mode: what it sees, past whom, how far, what it needs (PR-901 to PR-913)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.geometry.certainty import SIGMAS
from engine.geometry.moving.moves import bearing_to, turn_between
from engine.geometry.plane.tolerance import DEG, MM, at_least, at_most
from engine.geometry.shapes.bases import to_segments
from engine.records.answer import Modifier
from engine.records.game import Figure, Game, Unit
from engine.rulesets.base.kept import once
from engine.rulesets.presidio.book import Artillery, Band, Load, Mode, artillery, book
from engine.rulesets.presidio.fight_book import fight_book
from engine.rulesets.presidio.small_arms.bands import band_as_measured, other_band, range_doubts
from engine.rulesets.presidio.small_arms.shot_numbers import (
    cover_modifiers,
    effect,
    range_modifier,
    target_modifiers,
)
from engine.rulesets.presidio.table.bodies import Range, gun_of, range_of
from engine.rulesets.presidio.table.covering import Covering, cover_of, own_cover_of
from engine.rulesets.presidio.table.field import Field, field_of, nearest, on_table, units_apart
from engine.rulesets.presidio.table.sight import View, look
from engine.rulesets.presidio.table.sorts import is_character, leads
from engine.rulesets.presidio.units.guns import crew_at
from engine.rulesets.presidio.vocabulary import MM_PER_IN, conditions_of, figures_of, state_of, stats_of

__all__ = ["GunShot"]

Index = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class GunShot:
    """A piece's fire at a unit in one mode.

    ``at``: another point of aim than the target's centre facing; ``at_close``: as at close range, however far.
    """

    game: Game
    unit: Unit
    target: Unit
    mode: Mode
    at: tuple[float, float] | None = None
    at_close: bool = False

    @cached_property
    def field(self) -> Field:
        """The figures of the game."""
        return field_of(self.game)

    @cached_property
    def piece(self) -> Artillery:
        """The piece."""
        return artillery()[self.unit.weapon]

    @cached_property
    def load(self) -> Load:
        """What it has loaded."""
        return self.piece.ammunition[state_of(self.unit).ammo]

    @property
    def canister(self) -> bool:
        """Whether it is loaded with canister."""
        return "canister" in state_of(self.unit).ammo

    @cached_property
    def gun(self) -> Figure | None:
        """The gun's figure."""
        return gun_of(self.unit)

    @cached_property
    def gun_number(self) -> Index:
        """(1) the gun's number in the field; none where it has no gun."""
        numbers = self.field.of_unit[self.unit.id].tolist()
        return np.array(
            [one for one in numbers if self.gun is not None and self.field.figures[one].id == self.gun.id],
            dtype=np.intp,
        )

    @cached_property
    def range(self) -> Range | None:
        """From where to where the range is measured; None where either is off the table (PR-003)."""
        return None if self.gun is None else range_of(self.game, self.unit, self.target)

    @cached_property
    def aim(self) -> tuple[float, float] | None:
        """The point that it is aimed at."""
        return self.at if self.at is not None else None if self.range is None else self.range.end

    @cached_property
    def bearing_deg(self) -> float:
        """The bearing of fire: from the gun's centre to the point of aim (PR-904)."""
        if self.gun is None or self.aim is None:
            return 0.0
        return bearing_to((self.gun.x_mm, self.gun.y_mm), self.aim)

    @cached_property
    def off_deg(self) -> float:
        """How far that is off the barrel; nothing where the barrel's bearing is not known."""
        if self.gun is None or self.gun.bearing_deg is None:
            return 0.0
        return turn_between(self.gun.bearing_deg, self.bearing_deg)

    @cached_property
    def turning(self) -> int:
        """The actions that pointing the piece costs: of wheeled ones none within 45 degrees (PR-904)."""
        beyond = self.off_deg > fight_book().gun.arc_deg + DEG
        if self.piece.bore == "mortar":
            return 0 if self.off_deg <= DEG else 2 if beyond else 1
        return 1 if beyond else 0

    @property
    def cost(self) -> int:
        """The actions of the whole shot."""
        return 1 + self.turning

    @cached_property
    def overshot(self) -> frozenset[str]:
        """The friends that the piece may shoot over, by id (PR-901)."""
        if self.canister:
            return frozenset()
        return frozenset(
            friend.id
            for friend in self.game.units
            if friend.side == self.unit.side and friend.id != self.unit.id and self._over(friend)
        )

    def _over(self, friend: Unit) -> bool:
        if self.piece.bore == "mortar":
            return True
        near = units_apart(self.game, friend, self.target)
        clear = near is None or at_least(near.distance_mm, book().mm("over_friends"))
        return clear and (self.piece.bore == "smoothbore" or self._higher(friend))

    def _higher(self, friend: Unit) -> bool:
        """Whether the gun or the target stands on higher ground than a friend (PR-901)."""
        heights = self.field.ground_mm
        theirs = self.field.of_unit[friend.id]
        if not len(theirs):
            return True
        ends = np.concatenate([self.gun_number, self.field.of_unit[self.target.id]])
        return bool(heights[ends].max(initial=0.0) >= heights[theirs].max() + book().mm("level_mm") - MM)

    @cached_property
    def barred(self) -> tuple[str, ...]:
        """The friends whom it sees over but may not shoot over, by id, if they stand on all its lines (PR-901)."""
        if self.canister or not self.sees:
            return ()
        ends = self.field.bases.centre[self.view.targets[self.view.sees.any(axis=0)]]
        starts = np.repeat(self.field.bases.centre[self.gun_number], len(ends), axis=0)
        blocked, found = np.zeros(len(ends), dtype=bool), []
        for friend in self.game.units:
            own = friend.side == self.unit.side and friend.id != self.unit.id and not state_of(friend).hidden
            which = self.field.of_unit[friend.id] if own and friend.id not in self.overshot else ()
            if len(which):
                on_line = (to_segments(self.field.bases.pick(which), starts, ends) <= 0).any(axis=0)
                blocked |= on_line
                found += [friend.id] if on_line.any() else []
        return tuple(found) if blocked.all() else ()

    @cached_property
    def view(self) -> View:
        """What the gun sees of the target; the same in all modes."""
        key = f"pr_gun_view {self.unit.id} {self.target.id}"
        return once(self.game, key, lambda: look(self.game, self.gun_number, self.unit, self.target, self.overshot))

    @cached_property
    def sees(self) -> bool:
        """Whether it sees any of it (PR-903)."""
        return bool(self.view.sees.any())

    @cached_property
    def observers(self) -> tuple[Figure, ...]:
        """The leaders who can direct its fire: within 12 in, or with flags in sight, and seeing the target."""
        return tuple(self._observers())

    def _observers(self) -> Iterator[Figure]:
        limit = fight_book().gun.observer * MM_PER_IN
        for number, (figure, owner) in enumerate(zip(self.field.figures, self.field.units, strict=True)):
            if owner.side != self.unit.side or not (leads(figure) or figure.role == "hero" or is_character(owner)):
                continue
            one = np.array([number], dtype=np.intp)
            near = nearest(self.field, one, self.gun_number)
            close = near is not None and at_most(near.distance_mm, limit)
            if not close and not (state_of(self.unit).signal_flags and self._signals(number, owner)):
                continue
            if look(self.game, one, owner, self.target).sees.any():
                yield figure

    def _signals(self, number: int, owner: Unit) -> bool:
        """Whether the gun sees an observer's flags."""
        if owner.id == self.unit.id:
            return True
        seen = look(self.game, self.gun_number, self.unit, owner)
        return bool(seen.sees[:, seen.targets == number].any())

    @cached_property
    def seen(self) -> tuple[str, ...]:
        """The figures of the target that gun or observers see."""
        found = self.view.sees.any(axis=0)
        return self.field.names(self.view.targets[found])

    @cached_property
    def limits(self) -> tuple[float, ...]:
        """The upper limits of its range bands in mm (PR-408)."""
        return tuple(limit * MM_PER_IN for limit in book().ranges[self.load.range])

    @cached_property
    def band(self) -> Band:
        """The range band as measured; limits are strict (PR-009)."""
        return "close" if self.range and self.at_close else band_as_measured(self.range, self.limits)

    @cached_property
    def other_band(self) -> Band | None:
        """The band on the other side of a limit that the measurement cannot tell; None where it can."""
        return None if self.at_close else other_band(self.range, self.limits)

    @cached_property
    def cover(self) -> Covering:
        """The target's cover from the gun; the same in all modes."""
        seen = self.view.targets[self.view.sees.any(axis=0)].tolist()
        key = f"pr_gun_cover {self.unit.id} {self.target.id}"
        return once(self.game, key, lambda: cover_of(self.game, self.unit, self.target, seen or None))

    @property
    def in_vain(self) -> bool:
        """Whether the target is in complete cover from aimed fire; bombs fall into that all the same (PR-414)."""
        aimed = self.mode in ("direct", "indirect") and self.piece.bore != "mortar"
        return aimed and self.cover.above == "complete"

    @cached_property
    def own_cover(self) -> Covering:
        """The gun's own cover from its target (PR-413)."""
        return own_cover_of(self.game, self.unit, self.target)

    @cached_property
    def corrections(self) -> int:
        """How many shots were missed in a row at the same target, while neither moved (PR-913)."""
        now = state_of(self.unit)
        still = now.moved is None and state_of(self.target).moved is None
        return now.misses if now.last_target == self.target.id and still and self.mode != "blind" else 0

    @cached_property
    def base(self) -> int:
        """The number before everything that alters it (PR-905, R-18)."""
        numbers = fight_book().gun
        if self.mode == "direct":
            return numbers.direct_rifled if self.piece.bore == "rifled" else numbers.direct_smoothbore
        if self.mode == "indirect":
            return conditions_of(self.game).options.indirect_number
        return numbers.directed if self.mode == "directed" else numbers.blind

    def modifiers(self, band: Band | None = None) -> tuple[Modifier, ...]:
        """Everything that alters the number; ``band``: another than the measured one (PR-905, PR-906, PR-913)."""
        found: list[Modifier] = []
        if self.mode in ("direct", "indirect"):
            found.append(range_modifier(self.game, band or self.band))
            ranged = stats_of(self.unit).ranged
            if ranged and not self.canister:
                found.append(effect(f"ranged skill {ranged}", -ranged, "PR-905"))
            found += [*cover_modifiers(self.game, self.cover), *target_modifiers(self.game, self.target)]
            back = conditions_of(self.game).options.firing_from_cover
            if back and self.own_cover.above in ("partial", "heavy", "full"):
                found.append(effect("fires from cover", back, "PR-413"))
        if self.corrections > 1 and not self.canister:
            found.append(effect("fire correction", 1 - self.corrections, "PR-913"))
        return tuple(found)

    def number(self, band: Band | None = None) -> int | None:
        """What the die must show; None where it cannot (PR-426)."""
        number = self.base + sum(int(one.extra["value"]) for one in self.modifiers(band))
        if number > book().fire.die:
            return book().fire.die if conditions_of(self.game).options.natural_12_hits else None
        return max(number, 2)

    @cached_property
    def scatter_factor(self) -> int:
        """How many inches a miss lies off for each point; none where it is not followed (PR-910, PR-913, R-19)."""
        if self.mode == "direct" and (
            self.piece.bore == "rifled" or not conditions_of(self.game).options.direct_scatter
        ):
            return 0
        factor = fight_book().gun.scatter[self.mode]
        return 1 if factor == 2 and self.corrections else factor

    def doubts(self) -> tuple[str, ...]:
        """What the measurement cannot settle, in words."""
        found = range_doubts(self.range, self.limits)
        reach, limit = self.range, fight_book().gun.arc_deg
        if reach is not None and reach.sigma_mm > 0:
            turn = np.degrees(reach.sigma_mm / max(reach.length_mm, MM))
            if abs(self.off_deg - limit) <= SIGMAS * turn:
                found.append(f"{self.off_deg:.1f} ± {turn:.1f} degrees off the barrel against {limit:g}")
        return tuple(dict.fromkeys((*found, *self.view.doubts, *self.cover.doubts)))

    @property
    def manned(self) -> bool:
        """Whether anybody is there to fire it."""
        return on_table(self.unit) and crew_at(self.game, self.unit) > 0 and bool(figures_of(self.unit))
