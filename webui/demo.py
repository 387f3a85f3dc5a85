"""The demo: the whole program on a virtual table. TEMPORARY: the observation is the virtual table's own truth."""

from __future__ import annotations

import secrets
import time
from pathlib import Path

import msgspec

from calibration.records import Table
from engine.journal import Entry
from engine.records.game import Game, read_game
from vision.records import BaseSeen, CameraSeen, Observation
from webui.desk import Desk
from webui.errors import BadRequest
from webui.keeping import Keeping, default_folder, first_revision, now_text
from webui.live import LiveTable
from webui.sightings import CameraView, Look

_FOOT = {"name": "foot", "shape": "round", "diameter_mm": 25.0, "height_mm": 3.0}


def open_demo(data: Path | None, *, fresh: bool, seed: int) -> LiveTable:
    """The demo's live table."""
    table = msgspec.convert(
        {
            "format": "vedette-table/1",
            "table": {"width_mm": 1828.8, "depth_mm": 1219.2},
            "markers": {"dictionary": "DICT_4X4_100", "size_mm": 80.0},
            "armies": [
                {"name": "british", "base_colour": "#9e2b25", "bases": [_FOOT]},
                {"name": "french", "base_colour": "#2f4f9e", "bases": [_FOOT]},
            ],
        },
        Table,
    )
    keeping = Keeping(data or default_folder("demo"))
    desk = Desk(keeping.journal(fresh=fresh), table, now_text, lambda: secrets.randbits(32))
    if not desk.begun:
        desk.begin(read_game(Path(__file__).parent / "demo_game.json"))
    live = LiveTable(desk, mode="demo", clock_s=time.monotonic, first_revision=first_revision(), keeping=keeping)
    hand = _Truth(live, desk.game)
    live.hand = hand
    live.add(hand)
    return live


class _Truth:
    def __init__(self, live: LiveTable, game: Game) -> None:
        self._live = live
        self._game = game
        self._at: dict[str, dict[str, float | None]] = {}
        self.follow(None, game)

    def start(self) -> None:
        self._tell()

    def close(self) -> None:
        pass

    def move(self, figures: list[dict[str, float | str | None]]) -> None:
        for figure in figures:
            if figure["id"] not in self._at:
                raise BadRequest(f"figures: there is no figure {figure['id']!r} on the table")
        for figure in figures:
            name = str(figure["id"])
            new = {key: value for key, value in figure.items() if key != "id" and value is not None}
            self._at[name] = self._at[name] | new  # type: ignore[operator]
        self._tell()

    def follow(self, entry: Entry | None, game: Game) -> None:
        if entry is not None and entry.kind == "camera":
            return
        self._game = game
        self._at = {
            f.id: {"x_mm": f.x_mm, "y_mm": f.y_mm, "bearing_deg": f.bearing_deg}
            for u in game.units
            for f in u.figures
        }
        self._tell()

    def _tell(self) -> None:
        sides = {f.id: u.side for u in self._game.units for f in u.figures}
        bases = tuple(
            BaseSeen(
                army=sides[name], base="foot", x_mm=at["x_mm"] or 0.0, y_mm=at["y_mm"] or 0.0, z_mm=0.0,
                bearing_deg=at["bearing_deg"], sigma_mm=0.4, bearing_sigma_deg=1.5, confidence=0.98,
            )
            for name, at in self._at.items()
        )  # fmt: skip
        camera = CameraSeen(reprojection_rms_px=0.2, position_mm=(914.0, 600.0, 1900.0), markers_used=(0, 1, 2, 3))
        self._live.looked(Look(frame=1, observation=Observation(camera=camera, bases=bases)))
        self._live.camera_is(CameraView(state="live", seen_at_s=time.monotonic() + 1e6))
