"""Events fold into the game; the fold is the only way it changes."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import UnusableFile
from engine.events import (
    AddFigures,
    AddUnit,
    Event,
    Place,
    PlaceFigures,
    RemoveFigures,
    RemoveTerrain,
    RemoveUnit,
    SetFigure,
    SetSide,
    SetState,
    SetTerrain,
    SetTurn,
    SetUnit,
    apply,
    begin,
    event_from,
    fold,
)
from engine.records.game import Figure, Game, Round, Side, TableArea, Terrain, Unit
from tests.engine.strategies import events_on, games

GAME = Game(
    ruleset="x",
    table=TableArea(width_mm=1000.0, depth_mm=500.0),
    sides=(Side(name="red", edge="south"), Side(name="blue", edge="north")),
    units=(
        Unit(
            id="a",
            side="red",
            type="foot",
            figures=tuple(
                Figure(id=f"a-{n}", x_mm=25.0 * n, y_mm=0.0, base=Round(diameter_mm=25.0)) for n in range(3)
            ),
        ),
        Unit(id="b", side="blue", type="foot"),
    ),
)


def happened(*changes: object) -> Game:
    return apply(GAME, Event(event="test", changes=changes))  # type: ignore[arg-type]


@given(games(), st.data())
def test_events_read_back_from_their_text_fold_to_the_same_game(game: Game, data: st.DataObject) -> None:
    events = [begin(game)]
    now = game
    for _ in range(data.draw(st.integers(0, 4))):
        events.append(data.draw(events_on(now)))
        now = apply(now, events[-1])
    again = [event_from(json.loads(json.dumps(event.to_builtins()))) for event in events]
    assert fold(again) == now == fold(events)


def test_lost_figures_leave_the_unit_and_the_unit_keeps_its_entry() -> None:
    game = happened(RemoveFigures(unit="a", figures=("a-0", "a-1", "a-2")))
    assert game.unit("a").figures == ()
    assert GAME.unit("a").figures != ()


def test_placed_figures_stand_and_face_where_they_were_put() -> None:
    game = happened(PlaceFigures(places=(Place(figure="a-1", x_mm=7.0, y_mm=8.0, bearing_deg=90.0),)))
    moved = game.unit("a").figures[1]
    assert (moved.x_mm, moved.y_mm, moved.bearing_deg) == (7.0, 8.0, 90.0)
    assert game.unit("a").figures[0] == GAME.unit("a").figures[0]


def test_each_kind_of_change_changes_just_its_part() -> None:
    wood = Terrain(id="w", kind="woods", polygon_mm=((0.0, 0.0), (1.0, 0.0), (1.0, 1.0)))
    assert happened(SetUnit(unit="a", key="formation", value="mob")).unit("a").formation == "mob"
    assert happened(SetUnit(unit="a", key="square", value=[1, 2])).unit("a").square == (1, 2)
    assert happened(SetState(unit="a", key="prone", value=False)).unit("a").state == {"prone": False}
    assert happened(SetFigure(figure="a-2", key="status", value="stunned")).unit("a").figures[2].status == "stunned"
    assert happened(SetSide(side="red", key="points", value=3)).side("red").extra == {"points": 3}
    assert happened(AddUnit(unit=Unit(id="c", side="red", type="foot"))).by_id.keys() == {"a", "b", "c"}
    assert happened(RemoveUnit(unit="b")).by_id.keys() == {"a"}
    assert happened(SetTerrain(terrain=wood), SetTerrain(terrain=wood)).terrain == (wood,)
    assert happened(SetTerrain(terrain=wood), RemoveTerrain(terrain="w")).terrain == ()


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (RemoveFigures(unit="a", figures=("a-9",)), "no figures a-9"),
        (RemoveFigures(unit="z", figures=()), "no such unit"),
        (SetFigure(figure="z", key="role", value="rank"), "no such figure"),
        (PlaceFigures(places=(Place(figure="z", x_mm=0.0, y_mm=0.0, bearing_deg=None),)), "no such figures"),
        (SetSide(side="dutch", key="points", value=3), "no such side"),
        (AddUnit(unit=Unit(id="a", side="red", type="foot")), "no unit has yet"),
        (AddUnit(unit=Unit(id="c", side="dutch", type="foot")), "no such side"),
        (AddUnit(unit=Unit(id="c", side="red", type="foot", figures=GAME.units[0].figures)), "no figure has yet"),
        (AddFigures(unit="b", figures=GAME.units[0].figures[:1]), "'a-0': expected an id that no figure has yet"),
        (RemoveTerrain(terrain="nope"), "terrain 'nope': no such piece"),
        (SetTurn(number=1, active_side="nobody"), "no such side"),
        (SetTurn(number=-3, active_side="red"), "the turn: number: expected"),
        (SetUnit(unit="a", key="side", value="dutch"), "no such side"),
        (SetUnit(unit="a", key="side", value=5), "unit 'a': side: expected"),
        (SetUnit(unit="a", key="hex", value=[1, 2, 3]), "unit 'a': hex: expected"),
        (SetFigure(figure="a-1", key="mounted", value="perhaps"), "figure 'a-1': mounted: expected"),
        (SetSide(side="red", key="edge", value="up"), "side 'red': edge: expected"),
    ],
)
def test_an_event_that_names_what_is_not_there_or_cannot_be_is_refused(change: object, complaint: str) -> None:
    with pytest.raises(UnusableFile, match=complaint):
        happened(change)


def test_nothing_can_happen_before_a_game_begins() -> None:
    with pytest.raises(UnusableFile, match="begin"):
        fold([])
    with pytest.raises(UnusableFile, match="begun"):
        fold([Event(event="test", changes=(SetState(unit="a", key="prone", value=True),))])


def test_a_change_outside_the_vocabulary_is_refused() -> None:
    with pytest.raises(UnusableFile, match="effects"):
        event_from({"event": "x", "effects": [{"set": "the-world-on-fire"}]})
