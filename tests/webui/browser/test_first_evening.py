"""The first evening on the page: from nothing to playing, at the size of a phone and of a big screen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from calibration.records import read_intrinsics
from tests.webui.evening_table import Api, covered, simulated
from vision.simulated import BoardHeld, SimulatedCamera

from .conftest import OpenPage
from .evening import (
    PATIENCE_MS,
    Evening,
    draw_round,
    evening,
    fill_in,
    lending_chromium,
    press,
    shot,
    step,
    touch_picture,
)
from .test_fit import _SMALL_TARGETS, _faults

pytestmark = pytest.mark.browser

SIZES: dict[str, ViewportSize] = {"phone": {"width": 360, "height": 640}, "screen": {"width": 1920, "height": 1080}}
KIND = {"shape": "round", "name": "foot", "diameter_mm": 25.0, "height_mm": 3.0}


def opened(open_page: OpenPage, table: Evening, size: str = "screen", **more: Any) -> Page:
    page = open_page(table.url, "desk", viewport=SIZES[size], bypass_csp=True, **more)
    table.pages.append(page)
    return page


def fits(page: Page, name: str) -> None:
    """Small and large, nothing runs off the screen, every target fits a finger, and axe finds no serious fault."""
    begun = page.viewport_size
    assert begun is not None
    for size, viewport in SIZES.items():
        page.set_viewport_size(viewport)
        shot(page, f"{size}-{name}")
        fits_now(page)
    page.set_viewport_size(begun)


def fits_now(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate("(({scrollWidth, clientWidth}) => scrollWidth <= clientWidth)(document.body)")
    assert page.evaluate("(panel => panel.scrollWidth <= panel.clientWidth)(document.getElementById('panel'))")
    assert page.evaluate(_SMALL_TARGETS) == []
    assert _faults(page) == ""


def choose_camera(page: Page) -> None:
    page.locator("#field-source").select_option("simulated")
    press(page, "use-camera")
    step(page, "camera", "good")
    expect(page.locator("#picture .leaflet-image-layer")).to_be_visible()


def measure_lens(page: Page, table: Evening) -> None:
    step(page, "lens")
    for number in range(1, 4):
        press(page, "hold")
        expect(page.locator(".eve-board.eve-good")).to_be_visible(timeout=PATIENCE_MS)
        press(page, "take")
        expect(page.locator(".cover__words")).to_contain_text(f"{number} photo")
        expect(page.locator(".eve-board.eve-good")).to_have_count(0, timeout=PATIENCE_MS)  # it has been there now
    fits(page, "2-lens")
    press(page, "solve")
    step(page, "lens", "good")
    shot(page, "2-lens-done")
    lens = read_intrinsics(table.live.bench.files.lens)  # type: ignore[union-attr]
    assert lens.fx == pytest.approx(table.camera.camera.intrinsics.fx, rel=0.01)


def lay_markers(page: Page, table: Evening) -> None:
    step(page, "table")
    expect(page.locator("#panel .facts dd")).to_have_text("0, 1, 2, 3, 4, 5", timeout=PATIENCE_MS)
    fits(page, "3-table")
    area = table.camera.table.table.table
    press(page, "corners")
    touch_picture(page, table.share(0, 0, 0))
    touch_picture(page, table.share(area.width_mm, 0, 0))
    step(page, "table", "good")
    shot(page, "3-table-laid")


def check_length(page: Page) -> None:
    step(page, "length")
    page.locator("#field-first").select_option("0")
    page.locator("#field-second").select_option("2")
    fill_in(page, "mm", "2272.7")
    press(page, "compare")
    fits(page, "4-length")
    if page.locator("[data-key='scale']").count():
        press(page, "scale")
    step(page, "length", "good")


def point_at_armies(page: Page, table: Evening) -> None:
    step(page, "armies")
    for army in ("british", "french"):
        if army == "french":
            press(page, "point")
        base = next(one for one in table.camera.table.bases if one.army == army)
        touch_picture(page, table.share(base.x_mm, base.y_mm))
        expect(page.locator("#panel .eve-form")).to_contain_text(
            "A round base of 25 mm was read", timeout=PATIENCE_MS
        )
        fill_in(page, "army", army.title())
        fits(page, "5-armies")
        press(page, "keep-army")
    step(page, "armies", "good")
    shot(page, "5-armies-done")


def muster(page: Page, table: Evening) -> None:
    step(page, "units")
    expect(page.locator("[data-key='lasso']")).to_be_visible(timeout=PATIENCE_MS)
    press(page, "lasso")
    first = [base for base in table.camera.table.bases if base.id.startswith("1st-foot-")]
    left, right = min(base.x_mm for base in first) - 30, max(base.x_mm for base in first) + 30
    near, far = first[0].y_mm - 40, first[0].y_mm + 40
    draw_round(page, [table.share(x, y) for x, y in ((left, near), (right, near), (right, far), (left, far))])
    expect(page.locator("[data-key='chosen']")).to_contain_text("10 bases of British chosen")
    fill_in(page, "unitname", "1st Foot")
    page.locator("#field-weapon").select_option("musket")
    fill_in(page, "stat-rep", "5")
    fits(page, "6-units")
    press(page, "muster")
    page.locator("#panel button", has_text="French").first.click()
    fill_in(page, "unitname", "La Reine")
    press(page, "muster")
    step(page, "units", "good")
    shot(page, "6-units-done")


def name_the_ground(page: Page, table: Evening) -> None:
    step(page, "ground")
    press(page, "tone")
    touch_picture(page, table.share(1480.0, 580.0, 0.0))
    fill_in(page, "high", "2")
    fits(page, "7-ground")
    press(page, "find")
    expect(page.locator("#panel [data-key='piece-woods-1']")).to_be_visible(timeout=PATIENCE_MS)
    press(page, "piece-woods-1")
    fill_in(page, "piecename", "Hangman's Wood")
    press(page, "keep-piece")
    step(page, "ground", "good")
    shot(page, "7-ground-named")


def test_the_whole_evening(tmp_path: Path, open_page: OpenPage) -> None:
    with evening(tmp_path, simulated()) as table:
        page = opened(open_page, table, "phone")
        assert page.url.startswith(f"{table.url}evening"), "with nothing set up the page leads here"
        fits(page, "1-camera")
        choose_camera(page)
        shot(page, "1-camera-chosen")
        measure_lens(page, table)
        lay_markers(page, table)
        check_length(page)
        point_at_armies(page, table)
        muster(page, table)
        name_the_ground(page, table)
        page.locator("[data-key='play']").click()
        page.wait_for_selector("body[data-ready]")
        expect(page.locator("#orders")).to_contain_text("1st Foot")
        shot(page, "8-play")
        game = table.live.do(lambda desk: desk.game)
        units = {unit.name: unit for unit in game.units}
        assert units["1st Foot"].stats["rep"] == 5
        assert len(units["1st Foot"].figures) == 10
        assert units["La Reine"].side == "French"
        assert {piece.id for piece in game.terrain} == {"Hangman's Wood", "woods-2", "woods-3"}


def test_another_camera_can_be_chosen_after_one_that_is_lost(tmp_path: Path, open_page: OpenPage) -> None:
    with evening(tmp_path, simulated()) as table:
        Api(table.live).post("camera", source="0")  # there is none here
        page = opened(open_page, table, "phone")
        expect(page.locator("#empty")).to_contain_text("camera", timeout=PATIENCE_MS)
        expect(page.locator("#field-size")).to_be_visible()
        page.wait_for_timeout(3000)  # what is known of it stays the same from now on
        page.locator("#field-source").select_option("address")
        expect(page.locator("#field-address")).to_be_visible()
        expect(page.locator("#field-size")).to_have_count(0)
        fits(page, "1-lost-address")
        page.locator("#field-source").select_option("browser")
        expect(page.locator("#field-address")).to_have_count(0)
        expect(page.locator("#field-size")).to_have_count(0)


def set_up(table: Evening) -> Api:
    """A table whose markers lie and whose lens is guessed, as on another evening."""
    api = Api(table.live)
    api.post("camera", source="simulated")
    api.until(lambda view: view["camera"]["size_px"] is not None)
    api.post("lens", do="guess")
    area = table.camera.table.table.table
    api.post("lay", near=[table.share(0, 0, 0), table.share(area.width_mm, 0, 0)])
    return api


def at_step(open_page: OpenPage, table: Evening, name: str, size: str = "phone") -> Page:
    page = opened(open_page, table, size, server_may_die=True)  # what is refused stands on Chromium's console, too
    page.goto(f"{table.url}evening#{name}")
    page.reload()
    page.wait_for_selector("body[data-ready]")
    expect(page.locator("#picture .leaflet-image-layer")).to_be_visible()
    return page


@pytest.mark.rule("MM-29")
def test_the_leader_is_the_base_that_is_touched(tmp_path: Path, open_page: OpenPage) -> None:
    with evening(tmp_path, simulated()) as table:
        api = set_up(table)
        api.post("army", name="british", base_colour="#a8282a", front_mark="#f4f0e0", bases=[KIND])
        api.until(lambda view: len(view["roster"]["strays"]) == 25)
        page = at_step(open_page, table, "units")
        page.locator("#panel button", has_text="10 British").first.click()
        fill_in(page, "unitname", "1st Foot")
        page.locator("#field-weapon").select_option("musket")
        fill_in(page, "stat-leader_rep", "5")
        press(page, "muster")
        expect(page.locator(".eve-said")).to_contain_text("Say which base is the Leader")
        line = sorted((base for base in table.camera.table.bases if base.id.startswith("1st-foot-")), key=where_x)
        name(page, table, "leader", line[3])
        expect(page.locator("#panel")).to_contain_text("Named: Leader.")
        fits(page, "6-leader")
        press(page, "muster")
        page.locator("[data-key='unit-1st-foot']").wait_for(timeout=PATIENCE_MS)
        assert roles(table) == {round(line[3].x_mm): "leader"}
        press(page, "unit-1st-foot")
        name(page, table, "leader", line[6])
        name(page, table, "officer", line[3])
        fits(page, "6-leader-changed")
        press(page, "keep-unit")
        assert roles(table) == {round(line[6].x_mm): "leader", round(line[3].x_mm): "officer"}


def where_x(base: Any) -> float:
    return float(base.x_mm)


def name(page: Page, table: Evening, role: str, base: Any) -> None:
    """Chooses what a base is, and touches it in the picture."""
    page.locator("#field-part").select_option(role)
    expect(page.locator("#aim")).to_contain_text("Touch the base")
    touch_picture(page, table.share(base.x_mm, base.y_mm))


def roles(table: Evening) -> dict[int, str]:
    """Who of the unit is not like the others, by where he stands."""
    figures = table.live.do(lambda desk: desk.game.unit("1st-foot").figures)
    near = {round(base.x_mm): base for base in table.camera.table.bases if base.id.startswith("1st-foot-")}
    return {min(near, key=lambda x: abs(x - one.x_mm)): one.role for one in figures if one.role != "rank"}


def hold(camera: SimulatedCamera, blur_px: float) -> None:
    camera.hold(BoardHeld(turn=(0.1, -0.2, 0.3), middle_mm=(20.0, 20.0, 430.0), blur_px=blur_px))


def test_what_goes_wrong_is_said_with_what_to_do(tmp_path: Path, open_page: OpenPage) -> None:
    camera = simulated()
    with evening(tmp_path, camera) as table:
        api = set_up(table)
        page = at_step(open_page, table, "lens")
        hold(camera, 3.0)
        expect(page.locator(".eve-board")).to_contain_text(
            "The board is blurred: hold it still", timeout=PATIENCE_MS
        )
        page.locator("[data-key='take']").click()
        expect(page.locator(".eve-said")).to_contain_text("blurred")
        camera.hold(None)
        camera.replace(covered(camera, 5))
        step(page, "table")
        says = page.locator("[data-key='says']")
        expect(says).to_contain_text("Marker 5 not seen: uncover or light it", timeout=PATIENCE_MS)
        fits(page, "bad-marker")
        step(page, "length")
        fill_in(page, "mm", "1800")
        press(page, "compare")
        expect(page.locator("[data-key='taped']")).to_contain_text("no printer is off by so much")
        expect(page.locator("[data-key='scale']")).to_have_count(0)
        shot(page, "bad-length")
        step(page, "armies")
        touch_picture(page, table.share(300.0, 500.0))
        expect(page.locator(".eve-said")).to_contain_text("There is no base under the finger: point at the middle")
        shot(page, "bad-base")
        assert api.get()["armies"] == []


def test_any_step_of_a_running_game_and_nothing_is_lost(tmp_path: Path, open_page: OpenPage) -> None:
    camera = simulated()
    with evening(tmp_path, camera) as table:
        api = set_up(table)
        api.post("army", name="british", base_colour="#a8282a", front_mark="#f4f0e0", bases=[KIND])
        view = api.until(lambda view: len(view["roster"]["strays"]) == 25)
        bases = [view["roster"]["strays"][place] for place in view["roster"]["groups"][0]["bases"]]
        points = [{"x_mm": base["x_mm"], "y_mm": base["y_mm"]} for base in bases]
        unit = {"unit": "foot", "bases": points, "side": "british", "type": "regular", "name": "The Foot"}
        api.post("muster", assign={**unit, "weapon": "musket", "stats": {"rep": 4}})
        page = opened(open_page, table, "phone", server_may_die=True)
        page.locator("[data-key='set-up']").click()
        page.wait_for_selector(".eve body[data-ready], body.eve[data-ready]")
        page.locator("[data-key='unit-foot']").click()
        fill_in(page, "unitname", "The Old Foot")
        page.context.set_offline(True)
        expect(page.locator("#banner")).to_contain_text("Nothing is lost")
        expect(page.locator("#field-unitname")).to_have_value("The Old Foot")
        page.context.set_offline(False)
        expect(page.locator("#banner")).to_be_hidden()
        press(page, "keep-unit")
        page.reload()
        expect(page.locator("#panel .eve-item", has_text="The Old Foot")).to_be_visible()
        press(page, "unit-foot")
        press(page, "disband")
        press(page, "disband")
        expect(page.locator("#panel")).to_contain_text("25 bases in no unit", timeout=PATIENCE_MS)


@pytest.fixture(scope="module")
def filmed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What Chromium's own camera shall see: the demo's table, as a film of one picture."""
    frame = simulated().latest()
    assert frame is not None
    film = tmp_path_factory.mktemp("film") / "table.mjpeg"
    picture = bytes(cv2.imencode(".jpg", frame.image, [cv2.IMWRITE_JPEG_QUALITY, 95])[1])
    film.write_bytes(picture * 3)
    return film


