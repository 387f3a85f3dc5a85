"""A demo's game at a desk, whose bases are carried about by hand."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

from engine.geometry.moving.moves import towards
from engine.keeping.journal import Journal
from engine.records.game import Unit
from tests.webui.toys import observed
from vision.records import BaseSeen
from vision.simulated import load_demo
from webui.camera.muster import kinds_of
from webui.commands.demo import demo_game
from webui.shown.state import entry_view, game_state
from webui.table.desk import Desk


class Evening:
    """A demo's game at a desk, whose bases are carried about."""

    def __init__(self, ruleset: str, folder: Path) -> None:
        demo = load_demo(ruleset)
        self.table, self.path = demo.virtual.table, folder / "journal.db"
        self.ticks = itertools.count()
        self.desk = self.opened()
        self.desk.begin(demo_game(demo))
        self.bases = {
            figure.id: (figure.x_mm, figure.y_mm) for unit in self.desk.game.units for figure in unit.figures
        }
        self.looks()

    def opened(self) -> Desk:
        """The same game as a program that starts anew finds it."""
        clock = lambda: f"2026-11-22T20:00:{next(self.ticks):02}Z"  # noqa: E731
        return Desk(Journal(self.path), self.table, clock, lambda: 1)

    def unit(self, name: str) -> Unit:
        return next(unit for unit in self.desk.game.units if name in (unit.name, unit.id))

    def looks(self) -> None:
        kinds, seen = kinds_of(self.desk.game, self.table), []
        for unit in self.desk.game.units:
            for figure in unit.figures:
                army, base, _ = kinds[figure.id]
                x, y = self.bases[figure.id]
                seen.append(
                    BaseSeen(
                        army=army,
                        base=base,
                        x_mm=x,
                        y_mm=y,
                        z_mm=0.0,
                        bearing_deg=figure.bearing_deg,
                        sigma_mm=0.3,
                        bearing_sigma_deg=1.0,
                        confidence=0.95,
                    )
                )
        self.desk.look(observed(seen))
        self.desk.answer()

    def carries(self, name: str, length_mm: float, off_front_deg: float = 0.0) -> str:
        """Carries a unit so far off the way that it faces; gives what the log says of it."""
        unit = self.unit(name)
        dx, dy = towards((unit.figures[0].bearing_deg or 0.0) + off_front_deg)
        for figure in unit.figures:
            x, y = self.bases[figure.id]
            self.bases[figure.id] = (x + dx * length_mm, y + dy * length_mm)
        self.looks()
        return self.said()

    def said(self) -> str:
        title: str = entry_view(self.desk, self.desk.journal.entries[-1])["title"]
        return title

    def state(self) -> dict[str, Any]:
        return game_state(self.desk)
