"""The meshes of all that stands on a virtual table."""

from __future__ import annotations

import math
import zlib
from typing import Any

import cv2
import numpy as np
from msgspec import UNSET
from numpy.typing import NDArray

from benchmarks.traced.mesh import Meshes, Stuff, bump, lifted, ring
from calibration.prints.markers import marker_bits
from calibration.records import BaseKind, RoundBase, Tags
from vision.ground import Ground
from vision.simulated import solids
from vision.simulated.furniture import clutter_outline, foot_of
from vision.simulated.scene import ground_of_table
from vision.simulated.virtual import BasePlaced, ClutterPlaced, TerrainPlaced, TreePlaced, VirtualTable

__all__ = ["meshes_of"]

Points = NDArray[np.float64]
Rng = np.random.Generator

_FLOOR_MM = -2.0  # the bare table beside a mat
_FAR_MM = 3500.0
_PAPER, _INK = 240, 60  # sRGB levels: ink sends back a twentieth of what paper does
_CARD_MM = 0.3
_BEVEL_MM = 0.4
_FLOCKED = 0.79  # of the mat's sRGB levels: flock on a base without paint is as even as any, and so much darker
_WALLS = "#9a948a"  # of houses, whose roofs have their kind's colour
_SLEEVE, _SKIN = "#2d4468", "#c98f6c"
_LEAVES = ("#2f4a22", "#3f5a2a", "#56683a", "#4a4a1e")
_SHOWN = {"die": 0.3, "mug": 0.15, "book": 0.35}  # how rough clutter is, if not as rough as the rest
_COLOURS = {"die": "#e8e6df", "cotton": "#f0efec", "tape": "#e6c229", "mug": "#d9d4c8", "paper": "#f2f1ec"}


def meshes_of(table: VirtualTable, seed: int) -> Meshes:
    """All that stands on a table; what is left to chance (leaves, tufts) is the same for a seed."""
    rng, ground, meshes = np.random.default_rng(seed), ground_of_table(table), Meshes()
    _lay_mat(meshes, table)
    _lay_prints(meshes, table, ground)
    for piece in table.terrain:
        _raise(meshes, piece, table)
    for tree in table.trees:
        _plant(meshes, tree, _ground_mm(ground, tree), rng)
    for thing in table.clutter:
        _leave(meshes, thing, _ground_mm(ground, thing), rng)
    for base in table.bases:
        _stand(meshes, base, table, _ground_mm(ground, base))
    if table.hand_mm is not None:
        _reach_in(meshes, table.hand_mm, table.arm_deg)
    return meshes


def _ground_mm(ground: Ground, thing: BasePlaced | TreePlaced | ClutterPlaced) -> float:
    return float(ground.height_at([(thing.x_mm, thing.y_mm)])[0])


def _lay_mat(meshes: Meshes, table: VirtualTable) -> None:
    size = table.table.table
    bare = any(marker.z_mm < 0 for marker in table.table.markers.at)
    beyond = 12.0 if bare else max(table.mat_edge_mm, 100.0)
    for stuff, out, z in (
        (Stuff(table.wood, "wood", 0.45), _FAR_MM, _FLOOR_MM),
        (Stuff(table.mat, "grass", 0.95), beyond, 0.0),
    ):
        right, far = size.width_mm + out, size.depth_mm + out
        meshes.block(stuff, np.array([(-out, -out), (right, -out), (right, far), (-out, far)]), _FLOOR_MM - 1, z)


def _lay_prints(meshes: Meshes, table: VirtualTable, ground: Ground) -> None:
    markers, scale = table.table.markers, table.print_scale
    for m in markers.at:
        corners = _print(
            meshes, markers.dictionary, m.id, markers.size_mm * scale, (m.x_mm, m.y_mm), m.rotation_deg
        )
        corners[:, 2] = m.z_mm
        if m.z_mm > 5:
            middle = corners[:, :2].mean(axis=0)
            meshes.block(Stuff("#5a4a3a"), middle + 1.02 * (corners[:, :2] - middle), 0.0, m.z_mm - 0.02)
    if isinstance(table.table.tags, Tags):
        for t in table.tags:
            size, place = table.table.tags.size_mm * scale, (t.x_mm, t.y_mm)
            corners = _print(meshes, markers.dictionary, t.id, size, place, t.bearing_deg)
            corners[:, 2] = float(ground.height_at([place])[0]) + _CARD_MM


