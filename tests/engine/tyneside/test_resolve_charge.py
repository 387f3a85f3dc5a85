"""Charges, and hidden markers."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import ActionRefused, UnknownAction
from tests.engine.tyneside.table import Json, do, game, group, leader, piece, row, said, spots, state, unit


@pytest.mark.rule("TY-70", "TY-20")
@pytest.mark.parametrize(("gap", "reached"), [(100.0, True), (250.0, True), (250.2, False)])
def test_a_charge_comes_into_contact_within_a_move(gap: float, reached: bool) -> None:
    of = game(group("b", (600, 200), (640, 200), commanded=True), group("f", (600, 225 + gap)))
    if not reached:
        with pytest.raises(ActionRefused, match="out of reach"):
            do(of, "charge", unit="b", target="f")
        return
    played = do(of, "charge", unit="b", target="f")
    assert said(played, "charge")[0]["result"] == "contact"
    assert spots(played, "b") == [(600, 200 + gap), (640, 200 + gap)]
    assert state(played, "b").moved == ("half" if gap <= 125 else "full")


@pytest.mark.rule("TY-70", "TY-21", "TY-22")
@pytest.mark.parametrize(("terrain", "gap", "result"), [
    (piece("fence", 500, 300, 700, 304), 187.0, "contact"), (piece("fence", 500, 300, 700, 304), 188.0, "short"),
    (piece("marsh", 500, 300, 700, 900), 175.0, "contact"), (piece("marsh", 500, 300, 700, 900), 176.0, "short"),
    (piece("river", 500, 300, 700, 304), 150.0, "short"),
])  # fmt: skip
def test_ground_and_barriers_count_on_the_way(terrain: Json, gap: float, result: str) -> None:
    of = game(group("b", (600, 200), commanded=True), group("f", (600, 225 + gap)), terrain=[terrain])
    if result == "short":
        with pytest.raises(ActionRefused, match="out of reach"):
            do(of, "charge", unit="b", target="f")
    played = do(of, "charge", unit="b", target="f", override=True)
    assert said(played, "charge")[0]["result"] == result
    assert len(said(played, "overruled")) == (result == "short")


@pytest.mark.rule("TY-70", "TY-60")
@pytest.mark.parametrize(("unit", "why"), [
    ({}, "no result of the Actions table lets it charge"), ({"may_charge": True}, None),
    ({"commanded": True}, None),
    ({"commanded": True, "result": "run", "binding": True, "routing": True}, "sends it elsewhere: run"),
    ({"commanded": True, "result": "cover", "binding": False}, None),
])  # fmt: skip
def test_who_may_charge(unit: Json, why: Any) -> None:
    of = game(group("b", (600, 200), **unit), group("f", (600, 300)))
    if why is None:
        assert said(do(of, "charge", unit="b", target="f"), "charge")
        return
    with pytest.raises(ActionRefused, match=why):
        do(of, "charge", unit="b", target="f")


@pytest.mark.rule("TY-70")
def test_own_side_is_not_charged_and_who_charges_faces_the_enemy() -> None:
    of = game(group("b", (600, 200), commanded=True), group("c", (600, 300)), group("f", (700, 200)))
    with pytest.raises(ActionRefused, match="same side"):
        do(of, "charge", unit="b", target="c")
    assert unit(do(of, "charge", unit="b", target="f"), "b").figures[0].bearing_deg == pytest.approx(90)


@pytest.mark.rule("TY-70", "TY-71", "TY-74")
def test_a_charge_is_followed_by_a_melee() -> None:
    of = game(leader("b", (600, 200)), group("f", (600, 300), weapon="bow"))
    fought = do(do(of, "charge", unit="b", target="f").game, "melee", 4, 2, unit="b", target="f")
    assert said(fought, "melee")[0]["lost_by"] == ["f"]


EDGES = [[300, 800], [900, 800], [1500, 800]]


def hiding(groups: int = 3, **conditions: Any) -> Any:
    """A solo-run French side of so many groups."""
    units = [group(f"f{n}", *row(4, 300, 1000 + 50 * n)) for n in range(groups)]
    return game(group("b", (600, 100)), *units, **({"player_sides": ["british"]} | conditions))


@pytest.mark.rule("TY-81")
def test_markers_and_half_as_many_dummies_lie_along_the_edges_of_terrain() -> None:
    played = do(hiding(), "hide", 1, 3, 3, 2, side="french", groups=["f0", "f1", "f2"], edges=EDGES)
    places = [(facts["unit"], facts["x_mm"]) for facts in said(played, "placed")]
    assert places == [("f0", 300), ("f1", 1500), ("f2", 1500), ("french-dummy-1", 900)]
    assert set(spots(played, "f1")) == {(1500, 800)}
    assert all(state(played, name).hidden for name, _ in places)
    assert [state(played, name).dummy for name, _ in places] == [False, False, False, True]
    assert unit(played, "french-dummy-1").side == "french"


@pytest.mark.rule("TY-81")
def test_nobody_throws_for_the_only_spot() -> None:
    played = do(hiding(2), "hide", side="french", groups=["f0", "f1"], edges=EDGES[:1])
    assert (len(played.rolls), len(said(played, "placed"))) == (0, 3)


@pytest.mark.rule("TY-81")
@pytest.mark.parametrize(("conditions", "keys", "why"), [
    ({"player_sides": ["british", "french"]}, {}, "french has players"),
    ({}, {"groups": ["b"]}, "not on the side french"),
    ({}, {"groups": []}, "at least one"), ({}, {"edges": []}, "at least one spot"),
    ({}, {"edges": [[-5, 0]]}, "off the table"), ({}, {"groups": ["f0", "f0"]}, "named twice: f0"),
])  # fmt: skip
def test_what_cannot_be_hidden(conditions: Json, keys: Json, why: str) -> None:
    order = {"side": "french", "groups": ["f0"], "edges": EDGES} | keys
    with pytest.raises(ActionRefused, match=why):
        do(hiding(**conditions), "hide", **order)


@pytest.mark.rule("TY-82")
def test_a_marker_becomes_figures_within_twenty_centimetres() -> None:
    of = do(hiding(1), "hide", 2, side="french", groups=["f0"], edges=EDGES).game
    with pytest.raises(ActionRefused, match="hidden marker"):
        do(of, "fire", unit="b", target="f0")
    places = {"f0-1": [900, 800], "f0-2": [1125, 800], "f0-3": [900, 600], "f0-4": [860, 780]}
    played = do(of, "reveal", unit="f0", places=places)
    assert spots(played, "f0") == [(900, 800), (1125, 800), (900, 600), (860, 780)]
    assert not state(played, "f0").hidden
    for wrong, why in (
        ({"f0-2": [1125.2, 800]}, "f0-2 is placed farther than 20 cm"),
        ({"f0-1": [900, -1]}, "off the"),
    ):
        with pytest.raises(ActionRefused, match=why):
            do(of, "reveal", unit="f0", places=places | wrong)
    with pytest.raises(ActionRefused, match="no place is given for f0-2, f0-3 and f0-4"):
        do(of, "reveal", unit="f0", places={"f0-1": [900, 800]})
    with pytest.raises(UnknownAction, match="places: expected where each of f0-1, f0-2, f0-3 and 1 more stands"):
        do(of, "reveal", unit="f0")
    with pytest.raises(ActionRefused, match="f0 is not hidden"):
        do(played.game, "reveal", unit="f0", places=places)


@pytest.mark.rule("TY-82")
def test_a_dummy_is_removed() -> None:
    of = do(hiding(2), "hide", 1, 2, 3, side="french", groups=["f0", "f1"], edges=EDGES).game
    played = do(of, "reveal", unit="french-dummy-1")
    assert "french-dummy-1" not in played.game.by_id
    assert said(played, "revealed") == [{"unit": "french-dummy-1", "dummy": True}]


@pytest.mark.parametrize(("action", "keys", "what"), [
    ("hide", {"side": "dutch", "groups": [], "edges": []}, "side: expected one of british, french"),
    ("hide", {"side": "french", "groups": ["x"], "edges": []}, "groups: expected some of"),
    ("reveal", {"unit": "f0", "places": {"x": [0, 0]}}, "places: expected some of"),
    ("hide", {"side": "french"}, "groups"),
])  # fmt: skip
def test_names_that_there_are_not(action: str, keys: Json, what: str) -> None:
    with pytest.raises(UnknownAction, match=what):
        do(hiding(1), action, **keys)


@pytest.mark.rule("TY-36", "TY-81")
def test_a_side_without_players_is_said_and_then_it_may_hide() -> None:
    of = game(group("b", (600, 100)), group("f0", *row(4, 300, 1000)))
    with pytest.raises(ActionRefused, match="french has players"):
        do(of, "hide", side="french", groups=["f0"], edges=EDGES[:1])
    alone = do(of, "players", sides={"french": False})
    assert said(alone, "players") == [{"sides": ["british"]}]
    assert state(do(alone.game, "hide", side="french", groups=["f0"], edges=EDGES[:1]), "f0").hidden
    assert said(do(alone.game, "players", sides={"british": False}), "players") == [{"sides": []}]
    again = do(alone.game, "players", sides={"french": True})
    assert said(again, "players") == [{"sides": ["british", "french"]}]
    with pytest.raises(UnknownAction, match="players: sides: expected some of british, french, got 'dutch'"):
        do(of, "players", sides={"dutch": True})
