"""Raids: setting up, watching, taking, driving off, pursuing, counting out (section 8 of the rulebook)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import ActionRefused, UnknownAction, UnusableFile
from engine.rulesets.presidio.campaign.standing import campaign_of
from engine.rulesets.presidio.raid_book import raid_book
from tests.engine.presidio.scene import Json, do, figure, game, ground, inches, row, state, told, unit

EMPTY = (unit("a", (300, 300)), unit("b", (900, 900)))


@pytest.mark.rule("PR-801", "PR-802")
@pytest.mark.parametrize(
    ("dice", "horses", "terrain", "feature", "sentries"),
    [
        ("1 1 1", False, "heavy-woods", "stream-fordable", 0),
        ("1 2 2", True, "medium-woods", "stream-unfordable", 1),
        ("2 3 3", True, "medium-woods", "rocks", 2),
        ("3 4 4", False, "light-woods", "large-hill", 3),
        ("4 5 5", False, "fields", "small-hill", 4),
        ("5 6 6", False, "open", "valley", "all"),
        ("6 1 1", True, "open", "stream-fordable", 0),
    ],
)
def test_a_camp_is_diced_for(dice: str, horses: bool, terrain: str, feature: str, sentries: int | str) -> None:
    found = told(do(game(*EMPTY), dice, action="camp", horses=horses), "camp")
    assert found == [{"terrain": terrain, "feature": feature, "sentries": sentries, "apart_in": 24.0}]


@pytest.mark.rule("PR-803")
@pytest.mark.parametrize(
    ("time", "count", "houses", "fields", "plaza", "guards"),
    [
        ("day", 20, 5, 10, 5, 1), ("day", 10, 2, 5, 3, 1), ("day", 7, 1, 4, 2, 1), ("day", 1, 0, 1, 0, 1),
        ("day", 0, 0, 0, 0, 1), ("night", 20, 19, 0, 1, 2), ("night", 10, 9, 0, 1, 2), ("night", 9, 9, 0, 0, 2),
    ],
)  # fmt: skip
def test_villagers_are_where_the_hour_finds_them(
    time: str, count: int, houses: int, fields: int, plaza: int, guards: int
) -> None:
    found = told(do(game(*EMPTY, time=time), action="villagers", count=count), "villagers")
    assert found == [{"houses": houses, "fields": fields, "plaza": plaza, "guards": guards}]


@pytest.mark.rule("PR-804")
@pytest.mark.parametrize(
    ("dice", "recon", "camou", "found"),
    [("3 3", 2, 2, True), ("3 4", 2, 2, False), ("1 4", 4, 1, True), ("1 4", 3, 1, False)],
)
def test_the_trail_is_found_unless_the_scouts_are_lower(dice: str, recon: int, camou: int, found: bool) -> None:
    played = do(game(*EMPTY), dice, action="track", pursuer_recon=recon, raider_camou=camou)
    assert told(played, "trail") == [{"found": found}]


def party(name: str, role: str, **keys: Any) -> Json:
    return {"id": name, "role": role, "mounted": False, "leagues": 0, "knows_pursued": False, "nights_marched": 0,
            **keys}  # fmt: skip


@pytest.mark.rule("PR-805")
@pytest.mark.parametrize(
    ("column", "expected"),
    [
        ("pursuer", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15]),
        ("fugitive", [0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 12]),
    ],
)
def test_each_roll_brings_its_leagues(column: str, expected: list[int]) -> None:
    for total, leagues in enumerate(expected, 2):
        dice = f"{min(total - 1, 6)} {total - min(total - 1, 6)}"
        of = game(*EMPTY, campaign={"parties": [party("p", "pursuer")]})
        played = do(of, dice, action="pursuit-day", party="p", column=column)
        assert told(played, "travel")[0]["leagues"] == leagues
        assert campaign_of(played.game).parties[0].leagues == leagues


@pytest.mark.rule("PR-805")
@pytest.mark.parametrize(
    ("role", "day", "keys", "leagues"),
    [
        ("pursuer", 9, {}, 6), ("raider", 3, {}, 6), ("raider", 4, {}, 3),
        ("raider", 9, {"knows_pursued": True}, 6),
        ("pursuer", 9, {"mounted": True}, 7), ("raider", 4, {"mounted": True}, 4),
    ],
)  # fmt: skip
def test_raiders_flee_slower_once_they_feel_safe(role: str, day: int, keys: dict[str, Any], leagues: int) -> None:
    of = game(*EMPTY, campaign={"day": day, "parties": [party("p", role, **keys)]})
    assert told(do(of, "3 4", action="pursuit-day", party="p"), "travel")[0]["leagues"] == leagues


@pytest.mark.rule("PR-804", "PR-805", "presidio R-35")
@pytest.mark.parametrize(("role", "dice", "noticed"), [("pursuer", "6 6", True), ("pursuer", "6 5", False),
                                                       ("raider", "6 6", False)])  # fmt: skip
def test_raiders_notice_pursuers_who_roll_twelve(role: str, dice: str, noticed: bool) -> None:
    of = game(*EMPTY, campaign={"parties": [party("p", role, mounted=True), party("r", "raider", leagues=90)]})
    played = do(of, dice, action="pursuit-day", party="p")
    assert told(played, "travel")[0]["noticed"] is noticed
    assert campaign_of(played.game).parties[1].knows_pursued is noticed


@pytest.mark.rule("PR-806")
def test_a_forced_march_brings_half_as_much_again_for_two_nights() -> None:
    of = game(*EMPTY, campaign={"parties": [party("p", "pursuer"), party("r", "raider", leagues=10)]})
    first = do(of, "2 3", action="pursuit-day", party="p", forced=True)
    assert (told(first, "travel")[0]["leagues"], campaign_of(first.game).parties[0].nights_marched) == (6, 1)
    second = do(first.game, "1 1", action="pursuit-day", party="p", forced=True)
    with pytest.raises(ActionRefused, match="must rest"):
        do(second.game, action="pursuit-day", party="p", forced=True)
    rested = do(second.game, action="pursuit-day", party="p")
    assert (told(rested, "travel")[0]["leagues"], campaign_of(rested.game).parties[0].nights_marched) == (0, 0)


@pytest.mark.rule("PR-806")
@pytest.mark.parametrize(("ahead", "legal"), [(0, False), (1, True), (10, True), (11, False)])
def test_only_who_is_near_forces_a_march(ahead: int, legal: bool) -> None:
    of = game(*EMPTY, campaign={"parties": [party("p", "pursuer"), party("r", "raider", leagues=ahead)]})
    if not legal:
        with pytest.raises(ActionRefused, match="forced march"):
            do(of, action="pursuit-day", party="p", forced=True)
        return
    assert told(do(of, "5 6", action="pursuit-day", party="p", forced=True), "travel")[0]["caught"]


def test_a_party_that_there_is_not_is_named() -> None:
    with pytest.raises(UnusableFile, match="posse"):
        do(game(*EMPTY), action="pursuit-day", party="posse")


@pytest.mark.rule("PR-810")
@pytest.mark.parametrize(
    ("what", "left", "carrying"),
    [("scalp", 1, None), (["weapon", "horn"], 0, None), ("home", 0, "home")],
)
def test_taking_costs_actions_and_a_home_the_fight(what: Any, left: int, carrying: str | None) -> None:
    of = game(unit("a", (900, 200)), unit("b", (900, 400)))
    played = do(of, action="plunder", unit="a", what=what)
    items = [what] if isinstance(what, str) else what
    assert (state(played, "a")["actions_left"], state(played, "a")["plunder"]) == (left, items)
    assert state(played, "a").get("carrying") == carrying
    dropped = do(played.game, action="drop", unit="a", what=items[0])
    assert state(dropped, "a")["plunder"] == items[1:]
    assert state(dropped, "a").get("carrying") is None


@pytest.mark.rule("PR-810")
def test_who_carries_a_home_fights_not_until_he_drops_it() -> None:
    of = game(unit("a", (900, 200), carrying="home"), unit("b", (900, 225)))
    with pytest.raises(ActionRefused, match="dropped"):
        do(of, action="melee", unit="a", target="b")
    with pytest.raises(ActionRefused, match="has no mule"):
        do(of, action="drop", unit="a", what="mule")


@pytest.mark.rule("PR-811")
@pytest.mark.parametrize(
    ("dice", "mine", "theirs", "victim", "event", "stunned"),
    [
        ("8", 2, 2, "flee", "captured", 0), ("7", 2, 2, "flee", "capture-failed", 1),
        ("7", 2, 2, "stay", "capture-failed", 2), ("6", 2, 0, "stay", "captured", 0),
        ("7", 1, 0, "stay", "captured", 0),
    ],
)  # fmt: skip
def test_a_captor_seizes_or_is_stunned(
    dice: str, mine: int, theirs: int, victim: str, event: str, stunned: int
) -> None:
    own = unit("a", (900, 200), stats={"melee": mine})
    prey = unit("b", (900, 225), type="civilian", stats={"melee": theirs})
    played = do(game(own, prey), dice, action="capture", unit="a", figure="a-1", target="b", target_figure="b-1",
                victim=victim)  # fmt: skip
    assert told(played, event)
    assert state(played, "a").get("stunned", 0) == stunned
    if event == "captured":
        assert played.game.unit("b").figures[0].status == "captured"
    else:
        assert told(played, event)[0]["stunned"] == stunned


@pytest.mark.rule("PR-811")
def test_nobody_is_seized_from_afar() -> None:
    of = game(unit("a", (900, 200)), unit("b", (900, 227)))
    with pytest.raises(ActionRefused, match="not in contact"):
        do(of, action="capture", unit="a", target="b")


@pytest.mark.rule("PR-812", "PR-828")
@pytest.mark.parametrize(("animal", "needed"), [("horse", 7), ("buffalo", 8), ("sheep", 6), ("chicken", 10)])
def test_a_beast_resists_with_its_own_melee(animal: str, needed: int) -> None:
    beast = unit("b", (900, 225), type="livestock", weapon="none", stats={"animal": animal})
    for die, event in ((needed, "captured"), (needed - 1, "capture-failed")):
        assert told(do(game(unit("a", (900, 200)), beast), str(die), action="capture", unit="a", target="b"), event)


@pytest.mark.rule("PR-812", "PR-828")
def test_a_herd_that_is_not_named_is_cattle_to_who_would_seize_it_too() -> None:
    beast = unit("b", (900, 225), type="livestock", weapon="none")
    played = do(game(unit("a", (900, 200)), beast), "7", action="capture", unit="a", target="b")
    assert told(played, "captured")[0]["required"] == 7


def herd(count: int = 2, animal: str = "cattle", y: float = 400.0) -> Json:
    return unit("b", *row(count, 900, y), type="livestock", weapon="none", stats={"animal": animal})


@pytest.mark.rule("PR-813", "PR-828")
@pytest.mark.parametrize(("animal", "move"), [("horse", 12), ("cattle", 10), ("sheep", 6), ("dog", 16)])
def test_a_herd_runs_away_from_who_scares_it(animal: str, move: int) -> None:
    drover = unit("a", (900, 200), mounted=True, type="cavalry")
    played = do(game(drover, herd(1, animal)), "3", action="stampede", unit="b", by="a", controlled=True)
    assert told(played, "moved")[0]["distance_mm"] == pytest.approx(inches(move + 3))
    assert played.game.unit("b").figures[0].y_mm == pytest.approx(400 + inches(move + 3))
    assert state(played, "a")["actions_left"] == 1


@pytest.mark.rule("PR-813")
@pytest.mark.parametrize(
    ("animal", "beasts", "herders", "rides", "able"),
    [("cattle", 10, 1, True, True), ("cattle", 11, 1, True, False), ("cattle", 11, 2, True, True),
     ("cattle", 5, 1, False, False), ("sheep", 10, 1, False, True), ("pig", 11, 1, False, False)],
)  # fmt: skip
def test_a_herder_for_every_ten_beasts(animal: str, beasts: int, herders: int, rides: bool, able: bool) -> None:
    drover = unit("a", *row(herders, 600, 200), mounted=rides, type="cavalry" if rides else "native")
    of = game(drover, unit("b", *row(beasts, 500, 400), type="livestock", weapon="none", stats={"animal": animal}))
    if able:
        do(of, "1", action="stampede", unit="b", by="a", controlled=True)
    else:
        with pytest.raises(ActionRefused, match="herders"):
            do(of, action="stampede", unit="b", by="a", controlled=True)


@pytest.mark.rule("PR-813")
def test_a_herd_without_a_beast_stays_where_it_is_even_if_the_umpire_overrules() -> None:
    gone = unit("b", type="livestock", weapon="none", stats={"animal": "cattle"})
    of = game(unit("a", (900, 200)), gone)
    with pytest.raises(ActionRefused, match="no beast on the table"):
        do(of, action="stampede", unit="b", by="a", controlled=False)
    assert told(do(of, action="stampede", unit="b", by="a", controlled=False, override=True), "moved") == []


@pytest.mark.rule("PR-814", "PR-912")
@pytest.mark.parametrize(("side", "bearing"), [(1, 0.0), (2, 60.0), (4, 180.0), (6, 300.0)])
def test_a_herd_that_nobody_controls_runs_anywhere(side: int, bearing: float) -> None:
    of = game(unit("a", (900, 200)), herd(1, y=600))
    played = do(of, f"{side} 1", action="stampede", unit="b", by="a", controlled=False)
    assert told(played, "moved")[0]["bearing_deg"] == pytest.approx(bearing, abs=1e-6)


@pytest.mark.rule("PR-815", "PR-607", "PR-828")
@pytest.mark.parametrize(
    ("animal", "dice", "fallen"),
    [
        ("cattle", "1 5 4", ["c-1"]), ("cattle", "1 4 5", ["c-2"]), ("horse", "1 3 3", ["c-1", "c-2"]),
        ("buffalo", "1 2 1", ["c-1"]), ("sheep", "1", []), ("mule", "1", []),
    ],
)  # fmt: skip
def test_cattle_horses_and_buffalo_ram_those_on_foot_in_their_way(
    animal: str, dice: str, fallen: list[str]
) -> None:
    drover = unit("a", (900, 200), mounted=True, type="cavalry")
    way = unit("c", (900, 450), (910, 500), (1000, 500), figure("c-4", 905, 560, mounted=True))
    kind = "foot" if animal in ("sheep", "pig") else "mounted"
    of = game(drover, herd(1, animal), way)
    played = do(of, dice, action="stampede", unit="b", by="a", controlled=kind == "mounted" or animal == "sheep")
    assert [one["figure"] for one in told(played, "casualty")] == fallen
    assert {one.rule for one in played.events if one.event in ("hit", "casualty")} <= {"PR-815"}  # no shot at them


@pytest.mark.rule("PR-813")
def test_a_herd_that_leaves_the_table_is_gone() -> None:
    drover = unit("a", (900, 900), mounted=True, type="cavalry")
    played = do(game(drover, herd(1, y=1100)), "3", action="stampede", unit="b", by="a")
    assert (told(played, "off-board"), state(played, "b")["morale"]) == ([{"unit": "b"}], "off-board")


@pytest.mark.rule("PR-816")
@pytest.mark.parametrize(("search", "returned", "enemy", "lost"), [(False, 3, 2, 1), (True, 4, 1, 1)])
def test_what_becomes_of_lost_animals(search: bool, returned: int, enemy: int, lost: int) -> None:
    played = do(game(*EMPTY), "1 2 3 4 5 6", action="livestock-return", count=6, search=search)
    assert told(played, "livestock") == [{"returned": returned, "enemy": enemy, "lost": lost}]


def watched(dice: str, *, far: float = 10.0, foe: dict[str, Any] | None = None, recon: int = 2, camou: int = 2,
            count: int = 1, terrain: list[Json] | None = None, **more: Any) -> str:  # fmt: skip
    """Whether sentries see who comes: the event."""
    keys = {"stats": {"camou": camou}, **(foe or {})}
    raiders = unit("b", *row(count, 900, 200 + 25 + inches(far)), **keys)
    of = game(unit("a", (900, 200), stats={"recon": recon}), raiders, terrain=terrain or [], **more)
    played = do(of, dice, action="sentry", unit="a", target="b")
    return "spotted" if told(played, "spotted") else "unseen"


@pytest.mark.rule("PR-820")
@pytest.mark.parametrize(
    ("needed", "keys"),
    [
        (3, {}), (4, {"sentries": "daydreaming"}), (4, {"foe": {"posture": "kneeling"}}),
        (5, {"foe": {"posture": "prone"}}), (3, {"count": 9}), (2, {"count": 10}), (2, {"count": 15}),
        (1, {"count": 16}), (2, {"recon": 3}), (5, {"recon": 0}), (4, {"camou": 3}),
    ],
)  # fmt: skip
def test_by_day_sentries_see_on_a_three(needed: int, keys: dict[str, Any]) -> None:
    given = {"sentries": "alert", **keys}
    assert watched(str(needed), **given) == "spotted"
    if needed > 1:
        assert watched(str(needed - 1), **given) == "unseen"


@pytest.mark.rule("PR-820", "PR-821", "presidio R-32")
@pytest.mark.parametrize(
    ("needed", "keys"),
    [
        (3, {"light": "night", "moon": "full"}), (4, {"light": "night", "moon": "three-quarter", "far": 10.0}),
        (5, {"light": "night", "moon": "half", "far": 8.0}), (6, {"light": "night", "moon": "quarter", "far": 6.0}),
        (3, {"light": "dusk", "far": 12.0}), (5, {"light": "night", "options": {"search_dm": "spot"}}),
        (3, {"light": "night", "options": {"search_dm": "sentry"}}),
    ],
)  # fmt: skip
def test_by_night_they_need_a_five_and_the_moon(needed: int, keys: dict[str, Any]) -> None:
    assert watched(str(needed), sentries="alert", **keys) == "spotted"
    assert watched(str(needed - 1), sentries="alert", **keys) == "unseen"


@pytest.mark.rule("PR-821", "PR-820", "PR-405")
@pytest.mark.parametrize(
    ("far", "keys"),
    [
        (12.1, {"light": "night", "moon": "full"}), (10.1, {"light": "night", "moon": "three-quarter"}),
        (8.1, {"light": "night", "moon": "half"}), (6.1, {"light": "night", "moon": "quarter"}),
        (4.1, {"light": "night", "moon": "none"}), (12.1, {"light": "dusk"}),
        (8.5, {"terrain": [ground("medium-woods", 600, 100, 1200, 900)]}),
        (6.1, {"light": "night", "moon": "full", "terrain": [ground("light-woods", 600, 100, 1200, 900)]}),
        (5.0, {"sentries": "sleeping"}),
    ],
)  # fmt: skip
def test_beyond_what_they_can_see_and_asleep_no_score_helps(far: float, keys: dict[str, Any]) -> None:
    assert watched("6", far=far, **{"sentries": "alert", **keys}) == "unseen"


@pytest.mark.rule("PR-820")
@pytest.mark.parametrize(
    ("dice", "watch", "event"),
    [("1 6", "sleeping", "unseen"), ("2 6", "sleeping", "unseen"), ("3 3", "daydreaming", "unseen"),
     ("4 4", "daydreaming", "spotted"), ("5 3", "alert", "spotted"), ("6 2", "alert", "unseen")],
)  # fmt: skip
def test_how_sentries_watch_is_diced_for_and_kept(dice: str, watch: str, event: str) -> None:
    of = game(unit("a", (900, 200)), unit("b", (900, 500)))
    played = do(of, dice, action="sentry", unit="a", target="b")
    assert told(played, event)
    assert played.game.conditions["sentries"] == watch


@pytest.mark.rule("PR-825")
@pytest.mark.parametrize(("item", "worth"), list(raid_book().points.items()))
def test_every_item_has_its_points(item: str, worth: int) -> None:
    played = do(game(*EMPTY), action="victory", side="raiders", taken={item: 2, "chicken": 1})
    extra = 0 if item == "chicken" else 1
    expected = worth * 2 + extra if item != "chicken" else 1
    assert told(played, "victory") == [{"side": "raiders", "points": expected}]


@pytest.mark.rule("PR-825")
def test_points_are_of_known_items_and_sides() -> None:
    with pytest.raises(UnknownAction):
        do(game(*EMPTY), action="victory", side="raiders", taken={"gold": 1})
    with pytest.raises(UnusableFile):
        do(game(*EMPTY), action="victory", side="french", taken={})
    assert raid_book().points["war-chief"] == 30
