"""The step of the ground: terrain that the camera sees is accepted, corrected or named, or drawn by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import msgspec
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from calibration.errors import CalibrationError, UnusableFile
from calibration.reading import fitting
from calibration.records import TerrainKind
from engine.errors import EngineError
from engine.events import Change, Event, RemoveTerrain, SetTerrain, fold
from engine.records.game import Game, Terrain
from engine.rulesets.base.units.mustering import roll_of
from webui.camera.ground import new_pieces, terrain_event
from webui.errors import BadRequest, NotReady, Refused
from webui.evening.bench import Workbench
from webui.table.desk import Desk

__all__ = ["GroundWanted", "change_ground", "ground_view", "lay_piece"]

Point = tuple[float, float]


class GroundWanted(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is to be done to the ground.

    ``colour``: terrain of ``colour`` is a ``kind`` from now on; ``forget``: none of that ``kind`` is looked for.
    ``draw``: a piece of ``kind`` with its ``outline`` (shares of the picture). ``change``: piece ``id`` gets
    another ``kind``, ``name`` or ``height_mm``. ``remove``: it goes. ``accept``: what lies there now is right, and
    the camera adds nothing. ``again``: it does.
    """

    do: Literal["colour", "forget", "draw", "change", "remove", "accept", "again"]
    id: str | None = None
    kind: str | None = None
    name: str | None = None
    colour: str | None = None
    height_mm: float | None = None
    outline: tuple[Point, ...] = ()


def ground_view(bench: Workbench) -> dict[str, Any]:
    """The pieces of the game, those seen that it has not, and the kinds that are looked for."""

    def view(desk: Desk) -> dict[str, Any]:
        game = desk.game
        seen = desk.observation.terrain if desk.observation is not None else ()
        return {
            "pieces": [_piece(piece) for piece in game.terrain],
            "seen": [msgspec.to_builtins(piece) for piece in new_pieces(game, seen, None)],
            "known": list(roll_of(desk.ruleset).terrain),
        }

    told = bench.live.do(view)
    try:
        for piece in (*told["pieces"], *told["seen"]):
            piece["at"] = _shares(bench, piece)
    except (NotReady, CalibrationError):  # without a picture nothing can be drawn on it; the step says why
        for piece in (*told["pieces"], *told["seen"]):
            piece["at"] = []
    return {
        **told,
        "kinds": [msgspec.to_builtins(kind) for kind in bench.table.terrain_kinds],
        "accepted": bench.setup.ground == "accepted",
    }


def change_ground(bench: Workbench, wanted: GroundWanted) -> None:
    """Does what is wanted. Raises BadRequest, Refused."""
    with bench.lock:
        _DOINGS[wanted.do](bench, wanted)
        bench.revision += 1


def _colour(bench: Workbench, wanted: GroundWanted) -> None:
    """Terrain of a colour is of a kind from now on, and is looked for."""
    if not wanted.kind or not wanted.colour:
        raise BadRequest("colour: expected a kind and its colour")
    height = wanted.height_mm or 0.0
    try:
        kind = fitting({"kind": wanted.kind, "colour": wanted.colour, "height_mm": height}, TerrainKind)
    except UnusableFile as error:
        raise BadRequest(str(error)) from error
    others = tuple(one for one in bench.table.terrain_kinds if one.kind != kind.kind)
    bench.use_table(replace(bench.table, terrain_kinds=(*others, kind)))
    _again(bench, wanted)


def _forget(bench: Workbench, wanted: GroundWanted) -> None:
    left = tuple(one for one in bench.table.terrain_kinds if one.kind != wanted.kind)
    if len(left) == len(bench.table.terrain_kinds):
        raise BadRequest(f"kind: {wanted.kind!r} is not looked for")
    bench.use_table(replace(bench.table, terrain_kinds=left))
    gone = bench.live.do(lambda desk: [piece.id for piece in desk.game.terrain if piece.kind == wanted.kind])
    if gone:
        _changed(bench, tuple(RemoveTerrain(terrain=one) for one in gone), f"{wanted.kind} is left out")


def _draw(bench: Workbench, wanted: GroundWanted) -> None:
    if not wanted.kind or len(wanted.outline) < 3:
        raise BadRequest("draw: touch at least three corners of the piece, and say what it is")
    image = bench.frame().image
    pixels = np.array([[x * image.shape[1], y * image.shape[0]] for x, y in wanted.outline])
    height = wanted.height_mm or 0.0
    corners = bench.model().to_plane(pixels, height)
    if not np.isfinite(corners).all():
        raise BadRequest("draw: a corner is not on the table: touch it again")
    lay_piece(bench, wanted.kind, [(float(x), float(y)) for x, y in corners], height)