#: Counts how often the page asks for a screen that stays lit.
_LIT = """window.lit = 0;
Object.defineProperty(navigator, "wakeLock", { value: {
  request: async () => { window.lit += 1; return { release: async () => { window.lit -= 1; } }; },
} });"""


@pytest.mark.parametrize("allowed", [True, False])
def test_the_browser_s_own_camera(tmp_path: Path, browser: Browser, filmed: Path, allowed: bool) -> None:
    fake = ["--use-fake-device-for-media-stream", f"--use-file-for-fake-video-capture={filmed}"]
    with evening(tmp_path, simulated()) as table, lending_chromium(browser, *fake) as lender:
        permissions = ["camera"] if allowed else []
        context = lender.new_context(viewport=SIZES["phone"], permissions=permissions, bypass_csp=True)
        page = context.new_page()
        table.pages.append(page)
        page.add_init_script(_LIT)
        page.goto(table.url)
        page.wait_for_selector("body[data-ready]")
        page.locator("#field-source").select_option("browser")
        press(page, "use-camera")
        if not allowed:
            expect(page.locator("#panel .flag")).to_contain_text("allow it beside the address", timeout=PATIENCE_MS)
            step(page, "camera", "trouble")
            return
        step(page, "camera", "good")
        expect(page.locator("#panel .eve-good")).to_contain_text("lends its camera")
        page.wait_for_function("window.lit === 1")
        fits(page, "1-lent")
        step(page, "table")
        expect(page.locator("#panel .facts dd")).to_have_text("0, 1, 2, 3, 4, 5", timeout=PATIENCE_MS)
        press(page, "lay")
        step(page, "table", "good")
        page.goto(table.url)
        page.wait_for_selector("body[data-ready]")
        posted = table.live.bench.stand.source.latest()  # type: ignore[union-attr]
        expect(page.locator("#camera")).to_contain_text("Live", timeout=PATIENCE_MS)
        page.wait_for_timeout(3000)
        newer = table.live.bench.stand.source.latest()  # type: ignore[union-attr]
        assert newer.number > posted.number, "the table's page goes on lending"  # type: ignore[union-attr]
        page.wait_for_function("window.lit === 1")


def test_a_step_that_must_wait_leads_to_the_one_that_comes_first(tmp_path: Path, open_page: OpenPage) -> None:
    with evening(tmp_path / "evening", simulated()) as table:
        page = opened(open_page, table, "phone")
        choose_camera(page)
        for waits, first in (("length", "table"), ("armies", "table"), ("units", "armies"), ("ground", "table")):
            step(page, waits)
            page.locator(f"#panel [data-key='to-{first}']").click()
            expect(page.locator(f"[data-key='step-{first}']")).to_have_attribute("aria-current", "step")
            fits(page, f"{waits}-waits")
