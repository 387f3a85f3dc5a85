"""Hypothesis strategies for the engine's records: any game, action, event that the formats allow."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from engine.dice import Roll, Rolled
from engine.events import (
    AddFigures,
    Change,
    Event,
    Place,
    PlaceFigures,
    RemoveFigures,
    SetCondition,
    SetState,
    SetTurn,
)
from engine.records.action import Action
from engine.records.game import (
    Figure,
    Game,
    Grid,
    Measured,
    Rect,
    Round,
    Side,
    TableArea,
    Terrain,
    Turn,
    Unit,
)

names = st.text("abcdefghijklmnopqrstuvwxyz-0123456789", min_size=1, max_size=8)
lengths_mm = st.floats(-5000, 5000, allow_nan=False)
positive_mm = st.floats(0.1, 5000)
bearings_deg = st.none() | st.floats(0, 359.9)
json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-1000, 1000) | st.floats(-1e6, 1e6) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=4,
)
# A ruleset's own keys: anything but the names that the formats already use.
own_keys = st.dictionaries(names.map(lambda name: f"my_{name}"), json_values, max_size=2)
bases = st.builds(Round, diameter_mm=positive_mm) | st.builds(Rect, width_mm=positive_mm, depth_mm=positive_mm)


@st.composite
def units(draw: st.DrawFn, number: int, sides: list[str]) -> Unit:
    figures = tuple(
        Figure(
            id=f"u{number}-{index}",
            x_mm=draw(lengths_mm),
            y_mm=draw(lengths_mm),
            base=draw(bases),
            bearing_deg=draw(bearings_deg),
            role=draw(st.sampled_from(["rank", "leader"])),
            mounted=draw(st.booleans()),
            weapon=draw(st.none() | names),
            sigma_mm=draw(st.none() | st.floats(0, 5)),
        )
        for index in range(draw(st.integers(0, 3)))
    )
    return Unit(
        id=f"u{number}",
        side=draw(st.sampled_from(sides)),
        type=draw(names),
        name=draw(st.none() | st.text(max_size=6)),
        formation=draw(names),
        weapon=draw(names),
        stats=draw(st.dictionaries(names, json_values, max_size=2)),
        state=draw(st.dictionaries(names, json_values, max_size=2)),
        figures=figures,
        square=draw(st.none() | st.tuples(st.integers(0, 9), st.integers(0, 9))),
    )


@st.composite
def games(draw: st.DrawFn) -> Game:
    sides = draw(st.lists(names, min_size=1, max_size=3, unique=True))
    grid = st.builds(
        Grid,
        kind=st.sampled_from(["square", "hex"]),
        size_mm=st.floats(1, 5000),
        columns=st.integers(1, 20),
        rows=st.integers(1, 20),
        extra=own_keys,
    )
    polygons = st.lists(st.tuples(lengths_mm, lengths_mm), min_size=3, max_size=5, unique=True).map(tuple)
    terrain = tuple(
        Terrain(
            id=f"t{number}",
            kind=draw(names),
            polygon_mm=draw(polygons),
            height_mm=draw(st.floats(0, 150)),
            extra=draw(own_keys),
        )
        for number in range(draw(st.integers(0, 2)))
    )
    return Game(
        ruleset=draw(names),
        table=TableArea(width_mm=draw(positive_mm), depth_mm=draw(positive_mm), grid=draw(st.none() | grid)),
        sides=tuple(
            Side(name=name, edge=draw(st.sampled_from(["south", "north", "west", "east"])), extra=draw(own_keys))
            for name in sides
        ),
        conditions=draw(st.dictionaries(names, json_values, max_size=3)),
        turn=Turn(
            number=draw(st.integers(0, 99)),
            active_side=draw(st.none() | st.sampled_from(sides)),
            extra=draw(own_keys),
        ),
        units=tuple(draw(units(number, sides)) for number in range(draw(st.integers(0, 3)))),
        terrain=terrain,
        measured=Measured(sigma_mm=draw(st.floats(0, 3))),
    )


actions = st.builds(
    Action,
    action=names,
    unit=st.none() | names,
    target=st.none() | names,
    override=st.booleans(),
    extra=own_keys,
)


@st.composite
def rolls(draw: st.DrawFn) -> Rolled:
    count = draw(st.integers(1, 6))
    roll = Roll(
        purpose=draw(st.text(min_size=1, max_size=10)),
        count=count,
        die="d6",
        success=draw(st.none() | st.sampled_from(["==1", "<=4", ">=5"])),
        each=draw(st.booleans()),
        rule=draw(st.none() | st.just("MM-98")),
    )
    return Rolled(roll=roll, scores=tuple(draw(st.integers(1, 6)) for _ in range(count)))


@st.composite
def events_on(draw: st.DrawFn, game: Game) -> Event:
    """An event that folds onto the game."""
    choices: list[Change] = [
        SetCondition(key=draw(names), value=draw(json_values)),
        SetTurn(number=draw(st.integers(1, 9)), active_side=draw(st.sampled_from([s.name for s in game.sides]))),
    ]
    for unit in game.units:
        choices.append(SetState(unit=unit.id, key=draw(names), value=draw(json_values)))
        for figure in unit.figures:
            place = Place(figure=figure.id, x_mm=draw(lengths_mm), y_mm=draw(lengths_mm), bearing_deg=None)
            choices += [
                PlaceFigures(places=(place,)),
                RemoveFigures(unit=unit.id, figures=(figure.id,)),
            ]
        new = Figure(id=f"{unit.id}-new", x_mm=0.0, y_mm=0.0, base=Round(diameter_mm=25.0))
        if all(figure.id != new.id for other in game.units for figure in other.figures):
            choices.append(AddFigures(unit=unit.id, figures=(new,)))
    changes = (draw(st.sampled_from(choices)),) if draw(st.booleans()) else ()
    facts = draw(st.dictionaries(names.map(lambda n: f"my_{n}"), json_values, max_size=2))
    return Event(event=draw(names), facts=facts, changes=changes, rule=draw(st.none() | names))