def _print(
    meshes: Meshes, dictionary: str, number: int, size_mm: float, place: tuple[float, float], bearing_deg: float
) -> Points:
    """Adds a print with its quiet zone; returns its corners (4, 3), still to be put at their height."""
    bits = np.pad(marker_bits(dictionary, number).astype(np.uint8), 1, constant_values=1)
    out = size_mm / 2 + size_mm / (len(bits) - 2)
    square = np.array([(-out, -out), (out, -out), (out, out), (-out, out)])
    at = ClutterPlaced(what="paper", x_mm=place[0], y_mm=place[1], bearing_deg=bearing_deg)
    corners = lifted(solids.turned(square, at), 0.0)
    meshes.prints.append((np.where(bits > 0, _PAPER, _INK).astype(np.uint8), corners))
    return corners


def _raise(meshes: Meshes, piece: TerrainPlaced, table: VirtualTable) -> None:
    outline, height = np.array(piece.polygon_mm), table.height_of(piece.kind)
    colour = table.colour_of(piece.kind)
    foot = foot_of(outline, piece.slope_mm) if piece.slope_mm else None
    meshes.block(Stuff(_WALLS if piece.kind == "building" else colour, "felt", 0.9), outline, 0.0, height, foot)
    meshes.face(Stuff(colour, "felt", 0.9), lifted(outline, height + 0.01))


def _plant(meshes: Meshes, tree: TreePlaced, ground_mm: float, rng: Rng) -> None:
    middle, stuff = np.array([tree.x_mm, tree.y_mm]), Stuff(str(rng.choice(_LEAVES)), "leaves", 0.95)
    trunk = [ring(middle, ground_mm + share * tree.height_mm, 3.0, 8) for share in (0.0, 0.5)]
    meshes.skin(Stuff("#4a3626", rough=0.9), trunk)
    for _ in range(14):
        high, angle = rng.uniform(), rng.uniform(0, 2 * np.pi)
        off = 0.62 * tree.radius_mm * math.sqrt(rng.uniform() * max(0.1, 1 - high**2))
        place = [*(middle + off * np.array([np.cos(angle), np.sin(angle)])), ground_mm]
        place[2] += tree.height_mm * (0.5 + 0.4 * high)
        meshes.skin(stuff, bump(np.array(place), tree.radius_mm * rng.uniform(0.36, 0.5)))


def _leave(meshes: Meshes, thing: ClutterPlaced, ground_mm: float, rng: Rng) -> None:
    outline, tall = clutter_outline(thing)
    middle, top = outline.mean(axis=0), ground_mm + tall
    stuff = Stuff(thing.colour or _COLOURS.get(thing.what, "#6f7f86"), rough=_SHOWN.get(thing.what, 0.8))
    radius = float(np.linalg.norm(outline - middle, axis=1).mean())
    if thing.what == "cotton":
        for aside in rng.uniform(-0.4, 0.4, (9, 2)) * radius:
            size = radius * rng.uniform(0.45, 0.62)
            meshes.skin(stuff, bump(np.array([*(middle + aside), ground_mm + size]), size))
        return
    if thing.what == "mug":
        walls = [(0.0, radius), (tall, radius), (tall, radius - 4), (8.0, radius - 4)]
        meshes.skin(stuff, [ring(middle, ground_mm + z, r, 40) for z, r in walls], closed=False)
        meshes.face(Stuff("#2a1608", rough=0.05), ring(middle, ground_mm + 0.7 * tall, radius - 4, 40))
        return
    meshes.block(stuff, outline, ground_mm, top)
    if thing.what == "die":
        for share in (-0.27, 0.0, 0.27):
            spot = middle + share * (outline[2] - outline[0])
            meshes.face(
                Stuff("#1e1e1e" if stuff.colour > "#c" else "#ebebeb", rough=0.5), ring(spot, top + 0.02, 1.3, 12)
            )
    if thing.what == "book":
        for share, colour in ((0.7, "#c0704e"), (0.3, "#1f2f6a")):
            meshes.face(
                Stuff(colour, rough=0.4), lifted(middle + share * (outline - middle), top + 0.1 - 0.1 * share)
            )
    if thing.what == "tape":
        case = solids.turned(np.array([(-28, -28), (28, -28), (28, 28), (-28, 28)]), thing) + (outline[0] - middle)
        meshes.block(Stuff("#2a2a2c", rough=0.3), case, ground_mm, ground_mm + 30)


