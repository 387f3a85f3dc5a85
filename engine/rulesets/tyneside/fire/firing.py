"""Who may fire at whom, with which weapon, at what range, and what to roll (TY-30 to TY-47)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.geometry.certainty import SIGMAS
from engine.geometry.plane.tolerance import MM
from engine.records.answer import FireOption, FireRoll, Modifier
from engine.records.game import Figure, Game, Unit
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.tyneside.book import BANDS, Band, book
from engine.rulesets.tyneside.fire.fire_reasons import nearest_doubt, own_reasons, shots, target_reasons
from engine.rulesets.tyneside.table.facts import belonging_doubt, lone_leaders
from engine.rulesets.tyneside.table.field import Field, field_of, measured, told_apart
from engine.rulesets.tyneside.table.sight import view_of
from engine.rulesets.tyneside.table.views import COVERS, View
from engine.rulesets.tyneside.vocabulary import (
    MM_PER_CM,
    Weapon,
    carries,
    class_of,
    figures_of,
    state_of,
    stats_of,
    weapons,
)

__all__ = ["farther", "fire_option", "fire_options", "weapons_of"]

Array = NDArray[np.float64]
Index = NDArray[np.intp]
Mask = NDArray[np.bool_]


def weapons_of(unit: Unit) -> tuple[str, ...]:
    """The weapons that a unit has entries for: its own, its figures', its second one (TY-47); else ``none``."""
    second = stats_of(unit).second_weapon
    more = second if second is not None and weapons()[second].shoots else None
    first = None if unit.figures and all(figure.weapon for figure in unit.figures) else unit.weapon
    names = (first, *(figure.weapon for figure in unit.figures), more)
    return tuple(dict.fromkeys(name for name in names if name is not None and name != "none")) or ("none",)


def farther(unit: Unit, weapon: str) -> bool:
    """Whether a unit shoots as one band farther: uncommanded troops that moved; not thrown spears (TY-35)."""
    state = state_of(unit)
    return not state.commanded and state.moved != "none" and weapon != "spear"


def fire_options(game: Game, unit: Unit) -> tuple[FireOption, ...]:
    """An entry for each enemy unit and weapon, nearest enemy first."""
    options = [
        fire_option(game, unit, enemy, weapon=weapon) for enemy in game.enemies(unit) for weapon in weapons_of(unit)
    ]
    return tuple(sorted(options, key=lambda option: np.inf if option.range_mm is None else option.range_mm))


