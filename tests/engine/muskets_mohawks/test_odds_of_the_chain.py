"""The exact chances of fire, guns, charges and melees against the procedures that are really played.

Small fights are walked through every way of their dice; full units are played many times with seeded dice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from math import sqrt
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from engine.dice import SeededDice
from engine.events import Event, fold
from engine.play import Procedure, play
from engine.records.action import action_from
from engine.records.game import Game, game_from
from engine.rulesets.muskets_mohawks import RULESET
from engine.rulesets.muskets_mohawks.odds.charging import Charged, charged
from engine.rulesets.muskets_mohawks.odds.fighting import Fought, fought
from engine.rulesets.muskets_mohawks.odds.firing import Fired, fired
from engine.rulesets.muskets_mohawks.odds.gunnery import UNTOLD, cannonade, units_at_risk
from engine.rulesets.muskets_mohawks.options.charge_options import charge_option
from engine.rulesets.muskets_mohawks.options.fire_options import fire_option
from engine.rulesets.muskets_mohawks.table.sheet import sheet_of
from engine.spreads import read_as
from tests.engine.muskets_mohawks.playing import INCH, Plain, game, gun, unit, wood
from tests.engine.muskets_mohawks.walking import every_way, near
from tests.long_runs import games

Events = Sequence[Event]

KINDS = ("regular", "irregular", "militia", "cavalry", "mounted-infantry", "grenadier")
GROUNDS: dict[str, list[Plain]] = {
    "open": [], "wood": [wood("w", 700, 480, 1300, 700)], "works": [wood("f", 700, 470, 1300, 478, "fieldworks")],
    "hill": [wood("h", 600, 300, 1400, 560, "hill", crest_mm=[[600, 500], [1400, 500]])],
}  # fmt: skip
#: Half of everybody stands in it; who is not at its edge does not fire at them.
CREEK = {"creek": [wood("k", 890, 400, 1300, 720, "creek")]}
WEATHERS: list[Plain] = [{}, {"weather": "inclement", "weather_level": 3}, {"options": {"cap_to_seen": False}}]


@st.composite
def fighters(draw: st.DrawFn, name: str, side: str, y: float, facing: float, most: int = 3) -> Plain:
    kind, number = draw(st.sampled_from(KINDS)), draw(st.integers(1, most))
    return unit(
        name, side, type=kind, number=number, at=(900, y), facing=facing, rep=draw(st.integers(2, 3)),
        formation=draw(st.sampled_from(["unformed", "mob", *([] if kind == "irregular" else ["formed-line"])])),
        weapon=draw(st.sampled_from(["musket", "bow"])), leader=draw(st.none() | st.integers(1, number)),
        leader_rep=draw(st.integers(2, 5)), mounted=kind == "cavalry",
        state={"start_strength": draw(st.integers(number, 5)), "mounted": kind == "cavalry" or draw(st.booleans())},
    )  # fmt: skip


@st.composite
def scenes(draw: st.DrawFn, apart_mm: float, most: int = 3, *, grounds: dict[str, list[Plain]] = GROUNDS) -> Game:
    ours, theirs = (
        draw(fighters("a", "british", 450, 0.0, most)),
        draw(fighters("b", "french", 475 + apart_mm, 180.0, most)),
    )
    beside = 25 * (len(theirs["figures"]) + 1) / 2
    friends = [
        unit(name, "french", number=1, leader=None, at=(900 + out * beside, 475 + apart_mm))
        for name, out in (("c", -1), ("d", 1))
    ] if draw(st.booleans()) else []  # fmt: skip
    if draw(st.integers(0, 3)) == 0:
        chief = unit("e", "french", type="leader", number=1, leader=1, at=(900, 475 + apart_mm + 25), facing=180)
        chief["figures"][0]["role"] = "officer"
        friends.append(chief)
    terrain = grounds[draw(st.sampled_from(sorted(grounds)))]
    scene = game(ours, theirs, *friends, terrain=terrain, **draw(st.sampled_from(WEATHERS)))
    ready = game_from(scene, "the scene")
    RULESET.check(ready)
    return ready


def procedure(ready: Game, **action: Any) -> Procedure[None]:
    return RULESET.begin(ready, action_from(action))


def _first(events: Events, name: str, fact: str, **facts: Any) -> Any:
    for one in events:
        if one.event == name and all(one.facts.get(key) == value for key, value in facts.items()):
            return one.facts[fact]
    return None


def shot_read(target: str) -> Any:
    """What came of fire: casualties, what the target then did, and what its charge came to."""

    def read(events: Events) -> Fired | None:
        shot = _first(events, "fired", "casualties")
        result = _first(events, "reaction", "result", unit=target)
        if any(one.event == "destroyed" and one.facts["unit"] == target for one in events):
            result = "destroyed"
        charge = _first(events, "charge", "result")
        if shot is None or result is None or (result == "charge" and charge is None):
            return None
        return Fired(casualties=shot, result=result, charge=charge)

    return read


@settings(max_examples=games(6))
@given(scenes(6 * INCH), st.sampled_from(["volley", "at-will"]))
def test_fire_has_the_chances_of_every_way_of_its_dice(ready: Game, mode: str) -> None:
    shooter, target = ready.unit("a"), ready.unit("b")
    option = fire_option(ready, shooter, target, mode)
    assume(option.legal)
    found = fired(ready, shooter, target, option)
    walked = every_way(
        ready, lambda: procedure(ready, action="fire", unit="a", target="b", mode=mode), shot_read("b")
    )
    assert near(found, walked)


@pytest.mark.rule("MM-191", "muskets-mohawks R-14")
@pytest.mark.parametrize("left", [840, 870, 895, 920])
def test_who_of_a_line_is_left_in_the_water_says_whether_it_is_one(left: float) -> None:
    ours = unit("a", "british", number=2, rep=3, leader=None, at=(900, 550), formation="formed-line")
    theirs = unit(
        "b", "french", type="militia", number=3, rep=3, leader=2, at=(900, 620), facing=180, formation="formed-line"
    )
    ready = game_from(game(ours, theirs, terrain=[wood("k", left, 400, 1300, 720, "creek")]), "the scene")
    option = fire_option(ready, ready.unit("a"), ready.unit("b"), "at-will")
    assert option.legal
    walked = every_way(
        ready, lambda: procedure(ready, action="fire", unit="a", target="b", mode="at-will"), shot_read("b")
    )
    assert near(fired(ready, ready.unit("a"), ready.unit("b"), option), walked)


def fired_at_horse(*more: Plain, ours: Plain | None = None, horse: Plain | None = None, **conditions: Any) -> Game:
    """A volley's worth of foot, and horse that may charge it when it is fired at (MM-70)."""
    theirs: Plain = {"number": 2, "rep": 3, "leader": 1, "leader_rep": 3, **(horse or {})}
    foe = unit("b", "french", type="cavalry", at=(900, 600), facing=180, weapon="sword", mounted=True, **theirs)
    shooter = unit("a", "british", **{"number": 2, "rep": 3, "leader": None, "at": (900, 400), **(ours or {})})
    return game_from(game(shooter, foe, *more, **conditions), "the scene")


