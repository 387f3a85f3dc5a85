"""What a unit's reaction test hangs on with each set of figures that may be left to it, read all at once (MM-59).

A `Nerve` is a plain value: units with equal nerves test alike. The geometry is that of the procedures: cover and
friends in contact are measured figure by figure once, whoever of them is left.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from engine.geometry.moving.moves import end_figures
from engine.geometry.plane.directions import Vector
from engine.geometry.plane.tolerance import at_most
from engine.geometry.shapes.bases import gaps
from engine.records.game import Figure, Game, Unit
from engine.rulesets.base.data.tables import of_tables
from engine.rulesets.base.kept import once
from engine.rulesets.muskets_mohawks.procedures.leaders import die_against, is_led, with_officer
from engine.rulesets.muskets_mohawks.procedures.nerve.reaction import NO_FLANK_FRIENDS, dice_for
from engine.rulesets.muskets_mohawks.procedures.nerve.reaction_tables import judge, needs_leader_die, worst
from engine.rulesets.muskets_mohawks.procedures.nerve.retreat import drowns
from engine.rulesets.muskets_mohawks.seeing import cover
from engine.rulesets.muskets_mohawks.table.bodies import body_of
from engine.rulesets.muskets_mohawks.table.facts import half_strength
from engine.rulesets.muskets_mohawks.table.land import bounds_of
from engine.rulesets.muskets_mohawks.table.sheet import CONTACT_MM, sheet_of
from engine.rulesets.muskets_mohawks.table.troops import troop
from engine.rulesets.muskets_mohawks.vocabulary import figures_of, state_of, stats_of
from engine.spreads import chance_of, merged, passes

__all__ = ["Nerve", "Stand", "around", "box_of", "lies_near", "meet", "nerves", "results"]

#: Left, bottom, right, top, in millimetres of the table.
Box = tuple[float, float, float, float]

#: Friends farther than this from all of a unit are not measured: no two bases are so large.
_NEAR_MM = 400.0


class Stand(Struct, frozen=True, kw_only=True):
    """Figures left to a unit, where they stand, and where the cause of their test is (None: nowhere)."""

    figures: tuple[Figure, ...]
    cause_xy: Vector | None


class Nerve(Struct, frozen=True, kw_only=True):
    """What a reaction test hangs on; ``leader_rep`` is None where there is no Leader die.

    ``drowns``: a retreat leads off a ford into the river, and counts as running away (MM-192).
    """

    table: str
    dice: int
    rep: int
    leader_rep: int | None
    conditions: frozenset[str]
    drowns: bool = False


def nerves(
    game: Game, unit: Unit, stands: Sequence[Stand], *, fired_at: bool, without: frozenset[str] = frozenset(),
    charges: Callable[[Unit], bool] = lambda left: False,
) -> list[Nerve | None]:  # fmt: skip
    """The nerve of a unit in each of its stands; None for troops that take no tests, and for nobody.

    ``without``: friends that are left out of account. ``charges`` says of what is left of a unit of horse whether
    it has the cause in charge reach.
    """
    table = troop(unit, game).reaction
    if table is None:
        return [None for _ in stands]
    # who is tested after fire is formed or not by how many of those who are left stand in water (MM-191)
    in_doubt = fired_at and unit.formation != "unformed" and bool(sheet_of(game).of_kind("creek", "ford"))
    covered, touch = _covered(game, unit, stands, fired_at=fired_at), _Touch(game, unit, stands, without)
    known: dict[Hashable, Nerve] = {}
    found: list[Nerve | None] = []
    for stand, hidden in zip(stands, covered, strict=True):
        if not stand.figures:
            found.append(None)
            continue
        if in_doubt:
            table = troop(replace(unit, figures=stand.figures), game).reaction or table
        flanks, attached = touch.flanks(stand.figures), touch.leader(stand.figures)
        chiefs = frozenset(figure.role for figure in stand.figures) & {"leader", "officer"}
        reach = table == "cavalry" and charges(replace(unit, figures=stand.figures))
        left = replace(unit, figures=stand.figures)
        drowned = drowns(game, left, stand.cause_xy)
        key = (table, len(stand.figures), chiefs, hidden, flanks, attached and attached.id, reach, drowned)
        if key not in known:
            nerve = _nerve(left, table, covered=hidden, flanks=flanks, attached=attached, reach=reach)
            known[key] = replace(nerve, drowns=drowned)
        found.append(known[key])
    return found


def _nerve(left: Unit, table: str, *, covered: bool, flanks: bool, attached: Unit | None, reach: bool) -> Nerve:
    words = {
        "mounted-infantry": left.type == "mounted-infantry",
        "leader-lost": not is_led(left, attached),
        "in-cover": covered,
        "charge-in-reach": reach,
    }
    officer = with_officer(left) or attached is not None
    return Nerve(
        table=table,
        dice=dice_for(covered=covered or flanks, half=half_strength(left), officer=officer),
        rep=stats_of(left).rep,
        leader_rep=die_against(left, attached),
        conditions=frozenset(word for word, holds in words.items() if holds),
    )


def _covered(game: Game, unit: Unit, stands: Sequence[Stand], *, fired_at: bool) -> list[bool]:
    """Whether most figures of each stand are in cover (R-08)."""
    wanted: dict[Vector | None, dict[int, Figure]] = {}
    for stand in stands:
        wanted.setdefault(stand.cause_xy, {}).update((id(figure), figure) for figure in stand.figures)
    hidden: dict[Vector | None, set[int]] = {}
    for nowhere in (False, True):  # which cover counts hangs on whether a test's cause has a place
        some = {cause: figures for cause, figures in wanted.items() if (cause is None) == nowhere}
        hidden |= _hidden(game, unit, some, fired_at=fired_at)
    return [
        2 * sum(id(figure) in hidden[stand.cause_xy] for figure in stand.figures) > len(stand.figures)
        for stand in stands
    ]


def _hidden(
    game: Game, unit: Unit, wanted: Mapping[Vector | None, Mapping[int, Figure]], *, fired_at: bool
) -> dict[Vector | None, set[int]]:
    """By each cause of a test, which of the figures wanted (by identity) are in cover: all measured together.

    Either no cause has a place, or all have.
    """
    everyone = {name: figure for some in wanted.values() for name, figure in some.items()}
    found: dict[Vector | None, set[int]] = {cause: set() for cause in wanted}
    if not everyone:
        return found
    figures = tuple(everyone.values())
    row = {name: number for number, name in enumerate(everyone)}
    pairs = [(cause, name) for cause, some in wanted.items() for name in some]
    body = body_of(game, replace(unit, figures=figures), figures).pick([row[name] for _, name in pairs])
    places = [cause for cause, _ in pairs if cause is not None]
    kinds = cover.covers(sheet_of(game), body, np.array(places) if places else None, fired_at=fired_at)
    if kinds:
        for number in np.flatnonzero(np.logical_or.reduce(list(kinds.values()))).tolist():
            cause, name = pairs[number]
            found[cause].add(name)
    return found


class _Touch:
    """Which figures of a unit touch which of its friends, wherever it stands (MM-60, MM-62)."""

    def __init__(self, game: Game, unit: Unit, stands: Sequence[Stand], without: frozenset[str]) -> None:
        figures = {id(figure): figure for stand in stands for figure in stand.figures}
        self._friends: set[int] = set()
        self._leaders: list[tuple[Unit, set[int]]] = []
        if not figures:
            return
        everyone = tuple(figures.values())
        box = around(everyone, _NEAR_MM)
        friends = [
            other for other in game.units
            if other.side == unit.side and other.id != unit.id and other.id not in without
            and figures_of(other) and meet(box, box_of(other))
        ]  # fmt: skip
        if not friends:
            return
        body = body_of(game, replace(unit, figures=everyone), everyone)
        for other in friends:
            near = gaps(body.bases, body_of(game, other, figures_of(other)).bases).min(axis=1)
            touching = {one for one, gap in zip(figures, near, strict=True) if at_most(float(gap), CONTACT_MM)}
            if other.type not in NO_FLANK_FRIENDS:
                self._friends |= touching
            if other.type == "leader" and touching:
                self._leaders.append((other, touching))
        self._leaders.sort(key=lambda one: one[0].id != state_of(unit).led_by)

    def flanks(self, figures: Sequence[Figure]) -> bool:
        """Whether friends stand at both ends of the front."""
        if not self._friends:
            return False
        return all(any(id(one) in self._friends for one in end) for end in end_figures(figures))

    def leader(self, figures: Iterable[Figure]) -> Unit | None:
        """The higher Leader whom one of the figures touches, or None."""
        here = {id(one) for one in figures} if self._leaders else set()
        return next((leader for leader, touching in self._leaders if touching & here), None)


def around(figures: Sequence[Figure], more_mm: float) -> Box:
    """The rectangle about figures' centres, larger by so much on each side."""
    xs, ys = [figure.x_mm for figure in figures], [figure.y_mm for figure in figures]
    return min(xs) - more_mm, min(ys) - more_mm, max(xs) + more_mm, max(ys) + more_mm


