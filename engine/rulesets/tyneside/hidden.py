"""``hide`` and ``reveal``: hidden markers of a side that the rules run, and its dummies (TY-81, TY-82)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from msgspec import Struct
from msgspec.structs import replace

from engine.dice import Roll
from engine.errors import UnknownAction
from engine.events import AddUnit, Change, Event, PlaceFigures, RemoveUnit
from engine.geometry.moving.moves import gap_between, places
from engine.geometry.moving.passing import BRUSH_MM
from engine.geometry.plane.tolerance import at_most
from engine.geometry.shapes.bases import bases_of, gaps
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.game import Figure, Game, PointMm, Round, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons, listed
from engine.rulesets.tyneside.book import book
from engine.rulesets.tyneside.changes import state
from engine.rulesets.tyneside.vocabulary import MM_PER_CM, figures_of, solo_run, state_of

__all__ = ["HideKeys", "RevealKeys", "hide", "reveal"]

_MARKER = Round(diameter_mm=25.0)


class HideKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``hide``: whose groups are hidden, and the spots on the edges of terrain for markers."""

    side: str
    groups: tuple[str, ...]
    edges: tuple[PointMm, ...]


class RevealKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``reveal``: where each figure is placed."""

    places: Mapping[str, PointMm] = {}


def hide(game: Game, action: Action, keys: HideKeys) -> Procedure[None]:
    """Markers for groups, and half as many dummies, take spots at random. Raises ActionRefused."""
    names = [side.name for side in game.sides]
    if keys.side not in names:
        raise UnknownAction(f"hide: side: expected one of {', '.join(names)}, got {keys.side!r}")
    unknown = [name for name in keys.groups if name not in game.by_id]
    if unknown:
        raise UnknownAction(f"hide: groups: expected some of {', '.join(game.by_id)}, got {unknown[0]!r}")
    reasons, groups = Reasons(), [game.unit(name) for name in keys.groups]
    reasons.add(not solo_run(game, keys.side), f"{keys.side} has players: it hides nothing", "TY-81")
    reasons.add(not groups, "groups: expected at least one", "TY-81")
    reasons.add(not keys.edges, "edges: expected at least one spot", "TY-81")
    twice = sorted({name for name in keys.groups if keys.groups.count(name) > 1})
    reasons.add(bool(twice), f"named twice: {listed(twice)}", "TY-81")
    off = [spot for spot in keys.edges if not _on_table(game, spot)]
    reasons.add(bool(off), f"off the table: {listed(f'({x:g}, {y:g})' for x, y in off)}", "TY-81")
    for group in groups:
        reasons.add(group.side != keys.side, f"{group.id} is not on the side {keys.side}", "TY-81")
        reasons.add(state_of(group).hidden, f"{group.id} is hidden already", "TY-81")
    return _hide(game, groups, keys, action, allow(action, reasons))


def _on_table(game: Game, spot: PointMm) -> bool:
    return 0 <= spot[0] <= game.table.width_mm and 0 <= spot[1] <= game.table.depth_mm


def _hide(
    game: Game, groups: list[Unit], keys: HideKeys, action: Action, against: tuple[str, ...]
) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    if not keys.edges:
        return
    for group in dict.fromkeys(unit.id for unit in groups):
        spot = yield from _spot(group, keys.edges)
        figures = tuple(replace(one, x_mm=spot[0], y_mm=spot[1]) for one in game.unit(group).figures)
        changes: tuple[Change, ...] = (PlaceFigures(places=places(figures)), *state(group, hidden=True))
        game = yield from _placed(group, spot, changes)
    for number in range(1, len(groups) // 2 + 1):
        dummy = _dummy(game, keys.side, number, groups[0])
        spot = yield from _spot(dummy.id, keys.edges)
        figure = replace(dummy.figures[0], x_mm=spot[0], y_mm=spot[1])
        game = yield from _placed(dummy.id, spot, (AddUnit(unit=replace(dummy, figures=(figure,))),))


def _spot(name: str, edges: tuple[PointMm, ...]) -> Procedure[PointMm]:
    """One of the spots at random; nobody throws where there is but one."""
    count = 1 if len(edges) > 1 else 0
    request = Roll(purpose=f"where {name}'s marker lies", count=count, die=f"d{len(edges)}", rule="TY-81")
    rolled = yield from roll(request)
    return edges[max(rolled.total, 1) - 1]


def _placed(name: str, spot: PointMm, changes: tuple[Change, ...]) -> Procedure[Game]:
    facts = {"unit": name, "x_mm": spot[0], "y_mm": spot[1]}
    return (yield from happen(Event(event="placed", facts=facts, changes=changes, rule="TY-81")))


def _dummy(game: Game, side: str, number: int, like: Unit) -> Unit:
    """A marker with nobody behind it, which looks like any other."""
    name = f"{side}-dummy-{number}"
    while name in game.by_id:
        name += "'"
    base = like.figures[0].base if like.figures else _MARKER
    figure = Figure(id=f"{name}-1", x_mm=0.0, y_mm=0.0, base=base, role="private")
    hidden = {"hidden": True, "dummy": True}
    return Unit(id=name, side=side, type=like.type, formation="group", state=hidden, figures=(figure,))


def reveal(game: Game, action: Action, keys: RevealKeys) -> Procedure[None]:
    """A marker's figures are placed; a dummy goes.

    Raises ActionRefused with every reason, UnknownAction where men come from a marker and no place is given at all.
    """
    unit = game.unit(action.unit or "")
    now, own = state_of(unit), {figure.id: figure for figure in figures_of(unit)}
    for name in keys.places:
        if name not in own:
            raise UnknownAction(f"reveal: places: expected some of {', '.join(own)}, got {name!r}")
    reasons, most = Reasons(), book().mm("reveal")
    reasons.add(not now.hidden, f"{unit.id} is not hidden", "TY-82")
    if now.hidden and not now.dummy and not keys.places:
        raise UnknownAction(f"reveal: places: expected where each of {listed(own)} stands")
    if not now.dummy:
        missing = [name for name in own if name not in keys.places]
        reasons.add(now.hidden and bool(missing), f"no place is given for {listed(missing)}", "TY-82")
        for name, spot in keys.places.items():
            there = replace(own[name], x_mm=spot[0], y_mm=spot[1])
            gap = gap_between(figures_of(unit)[:1], [there])
            far = gap is not None and not at_most(gap.distance_mm, most)
            reasons.add(far, f"{name} is placed farther than {most / MM_PER_CM:g} cm from its marker", "TY-82")
            reasons.add(not _on_table(game, spot), f"{name} is placed off the table", "TY-82")
        for name, other in _on_each_other(game, unit, keys):
            reasons.add(True, f"{name} is placed on {other}", "TY-82")
    return _reveal(game, unit, keys, action, allow(action, reasons))


def _on_each_other(game: Game, unit: Unit, keys: RevealKeys) -> list[tuple[str, str]]:
    """Who would stand on whom: of the figures placed, and of those that stand on the table already."""
    men = [
        replace(figure, x_mm=keys.places[figure.id][0], y_mm=keys.places[figure.id][1])
        for figure in figures_of(unit)
        if figure.id in keys.places
    ]
    # Several hidden markers may be drawn at one spot: nobody stands there yet.
    seen = [other for other in game.units if other.id != unit.id and not state_of(other).hidden]
    everybody = [*men, *(figure for other in seen for figure in figures_of(other))]
    if not men:
        return []
    bases = bases_of(
        [(one.x_mm, one.y_mm) for one in everybody],
        [one.base for one in everybody],
        [one.bearing_deg for one in everybody],
    )
    between = gaps(bases, bases, signed=True)
    pairs = combinations(range(len(everybody)), 2)
    on = [(one, other) for one, other in pairs if one < len(men) and between[one, other] < -BRUSH_MM]
    return [(everybody[one].id, everybody[other].id) for one, other in on]


def _reveal(game: Game, unit: Unit, keys: RevealKeys, action: Action, against: tuple[str, ...]) -> Procedure[None]:
    yield from overruled(game, action, against)
    facts = {"unit": unit.id, "dummy": state_of(unit).dummy}
    changes: tuple[Change, ...] = (RemoveUnit(unit=unit.id),)
    if not state_of(unit).dummy:
        there = tuple(
            replace(figure, x_mm=keys.places[figure.id][0], y_mm=keys.places[figure.id][1])
            for figure in figures_of(unit)
            if figure.id in keys.places
        )
        changes = (PlaceFigures(places=places(there)), *state(unit.id, hidden=False))
    yield from happen(Event(event="revealed", facts=facts, changes=changes, rule="TY-82"))
