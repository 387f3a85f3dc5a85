"""One unit's fire at another with one small arm: who shoots, who is seen, at what range, how many dice."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from engine.geometry.certainty import Verdict, at_most
from engine.geometry.facing.arcs import Angles, angles, from_centres
from engine.geometry.plane.tolerance import DEG, MM
from engine.records.game import Figure, Game, Unit
from engine.rulesets.base.kept import once
from engine.rulesets.presidio.book import Band, SmallArm, book, range_class, small_arms
from engine.rulesets.presidio.small_arms.bands import band_as_measured, other_band, range_doubts
from engine.rulesets.presidio.table.bodies import Range, bodies_of, range_of
from engine.rulesets.presidio.table.covering import Covering, cover_of, own_cover_of
from engine.rulesets.presidio.table.field import Field, field_of, units_apart
from engine.rulesets.presidio.table.sight import View, view_of
from engine.rulesets.presidio.table.sorts import class_of, formation_of, fronted, holds_front
from engine.rulesets.presidio.units.arms import armed_with, marksman, volleys
from engine.rulesets.presidio.units.formations import equal_ranks, ranks_of, too_open
from engine.rulesets.presidio.vocabulary import MM_PER_IN, conditions_of, figures_of, state_of

__all__ = [
    "MODES",
    "Mode",
    "Shot",
    "band_limits",
    "bearing_of_figure",
    "half_arc_deg",
    "in_contact",
    "may_volley",
    "shot_of",
]

Index = NDArray[np.intp]
Mask = NDArray[np.bool_]

Mode = Literal["volley", "independent", "moving", "aimed", "opportunity"]

MODES: tuple[Mode, ...] = ("volley", "independent", "moving", "aimed", "opportunity")


def band_limits(game: Game, weapon: str) -> tuple[float, ...]:
    """The upper limits in mm of close, medium and long range of a small arm; two where long has none (PR-408)."""
    return tuple(limit * MM_PER_IN for limit in book().ranges[range_class(game, weapon)])


def in_contact(field: Field, unit: Unit) -> Mask:
    """(n,) who of a unit's figures touches an enemy base (PR-510)."""
    mine = field.of_unit[unit.id]
    foes = [number for number, other in enumerate(field.units) if other.side != unit.side]
    touching = field.edges.value_mm[mine][:, foes] <= book().mm("touching_mm") + MM
    return np.asarray(touching.any(axis=1), dtype=bool)


def may_volley(game: Game, unit: Unit) -> tuple[tuple[str, str], ...]:
    """What keeps a unit from firing a volley, each with its row (PR-421); nothing: it may."""
    state, ranks, found = state_of(unit), ranks_of(game, unit), []
    most = book().fire.volley_most
    for holds, text, rule in (
        (not conditions_of(game).options.volley, "no volleys in this game", "PR-421"),
        (not holds_front(unit), f"no volley in {formation_of(unit)}", "PR-421"),
        (
            holds_front(unit) and len(ranks) > 2,
            f"stands {len(ranks)} ranks deep: volleys need two at most",
            "PR-421",
        ),
        (holds_front(unit) and not equal_ranks(ranks), f"unequal ranks: {'+'.join(map(str, ranks))}", "PR-316"),
        (too_open(game, unit), "the ranks of an extended line are more than half an inch apart", "PR-318"),
        (state.moved is not None, "has moved this turn: no volley", "PR-421"),
        (len(figures_of(unit)) > most, f"more than {most} figures cannot volley", "PR-102"),
        (state.fire_mode == "independent", "fires independently: reload completely before a volley", "PR-427"),
    ):
        if holds:
            found.append((text, rule))
    return tuple(found)


def _angles(game: Game, field: Field) -> Angles:
    """(n, n) how far off the bearing of each figure each other is; who bears no way faces as his unit does."""

    def work_out() -> Angles:
        numbers, bodies = field_of(game).numbers, bodies_of(game)
        own = bodies.bearing_rad[[numbers[unit.id] for unit in field.units]]
        known = np.array([figure.bearing_deg is not None for figure in field.figures], dtype=bool)
        eyes = replace(field.bases, bearing_rad=np.where(known, field.bases.bearing_rad, own))
        return angles(from_centres(eyes), field.bases)

    return once(game, f"pr_angles_{field.exact}", work_out)