def fire_option(
    game: Game, unit: Unit, target: Unit, weapon: str | None = None, figure: str | None = None
) -> FireOption:
    """Firing at one enemy unit with one of the weapons (the unit's own); a player character at one ``figure``."""
    name = weapon or weapons_of(unit)[0]
    shot = _Shot(game, unit, target, name, figure)
    reasons = Reasons()
    reasons.extend(own_reasons(game, unit, name))
    reasons.extend(target_reasons(game, unit, target, figure))
    reasons.extend(shot.reasons())
    known = shot.near is not None
    return FireOption(
        target=target.id, legal=not reasons, why_not=reasons.texts, why_rules=reasons.rules, mode="shoot",
        range_mm=shot.range_mm if known else None, range_sigma_mm=shot.sigma_mm, band=shot.band,
        shooters=shot.field.names(shot.view.lookers[shot.shoots]), targets_seen=shot.targets_seen,
        aspect=None, cover=COVERS[shot.cover] if shot.targets_seen else None,
        modifiers=tuple(shot.modifiers()), roll=shot.roll(), borderline=tuple(dict.fromkeys(shot.borderline())),
        extra={"weapon": name},
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Shot:
    """One unit's fire at another with one weapon."""

    game: Game
    unit: Unit
    target: Unit
    name: str
    figure: str | None

    @cached_property
    def field(self) -> Field:
        """The figures of the game."""
        return field_of(self.game)

    @cached_property
    def weapon(self) -> Weapon:
        """The weapon; one that does not shoot where there is none."""
        return weapons().get(self.name, _BARE)

    @cached_property
    def view(self) -> View:
        """What the unit sees of the target."""
        return view_of(self.game, self.unit, self.target)

    @cached_property
    def sees(self) -> Mask:
        """(n, m) who with this weapon sees whom that may be aimed at."""
        armed = np.array(
            [carries(self.unit, self.field.figures[one], self.name) for one in self.view.lookers.tolist()],
            dtype=bool,
        )
        sees = self.view.sees & armed[:, None]
        names, lone = self.field.names(self.view.targets), lone_leaders(self.game)
        if self.figure is not None:
            sees = sees & np.array([name == self.figure for name in names], dtype=bool)
        else:  # a leader by himself is shot at where nobody else of them is seen
            group = sees & np.array([name not in lone for name in names], dtype=bool)
            sees = group if group.any() else sees
        return np.asarray(sees, dtype=bool)

    @cached_property
    def to_seen(self) -> Array:
        """(n,) how far each is from the nearest figure that he sees; inf where he sees none."""
        nearest: Array = np.where(self.sees, self.view.apart(), np.inf).min(axis=1, initial=np.inf)
        return nearest

    @cached_property
    def shoots(self) -> Mask:
        """(n,) who shoots: within long range, the wounded within short (TY-47)."""
        status = [self.field.figures[one].status for one in self.view.lookers.tolist()]
        most = [self.weapon.short if one == "wounded" else self.weapon.long for one in status]
        return np.asarray(self.to_seen <= np.array(most) * MM_PER_CM + MM, dtype=bool)

    @cached_property
    def near(self) -> tuple[int, int] | None:
        """Row and column of the two figures between whom the range is measured (TY-02): a shooter and one he sees;
        where nobody shoots, the nearest who see each other; else the nearest."""
        apart = np.round(self.view.apart(), 6)
        if not apart.size:
            return None
        for may in (self.sees & self.shoots[:, None], self.sees, np.ones_like(self.sees)):
            if may.any():
                row, column = np.unravel_index(int(np.where(may, apart, np.inf).argmin()), apart.shape)
                return int(row), int(column)
        return None

    @cached_property
    def range_mm(self) -> float:
        """The range; 0 where there are no figures."""
        return 0.0 if self.near is None else float(self.view.apart()[self.near])

    @cached_property
    def sigma_mm(self) -> float:
        """The sigma of the range."""
        if self.near is None:
            return 0.0
        one, other = self.view.lookers[self.near[0]], self.view.targets[self.near[1]]
        return float(self.field.apart.sigma_mm[one, other])

    @cached_property
    def farther(self) -> bool:
        """Whether the unit shoots as one band farther."""
        return farther(self.unit, self.name)

    @cached_property
    def band(self) -> Band:
        """The band that counts."""
        if self.near is None or not self.weapon.shoots:
            return "out"
        limits = (self.weapon.short, self.weapon.medium, self.weapon.long)
        number = sum(self.range_mm > limit * MM_PER_CM + MM for limit in limits)
        return BANDS[min(number + self.farther, 3)]

    @cached_property
    def targets_seen(self) -> tuple[str, ...]:
        """Those whose whole base a shooter sees; where nobody shoots, whose base anybody sees (TY-38)."""
        sees = self.sees[self.shoots] if self.shoots.any() else self.sees
        return self.field.names(self.view.targets[sees.any(axis=0)])

    @cached_property
    def _cover_lines(self) -> list[int]:
        """For each figure seen the line on which its cover counts: from the nearest shooter who sees it."""
        sees = self.sees & self.shoots[:, None] if self.shoots.any() else self.sees
        apart = np.where(sees, np.round(self.view.apart(), 6), np.inf)
        columns = np.flatnonzero(sees.any(axis=0)).tolist()
        return [int(apart[:, column].argmin()) * sees.shape[1] + column for column in columns]

    @cached_property
    def cover(self) -> int:
        """The rank of the best cover that at least half of those seen have (TY-42)."""
        ranks = sorted((int(self.view.cover.ravel()[line]) for line in self._cover_lines), reverse=True)
        return ranks[(len(ranks) + 1) // 2 - 1] if ranks else 0

    @cached_property
    def firing(self) -> list[Figure]:
        """The figures that throw a die, in list order (TY-32, TY-33)."""
        who = [self.field.figures[one] for one in self.view.lookers[self.shoots].tolist()]
        return who[: shots(self.game, self.unit, len(who))]

    def reasons(self) -> Iterator[tuple[str, str]]:
        """What sight and range say against it."""
        if self.near is None or not self.weapon.shoots:
            return
        if not self.sees.any():
            if not any(carries(self.unit, one, self.name) for one in figures_of(self.unit)):
                yield f"nobody of {self.unit.id} has a {self.name}", "TY-47"
            elif self.figure is not None and self.view.sees.any():
                yield f"{self.figure} is not in clear sight", "TY-37"
            else:
                yield from self.view.why_not()
            return
        if self.band == "out":
            reach = self.weapon.medium if self.farther else self.weapon.long
            moved = ", which counts one band farther after moving" if self.farther else ""
            far = told_apart(self.range_mm, reach * MM_PER_CM)[0]
            text = f"out of range: {far}{moved}, a {self.name} reaches {reach:g} cm"
            yield text, "TY-35" if self.farther and self.shoots.any() else "TY-30"
        elif not self.shoots.any():
            yield f"only wounded figures see it, and they shoot up to {self.weapon.short:g} cm", "TY-47"

    def modifiers(self) -> Iterator[Modifier]:
        """What changes the die, by the classes of those who throw one (TY-31)."""
        classes = Counter(class_of(self.unit, figure) for figure in self.firing)
        for name, count in classes.items():
            value = book().class_die[name]
            if value:
                many = "" if len(classes) == 1 else f" ({count} of {len(self.firing)} dice)"
                yield Modifier(name=f"{name}{many}", effect=f"{value:+d}", rule="TY-31", extra={"value": value})
        yield from self._fewer_and_farther()

    def _fewer_and_farther(self) -> Iterator[Modifier]:
        """What leaves the die as it is, but the number of dice or the band not (TY-33, TY-35)."""
        able, throwing, none = int(self.shoots.sum()), len(self.firing), {"value": 0}
        if throwing < able:
            yield Modifier(name=f"{able} who can shoot", effect=f"{throwing}d8", rule="TY-33", extra=none)
        if self.farther and self.band != "out":
            yield Modifier(name="moved, uncommanded", effect=f"as at {self.band} range", rule="TY-35", extra=none)

    def roll(self) -> FireRoll | None:
        """The dice; None where nobody shoots."""
        if self.band == "out" or not self.firing:
            return None
        adds = [book().class_die[class_of(self.unit, figure)] for figure in self.firing]
        need = book().to_hit[self.band][COVERS[self.cover]]
        extra: dict[str, Any] = {"add": Counter(adds).most_common(1)[0][0]}
        if len(set(adds)) > 1:
            extra["adds"] = adds
        return FireRoll(count=len(adds), die="d8", success=f">={need}", extra=extra)

    def borderline(self) -> Iterator[str]:
        """What the measurement cannot settle, in words with the figures."""
        if self.near is None:
            return
        limits = (self.weapon.short, self.weapon.medium, self.weapon.long)
        for band, limit in zip(BANDS, limits, strict=False):
            limit_mm = limit * MM_PER_CM
            if limit and self.sigma_mm > 0 and abs(self.range_mm - limit_mm) <= SIGMAS * self.sigma_mm:
                yield f"range {measured(self.range_mm, self.sigma_mm, limit_mm)} ({band})"
        yield from self.view.in_doubt()
        lines = set(self._cover_lines)
        yield from (text for line, text in self.view.cover_doubts if line in lines)
        yield from belonging_doubt(self.game, self.target)
        yield from nearest_doubt(self.game, self.unit, self.target)


_BARE = Weapon(melee=0, family="other")