def aside(side: str, x: float, **more: Any) -> Plain:
    """One man by the way of the horse's left figure, whom the other does not come upon."""
    return unit("f", side, number=1, leader=None, at=(x, 500), **more)


def chief_of_horse(x: float) -> Plain:
    chief = unit("e", "french", type="leader", number=1, leader=1, at=(x, 600), facing=180, leader_rep=5)
    chief["figures"][0]["role"] = "officer"
    return chief


LINE = {"formation": "formed-line"}
RIPOSTES = {
    "at foot": fired_at_horse(ours=LINE),
    "at horse": fired_at_horse(ours={"type": "cavalry", "mounted": True, "weapon": "carbine", "leader": 1}),
    "at bowmen": fired_at_horse(ours={"type": "indian", "weapon": "bow"}),
    "at those who had fired before": fired_at_horse(ours={"state": {"reload_markers": 1}}),
    "at a square": fired_at_horse(ours={"formation": "square"}, squares=True, period="napoleonic"),
    "on to a flank": fired_at_horse(ours={"type": "irregular", "facing": 44.0}, horse={"number": 3}),
    "with no Leader": fired_at_horse(horse={"leader": None}),
    "into a screen before the left of them": fired_at_horse(aside("british", 940), horse={"leader": None}),
    "past a friend who bars the way of the left of them": fired_at_horse(
        aside("french", 934, type="cavalry", mounted=True, formation="formed-line", facing=180),
        horse={"leader": 2, "formation": "formed-line"},
    ),
    "whose chief stays behind": fired_at_horse(chief_of_horse(925), horse={"number": 1, "leader": None}),
}


