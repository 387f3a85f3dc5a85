"""Answers to whole games: every unit is answered, answers keep, and the rows they name can be looked up."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.dice import SeededDice
from engine.errors import ActionRefused, UnusableFile
from engine.play import play
from engine.records.action import Action
from engine.records.answer import answer_builtins, answer_from
from engine.records.game import Figure, Game, Terrain, Unit, game_builtins, game_from
from engine.rulesets.muskets_mohawks import RULESET
from engine.rulesets.muskets_mohawks.table.facts import in_cover, unit_distance_mm
from engine.rulesets.muskets_mohawks.table.sheet import forget
from engine.rulesets.muskets_mohawks.table.troops import troops
from engine.rulesets.muskets_mohawks.vocabulary import FORMATIONS, weapons
from tests.engine.muskets_mohawks.scene import box, game, gun, row, unit

NUMBER = st.floats(0, 1200).map(lambda value: round(value, 1))
STATES: dict[str, st.SearchStrategy[Any]] = {
    "activated": st.booleans(), "prone": st.booleans(), "reload_markers": st.integers(0, 2),
    "moved_mm": st.sampled_from([0.0, 100.0, 400.0]), "retiring": st.booleans(), "mounted": st.booleans(),
    "firing_at": st.sampled_from([None, "a0", "b0", "gone"]), "in_melee": st.sampled_from([[], ["a0"], ["gone"]]),
    "in_building": st.sampled_from([None, None, "house"]), "casualties": st.integers(0, 3),
}  # fmt: skip
KINDS = ["woods", "hill", "creek", "river", "wall", "fieldworks", "gully", "lit-area", "lake", "ford", "road"]


@st.composite
def games(draw: st.DrawFn) -> Game:
    """Games of every kind of unit, state, terrain and condition, sensible or not."""
    units = []
    for side in ("british", "french"):
        for number in range(draw(st.integers(1, 3))):
            name = f"{side[0]}{number}"
            spots = row(draw(st.integers(0, 4)), draw(NUMBER), draw(NUMBER), draw(st.sampled_from([25.0, 50.0])))
            keys = draw(st.fixed_dictionaries({}, optional=STATES))
            kind = draw(st.sampled_from(sorted(troops())))
            if kind == "gunners":
                units.append(gun(name, side, (draw(NUMBER), draw(NUMBER)), **keys))
                continue
            keys["formation"], keys["weapon"] = (
                draw(st.sampled_from(FORMATIONS)),
                draw(st.sampled_from(sorted(weapons()))),
            )
            bearing = draw(st.sampled_from([None, 0.0, 135.0, 270.0]))
            units.append(unit(name, side, spots, kind=kind, bearing=bearing, **keys))
    terrain = [box("house", "building", (500, 500), (600, 600))]
    for number, kind in enumerate(draw(st.lists(st.sampled_from(KINDS), max_size=3))):
        x, y = draw(NUMBER), draw(NUMBER)
        terrain.append(box(f"t{number}", kind, (x, y), (x + 300, y + 200)))
        if kind == "hill":
            terrain[-1] |= {"crest_mm": [[x, y + 100], [x + 300, y + 100]], "wooded": draw(st.booleans())}
    conditions = {
        "light": draw(st.sampled_from(["day", "night"])), "weather": draw(st.sampled_from(["clear", "inclement"])),
        "snow": draw(st.sampled_from(["none", "both"])), "period": draw(st.sampled_from(["fiw", "napoleonic"])),
    }  # fmt: skip
    return game(*units, terrain=terrain, sigma=draw(st.sampled_from([0.0, 1.5])), **conditions)


@given(games())
def test_every_game_is_answered_and_the_answer_keeps(table: Game) -> None:
    RULESET.check(table)
    answer = RULESET.ask(table)
    built = json.loads(json.dumps(answer_builtins(answer), allow_nan=False))
    assert answer_builtins(answer_from(built)) == built
    assert [entry["unit"] for entry in built["units"]] == [one.id for one in table.units]


@given(games())
def test_an_entry_is_legal_exactly_where_nothing_speaks_against_it(table: Game) -> None:
    for answered in RULESET.ask(table).units:
        for option in (*answered.fire, *answered.charge):
            assert option.legal is (option.why_not == ())
            assert len(option.why_not) == len(option.why_rules)
        for option in answered.fire:
            assert (option.roll is None) is (option.shooters == ())
            assert not (option.legal and not option.shooters)


@given(games())
def test_every_row_that_an_answer_names_is_in_the_rulebook(table: Game) -> None:
    rows = RULESET.rows()
    for answered in RULESET.ask(table).units:
        options = (*answered.fire, *answered.charge)
        named = {rule for option in options for rule in option.why_rules}
        named |= {modifier.rule for option in options for modifier in option.modifiers}
        named |= {rule for action in answered.extra["actions"] for rule in action["why_rules"]}
        assert named <= rows.keys()


@given(games())
def test_nothing_is_borderline_where_positions_are_given(table: Game) -> None:
    if table.measured.sigma_mm == 0:
        for answered in RULESET.ask(table).units:
            assert all(option.borderline == () for option in (*answered.fire, *answered.charge))


@given(games())
def test_a_game_read_again_is_answered_alike(table: Game) -> None:
    again = game_from(json.loads(json.dumps(game_builtins(table))), "again")
    assert answer_builtins(RULESET.ask(again)) == answer_builtins(RULESET.ask(table))


WAY = st.floats(-300, 300).map(lambda value: round(value, 1))
CHANGES = st.one_of(
    st.tuples(st.just("shift"), st.integers(0, 5), st.tuples(WAY, WAY)),
    st.tuples(st.just("turn"), st.integers(0, 5), st.sampled_from([None, 0.0, 77.0, 180.0])),
    st.tuples(st.just("state"), st.integers(0, 5), st.fixed_dictionaries({}, optional=STATES)),
    st.tuples(st.just("form"), st.integers(0, 5), st.sampled_from(FORMATIONS)),
    st.tuples(st.just("fall"), st.integers(0, 5), st.just(None)),
    st.tuples(st.just("one steps aside"), st.integers(0, 5), st.tuples(WAY, WAY)),
    st.tuples(st.just("measure"), st.just(0), st.sampled_from([0.0, 0.7])),
    st.tuples(st.just("fell trees"), st.just(0), st.just(None)),
)


def changed(table: Game, what: str, number: int, how: Any) -> Game:
    """The game after something has happened to it, of the kind that happens between two looks of a camera."""
    if what == "measure":
        return replace(table, measured=replace(table.measured, sigma_mm=how))
    if what == "fell trees":
        return replace(table, terrain=tuple(piece for piece in table.terrain if piece.kind != "woods"))
    chosen = table.units[number % len(table.units)]
    figures = chosen.figures
    if what == "state":
        return _with(table, chosen, replace(chosen, state={**chosen.state, **how}))
    if what == "form":
        return _with(table, chosen, replace(chosen, formation=how))
    if what == "turn":
        figures = tuple(replace(one, bearing_deg=how) for one in figures)
    elif what == "fall":
        figures = figures[1:]
    else:
        moved = len(figures) if what == "shift" else 1
        figures = tuple(
            replace(one, x_mm=one.x_mm + how[0], y_mm=one.y_mm + how[1]) if index < moved else one
            for index, one in enumerate(figures)
        )
    return _with(table, chosen, replace(chosen, figures=figures))


def _with(table: Game, old: Unit, new: Unit) -> Game:
    return replace(table, units=tuple(new if one is old else one for one in table.units))


@settings(max_examples=max(10, settings().max_examples // 2))
@given(games(), st.lists(st.tuples(CHANGES, st.booleans()), min_size=1, max_size=4))
def test_what_is_said_after_moves_is_what_a_program_says_that_has_just_begun(
    table: Game, changes: list[tuple[Any, bool]]
) -> None:
    """To the last bit, whatever has been asked before, of the whole game or of some units."""
    forget()
    RULESET.ask(table)
    told = []
    for change, some in changes:
        table = changed(table, *change)
        told.append((table, RULESET.ask(table, [table.units[-1].id] if some else None)))
    for now, said in told:
        forget()
        assert said == RULESET.ask(now, [one.unit for one in said.units])


@pytest.mark.parametrize("seed", range(2))
def test_on_a_crowded_table_too(seed: int) -> None:
    rng = np.random.default_rng(seed)
    units = []
    for number in range(8):
        side, bearing = (("british", 0.0), ("french", 180.0))[number % 2]
        middle = 150 + 450 * (number // 2) + float(rng.uniform(-40, 40)), 300.0 + 400 * (number % 2)
        kind, formation = (("regular", "formed-line"), ("indian", "unformed"))[number // 2 % 2]
        units.append(
            unit(f"{side}{number}", side, row(9, *middle, 26.0), kind=kind, bearing=bearing, formation=formation)
        )
    terrain = [
        box(f"t{n}", ("woods", "building", "wall")[n % 3], (x, 430.0), (x + 130, 560.0))
        for n, x in enumerate(range(60, 1700, 210))
    ]
    table = game(*units, terrain=terrain, sigma=0.6)
    RULESET.ask(table)
    told = []
    for _ in range(3):
        table = changed(table, "shift", int(rng.integers(8)), tuple(rng.uniform(-120, 120, 2).round(1)))
        told.append((table, RULESET.ask(table)))
    for now, said in told:
        forget()
        assert said == RULESET.ask(now)


def test_who_is_lit_at_night_in_a_wood_does_not_depend_on_who_is_asked_first() -> None:
    here, there = (unit("us", at=[(300, 500)]), unit("them", "french", [(300, 700)], bearing=180.0))
    wood, light = box("wood", "woods", (0, 400), (600, 800)), box("light", "lit-area", (200, 600), (400, 800))
    said = []
    for order in (["us", "them"], ["them", "us"]):
        forget()
        table = game(here, there, terrain=[wood, light], light="night")
        answers = {name: RULESET.ask(table, [name]).units[0] for name in order}
        said.append([[one.why_rules for one in answers[name].fire] for name in ("us", "them")])
    assert said[0] == said[1]
    assert said[0][0] != said[0][1]


@given(games(), st.integers(0, 99))
def test_whatever_is_legal_can_be_played(table: Game, seed: int) -> None:
    names = {"at-will": "fire", "volley": "fire", "canister": "fire-canister", "ball": "fire-ball"}
    for answered in RULESET.ask(table).units:
        actions = [
            Action(action="charge", unit=answered.unit, target=one.target) for one in answered.charge if one.legal
        ]
        for option in answered.fire:
            extra = {"mode": option.mode} if names[option.mode] == "fire" else {}
            action = Action(action=names[option.mode], unit=answered.unit, target=option.target, extra=extra)
            if option.legal:
                actions.append(action)
            else:
                with pytest.raises(ActionRefused):
                    play(table, RULESET.begin(table, action), SeededDice(seed))
        for action in actions:
            after = play(table, RULESET.begin(table, action), SeededDice(seed)).game
            RULESET.check(after)


@given(games(), st.integers(0, 99))
def test_the_other_actions_are_played_just_where_ask_allows_them(table: Game, seed: int) -> None:
    for answered in RULESET.ask(table).units:
        for entry in answered.extra["actions"]:
            if entry["action"] in ("start-fire", "break-off"):
                continue  # these ask for more than the unit
            action = Action(action=entry["action"], unit=answered.unit)
            if entry["legal"]:
                RULESET.check(play(table, RULESET.begin(table, action), SeededDice(seed)).game)
            else:
                with pytest.raises(ActionRefused):
                    play(table, RULESET.begin(table, action), SeededDice(seed))


def turned(table: Game, mirror: bool) -> Game:
    """The same game a quarter turn further round, or seen in a mirror; only what lies on the table."""

    def spot(x: float, y: float) -> tuple[float, float]:
        return (-x, y) if mirror else (y, -x)

    def figure(one: Figure) -> Figure:
        x, y = spot(one.x_mm, one.y_mm)
        bearing = one.bearing_deg
        if bearing is not None:
            bearing = -bearing % 360 if mirror else (bearing + 90) % 360
        return replace(one, x_mm=x, y_mm=y, bearing_deg=bearing)

    def piece(one: Terrain) -> Terrain:
        extra = dict(one.extra)
        if "crest_mm" in extra:
            extra["crest_mm"] = [spot(*point) for point in extra["crest_mm"]]
        return replace(one, polygon_mm=tuple(spot(*point) for point in one.polygon_mm or ()), extra=extra)

    units = tuple(replace(one, figures=tuple(figure(each) for each in one.figures)) for one in table.units)
    return replace(table, units=units, terrain=tuple(piece(one) for one in table.terrain))


@given(games(), st.booleans())
def test_it_does_not_matter_from_where_one_looks_at_the_table(table: Game, mirror: bool) -> None:
    def gist(one: Game) -> list[Any]:
        found = []
        for answered in RULESET.ask(one).units:
            for shot in answered.fire:
                found.append(
                    (shot.target, shot.legal, shot.why_rules, sorted(shot.shooters), shot.aspect, shot.cover)
                )
            found += [(c.target, c.legal, c.why_rules, c.aspect, c.roll) for c in answered.charge]
            found += [(a["action"], a["legal"]) for a in answered.extra["actions"] if a["action"] != "break-off"]
        return sorted(map(repr, found))

    assert gist(turned(table, mirror)) == gist(table)


def test_a_what_if_unit_is_measured_where_it_stands_and_leaves_no_trace() -> None:
    table = game(
        unit("us"), unit("them", "french", [(900, 600)]), terrain=[box("wood", "woods", (0, 550), (1800, 700))]
    )
    them = table.unit("them")
    away = replace(them, figures=tuple(replace(figure, y_mm=900.0) for figure in them.figures))
    assert in_cover(table, away, cause_xy=None, fired_at=False) is None
    assert unit_distance_mm(table, table.unit("us"), away) == pytest.approx(575)
    assert in_cover(table, them, cause_xy=None, fired_at=False) == "woods"
    assert unit_distance_mm(table, table.unit("us"), them) == pytest.approx(275)


def test_only_the_units_asked_for_are_answered() -> None:
    table = game(unit("us"), unit("them", "french", [(900, 600)]))
    assert [one.unit for one in RULESET.ask(table, ["them"]).units] == ["them"]
    with pytest.raises(UnusableFile, match="nobody"):
        RULESET.ask(table, ["nobody"])


def test_every_row_of_the_rulebook_has_a_text_of_its_own() -> None:
    rows = RULESET.rows()
    wanted = [*(f"MM-{number:02d}" for number in range(1, 262)), *(f"R-{number:02d}" for number in range(1, 65))]
    assert list(rows) == wanted
    assert len({one.text for one in rows.values()}) == len(rows)
    assert all(one.page for one in rows.values() if one.id.startswith("MM"))
