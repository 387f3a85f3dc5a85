"""Whatever is fought with whatever dice: no figure from nowhere, losses add up, the events fold to the game."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine.dice import SeededDice, TypedDice
from engine.errors import ActionRefused
from engine.events import AddFigures, AddUnit, event_from, fold
from engine.play import Played, play
from engine.records.action import Action, action_from
from engine.records.game import Game, game_from, game_json, parse_game
from engine.rulesets import find_ruleset
from engine.rulesets.muskets_mohawks.vocabulary import figures_of, state_of
from tests.engine.muskets_mohawks.playing import INCH, Plain, game, gun, unit, wood

RULES = find_ruleset("muskets-mohawks")

foot = st.sampled_from(["regular", "light", "grenadier", "guard", "militia", "irregular", "indian", "civilian"])
formations = st.sampled_from(["formed-line", "unformed", "mob"])


@st.composite
def sides(draw: st.DrawFn, name: str, army: str, y: float, facing: float) -> Plain:
    kind = draw(foot | st.just("cavalry") | st.just("mounted-infantry"))
    number = draw(st.integers(1, 10))
    return unit(
        name, army, type=kind, number=number, at=(900 + draw(st.integers(-60, 60)), y), facing=facing,
        formation=draw(formations), weapon=draw(st.sampled_from(["musket", "rifle", "carbine", "bow"])),
        rep=draw(st.integers(2, 6)), leader=draw(st.none() | st.integers(1, number)),
        leader_rep=draw(st.integers(2, 6)),
        state={
            "start_strength": draw(st.integers(number, number + 6)), "reload_markers": draw(st.integers(0, 1)),
            "prone": draw(st.booleans()), "mounted": kind == "cavalry" or draw(st.booleans()),
        },
    )  # fmt: skip


@st.composite
def scenes(draw: st.DrawFn) -> Plain:
    away = draw(st.sampled_from([1.0, 4.0, 6.0, 9.0, 13.0, 17.0])) * INCH
    ours = draw(sides("a", "british", 500, 0.0))
    theirs = draw(sides("b", "french", 525 + away, 180.0))
    more = [unit("c", "french", at=(900, 1100), facing=180, number=3), gun("c", "british", at=(600, 400))]
    third = draw(st.sampled_from([None, *more]))
    trees = [wood("w", 700, 550, 1300, 700)] if draw(st.booleans()) else []
    weather = draw(st.sampled_from([{}, {"weather": "inclement", "weather_level": 3}, {"snow": "ground"}]))
    return game(ours, theirs, *([third] if third else []), terrain=trees, **weather)


def melee(scene: Plain) -> Plain:
    """The same two units, in contact."""
    one, other = scene["units"][:2]
    for figure in other["figures"]:
        figure["y_mm"] = 525
    one["state"]["in_melee"], other["state"]["in_melee"] = ["b"], ["a"]
    return scene


ACTIONS: list[Plain] = [
    {"action": "fire", "unit": "a", "target": "b"},
    {"action": "charge", "unit": "a", "target": "b"},
    {"action": "melee", "unit": "a", "enemy": "b"},
    {"action": "break-off", "unit": "a", "enemy": "b"},
    {"action": "reaction", "unit": "a", "tests": ["received-fire", "received-casualty"], "cause": "b"},
    {"action": "reload", "unit": "a"},
    {"action": "new-turn"},
]


def attempt(ready: Game, action: Action, seed: int) -> Played | None:
    try:
        return play(ready, RULES.begin(ready, action), SeededDice(seed))
    except ActionRefused:
        return None


def count(ready: Game, name: str) -> int:
    return len(figures_of(ready.unit(name)))


@given(scenes(), st.sampled_from(ACTIONS), st.integers(0, 2**32 - 1))
def test_a_fight_keeps_its_accounts(scene: Plain, plain: Plain, seed: int) -> None:
    scene = melee(scene) if plain["action"] in ("melee", "break-off") else scene
    ready, action = game_from(scene, "the scene"), action_from(plain)
    RULES.check(ready)
    played = attempt(ready, action, seed)
    if played is None:
        return
    RULES.check(played.game)
    assert_accounts(ready, played)
    # The events, written and read again, fold to the same game, and the game survives its file.
    again = fold([event_from(event.to_builtins()) for event in played.events], ready)
    assert again == played.game
    assert parse_game(game_json(played.game)) == played.game
    # The same dice, typed, give the same result.
    typed = TypedDice([score for rolled in played.rolls for score in rolled.scores])
    assert play(ready, RULES.begin(ready, action), typed) == played


def assert_accounts(before: Game, played: Played) -> None:
    come = [change.unit for event in played.events for change in event.changes if isinstance(change, AddUnit)]
    joined = [change for event in played.events for change in event.changes if isinstance(change, AddFigures)]
    known = {figure.id for one in (*before.units, *come, *joined) for figure in one.figures}
    new = {one.id for one in come}
    for one in played.game.units:
        assert {figure.id for figure in one.figures} <= known
    for one in [one for one in played.game.units if one.id not in new]:
        back = sum(len(change.figures) for change in joined if change.unit == one.id)
        lost = count(before, one.id) + back - count(played.game, one.id)
        hits = [event.facts for event in played.events if event.event == "hit" and event.facts["unit"] == one.id]
        fallen = sum(facts["casualties"] for facts in hits)
        fled = state_of(one).runaway or any(
            event.event == "left-field" and event.facts["unit"] == one.id for event in played.events
        )
        assert lost >= fallen
        assert fled or lost == fallen
        assert state_of(one).casualties == state_of(before.unit(one.id)).casualties + fallen - back
    for one in played.game.units:
        for name in state_of(one).in_melee:
            assert one.id in state_of(played.game.unit(name)).in_melee
            assert one.figures
    for event in played.events:
        assert event.event == "overruled" or event.rule is not None


@given(scenes(), st.integers(0, 2**32 - 1), st.lists(st.sampled_from(ACTIONS), min_size=2, max_size=8))
def test_a_whole_battle_can_be_played_and_replayed(scene: Plain, seed: int, script: list[Plain]) -> None:
    start = ready = game_from(scene, "the scene")
    events = []
    for number, plain in enumerate(script):
        played = attempt(ready, action_from(plain), seed + number)
        if played is not None:
            assert_accounts(ready, played)
            events += played.events
            ready = played.game
    assert fold(events, start) == ready