@pytest.mark.rule("MM-70")
@pytest.mark.parametrize("ready", RIPOSTES.values(), ids=list(RIPOSTES))
def test_the_charge_on_which_fire_sends_horse_has_the_chances_of_every_way_of_its_dice(ready: Game) -> None:
    option = fire_option(ready, ready.unit("a"), ready.unit("b"), "at-will")
    assert option.legal
    found = fired(ready, ready.unit("a"), ready.unit("b"), option)
    walked = every_way(
        ready, lambda: procedure(ready, action="fire", unit="a", target="b", mode="at-will"), shot_read("b")
    )
    assert near(found, walked)
    assert any(one.charge for one in found)


@pytest.mark.rule("MM-70")
def test_horse_that_canister_sends_at_the_gun_has_the_chances_of_every_way_of_its_dice() -> None:
    foes = unit(
        "b", "french", type="cavalry", number=2, rep=3, at=(900, 500), facing=180, weapon="sword", mounted=True
    )
    ready = game_from(game(gun("g", "british", at=(900, 200)), foes), "the scene")
    option = fire_option(ready, ready.unit("g"), ready.unit("b"), "canister")
    walked = every_way(
        ready, lambda: procedure(ready, action="fire-canister", unit="g", target="b"), shot_read("b")
    )
    found = cannonade(ready, ready.unit("g"), option, "b")
    assert near(found, walked)
    assert any(one.charge == "melee" for one in found)


def cannon_scene(count: int, *, friends: bool = False, horse: bool = False) -> Game:
    foes = unit("b", "french", number=count, leader=1, at=(900, 400), facing=180, formation="mob", mounted=horse)
    behind = unit("c", "french", number=1, leader=None, at=(900, 520), facing=180, type="irregular")
    ours = unit("d", "british", number=1, leader=None, at=(900, 300), facing=0)
    return game_from(
        game(gun("g", "british", at=(900, 200)), foes, behind, *([ours] if friends else [])), "the scene"
    )


@pytest.mark.parametrize(
    ("mode", "scene"),
    [
        ("canister", {"count": 2}),
        ("canister", {"count": 2, "horse": True}),
        ("ball", {"count": 1, "friends": True}),
    ],
)
def test_a_gun_has_the_chances_of_every_way_of_its_dice(mode: str, scene: Plain) -> None:
    ready = cannon_scene(**scene)
    option = fire_option(ready, ready.unit("g"), ready.unit("b"), mode)
    assert option.legal
    for name in units_at_risk(ready, option):
        spread = cannonade(ready, ready.unit("g"), option, name)

        def read(events: Events, name: str = name) -> Fired | None:
            result = _first(events, "reaction", "result", unit=name)
            gone = any(one.event == "destroyed" and one.facts["unit"] == name for one in events)
            horse = sum(one.event == "leader-check" and one.facts["result"] == "horse-hit" for one in events)
            fell = _first(events, "hit", "casualties", unit=name) or 0
            if result is None and not gone:
                return None
            return Fired(casualties=fell + (horse if name == "b" else 0), result="destroyed" if gone else result)

        walked = every_way(ready, lambda: procedure(ready, action=f"fire-{mode}", unit="g", target="b"), read)
        assert near(spread, walked), name


def test_a_test_that_hangs_on_another_unit_at_risk_is_not_told() -> None:
    foes = unit("b", "french", number=2, leader=None, at=(900, 400), facing=180, formation="mob")
    ends = (("c", 862.5), ("d", 937.5))
    beside = [unit(name, "french", number=1, leader=None, at=(x, 400), facing=180) for name, x in ends]
    ready = game_from(game(gun("g", "british", at=(900, 200)), foes, *beside), "the scene")
    option = fire_option(ready, ready.unit("g"), ready.unit("b"), "canister")
    assert set(units_at_risk(ready, option)) == {"b", "c", "d"}
    assert {one.result for one in cannonade(ready, ready.unit("g"), option, "b")} == {UNTOLD}


class Over(Struct, frozen=True):
    """Both sides of a melee would run: who carries on after the first throw, None where it is a tie."""

    carries_on: str | None
    casualties: int
    enemy_casualties: int


