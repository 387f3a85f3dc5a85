"""Events, the only way a game changes: ``game = fold(events)``.

An event says what happened in a ruleset's words (``facts``) and what follows for the game in a small closed
vocabulary (``changes``). Folding reads the changes alone, so the engine folds, replays and undoes the events of
any ruleset without knowing its rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from typing import Any, Literal, get_type_hints

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from engine.errors import UnusableFile
from engine.records.game import Figure, Game, Grid, Side, Terrain, Turn, Unit, game_builtins, game_from
from engine.records.reading import convert


class _Change(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="set", omit_defaults=True):
    """What all changes share; the tag ``set`` names the kind."""


class SetUnit(_Change, frozen=True, kw_only=True, tag="unit"):
    """A unit's own key gets a new value."""

    unit: str
    key: Literal["side", "type", "name", "formation", "weapon", "square", "hex"]
    value: Any


class SetStat(_Change, frozen=True, kw_only=True, tag="stat"):
    """A key of a unit's ``stats`` gets a new value."""

    unit: str
    key: str
    value: Any


class SetState(_Change, frozen=True, kw_only=True, tag="state"):
    """A key of a unit's ``state`` gets a new value; it is written even where that is the default."""

    unit: str
    key: str
    value: Any


class AddUnit(_Change, frozen=True, kw_only=True, tag="add-unit"):
    """A unit joins the game, at the end of the list."""

    unit: Unit


class RemoveUnit(_Change, frozen=True, kw_only=True, tag="remove-unit"):
    """A unit's entry leaves the game."""

    unit: str


class AddFigures(_Change, frozen=True, kw_only=True, tag="add-figures"):
    """Figures join a unit, at the end of its list."""

    unit: str
    figures: tuple[Figure, ...]


class RemoveFigures(_Change, frozen=True, kw_only=True, tag="remove-figures"):
    """Figures leave a unit."""

    unit: str
    figures: tuple[str, ...]