def half_arc_deg(game: Game, unit: Unit) -> float:
    """How far to either side of their own bearing a unit's figures shoot (PR-403, R-9)."""
    return conditions_of(game).options.small_arms_arc_deg / 2 if fronted(unit) else 180.0


def bearing_of_figure(game: Game, unit: Unit, figure: Figure) -> float:
    """Which way a figure of a unit on the table faces, in degrees: as its unit does where its own is not known."""
    if figure.bearing_deg is not None:
        return figure.bearing_deg
    return float(np.degrees(bodies_of(game).bearing_rad[field_of(game).numbers[unit.id]]))


def shot_of(game: Game, unit: Unit, target: Unit, weapon: str, mode: Mode) -> Shot:
    """A shot; kept beside the game."""
    kept: dict[tuple[str, str, str, str], Shot] = once(game, "pr_shots", dict)
    key = (unit.id, target.id, weapon, mode)
    if key not in kept:
        kept[key] = Shot(game, unit, target, weapon, mode)
    return kept[key]


@dataclass(frozen=True, eq=False)
class Shot:
    """One unit's fire at another with one small arm in one mode; ``at_close``: as at close range, however far."""

    game: Game
    unit: Unit
    target: Unit
    weapon: str
    mode: Mode
    at_close: bool = False

    @cached_property
    def field(self) -> Field:
        """The figures of the game."""
        return field_of(self.game)

    @cached_property
    def arm(self) -> SmallArm:
        """The weapon."""
        return small_arms()[self.weapon]

    @cached_property
    def view(self) -> View:
        """What the unit sees of the target."""
        return view_of(self.game, self.unit, self.target)

    @cached_property
    def way(self) -> Literal["volley", "independent", "moving", "aimed"]:
        """How it is fired: an opportunity shot is a volley where one is allowed (PR-425)."""
        if self.mode != "opportunity":
            return self.mode
        return "independent" if may_volley(self.game, self.unit) else "volley"

    def _figure(self, number: int) -> Figure:
        return self.field.figures[number]

    @cached_property
    def armed(self) -> tuple[Figure, ...]:
        """Those who may shoot with the weapon in this way."""
        every = armed_with(self.unit, self.weapon)
        if self.way == "volley":
            return tuple(figure for figure in every if volleys(figure))
        if self.way == "aimed":
            return tuple(figure for figure in every if marksman(self.unit, figure))
        return every

    @cached_property
    def free(self) -> Mask:
        """(n,) which lookers are armed and not held in contact (PR-514)."""
        names = {figure.id for figure in self.armed}
        armed = np.array([self._figure(one).id in names for one in self.view.lookers.tolist()], dtype=bool)
        return armed & ~in_contact(self.field, self.unit) if state_of(self.unit).engaged_with else armed

    @cached_property
    def into_melee(self) -> Literal["no", "near", "far"]:
        """Whether the target is in a melee, and whether the shot comes from near enough to pick (PR-514)."""
        if not state_of(self.target).engaged_with:
            return "no"
        near = units_apart(self.game, self.unit, self.target)
        return "near" if near is not None and near.distance_mm <= book().mm("into_melee") + MM else "far"

    @cached_property
    def aims_at(self) -> Mask:
        """(m,) which figures of the target may be aimed at: into a melee only those not in contact."""
        if self.into_melee != "near":
            return np.ones(len(self.view.targets), dtype=bool)
        return ~in_contact(self.field, self.target)

    @cached_property
    def half_arc_deg(self) -> float:
        """How far to either side of their own bearing the unit's figures shoot."""
        return half_arc_deg(self.game, self.unit)

    def _in_arc(self, field: Field) -> NDArray[np.int8]:
        """(n, m) verdicts: whose centre is in whose arc."""
        if self.half_arc_deg >= 180.0:
            return np.full((len(self.view.lookers), len(self.view.targets)), Verdict.YES, dtype=np.int8)
        off = _angles(self.game, field)
        pairs = np.ix_(self.view.lookers, self.view.targets)
        return at_most(off.off_deg[pairs], self.half_arc_deg, off.sigma_deg[pairs], DEG)

    @cached_property
    def pairs(self) -> Mask:
        """(n, m) who can shoot at whom: armed, free, with sight, in his arc."""
        arc = self._in_arc(self.field.as_measured) == Verdict.YES
        return np.asarray(self.view.sees & arc & self.free[:, None] & self.aims_at[None, :], dtype=bool)

    @cached_property
    def shooters(self) -> tuple[str, ...]:
        """Who has a target before him (PR-403)."""
        return self.field.names(self.view.lookers[self.pairs.any(axis=1)])

    @cached_property
    def seen(self) -> Index:
        """Who of the target is seen by a shooter, by number."""
        return self.view.targets[self.pairs.any(axis=0)]

    @cached_property
    def range(self) -> Range | None:
        """From where to where the range is measured; None where either unit is off the table."""
        return range_of(self.game, self.unit, self.target)

    @property
    def limits(self) -> tuple[float, ...]:
        """The upper limits of its range bands in mm (PR-408)."""
        return band_limits(self.game, self.weapon)

    @cached_property
    def band(self) -> Band:
        """The band as measured."""
        return "close" if self.range and self.at_close else band_as_measured(self.range, self.limits)

    @cached_property
    def other_band(self) -> Band | None:
        """The band on the other side of a limit that the measurement cannot tell, None where it can."""
        return None if self.at_close else other_band(self.range, self.limits)

    @cached_property
    def cover(self) -> Covering:
        """The target's cover from the unit."""
        return cover_of(self.game, self.unit, self.target, self.seen.tolist() or None)

    @cached_property
    def own_cover(self) -> Covering:
        """The unit's own cover from its target (PR-413)."""
        return own_cover_of(self.game, self.unit, self.target)

    @cached_property
    def independent(self) -> int:
        """How many of the armed fire in an action of independent fire, whoever may see (PR-422, PR-321, PR-429)."""
        number = max(1, int(len(self.armed) / max(self.arm.reload, 1) + 0.5)) if self.armed else 0
        if formation_of(self.unit) == "disorder" and class_of(self.unit) in ("light", "skirmish"):
            number //= 2
        return int(number / 2 + 0.5) if state_of(self.unit).covered_reload else number

    @cached_property
    def count(self) -> int:
        """How many dice one action throws."""
        able = len(self.shooters)
        if self.way == "volley":
            return able
        if self.way == "moving":
            return min(len(self.armed) // 2, self.independent, able)
        return min(self.independent, able)

    def _arc_doubt(self, row: int, doubtful: Mask) -> str:
        """How far off a looker's bearing the figure is that lies nearest to the edge of his arc, in words."""
        looker, limit = int(self.view.lookers[row]), self.half_arc_deg
        seen = _angles(self.game, self.field)
        off = np.where(doubtful, seen.off_deg[looker, self.view.targets], np.inf)
        nearest = int(np.abs(off - limit).argmin())
        target = int(self.view.targets[nearest])
        sigma = float(seen.sigma_deg[looker, target])
        names = f"{self._figure(looker).id} to {self._figure(target).id}"
        return f"arc from {names}: {off[nearest]:.1f} ± {sigma:.1f} degrees against {limit:g} degrees"

    def borderline(self) -> tuple[str, ...]:
        """What the measurement cannot settle, in words."""
        found = range_doubts(self.range, self.limits)
        if self.field.as_measured is not self.field:
            arc = (self._in_arc(self.field) == Verdict.BORDERLINE) & self.view.sees & self.free[:, None]
            found += [self._arc_doubt(one, arc[one]) for one in np.flatnonzero(arc.any(axis=1)).tolist()]
        return tuple(dict.fromkeys((*found, *self.view.doubts, *self.cover.doubts)))