def fight_read(events: Events) -> Fought | Over | None:
    """How a round of melee came out."""
    melee = next((one.facts for one in events if one.event == "melee"), None)
    if melee is None:
        return None
    lost = {"casualties": melee["unit_casualties"], "enemy_casualties": melee["enemy_casualties"]}
    thrown = [one.facts["carries_on"] for one in events if one.event == "both-run"]
    if thrown:
        return Over(thrown[0], *lost.values())
    if events[-1].event != "end":
        return None
    ends = {name: _first(events, "reaction", "result", unit=name) or "carry-on" for name in ("a", "b")}
    ends |= {one.facts["unit"]: "destroyed" for one in events if one.event == "destroyed"}
    return Fought(result=ends["a"], enemy_result=ends["b"], **lost)


def to_the_end(procedure: Procedure[Any]) -> Procedure[None]:
    """A procedure, and a word when it is over."""
    yield from procedure
    yield Event(event="end")


def settled(walked: Mapping[Hashable, Fraction]) -> dict[Fought, Fraction]:
    """The chances where ties are thrown again: they fall in the end as the throws that are none."""
    found = {key: chance for key, chance in walked.items() if isinstance(key, Fought)}
    throws = {key: chance for key, chance in walked.items() if isinstance(key, Over)}
    for key, chance in throws.items():
        both = [one for one in throws if one.carries_on and replace(key, carries_on=one.carries_on) == one]
        tie = throws.get(replace(key, carries_on=None), Fraction(0))
        if key.carries_on is not None:
            a, b = ("carry-on", "runaway") if key.carries_on == "a" else ("runaway", "carry-on")
            ends = Fought(
                casualties=key.casualties, result=a, enemy_casualties=key.enemy_casualties, enemy_result=b
            )
            clear = sum(throws[one] for one in both)
            found[ends] = found.get(ends, Fraction(0)) + chance * (clear + tie) / clear
    return found


def locked(ready: Game) -> Game:
    """The same two units in melee."""
    foes = {"a": ["b"], "b": ["a"]}
    units = [replace(one, state={**one.state, "in_melee": foes.get(one.id, [])}) for one in ready.units]
    return replace(ready, units=tuple(units))


@settings(max_examples=games(4))
@given(scenes(0.0, 2))
def test_a_melee_has_the_chances_of_every_way_of_its_dice(ready: Game) -> None:
    ready = locked(ready)
    found = fought(ready, ready.unit("a"), ready.unit("b"))
    walked = every_way(ready, lambda: to_the_end(procedure(ready, action="melee", unit="a", enemy="b")), fight_read)
    assert near(found, settled(walked))


def test_the_chances_count_a_line_of_militia_that_destroyed_its_foe_as_the_line_that_fought() -> None:
    """It loses its order after the melee, of which its test is part (MM-160, MM-164): Regulars' rows."""
    ours = unit("a", "british", number=2, at=(900, 450), rep=3, leader=None)
    theirs = unit(
        "b", "french", type="militia", number=2, at=(900, 475), facing=180, rep=2, formation="formed-line"
    )
    ready = locked(game_from(game(ours, theirs), "the scene"))
    found = fought(ready, ready.unit("a"), ready.unit("b"))
    walked = every_way(ready, lambda: to_the_end(procedure(ready, action="melee", unit="a", enemy="b")), fight_read)
    assert near(found, settled(walked))
    assert any(one.result == "destroyed" for one in found)


@pytest.mark.rule("MM-143")
def test_a_chief_who_stays_behind_does_not_settle_equal_dice() -> None:
    ours = unit("a", "british", type="irregular", number=1, at=(900, 300), leader=None, rep=3)
    chief = unit("e", "british", type="leader", number=1, leader=1, at=(925, 300), leader_rep=6)
    theirs = unit("b", "french", number=1, at=(900, 325 + 10 * INCH), facing=0, rep=3)
    ready = game_from(game(ours, chief, theirs), "the scene")
    found = charged(ready, ready.unit("a"), ready.unit("b"), charge_option(ready, ready.unit("a"), ready.unit("b")))

    def result(events: Events) -> str | None:
        return None if (told := _first(events, "charge", "result")) is None else str(told)

    walked = every_way(ready, lambda: procedure(ready, action="charge", unit="a", target="b"), result)
    assert near(read_as(found, lambda one: one.result), walked)


class Met(Struct, frozen=True):
    """A charge that comes to contact: its fire, and where the charger's figures then are."""

    casualties: int
    charger: tuple[tuple[str, float, float, str], ...]


