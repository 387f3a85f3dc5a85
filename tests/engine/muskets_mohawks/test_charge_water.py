"""Creeks and fords, in charges and in formation: crossed in three activations, and nobody in them is formed."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import ActionRefused
from engine.records.game import game_from
from engine.rulesets import find_ruleset
from tests.engine.muskets_mohawks.playing import Plain, Shown, after, event, game, resolve, shown, unit, wood

CREEK = wood("creek", 0, 520, 1828, 580, "creek")


def us(y: float, number: int = 6, **more: Any) -> Plain:
    return unit("us", "british", **{"number": number, "at": (900, y), "formation": "formed-line", **more})


def foe(y: float, **more: Any) -> Plain:
    return unit("foe", "french", **{"type": "irregular", "number": 6, "at": (900, y), "facing": 180, **more})


def asked(scene: Plain, name: str = "us") -> Any:
    ready = game_from(scene, "the scene")
    return find_ruleset(ready.ruleset).ask(ready, [name]).units[0]


ACROSS = [
    # where the charger stands, what it has done, where its target is, the rows that speak against its charge
    (420, {}, 700, ("MM-191",)),
    (505, {"at_edge_since": "edge"}, 700, ("MM-191",)),
    (505, {"at_edge_since": "edge"}, 550, ()),
    (505, {}, 550, ("MM-191",)),
    (550, {"at_edge_since": "inside"}, 700, ()),
    (550, {"at_edge_since": "inside", "moved_mm": 45.0}, 700, ("MM-191",)),
    (420, {}, 490, ()),
]


@pytest.mark.rule("MM-191", "MM-127")
@pytest.mark.parametrize(("y", "state", "there", "rows"), ACROSS)
def test_a_charge_crosses_water_as_a_march_does(
    y: float, state: Plain, there: float, rows: tuple[str, ...]
) -> None:
    scene = game(us(y, state=state), foe(there), terrain=[CREEK])
    (option,) = asked(scene).charge
    assert option.why_rules == rows
    if rows:
        with pytest.raises(ActionRefused, match="activation"):
            resolve(scene, [], action="charge", unit="us", target="foe")


@pytest.mark.rule("MM-191", "MM-127")
def test_a_charge_by_reaction_comes_out_of_the_water_whatever_was_moved_before() -> None:
    horse = {"type": "cavalry", "weapon": "sword", "mounted": True, "number": 2, "formation": "unformed"}
    moved = {"at_edge_since": "inside", "moved_mm": 45.0}
    scene = game(us(550, state=moved, **horse), foe(700), terrain=[CREEK], active="french")
    scores = Shown(tests=(1, 6), charges=6, receives=1)
    played = shown(scene, scores, action="reaction", unit="us", tests=["received-fire"], cause="foe")
    assert event(played, "reaction")["result"] == "charge"


@pytest.mark.rule("MM-191", "MM-128")
@pytest.mark.parametrize(("y", "there"), [(505, 550), (550, 700), (530, 700)])
def test_who_charges_into_water_or_out_of_it_does_so_unformed(y: float, there: float) -> None:
    scene = game(us(y, state={"at_edge_since": "edge"}), foe(there), terrain=[CREEK])
    (option,) = asked(scene).charge
    assert "MM-128" not in [one.rule for one in option.modifiers]
    played = shown(scene, Shown(charges=6, receives=1), action="charge", unit="us", target="foe")
    assert after(played, "us")["formation"] == "unformed"


@pytest.mark.rule("MM-191", "MM-95", "MM-99", "MM-134", "MM-152")
@pytest.mark.parametrize(("land", "formed"), [([CREEK], False), ([], True)])
def test_a_line_that_stands_in_water_is_none(land: list[Plain], formed: bool) -> None:
    scene = game(us(550), foe(592), terrain=land)
    ours, theirs = asked(scene), asked(scene, "foe")
    assert next(one for one in ours.fire if one.mode == "volley").legal is formed
    assert ("MM-128" in [one.rule for one in ours.charge[0].modifiers]) is formed
    for row, options in (("MM-134", theirs.charge), ("MM-99", theirs.fire)):
        assert (row in [one.rule for one in options[0].modifiers]) is formed
    locked = game(us(550, state={"in_melee": ["foe"]}), foe(575, state={"in_melee": ["us"]}), terrain=land)
    rows = [one["rule"] for one in asked(locked).extra["melee"][0]["modifiers"]]
    assert ("MM-152" in rows) is formed


@pytest.mark.rule("MM-191", "MM-192")
def test_a_line_on_a_bridge_is_not_in_the_water() -> None:
    bridge = wood("bridge", 700, 500, 1100, 600, "bridge")
    scene = game(us(550), foe(800), terrain=[CREEK, bridge])
    assert next(one for one in asked(scene).fire if one.mode == "volley").legal


@pytest.mark.rule("MM-191", "MM-66")
def test_no_line_is_formed_in_water() -> None:
    scene = game(us(550, formation="unformed"), foe(1100), terrain=[CREEK])
    entry = next(one for one in asked(scene).extra["actions"] if one["action"] == "form-line")
    assert entry["why_rules"] == ["MM-191"]
    with pytest.raises(ActionRefused, match="water"):
        resolve(scene, [], action="form-line", unit="us")


@pytest.mark.rule("MM-191", "MM-163")
def test_who_follows_into_water_is_unformed_there() -> None:
    ours = us(490, state={"in_melee": ["foe"], "melee_round": 1})
    scene = game(ours, foe(515, state={"in_melee": ["us"], "melee_round": 1}), terrain=[CREEK], active="french")
    played = resolve(scene, [1, 6], action="break-off", unit="foe", enemy="us")
    assert event(played, "break-off")["contact"] is True
    assert after(played, "us")["formation"] == "unformed"