class Place(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Where one figure now stands, in table millimetres, and the bearing it faces (None: not known)."""

    figure: str
    x_mm: float
    y_mm: float
    bearing_deg: float | None
    z_mm: float = 0.0
    sigma_mm: float | None = None
    bearing_sigma_deg: float | None = None


class PlaceFigures(_Change, frozen=True, kw_only=True, tag="place"):
    """Figures of any units now stand elsewhere."""

    places: tuple[Place, ...]


class SetFigure(_Change, frozen=True, kw_only=True, tag="figure"):
    """A key of a figure gets a new value."""

    figure: str
    key: Literal["role", "mounted", "status", "weapon", "level"]
    value: Any


class SetCondition(_Change, frozen=True, kw_only=True, tag="condition"):
    """A key of the game's ``conditions`` gets a new value."""

    key: str
    value: Any


class SetTurn(_Change, frozen=True, kw_only=True, tag="turn"):
    """The turn's number or active side changes."""

    number: int
    active_side: str | None


class SetSide(_Change, frozen=True, kw_only=True, tag="side"):
    """A side's ``edge``, or a ruleset's key of it, gets a new value."""

    side: str
    key: str
    value: Any


class SetTerrain(_Change, frozen=True, kw_only=True, tag="terrain"):
    """A piece of terrain is added, or takes the place of the one with its id."""

    terrain: Terrain


class RemoveTerrain(_Change, frozen=True, kw_only=True, tag="remove-terrain"):
    """A piece of terrain goes."""

    terrain: str


class SetGrid(_Change, frozen=True, kw_only=True, tag="grid"):
    """The squares or hexes that the table is played in lie otherwise: as they were found on the mat."""

    grid: Grid


class Begin(_Change, frozen=True, kw_only=True, tag="begin"):
    """A whole game takes the place of whatever there was: the first event of every journal.

    The game stands here as the plain value of its file, so that journals read like game files.
    """

    game: Mapping[str, Any]


Change = (
    SetUnit | SetStat | SetState | AddUnit | RemoveUnit | AddFigures | RemoveFigures | PlaceFigures
    | SetFigure | SetCondition | SetTurn | SetSide | SetTerrain | RemoveTerrain | SetGrid | Begin
)  # fmt: skip


#: The key that an event's changes stand under in files; rulesets have facts of the name ``changes``.
EFFECTS = "effects"


class Event(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Something that happened: its name and facts for people, its changes for the fold, the rule row it follows."""

    event: str
    facts: Mapping[str, Any] = {}
    changes: tuple[Change, ...] = ()
    rule: str | None = None

    def to_builtins(self) -> dict[str, Any]:
        """The event as formats write it: facts beside the name, then the rule row and the changes."""
        built: dict[str, Any] = {"event": self.event, **self.facts}
        if self.rule is not None:
            built["rule"] = self.rule
        built[EFFECTS] = msgspec.to_builtins(self.changes)
        return built


def event_from(raw: Mapping[str, Any]) -> Event:
    """The reverse of `Event.to_builtins`. Raises UnusableFile where a change is not of the vocabulary."""
    facts = {key: value for key, value in raw.items() if key not in ("event", "rule", EFFECTS)}
    try:
        changes = msgspec.convert(raw.get(EFFECTS, ()), tuple[Change, ...])
    except msgspec.ValidationError as error:
        raise UnusableFile(f"event {raw.get('event')!r}: {EFFECTS}: {error}") from error
    return Event(event=str(raw.get("event")), facts=facts, changes=changes, rule=raw.get("rule"))


def begin(game: Game) -> Event:
    """The event that starts a journal: this game, whole."""
    return Event(event="begin", facts={"ruleset": game.ruleset}, changes=(Begin(game=game_builtins(game)),))


def fold(events: Iterable[Event], start: Game | None = None) -> Game:
    """The game that the events lead to, from ``start`` or from the `begin` event that comes first.

    Raises UnusableFile where a change names what the game does not hold, or gives a key what it cannot be.
    """
    game = reduce(lambda so_far, event: apply(so_far, event), events, start)
    if game is None:
        raise UnusableFile("the events: expected a first event that begins a game, found none")
    return game


def apply(game: Game | None, event: Event) -> Game:
    """The game after one event. Raises UnusableFile as `fold` does."""
    for change in event.changes:
        if isinstance(change, Begin):
            game = game_from(change.game, "the event that begins the game")
        elif game is None:
            raise UnusableFile(f"event {event.event!r}: expected a game to have begun before it")
        else:
            game = _changed(game, change)
    if game is None:
        raise UnusableFile(f"event {event.event!r}: expected a game to have begun before it")
    return game


def _changed(game: Game, change: Change) -> Game:
    return _APPLY[type(change)](game, change)


def _with_unit(game: Game, name: str, edit: Callable[[Unit], Unit]) -> Game:
    game.unit(name)
    return replace(game, units=tuple(edit(unit) if unit.id == name else unit for unit in game.units))


#: What a record's own keys can be.
_TYPES: Mapping[type, Mapping[str, Any]] = {
    record: get_type_hints(record, include_extras=True) for record in (Unit, Figure, Side, Turn)
}


def _fitting(record: type, key: str, value: Any, where: str) -> Any:
    """A value that a record's key can have. Raises UnusableFile."""
    return convert(value, _TYPES[record][key], where, key)


def _set_unit(game: Game, change: SetUnit) -> Game:
    value = _fitting(Unit, change.key, change.value, f"unit {change.unit!r}")
    if change.key == "side":
        game.side(value)
    return _with_unit(game, change.unit, lambda unit: replace(unit, **{change.key: value}))


def _set_stat(game: Game, change: SetStat) -> Game:
    return _with_unit(game, change.unit, lambda unit: replace(unit, stats={**unit.stats, change.key: change.value}))


def _set_state(game: Game, change: SetState) -> Game:
    return _with_unit(game, change.unit, lambda unit: replace(unit, state={**unit.state, change.key: change.value}))


def _add_unit(game: Game, change: AddUnit) -> Game:
    if change.unit.id in game.by_id:
        raise UnusableFile(f"unit {change.unit.id!r}: expected an id that no unit has yet")
    game.side(change.unit.side)
    _demand_new(game, change.unit.figures)
    return replace(game, units=(*game.units, change.unit))


def _remove_unit(game: Game, change: RemoveUnit) -> Game:
    game.unit(change.unit)
    return replace(game, units=tuple(unit for unit in game.units if unit.id != change.unit))


def _demand_new(game: Game, figures: Sequence[Figure]) -> None:
    """Makes sure that no two figures of a game have one id. Raises UnusableFile."""
    taken = {figure.id for unit in game.units for figure in unit.figures}
    for figure in figures:
        if figure.id in taken:
            raise UnusableFile(f"figure {figure.id!r}: expected an id that no figure has yet")
        taken.add(figure.id)


def _add_figures(game: Game, change: AddFigures) -> Game:
    _demand_new(game, change.figures)
    return _with_unit(game, change.unit, lambda unit: replace(unit, figures=(*unit.figures, *change.figures)))


def _remove_figures(game: Game, change: RemoveFigures) -> Game:
    missing = set(change.figures) - {figure.id for figure in game.unit(change.unit).figures}
    if missing:
        raise UnusableFile(f"unit {change.unit!r}: it has no figures {', '.join(sorted(missing))}")
    gone = set(change.figures)
    return _with_unit(
        game,
        change.unit,
        lambda unit: replace(unit, figures=tuple(f for f in unit.figures if f.id not in gone)),
    )


def _place_figures(game: Game, change: PlaceFigures) -> Game:
    places = {place.figure: place for place in change.places}

    def put(figure: Figure) -> Figure:
        place = places.pop(figure.id, None)
        if place is None:
            return figure
        return replace(
            figure, x_mm=place.x_mm, y_mm=place.y_mm, z_mm=place.z_mm, bearing_deg=place.bearing_deg,
            sigma_mm=place.sigma_mm, bearing_sigma_deg=place.bearing_sigma_deg,
        )  # fmt: skip

    game = _with_figures(game, frozenset(places), put)
    if places:
        raise UnusableFile(f"figures {', '.join(sorted(places))}: no such figures in the game")
    return game


def _set_figure(game: Game, change: SetFigure) -> Game:
    if all(figure.id != change.figure for unit in game.units for figure in unit.figures):
        raise UnusableFile(f"figure {change.figure!r}: no such figure in the game")
    value = _fitting(Figure, change.key, change.value, f"figure {change.figure!r}")
    return _with_figures(game, frozenset({change.figure}), lambda figure: replace(figure, **{change.key: value}))


def _with_figures(game: Game, names: frozenset[str], edit: Callable[[Figure], Figure]) -> Game:
    def edited(unit: Unit) -> Unit:
        if not any(figure.id in names for figure in unit.figures):
            return unit
        return replace(unit, figures=tuple(edit(f) if f.id in names else f for f in unit.figures))

    return replace(game, units=tuple(edited(unit) for unit in game.units))


def _set_condition(game: Game, change: SetCondition) -> Game:
    return replace(game, conditions={**game.conditions, change.key: change.value})


def _set_turn(game: Game, change: SetTurn) -> Game:
    number = _fitting(Turn, "number", change.number, "the turn")
    if change.active_side is not None:
        game.side(change.active_side)
    return replace(game, turn=replace(game.turn, number=number, active_side=change.active_side))


def _set_side(game: Game, change: SetSide) -> Game:
    game.side(change.side)
    edge = change.key == "edge"
    value = _fitting(Side, "edge", change.value, f"side {change.side!r}") if edge else change.value

    def edited(side: Side) -> Side:
        if side.name != change.side:
            return side
        if edge:
            return replace(side, edge=value)
        return replace(side, extra={**side.extra, change.key: value})

    return replace(game, sides=tuple(edited(side) for side in game.sides))


def _set_terrain(game: Game, change: SetTerrain) -> Game:
    if any(piece.id == change.terrain.id for piece in game.terrain):
        pieces = tuple(change.terrain if p.id == change.terrain.id else p for p in game.terrain)
    else:
        pieces = (*game.terrain, change.terrain)
    return replace(game, terrain=pieces)


def _remove_terrain(game: Game, change: RemoveTerrain) -> Game:
    kept = tuple(piece for piece in game.terrain if piece.id != change.terrain)
    if len(kept) == len(game.terrain):
        raise UnusableFile(f"terrain {change.terrain!r}: no such piece in the game")
    return replace(game, terrain=kept)


def _set_grid(game: Game, change: SetGrid) -> Game:
    return replace(game, table=replace(game.table, grid=change.grid))


_APPLY: Mapping[type, Callable[[Game, Any], Game]] = {
    SetUnit: _set_unit,
    SetGrid: _set_grid,
    SetStat: _set_stat,
    SetState: _set_state,
    AddUnit: _add_unit,
    RemoveUnit: _remove_unit,
    AddFigures: _add_figures,
    RemoveFigures: _remove_figures,
    PlaceFigures: _place_figures,
    SetFigure: _set_figure,
    SetCondition: _set_condition,
    SetTurn: _set_turn,
    SetSide: _set_side,
    SetTerrain: _set_terrain,
    RemoveTerrain: _remove_terrain,
}