@settings(max_examples=games(3))
@given(scenes(8 * INCH, grounds=GROUNDS | CREEK))
def test_a_charge_has_the_chances_of_every_way_of_its_dice_and_of_the_melee_that_follows(ready: Game) -> None:
    option = charge_option(ready, ready.unit("a"), ready.unit("b"))
    assume(option.legal)
    met: dict[Met, Game] = {}

    def read(events: Events) -> Charged | Met | None:
        charge = next((one.facts for one in events if one.event == "charge"), None)
        if charge is None or events[-1].event not in ("end", "contact"):
            return None
        shot = _first(events, "fired", "casualties") or 0
        if events[-1].event == "contact":
            after = fold(events, ready)
            figures = tuple((f.id, f.x_mm, f.y_mm, f.status) for f in after.unit("a").figures)
            return met.setdefault(Met(shot, figures), after) and Met(shot, figures)
        then = None
        if charge["result"] == "charger-retires":
            then = _first(events, "reaction", "result", unit="a") or "retire"
        if any(one.event == "destroyed" for one in events):
            then = "destroyed"
        return Charged(result=charge["result"], casualties=shot, charger=then)

    walked = every_way(ready, lambda: to_the_end(procedure(ready, action="charge", unit="a", target="b")), read)
    exact: Counter[Charged] = Counter()
    for key, chance in walked.items():
        if isinstance(key, Charged):
            exact[key] += float(chance)  # type: ignore[assignment]
        elif isinstance(key, Met):
            after = met[key]
            for fight, share in fought(after, after.unit("a"), after.unit("b")).items():
                exact[Charged(result="melee", casualties=key.casualties, fight=fight)] += float(chance) * share  # type: ignore[assignment]
    assert near(charged(ready, ready.unit("a"), ready.unit("b"), option), exact)


def test_the_sheets_that_were_kept_are_kept_after_the_chances_of_a_charge() -> None:
    ready = game_from(full_scene(), "the scene")
    before = sheet_of(ready)
    charged(ready, ready.unit("a"), ready.unit("b"), charge_option(ready, ready.unit("a"), ready.unit("b")))
    assert sheet_of(ready) is before


def full_scene(**foe: Any) -> Plain:
    ours = unit("a", "british", type="grenadier", at=(900, 450), formation="formed-line", rep=5)
    theirs = unit("b", "french", at=(900, 475 + 8 * INCH), facing=180, **({"type": "militia", "rep": 4} | foe))
    return game(ours, theirs, terrain=[wood("w", 700, 600, 1000, 800)])


def often(found: Mapping[Hashable, float], played: Counter[Hashable]) -> None:
    """What was played came as often as the chances say, within five deviations."""
    times = played.total()
    assert set(played) <= set(found)
    for key, chance in found.items():
        assert abs(played[key] / times - chance) <= 5 * sqrt(chance * (1 - chance) / times) + 1e-9, key


#: How many times a full unit's chain is played with seeded dice.
PLAYS = games(150)


def test_full_units_fire_charge_and_fight_as_often_as_their_chances_say() -> None:
    ready = game_from(full_scene(), "the scene")
    unit, target = ready.unit("a"), ready.unit("b")
    volley = fire_option(ready, unit, target, "volley")
    shots, charges, fights = Counter[Hashable](), Counter[Hashable](), Counter[Hashable]()
    melee = locked(game_from(full_scene(type="irregular"), "the scene"))
    for seed in range(PLAYS):
        dice = SeededDice(seed)
        events = play(ready, procedure(ready, action="fire", unit="a", target="b", mode="volley"), dice).events
        shots[shot_read("b")(events)] += 1
        events = play(ready, procedure(ready, action="charge", unit="a", target="b"), dice).events
        charges[_first(events, "charge", "result")] += 1
        events = play(melee, to_the_end(procedure(melee, action="melee", unit="a", enemy="b")), dice).events
        fights[last_of(events)] += 1
    often(fired(ready, unit, target, volley), shots)
    often(
        read_as(charged(ready, unit, target, charge_option(ready, unit, target)), lambda one: one.result), charges
    )
    often(fought(melee, melee.unit("a"), melee.unit("b")), fights)


def last_of(events: Events) -> Hashable:
    """How a melee ended, whoever ran in the end."""
    thrown = [one.facts["carries_on"] for one in events if one.event == "both-run"]
    found = fight_read([one for one in events if one.event != "both-run"])
    if not thrown or not isinstance(found, Fought):
        return found
    ends = ("carry-on", "runaway") if thrown[-1] == "a" else ("runaway", "carry-on")
    return replace(found, result=ends[0], enemy_result=ends[1])
