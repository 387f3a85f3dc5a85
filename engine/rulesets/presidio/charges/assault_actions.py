"""Assaults on doors and walls: ``ram``, ``axe``, ``ladder``, ``climb``, ``cast-down`` (PR-518 to PR-520)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from engine.errors import UnusableFile
from engine.events import Change, Event, PlaceFigures, SetTerrain
from engine.geometry.cover import base_gaps
from engine.geometry.moving.moves import places
from engine.geometry.plane.tolerance import MM
from engine.play import Procedure, happen
from engine.records.action import Action
from engine.records.game import Figure, Game, Terrain, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.presidio.book import book
from engine.rulesets.presidio.changes import spent, state
from engine.rulesets.presidio.fight_book import fight_book
from engine.rulesets.presidio.movement.roof_action import climb_roof
from engine.rulesets.presidio.table.field import field_of
from engine.rulesets.presidio.table.strengths import strength_of_patch
from engine.rulesets.presidio.units.breaking import broken
from engine.rulesets.presidio.units.scaling import top_mm
from engine.rulesets.presidio.vocabulary import MM_PER_IN, figures_of, ground_keys, state_of

__all__ = ["AssaultKeys", "axe", "cast_down", "climb", "ladder", "ram"]

_OPENINGS = ("door", "gate")


class AssaultKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of assaults: at which piece of terrain, with how many men."""

    at: str
    men: Annotated[int, Meta(ge=1)] | None = None


def ram(game: Game, action: Action, keys: AssaultKeys) -> Procedure[None]:
    """A ram strikes a door or gate: a point for each man on it. Raises ActionRefused (PR-519)."""
    unit = game.unit(action.unit or "")
    men = keys.men if keys.men is not None else len(_touching(game, unit, _piece(game, keys.at)))
    return _battered(game, unit, keys, max(men, 1), action, "PR-519")


def axe(game: Game, action: Action, keys: AssaultKeys) -> Procedure[None]:
    """A man hews at a door: a point. Raises ActionRefused (PR-520)."""
    return _battered(game, game.unit(action.unit or ""), keys, 1, action, "PR-520")


def _piece(game: Game, name: str) -> Terrain:
    for piece in game.terrain:
        if piece.id == name:
            return piece
    known = ", ".join(piece.id for piece in game.terrain) or "none"
    raise UnusableFile(f"terrain {name!r}: no such piece; there are: {known}")


def _touching(game: Game, unit: Unit, piece: Terrain) -> tuple[Figure, ...]:
    """The figures of a unit whose bases touch a piece, in list order."""
    field = field_of(game)
    number = [one.id for one in game.terrain].index(piece.id)
    mine = field.of_unit[unit.id]
    gaps = base_gaps(field.bases.pick(mine), field.pieces.pick([number]))[:, 0]
    near = (gaps <= book().mm("touching_mm") + MM).tolist()
    return tuple(field.figures[one] for one, touches in zip(mine.tolist(), near, strict=True) if touches)


def _can_work(game: Game, unit: Unit, piece: Terrain, reasons: Reasons, rule: str) -> None:
    """What keeps a unit from working at a piece."""
    now = state_of(unit)
    reasons.add(now.actions_left < 1, f"{unit.id} has no action left", rule)
    reasons.add(now.morale in ("panicked", "surrendered"), f"{unit.id} has {now.morale}", rule)
    reasons.add(not _touching(game, unit, piece), f"no figure of {unit.id} is in contact with {piece.id}", rule)


def _battered(game: Game, unit: Unit, keys: AssaultKeys, points: int, action: Action, rule: str) -> Procedure[None]:
    piece, reasons = _piece(game, keys.at), Reasons()
    _can_work(game, unit, piece, reasons, rule)
    reasons.add(piece.kind not in _OPENINGS, f"{piece.id} is no door or gate", rule)
    reasons.add(points > len(figures_of(unit)), f"{unit.id} has not {points} men", rule)
    patch = field_of(game).patches[[one.id for one in game.terrain].index(piece.id)]
    strength = strength_of_patch(patch) or 0
    reasons.add(piece.kind in _OPENINGS and strength == 0, f"{piece.id} is broken open", rule)
    return _batter(game, unit, piece, points, strength, rule, action, allow(action, reasons))


def _batter(
    game: Game, unit: Unit, piece: Terrain, points: int, strength: int, rule: str, action: Action,
    against: tuple[str, ...],
) -> Procedure[None]:  # fmt: skip
    game = yield from overruled(game, action, against)
    left = max(strength - points, 0)
    facts = {"unit": unit.id, "terrain": piece.id, "points": points, "left": left}
    weaker: Change = SetTerrain(terrain=replace(piece, extra={**piece.extra, "body": left}))
    game = yield from happen(Event(event="damage", facts=facts, changes=(weaker, *spent(unit, 1)), rule=rule))
    if left == 0:
        middle = field_of(game).pieces.edges([one.id for one in game.terrain].index(piece.id))[0].mean(axis=0)
        yield from happen(broken(_piece(game, piece.id), (float(middle[0]), float(middle[1]))))


def ladder(game: Game, action: Action, keys: AssaultKeys) -> Procedure[None]:
    """The ladders that have come to a wall are set up, two men to each. Raises ActionRefused (PR-518)."""
    unit, piece, reasons = game.unit(action.unit or ""), _piece(game, keys.at), Reasons()
    _can_work(game, unit, piece, reasons, "PR-518")
    touching = len(_touching(game, unit, piece))
    men = touching if keys.men is None else keys.men
    number = men // fight_book().climb.men
    reasons.add(men > len(figures_of(unit)), f"{unit.id} has not {men} men", "PR-518")
    reasons.add(number < 1, "a ladder takes two men", "PR-518")
    return _ladder(game, unit, piece, number, action, allow(action, reasons))


