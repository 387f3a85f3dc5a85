"""Skirmishers and squadrons that go out and come back."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import ActionRefused
from tests.engine.musket_pike.scene import after, do, game, told, unit


@pytest.mark.rule("MP-69", "MP-31", "MP-32", "MP-252", "musket-pike R7")
@pytest.mark.parametrize(
    ("attributes", "strength", "state", "men"),
    [
        (["can-deploy"], 400, {}, 40), (["can-deploy"], 259, {}, 25), (["can-deploy"], 249, {}, None),
        (["light"], 401, {}, 301), (["guard"], 40, {}, 30), ([], 400, {}, None),
        (["can-deploy", "irregular"], 400, {}, None), (["can-deploy", "restricted"], 400, {}, None),
        (["light"], 400, {"disordered": True}, None), (["light"], 400, {"routed": True}, None),
        (["light"], 400, {"mp_used": 10}, 300), (["light"], 400, {"mp_used": 11}, None),
        (["light"], 400, {"fired": True}, None),
    ],
)  # fmt: skip
def test_who_sends_out_how_many_skirmishers(attributes: Any, strength: int, state: Any, men: int | None) -> None:
    of = game(unit("a", (4, 4), stats={"strength": strength, "attributes": attributes}, **state))
    if men is None:
        with pytest.raises(ActionRefused):
            do(of, "deploy-skirmishers", unit="a")
        return
    played = do(of, "deploy-skirmishers", unit="a")
    assert told(played, "deployed") == [{"unit": "a", "men": men, "to": "a-sk"}]
    assert after(played, "a").stats["strength"] == strength - men
    assert after(played, "a").state["mp_used"] == state.get("mp_used", 0) + 2
    out = after(played, "a-sk")
    assert (out.type, out.hex, out.stats["strength"], out.stats["parent"]) == ("skirmisher", (4, 4), men, "a")


@pytest.mark.rule("MP-40", "MP-148", "MP-252")
def test_men_who_have_marched_march_no_farther_for_going_out_as_skirmishers() -> None:
    light = unit("a", (4, 4), "infantry", "column", stats={"attributes": ["light"]})
    marched = do(game(light, unit("b", (12, 4))), "move", unit="a", path=["NE", "NE"]).game
    went = do(marched, "deploy-skirmishers", unit="a")
    assert (after(went, "a-sk").state["mp_used"], after(went, "a-sk").state["moved"]) == (6.0, True)
    with pytest.raises(ActionRefused, match="movement points are left"):
        do(went.game, "move", unit="a-sk", path=["NE", "NE", "NE"])
    fresh = after(do(game(light, unit("b", (12, 4))), "deploy-skirmishers", unit="a"), "a-sk")
    assert fresh.state == {"fatigue": 0, "ammo": "full"}


@pytest.mark.rule("MP-65", "MP-252")
def test_fixed_men_do_not_get_away_as_skirmishers() -> None:
    fixed = unit("a", (4, 4), stats={"attributes": ["can-deploy"]}, fixed=True, release_turn=9)
    out = do(game(fixed, unit("b", (20, 4))), "deploy-skirmishers", unit="a")
    assert after(out, "a-sk").state["release_turn"] == 9
    with pytest.raises(ActionRefused, match="is fixed"):
        do(out.game, "move", unit="a-sk", path=["N"])


@pytest.mark.rule("MP-252", "MP-73")
def test_a_detachment_has_its_parents_arms_state_and_zeal() -> None:
    stats = {
        "attributes": ["light", "fanatical"],
        "quality": "B",
        "armor": 1,
        "melee": 2,
        "range": 2,
        "commander": "l",
    }
    of = game(unit("a", (4, 4), weapon="rifle", stats=stats, ammo="low", fatigue=120), unit("l", (4, 4), "leader"))
    out = after(do(of, "deploy-skirmishers", unit="a"), "a-sk")
    assert {key: out.stats[key] for key in ("quality", "armor", "melee", "range", "commander")} == {
        key: stats[key] for key in ("quality", "armor", "melee", "range", "commander")
    }
    assert (out.weapon, out.stats["attributes"], out.state["ammo"], out.state["fatigue"]) == (
        "rifle", ["fanatical"], "low", 120,
    )  # fmt: skip
    with pytest.raises(ActionRefused, match="out already"):
        do(do(of, "deploy-skirmishers", unit="a").game, "deploy-skirmishers", unit="a")


@pytest.mark.rule("MP-73", "MP-25")
@pytest.mark.parametrize(
    ("kind", "formation", "state", "men"),
    [
        ("cavalry", None, {}, 100), ("cavalry", None, {"disordered": True}, None),
        ("cavalry", "dismounted", {}, None),
        ("squadron", None, {}, None), ("infantry", None, {}, None),
    ],
)  # fmt: skip
def test_mounted_cavalry_detaches_a_quarter_as_a_squadron(kind: str, formation: Any, state: Any, men: Any) -> None:
    of = game(unit("a", (4, 4), kind, formation, stats={"strength": 403, "attributes": ["dragoon"]}, **state))
    if men is None:
        with pytest.raises(ActionRefused):
            do(of, "deploy-squadron", unit="a")
        return
    out = after(do(of, "deploy-squadron", unit="a"), "a-sq")
    assert (out.stats["strength"], out.formation, out.state["facing"]) == (men, "mounted", "R")


@pytest.mark.rule("MP-70", "MP-73", "MP-242", "MP-252")
@pytest.mark.parametrize(
    ("own", "fatigue", "then"), [(0, 99, 0), (0, 100, 100), (50, 149, 50), (850, 900, 850), (30, 500, 130)]
)
def test_a_detachment_rejoins_its_parent(own: int, fatigue: int, then: int) -> None:
    for kind, parent, action in (
        ("skirmisher", "infantry", "recall-skirmishers"),
        ("squadron", "cavalry", "recall-squadron"),
    ):
        of = game(
            unit("a", (4, 4), parent, stats={"strength": 300}, fatigue=own),
            unit("a-2", (4, 4), kind, stats={"strength": 40, "parent": "a"}, fatigue=fatigue, ammo="low"),
        )
        played = do(of, action, unit="a-2")
        assert "a-2" not in played.game.by_id
        whole = after(played, "a")
        assert (whole.stats["strength"], whole.state["fatigue"], whole.state.get("ammo", "full")) == (
            340,
            then,
            "full",
        )
        assert told(played, "recalled")[0]["unit"] == "a-2"


@pytest.mark.rule("MP-70")
@pytest.mark.parametrize(
    ("hex", "parent", "own"),
    [
        ((4, 5), {}, {}), ((4, 4), {"disordered": True}, {}), ((4, 4), {"routed": True}, {}),
        ((4, 4), {}, {"disordered": True}), ((4, 4), {}, {"routed": True}), ((4, 4), {}, {"mp_used": 11}),
    ],
)  # fmt: skip
def test_what_keeps_skirmishers_from_rejoining(hex: Any, parent: Any, own: Any) -> None:
    of = game(unit("a", (4, 4), **parent), unit("a-sk", hex, "skirmisher", stats={"parent": "a"}, **own))
    with pytest.raises(ActionRefused):
        do(of, "recall-skirmishers", unit="a-sk")


@pytest.mark.rule("MP-69", "MP-14")
def test_detachments_go_and_come_in_the_movement_phase_alone() -> None:
    made = unit("a", (4, 4), stats={"attributes": ["light"]})
    with pytest.raises(ActionRefused):
        do(game(made, mode="phases", phase="offensive-fire"), "deploy-skirmishers", unit="a")
    assert do(game(made, mode="phases", phase="movement"), "deploy-skirmishers", unit="a").events


def test_the_umpire_may_overrule_and_nothing_breaks() -> None:
    of = game(unit("a", (4, 4), "infantry", stats={"attributes": ["light"]}), unit("a-sk", (9, 9), "skirmisher"))
    out = do(
        do(of, "deploy-skirmishers", unit="a", override=True).game, "deploy-skirmishers", unit="a", override=True
    )
    assert [one.id for one in out.game.units] == ["a", "a-sk", "a-sk-2", "a-sk-3"]
    same = do(of, "formation", unit="a", to="limbered", override=True)
    assert after(same, "a").formation == "line"
    both = do(of, "move", unit="a", with_=["a-sk"], path=["N"], override=True)
    assert {one.hex for one in both.game.units} == {(4, 5), (9, 10)}