def box_of(unit: Unit) -> Box:
    """The rectangle about the centres of a unit's figures, gun and all."""
    return once(unit, "mm odds box", lambda: around(unit.figures, 0.0))


def lies_near(game: Game, kinds: tuple[str, ...], box: Box) -> bool:
    """Whether terrain of one of the kinds, a hill's crest with it, may meet a rectangle."""
    return any(
        meet(box, piece.bounds) or (piece.crest is not None and meet(box, bounds_of(piece.crest)))
        for piece in sheet_of(game).of_kind(*kinds)
    )


def meet(one: Box, other: Box) -> bool:
    """Whether two rectangles have a point in common."""
    return one[0] <= other[2] and other[0] <= one[2] and one[1] <= other[3] and other[1] <= one[3]


@of_tables
def results(
    nerve: Nerve | None, rows: tuple[str, ...], at_least: str | None = None
) -> tuple[tuple[str, float], ...]:
    """The chance of each result of a test by these rows of its table; the worst of several holds (MM-68)."""
    if nerve is None:
        return ((at_least or "carry-on", 1.0),)
    found: list[tuple[str, float]] = []
    for passed, chance in enumerate(passes(nerve.dice, chance_of(f"<={nerve.rep}"))):
        counted = min(2, passed)
        die = [(False, 1.0)]
        if nerve.leader_rep is not None and needs_leader_die(nerve.table, rows, counted, nerve.conditions):
            steady = chance_of(f"<={nerve.leader_rep}")
            die = [(True, steady), (False, 1.0 - steady)]
        for leader_passed, share in die:
            read = [judge(nerve.table, row, counted, leader_passed, nerve.conditions) for row in rows]
            result = worst([*read, *([] if at_least is None else [at_least])])
            found.append(("runaway" if result == "retire" and nerve.drowns else result, chance * share))
    return tuple(merged(found).items())
