"""Whom a leader of Tyneside commands: a distance that nobody can call is told, apart from what is settled."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.engine.tyneside.scene import figure, game, unit

from .conftest import DemoWith, OpenPage
from .players import select
from .test_fit import _SMALL_TARGETS, _faults

pytestmark = pytest.mark.browser

NAMES = {"al": "Captain Hervey", "a": "Rangers", "ab": "Militia", "ac": "Light Company", "ad": "Scouts"}
CAPTAIN = unit("al", figure("al-1", 300, 600, role="officer"), type="leader")
#: 0.1 mm beyond 50 cm of the captain, 0.1 mm within; well beyond; well within.
HAIR_BEYOND, HAIR_WITHIN = (825.1, 600), (816.9, 508.9)
GROUPS = (
    unit("a", HAIR_BEYOND, (822.7, 650)), unit("ab", (600, 950), (860, 900)), unit("ac", (450, 600), (450, 650)),
    unit("ad", HAIR_WITHIN),
)  # fmt: skip


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_group_at_the_very_end_of_a_command_distance_is_told_to_be_too_close_to_call(
    demo_with: DemoWith, open_page: OpenPage, theme: str
) -> None:
    of = game(*({**one, "name": NAMES[one["id"]]} for one in (CAPTAIN, *GROUPS)))
    demo = demo_with(of)
    demo.settled()
    told = {one["group"]: bool(one["borderline"]) for one in demo.answer("al")["command"]["groups"]}
    assert told == {"a": True, "ab": False, "ac": False, "ad": True}
    size = {"viewport": {"width": 360, "height": 640}}
    page = open_page(demo.url, "desk", color_scheme=theme, bypass_csp=True, **size)
    select(page, "al")
    groups = page.locator("[data-key='chain'] .chain__group")
    rangers, militia, light, scouts = (groups.filter(has_text=NAMES[one]) for one in ("a", "ab", "ac", "ad"))
    for near in (rangers, scouts):
        expect(near.locator(".doubt strong")).to_have_text("Too close to call")
        expect(near.locator(".doubt li").last).to_contain_text("against 50 cm")
    expect(scouts.locator(".doubt li")).to_contain_text("Whether Captain Hervey commands Scouts: ")  # no numbers
    expect(rangers.locator(".doubt li").first).to_contain_text("commands Rangers no. 1: ")
    expect(militia).to_contain_text("Beyond command distance")
    for sure in (militia, light):
        expect(sure.locator(".doubt")).to_have_count(0)
    expect(light.get_by_role("button")).to_contain_text("costs 2 points, with 3d6")
    expect(light.get_by_role("button")).to_be_enabled()
    assert (_faults(page), page.evaluate(_SMALL_TARGETS)) == ("", [])