def lay_piece(bench: Workbench, kind: str, outline_mm: Sequence[Point], height_mm: float = 0.0) -> None:
    """Lays a piece of terrain with these corners on the table, in mm. Raises BadRequest."""
    from shapely import Polygon

    outline = tuple((round(x, 1), round(y, 1)) for x, y in outline_mm)
    if len(set(outline)) < 3:
        raise BadRequest(f"draw: expected three corners or more of the piece, got {len(set(outline))}")
    if not Polygon(outline).is_valid:
        raise BadRequest("draw: the outline crosses itself: touch the corners one after another, all the way round")

    def lay(game: Game) -> Change:
        taken = {piece.id for piece in game.terrain}
        name = next(f"{kind}-{n}" for n in range(1, len(taken) + 2) if f"{kind}-{n}" not in taken)
        return SetTerrain(terrain=Terrain(id=name, kind=kind, polygon_mm=outline, height_mm=height_mm))

    with bench.lock:
        _changed(bench, (bench.live.do(lambda desk: lay(desk.game)),), f"{kind} drawn by hand")


def _change(bench: Workbench, wanted: GroundWanted) -> None:
    def changed(desk: Desk) -> Terrain:
        piece = _named(desk.game, wanted.id)
        name = (wanted.name or "").strip()
        if name and name != piece.id and name in {one.id for one in desk.game.terrain}:
            raise BadRequest(f"name: there is a piece {name!r} already")
        return replace(
            piece,
            id=name or piece.id,
            kind=wanted.kind or piece.kind,
            height_mm=piece.height_mm if wanted.height_mm is None else wanted.height_mm,
        )

    piece = bench.live.do(changed)
    gone: tuple[Change, ...] = () if piece.id == wanted.id else (RemoveTerrain(terrain=str(wanted.id)),)
    _changed(bench, (*gone, SetTerrain(terrain=piece)), f"{piece.id} corrected")


def _remove(bench: Workbench, wanted: GroundWanted) -> None:
    piece = bench.live.do(lambda desk: _named(desk.game, wanted.id))
    _changed(bench, (RemoveTerrain(terrain=piece.id),), f"{piece.id} taken off")


def _accept(bench: Workbench, wanted: GroundWanted) -> None:
    """Lays what is seen and not yet there, and takes nothing more from the camera."""

    def lay(desk: Desk) -> None:
        seen = desk.observation.terrain if desk.observation is not None else ()
        if desk.takes_terrain:
            pieces = new_pieces(desk.game, seen, None)
            event = terrain_event(desk.game, desk.ruleset, desk.table, pieces) if pieces else None
            if event is not None:
                desk.note("setup", [event])
        desk.takes_terrain = False

    bench.live.do(lay)
    bench.keep(ground="accepted")


def _again(bench: Workbench, wanted: GroundWanted) -> None:
    def take(desk: Desk) -> None:
        desk.takes_terrain = True

    bench.live.do(take)
    bench.keep(ground="camera")
    bench.measure_anew()


def _changed(bench: Workbench, changes: tuple[Change, ...], said: str) -> None:
    """Keeps changes of the ground; from then on the camera adds nothing by itself, or it would undo them."""
    event = Event(event="ground", facts={"said": said}, changes=changes)

    def demand_fit(desk: Desk) -> None:
        try:
            desk.ruleset.check(fold([event], desk.game))
        except EngineError as error:
            raise BadRequest(str(error)) from error

    def done(desk: Desk) -> None:
        try:
            desk.note("setup", [event])
        except (EngineError, Refused) as error:
            raise BadRequest(str(error)) from error
        desk.takes_terrain = False

    bench.live.do(demand_fit)  # first of all: what is refused accepts nothing, either
    _accept(bench, GroundWanted(do="accept"))
    bench.live.do(done)


_DOINGS = {
    "colour": _colour, "forget": _forget, "draw": _draw, "change": _change, "remove": _remove, "accept": _accept,
    "again": _again,
}  # fmt: skip


def _named(game: Game, name: str | None) -> Terrain:
    for piece in game.terrain:
        if piece.id == name:
            return piece
    raise BadRequest(f"id: there is no piece {name!r}")


def _piece(piece: Terrain) -> dict[str, Any]:
    return {"id": piece.id, "kind": piece.kind, "polygon_mm": piece.polygon_mm, "height_mm": piece.height_mm}


def _shares(bench: Workbench, piece: dict[str, Any]) -> list[Point]:
    """A piece's outline in the newest picture."""
    outline = piece["polygon_mm"]
    if not outline:
        return []
    image = bench.frame().image
    height = float(piece.get("height_mm") or 0.0)
    places = bench.model().project([[x, y, height] for x, y in outline])
    return [(round(float(x) / image.shape[1], 5), round(float(y) / image.shape[0], 5)) for x, y in places]