def _ladder(
    game: Game, unit: Unit, piece: Terrain, number: int, action: Action, against: tuple[str, ...]
) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    standing = ground_keys(piece).ladders + number
    facts = {"unit": unit.id, "terrain": piece.id, "set": number, "ladders": standing}
    changes = (_with_ladders(piece, standing), *spent(unit, 1), *state(unit.id, position="ladder"))
    yield from happen(Event(event="ladder", facts=facts, changes=changes, rule="PR-518"))


def _with_ladders(piece: Terrain, number: int) -> Change:
    return SetTerrain(terrain=replace(piece, extra={**piece.extra, "ladders": number}))


def climb(game: Game, action: Action, keys: AssaultKeys) -> Procedure[None]:
    """A man climbs each ladder, 3 in; a house is climbed without. Raises ActionRefused (PR-518, PR-303)."""
    unit, piece, reasons = game.unit(action.unit or ""), _piece(game, keys.at), Reasons()
    if piece.kind == "house":
        return climb_roof(game, action, piece, keys.men)
    ladders = ground_keys(piece).ladders
    _can_work(game, unit, piece, reasons, "PR-518")
    reasons.add(ladders < 1, f"no ladder stands at {piece.id}", "PR-518")
    men = min(ladders, len(_touching(game, unit, piece))) if keys.men is None else keys.men
    most = f"{men} men on {ladders} ladders: one at a time on each"
    reasons.add(0 < ladders < men, most, "PR-518")
    return _climb(game, unit, piece, men, action, allow(action, reasons))


def _climb(
    game: Game, unit: Unit, piece: Terrain, men: int, action: Action, against: tuple[str, ...]
) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    rise = fight_book().climb.rise * MM_PER_IN
    high = top_mm(field_of(game).patches[[one.id for one in game.terrain].index(piece.id)])
    below = [figure for figure in _touching(game, unit, piece) if figure.z_mm < high - MM]
    risen = tuple(replace(figure, z_mm=min(figure.z_mm + rise, high)) for figure in below[:men])
    facts = {
        "unit": unit.id, "terrain": piece.id, "figures": [figure.id for figure in risen],
        "on_top": [figure.id for figure in risen if figure.z_mm >= high - MM],
    }  # fmt: skip
    placed: Change = PlaceFigures(places=places(risen))
    up = {figure.id for figure in risen if figure.z_mm >= high - MM}
    below = [figure for figure in below if figure.id not in up]
    changes = (placed, *spent(unit, 1), *state(unit.id, position="ladder" if below else None))
    yield from happen(Event(event="ladder", facts=facts, changes=changes, rule="PR-518"))


def cast_down(game: Game, action: Action, keys: AssaultKeys) -> Procedure[None]:
    """Defenders cast down the ladders that nobody is on. Raises ActionRefused (PR-518)."""
    unit, piece, reasons = game.unit(action.unit or ""), _piece(game, keys.at), Reasons()
    ladders = ground_keys(piece).ladders
    now = state_of(unit)
    reasons.add(now.actions_left < 1, f"{unit.id} has no action left", "PR-518")
    reasons.add(now.morale in ("panicked", "surrendered"), f"{unit.id} has {now.morale}", "PR-518")
    reasons.add(ladders < 1, f"no ladder stands at {piece.id}", "PR-518")
    reasons.add(not _behind(game, unit, piece), f"nobody of {unit.id} is at {piece.id}", "PR-518")
    climbing = _climbing(game, unit, piece)
    reasons.add(0 < ladders <= climbing, f"a man is on every ladder at {piece.id}", "PR-518")
    return _cast(game, unit, piece, min(climbing, ladders), action, allow(action, reasons))


def _behind(game: Game, unit: Unit, piece: Terrain) -> bool:
    """Whether any of a unit stand within an inch of a piece, as those do who defend it (PR-008)."""
    field = field_of(game)
    number = [one.id for one in game.terrain].index(piece.id)
    gaps = field.piece_gaps[field.of_unit[unit.id], number]
    return bool((gaps <= book().mm("defended") + MM).any())


def _climbing(game: Game, unit: Unit, piece: Terrain) -> int:
    """How many enemies are on the ladders at a piece."""
    return sum(
        figure.z_mm > MM
        for other in game.enemies(unit)
        if state_of(other).position == "ladder"
        for figure in _touching(game, other, piece)
    )


def _cast(
    game: Game, unit: Unit, piece: Terrain, left: int, action: Action, against: tuple[str, ...]
) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    down = ground_keys(piece).ladders - left
    facts = {"unit": unit.id, "terrain": piece.id, "cast_down": down, "ladders": left}
    changes = (_with_ladders(piece, left), *spent(unit, 1), *_off_ladders(game, unit, piece, left))
    yield from happen(Event(event="ladder", facts=facts, changes=changes, rule="PR-518"))


def _off_ladders(game: Game, unit: Unit, piece: Terrain, left: int) -> Iterator[Change]:
    """Enemies at a piece where no ladder is left are on none."""
    for other in game.enemies(unit):
        if left == 0 and state_of(other).position == "ladder" and _touching(game, other, piece):
            yield from state(other.id, position=None)