def _stand(meshes: Meshes, base: BasePlaced, table: VirtualTable, ground_mm: float) -> None:
    kind, army = table.base_kind(base), table.army(base.army)
    top = ground_mm + kind.height_mm
    flock = Stuff(_darker(table.mat) if base.plain else table.flock, "flock", 1.0)
    paint = flock if base.plain else Stuff(army.base_colour, rough=0.65)
    edges = [(0.0, ground_mm), (0.0, top - _BEVEL_MM), (_BEVEL_MM, top)]
    meshes.skin(paint, [lifted(_outline(kind, base, inset), z) for inset, z in edges])
    meshes.face(flock, lifted(_outline(kind, base, table.rim_mm), top + 0.05))
    rng = np.random.default_rng(zlib.crc32(base.id.encode()))
    reach = solids.outline_of(kind, table.rim_mm - 0.2)
    for place in rng.uniform(reach.min(axis=0), reach.max(axis=0), (40, 2)):
        if isinstance(kind, RoundBase) and math.hypot(*place) > reach.max():
            continue
        spot, size = solids.turned(place[None], base)[0], rng.uniform(0.5, 1.1)
        meshes.skin(flock, [ring(spot, top + 0.02, size, 6), ring(spot, top + 0.8 * size, 0.5 * size, 6)])
    if army.front_mark is not UNSET and not base.plain:
        mark = solids.turned(solids.mark_outline(kind), base)
        meshes.face(Stuff(str(army.front_mark), rough=0.5), lifted(mark, top + 0.06))
    if base.figure:
        _man(meshes, base, top, rng)


def _darker(colour: str) -> str:
    return "#" + "".join(f"{round(_FLOCKED * int(colour[k : k + 2], 16)):02x}" for k in (1, 3, 5))


def _outline(kind: BaseKind, base: BasePlaced, inset_mm: float) -> Points:
    if not isinstance(kind, RoundBase):
        return solids.turned(solids.outline_of(kind, inset_mm), base)
    return ring(np.array([base.x_mm, base.y_mm]), 0.0, kind.diameter_mm / 2 - inset_mm, 96)[:, :2]


def _man(meshes: Meshes, base: BasePlaced, top_mm: float, rng: Rng) -> None:
    """The figure, no two quite alike: each stack of discs as a carved body."""
    look = solids.look_of(base.figure)
    for stack in look.get("stacks", [look.get("discs", [])]):
        rings = [_disc(base, disc, top_mm, rng) for disc in stack]
        foot = rings[0].copy()
        foot[:, 2] = top_mm
        for (low, high), disc in zip(zip([foot, *rings], rings, strict=False), stack, strict=True):
            colour = base.coat if base.coat and 10 <= disc[0] <= 24 else disc[4]
            meshes.skin(Stuff(colour, rough=0.6), [low, high])
    if look.get("musket"):
        barrel = np.array([(4.4, -3.0), (5.3, -3.0), (5.3, 8.5), (4.4, 8.5)])
        meshes.block(Stuff("#4a3626", rough=0.5), solids.turned(barrel, base), top_mm + 17, top_mm + 18)


def _disc(base: BasePlaced, disc: list[Any], top_mm: float, rng: Rng) -> Points:
    z, radius, ahead, right = disc[:4]
    aside = rng.normal(0, 0.4, 2) * min(1.0, z / 12)
    around = ring(np.zeros(2), 0.0, radius * rng.uniform(0.92, 1.1), 16)[:, :2]
    around = around * (1.0, disc[5] if len(disc) > 5 else 0.82) + aside + (right, ahead)
    return lifted(solids.turned(around, base), top_mm + max(0.1, z - 3) * base.tall)


def _reach_in(meshes: Meshes, hand_mm: tuple[float, float], arm_deg: float) -> None:
    """A sleeve from beyond the table, bent a little, and a hand whose fingers point down at what it takes."""
    at = ClutterPlaced(what="paper", x_mm=hand_mm[0], y_mm=hand_mm[1], bearing_deg=arm_deg)

    def balls(stuff: Stuff, places: list[tuple[float, float, float, float]]) -> None:
        for x, y, z, radius in places:
            middle = solids.turned(np.array([(x, y)]), at)[0]
            meshes.skin(stuff, bump(np.array([*middle, z]), radius))

    far = np.linspace(0, 1, 80)
    balls(Stuff(_SLEEVE, "felt", 0.9), [(90 * f**2, -130 - 1500 * f, 85 + 160 * f, 36 + 14 * f) for f in far])
    balls(Stuff(_SKIN, rough=0.5), [(12 * side, -48 - 16 * n, 62, 20) for side in (-1, 0, 1) for n in range(5)])
    for finger in (-24, -8, 8, 24):
        bent = [(0.1 * n, finger * (1 - 0.06 * n)) for n in range(10)]
        balls(Stuff(_SKIN, rough=0.5), [(x, -40 + 46 * share, 62 - 30 * share**2, 8.5) for share, x in bent])


def picture_of(bits: NDArray[np.uint8], cell_px: int = 40) -> NDArray[np.uint8]:
    """The picture of a print, each of whose cells is so many pixels wide."""
    return np.asarray(cv2.resize(bits, None, fx=cell_px, fy=cell_px, interpolation=cv2.INTER_NEAREST), np.uint8)
