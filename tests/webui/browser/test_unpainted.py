"""A first evening with figures whose bases have no painted rims: the empty table's photo, and whose they are."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from playwright.sync_api import expect

from engine.records.game import Unit
from tests.webui.evening_table import simulated
from vision.simulated import VirtualTable, empty_of

from .conftest import OpenPage
from .evening import PATIENCE_MS, Evening, draw_round, evening, fill_in, press, shot, step
from .test_first_evening import at_step, fits, set_up

pytestmark = pytest.mark.browser


def unpainted(table: VirtualTable, *units: str) -> VirtualTable:
    """The table with these units alone, none of which has painted rims."""
    stands = tuple(replace(base, plain=True) for base in table.bases if base.id.rsplit("-", 1)[0] in units)
    return replace(table, bases=stands)


def test_bases_without_paint_are_found_by_the_empty_table_and_put_into_units(
    tmp_path: Path, open_page: OpenPage
) -> None:
    camera = simulated()
    full = camera.table
    with evening(tmp_path, camera) as table:
        camera.replace(unpainted(full, "1st-foot"))
        api = set_up(table)
        page = at_step(open_page, table, "armies")
        for name in ("British", "French"):
            press(page, "bare")
            expect(page.locator("#panel .eve-form")).to_contain_text("by their shape and size")
            fits(page, "bare-army")
            fill_in(page, "army", name)
            press(page, "keep-army")
        says = page.locator("[data-key='says']")
        expect(says).to_contain_text("The rims of British and French have no paint.")
        fits(page, "bare-no-photo")
        shown = api.get()["camera"]["frame"]
        camera.replace(empty_of(full))
        api.until(lambda view: view["camera"]["frame"] > shown + 1)
        press(page, "take-empty")
        expect(says).to_contain_text("No base without paint is seen", timeout=PATIENCE_MS)
        camera.replace(unpainted(full, "1st-foot"))
        expect(says).to_contain_text("without paint 10", timeout=PATIENCE_MS)
        fits(page, "bare-found")
        step(page, "units")
        press(page, "lasso")
        first = [base for base in camera.table.bases if base.id.startswith("1st-foot-")]
        left, right = min(base.x_mm for base in first) - 30, max(base.x_mm for base in first) + 30
        near, far = first[0].y_mm - 40, first[0].y_mm + 40
        draw_round(page, [table.share(x, y) for x, y in ((left, near), (right, near), (right, far), (left, far))])
        expect(page.locator("[data-key='chosen']")).to_contain_text("10 bases without paint chosen")
        page.locator("#field-whose").select_option("French")
        fill_in(page, "unitname", "La Reine")
        fits(page, "bare-units")
        press(page, "muster")
        expect(page.locator("#panel .eve-item", has_text="La Reine")).to_contain_text("10 seen")
        shot(page, "bare-mustered")
        before = stands(table)
        assert (before.side, len(before.figures)) == ("French", 10)
        assert all(figure.bearing_deg is not None for figure in before.figures), "as their line lies"
        camera.replace(advanced(camera.table, 90.0))
        api.until(lambda view: stands(table) != before)
        moved = [now.y_mm - then.y_mm for now, then in zip(stands(table).figures, before.figures, strict=True)]
        assert moved == pytest.approx([90.0] * 10, abs=2.0)


def stands(table: Evening) -> Unit:
    (unit,) = table.live.do(lambda desk: desk.game).units
    return unit


def advanced(table: VirtualTable, by_mm: float) -> VirtualTable:
    return replace(table, bases=tuple(replace(base, y_mm=base.y_mm + by_mm) for base in table.bases))
