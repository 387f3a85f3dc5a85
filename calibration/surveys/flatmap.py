"""A first guess at where markers lie: each photo gives a flat map of its markers, and maps are joined.

A map's frame is a plane in millimetres, x right and y away, seen from above; a marker's place in it is (x, y,
bearing of its top edge in radians). Good to some millimetres, which is what a bundle adjustment needs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from calibration.optics import rays_of_pixels
from calibration.prints.markers import FoundMarker
from calibration.records import Intrinsics

__all__ = ["FlatMap", "flat_map", "joined", "laid_over", "turned"]

Points = NDArray[np.float64]
Place = Points  # (3,): x, y in mm, bearing of the top edge in radians


@dataclass(frozen=True, eq=False)
class FlatMap:
    """Markers of one photo on their plane, and the camera over it: table to camera as OpenCV has it."""

    places: Mapping[int, Place]
    rotation: Points
    shift_mm: Points


def flat_map(found: Sequence[FoundMarker], lens: Intrinsics, size_mm: float) -> FlatMap:
    """The map of one photo's markers, taken to be equal squares on one plane: it is the one that makes them so."""
    rays = [np.column_stack([rays_of_pixels(f.corners_px, lens), np.ones(4)]) for f in found]
    starts = [start for f, r in zip(found, rays, strict=True) for start in _planes(r[:, :2], size_mm)]
    starts.sort(key=lambda start: _cost(start, rays, size_mm))
    tried = [
        least_squares(_unsquareness, start, args=(rays, size_mm), x_scale=(0.1, 0.1, 100.0)) for start in starts[:3]
    ]
    plane = min(tried, key=lambda result: float(result.cost)).x
    axes, height = _axes(plane[:2]), float(plane[2])
    places = {f.id: _place(_on_plane(r, axes, height)) for f, r in zip(found, rays, strict=True)}
    return FlatMap(places, axes, -height * axes[:, 2])


def laid_over(known: Mapping[int, Place], new: Mapping[int, Place]) -> Points | None:
    """The turn and shift (angle, x, y) that lays a new map over known places; None where they share no marker."""
    shared = sorted(set(known) & set(new))
    if not shared:
        return None
    turns = np.array([known[i][2] - new[i][2] for i in shared])
    here, there = np.array([new[i][:2] for i in shared]), np.array([known[i][:2] for i in shared])
    if len(shared) > 1:
        a, b = here - here.mean(axis=0), there - there.mean(axis=0)
        counter = float(np.arctan2((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum(), (a * b).sum()))
        turn = -counter
    else:
        turn = float(np.arctan2(np.sin(turns).sum(), np.cos(turns).sum()))
    shift = there.mean(axis=0) - turned(here.mean(axis=0)[None], turn)[0]
    return np.array([turn, shift[0], shift[1]])


def joined(known: Mapping[int, Place], new: Mapping[int, Place], laid: Points) -> dict[int, Place]:
    """The known places, and those of the new map that were not yet known."""
    moved = {
        i: np.array([*(turned(place[None, :2], laid[0])[0] + laid[1:]), place[2] + laid[0]])
        for i, place in new.items()
    }
    return {**moved, **known}


def turned(points: Points, clockwise_rad: float) -> Points:
    """Points (N, 2) turned clockwise, seen from above."""
    c, s = np.cos(clockwise_rad), np.sin(clockwise_rad)
    return np.asarray(points @ np.array([[c, -s], [s, c]]), dtype=np.float64)


def _planes(rays: Points, size_mm: float) -> list[Points]:
    """The planes (tilt about x, tilt about y, distance) on which one marker's square may lie: one or two."""
    half = size_mm / 2
    square = np.array([[-half, half, 0], [half, half, 0], [half, -half, 0], [-half, -half, 0]])
    count, turns, shifts, _ = cv2.solvePnPGeneric(
        square[:, None, :], rays[:, None, :], np.eye(3), np.zeros(5), flags=cv2.SOLVEPNP_IPPE_SQUARE
    )
    planes = []
    for i in range(count):
        normal = np.array(cv2.Rodrigues(turns[i])[0])[:, 2]
        towards = normal if normal[2] < 0 else -normal
        distance = float(-towards @ np.ravel(shifts[i]))
        planes.append(
            np.array([np.arcsin(np.clip(towards[1], -1, 1)), np.arctan2(-towards[0], -towards[2]), distance])
        )
    return planes


def _axes(tilts: Points) -> Points:
    """The plane's axes as columns in the camera frame, (3, 3): its third, the normal, points to the camera."""
    about_x, about_y = tilts
    normal = np.array(
        [-np.cos(about_x) * np.sin(about_y), np.sin(about_x), -np.cos(about_x) * np.cos(about_y)], dtype=np.float64
    )
    right = np.array([1.0, 0.0, 0.0]) - normal[0] * normal
    right /= np.linalg.norm(right)
    return np.column_stack([right, np.cross(normal, right), normal])


def _on_plane(rays: Points, axes: Points, height: float) -> Points:
    """Where rays (N, 3) meet the plane, as (N, 2) in its own axes; its origin is under the camera."""
    depth = -height / np.minimum(rays @ axes[:, 2], -1e-6)
    return (rays * depth[:, None]) @ axes[:, :2]


def _unsquareness(plane: Points, rays: Sequence[Points], size_mm: float) -> Points:
    """How far sides and diagonals are from a square's, for all markers, in mm."""
    axes = _axes(plane[:2])
    out = []
    for r in rays:
        corners = _on_plane(r, axes, float(plane[2]))
        sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
        diagonals = np.linalg.norm(corners[:2] - corners[2:], axis=1)
        out.append(np.concatenate([sides - size_mm, diagonals - np.sqrt(2) * size_mm]))
    return np.concatenate(out)


def _cost(plane: Points, rays: Sequence[Points], size_mm: float) -> float:
    return float(np.median(np.abs(_unsquareness(plane, rays, size_mm))))


def _place(corners: Points) -> Place:
    up = corners[0] + corners[1] - corners[2] - corners[3]
    return np.array([*corners.mean(axis=0), np.arctan2(up[0], up[1])])
