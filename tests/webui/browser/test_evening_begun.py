"""The first evening half done: a form that a reload finds, groups that look alike, a camera that is on its way."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.webui.evening_table import Api, simulated

from .conftest import OpenPage
from .evening import PATIENCE_MS, Evening, evening, fill_in, press, step, touch_picture
from .test_first_evening import KIND, at_step, fits, opened, set_up

pytestmark = pytest.mark.browser

#: The choices of the list of cameras that would be wider than it, if each had the room that it wants.
CUT_CHOICES = """() => {
    const list = document.getElementById("field-source");
    const wide = (option) => {
        const alone = list.cloneNode();
        alone.append(option.cloneNode(true));
        alone.style.cssText = "position: absolute; width: auto";
        document.body.append(alone);
        const width = alone.offsetWidth;
        alone.remove();
        return width;
    };
    const cut = [...list.options].filter((option) => wide(option) > list.offsetWidth);
    return cut.map((option) => option.textContent);
}"""


def with_both_armies(table: Evening) -> Api:
    """A table whose bases are seen and belong to no unit yet."""
    api = set_up(table)
    for name, colour in (("british", "#a8282a"), ("french", "#2b50ab")):
        api.post("army", name=name, base_colour=colour, front_mark=None, bases=[KIND])
    api.until(lambda view: {base["army"] for base in view["roster"]["strays"]} == {"british", "french"})
    return api


def load_anew(page: Page) -> None:
    page.reload()
    page.wait_for_selector("body[data-ready]")


def test_a_unit_that_is_half_said_is_there_after_a_reload(tmp_path: Path, open_page: OpenPage) -> None:
    with evening(tmp_path, simulated()) as table:
        api = with_both_armies(table)
        page = at_step(open_page, table, "units")
        page.locator("#panel button", has_text="10 British").first.click()
        chosen = page.locator("[data-key='chosen']")
        expect(chosen).to_contain_text("10 bases of British chosen")
        fill_in(page, "unitname", "1st Foot")
        fill_in(page, "stat-rep", "6")  # and the finger stays in it
        load_anew(page)
        expect(chosen).to_contain_text("10 bases of British chosen")
        expect(chosen).to_be_in_viewport()
        expect(page.locator("#field-unitname")).to_have_value("1st Foot")
        expect(page.locator("#field-stat-rep")).to_have_value("6")
        press(page, "leave-unit")
        load_anew(page)
        expect(page.locator("#panel")).to_contain_text("bases in no unit")
        expect(page.locator("#field-unitname")).to_have_count(0)  # what was given up stays so
        page.locator("#panel button", has_text="10 British").first.click()
        expect(page.locator("#field-stat-rep")).not_to_have_value("6")
        fill_in(page, "unitname", "1st Foot")
        strays = api.get()["roster"]["strays"]
        mine = [base for base in strays if base["army"] == "british"]
        points = [{"x_mm": base["x_mm"], "y_mm": base["y_mm"]} for base in mine]
        unit = {"unit": "foot", "bases": points, "side": "british", "type": "regular", "name": "The Foot"}
        api.post("muster", assign={**unit, "weapon": "musket", "stats": {"rep": 4}})  # another page was quicker
        load_anew(page)
        expect(page.locator("#panel .eve-item", has_text="The Foot")).to_be_visible()
        expect(page.locator("#field-unitname")).to_have_count(0)


def test_an_army_that_is_half_said_is_there_after_a_reload(tmp_path: Path, open_page: OpenPage) -> None:
    with evening(tmp_path, simulated()) as table:
        set_up(table)
        page = at_step(open_page, table, "armies")
        base = table.camera.table.bases[0]
        touch_picture(page, table.share(base.x_mm, base.y_mm))
        form = page.locator("#panel .eve-form")
        expect(form).to_contain_text("A round base of 25 mm was read", timeout=PATIENCE_MS)
        fill_in(page, "army", "Highlanders")
        press(page, "mark")
        load_anew(page)
        expect(form).to_contain_text("A round base of 25 mm was read")
        expect(page.locator("#field-army")).to_have_value("Highlanders")
        expect(page.locator("[data-key='mark']")).to_have_text("Stop")  # the mark is still to be touched
        press(page, "keep-army")
        expect(page.locator("#panel .eve-item", has_text="Highlanders")).to_be_visible(timeout=PATIENCE_MS)
        load_anew(page)
        expect(page.locator("#panel .eve-item", has_text="Highlanders")).to_be_visible()
        expect(form).to_have_count(0)


def test_who_plays_before_any_unit_is_known_is_led_back(tmp_path: Path, open_page: OpenPage) -> None:
    with evening(tmp_path, simulated()) as table:
        set_up(table)
        page = opened(open_page, table, "phone")
        hint = page.locator(".muster__hint")
        expect(hint).to_have_text(
            "No unit is on the table yet: set the table up, and say which bases belong together."
        )
        page.locator("[data-key='set-up']").click()
        page.wait_for_selector("body.eve[data-ready]")
        expect(page.locator("#panel h2")).to_have_text("The units")


def test_what_rules_hold_against_a_unit_is_said_of_the_unit(tmp_path: Path, open_page: OpenPage) -> None:
    with evening(tmp_path, simulated()) as table:
        with_both_armies(table).post("rules", ruleset="palouse", anew=False)
        page = at_step(open_page, table, "units")
        page.locator("#panel button", has_text="10 British").first.click()
        fill_in(page, "unitname", "1st Foot")
        press(page, "muster")
        expect(page.locator(".eve-said")).to_have_text("Its figures: expected one figure, the unit's base, got 10.")


def test_groups_of_one_army_and_size_are_told_apart(tmp_path: Path, open_page: OpenPage) -> None:
    with evening(tmp_path, simulated()) as table:
        api = with_both_armies(table)
        groups = api.get()["roster"]["groups"]
        told = [(group["army"], len(group["bases"])) for group in groups]
        alike = {one for one in told if told.count(one) > 1}
        assert alike, "some groups would have the same name"
        page = at_step(open_page, table, "units")
        chips = page.locator("#panel .eve-chips button").all_inner_texts()
        assert len(set(chips)) == len(chips)
        letters = page.locator("#picture .over-word").all_inner_texts()
        assert sorted(letters) == sorted(chip.split(": ")[1] for chip in chips if ": " in chip)
        fits(page, "6-groups")


def test_a_chosen_camera_that_starts_is_no_trouble(tmp_path: Path, open_page: OpenPage) -> None:
    camera = simulated()
    with evening(tmp_path, camera) as table:
        page = opened(open_page, table, "phone")
        assert page.evaluate(CUT_CHOICES) == []
        camera.latest = lambda: None  # type: ignore[method-assign]
        camera.wait = lambda after, timeout_s: None  # type: ignore[method-assign]
        page.locator("#field-source").select_option("simulated")
        press(page, "use-camera")
        expect(page.locator("[data-key='says']")).to_contain_text("The camera starts")
        step(page, "camera", "todo")
        step(page, "lens")
        expect(page.locator("#panel")).to_contain_text("The camera starts: its picture is needed here")
        expect(page.locator("#panel")).not_to_contain_text("Choose a camera")
