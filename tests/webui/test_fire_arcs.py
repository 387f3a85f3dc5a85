"""What the page is told of fire arcs in every demo."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from engine.keeping.journal import Journal
from vision.simulated import demo_names, load_demo
from webui.app import create_app
from webui.commands.demo import demo_game
from webui.live import LiveTable
from webui.table.desk import Desk


@pytest.mark.parametrize("ruleset", demo_names())
def test_every_unit_of_a_demo_that_can_fire_has_its_arc(ruleset: str, tmp_path: Path) -> None:
    demo, seeds = load_demo(ruleset), itertools.count(1)
    desk = Desk(Journal(tmp_path / "journal.db"), demo.virtual.table, lambda: "now", lambda: next(seeds))
    desk.begin(demo_game(demo))
    live = LiveTable(desk, mode="demo", clock_s=lambda: 100.0)
    live.start()
    try:
        answers = create_app(live).test_client().get("/api/state").json["answer"]["units"]
    finally:
        live.close()
    armed = {one["unit"] for one in answers if any(option["roll"] for option in one["fire"])}
    drawn = {one["unit"] for one in answers if one.get("arc")}
    assert armed
    assert armed <= drawn
    for one in answers:
        for shown in [one["arc"]] if one.get("arc") else []:
            assert shown.get("from") or any(band["cells"] for band in shown["bands"])
