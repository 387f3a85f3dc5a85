"""A small virtual table and a camera close over it, so that tests that look at pictures are quick."""

from __future__ import annotations

import msgspec

from calibration.camera import CameraModel
from calibration.records import Intrinsics, Table
from vision.simulated import BasePlaced, VirtualTable
from vision.simulated.camera import camera_over

LENS = Intrinsics(
    width_px=720, height_px=540, fx=675.0, fy=675.0, cx=357.0, cy=271.0, dist=(-0.08, 0.01, 0.0002, 0.0003, 0.0)
)
FOOT = [{"name": "foot", "shape": "round", "diameter_mm": 25.0, "height_mm": 3.0}]
TABLE = msgspec.convert(
    {
        "format": "vedette-table/1",
        "table": {"width_mm": 600.0, "depth_mm": 450.0},
        "markers": {
            "dictionary": "DICT_4X4_100",
            "size_mm": 60.0,
            "at": [
                {"id": 0, "x_mm": -50.0, "y_mm": 40.0, "z_mm": 0.3},
                {"id": 1, "x_mm": 650.0, "y_mm": 40.0, "z_mm": 0.3},
                {"id": 2, "x_mm": 650.0, "y_mm": 410.0, "z_mm": 0.3},
                {"id": 3, "x_mm": -50.0, "y_mm": 410.0, "z_mm": 0.3},
            ],
        },
        "tags": {"size_mm": 25.0},
        "armies": [
            {"name": "british", "base_colour": "#9e2b25", "front_mark": "#f4f0e0", "bases": FOOT},
            {"name": "french", "base_colour": "#2f4f9e", "front_mark": "#f4f0e0", "bases": FOOT},
        ],
        "terrain_kinds": [
            {"kind": "woods", "colour": "#2e5a2c", "height_mm": 2.0},
            {"kind": "hill", "colour": "#8a7a52", "height_mm": 30.0},
        ],
    },
    Table,
)


def camera() -> CameraModel:
    """A camera 0.8 m over the small table, tilted a little."""
    return camera_over((300.0, 180.0, 820.0), (300.0, 228.0), LENS)


def base(name: str, x_mm: float, y_mm: float, *, army: str = "british", bearing_deg: float = 0.0) -> BasePlaced:
    """A base with a figure on it."""
    figure = "redcoat" if army == "british" else "fusilier"
    return BasePlaced(id=name, army=army, base="foot", x_mm=x_mm, y_mm=y_mm, bearing_deg=bearing_deg, figure=figure)


def table(*bases: BasePlaced, **more: object) -> VirtualTable:
    """The small table with some bases on it."""
    return VirtualTable(table=TABLE, bases=bases, **more)  # type: ignore[arg-type]
