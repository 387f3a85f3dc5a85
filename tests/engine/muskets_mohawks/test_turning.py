"""Turning where a unit stands, for half of its move, and wheeling about an end figure."""

from __future__ import annotations

import math

import pytest

from engine.errors import ActionRefused
from tests.engine.muskets_mohawks.playing import INCH, Plain, after, event, game, gun, resolve, unit, wood

FOE = unit("foe", "french", type="irregular", number=6, at=(900, 150), facing=0)


def us(**more: object) -> Plain:
    return unit("us", "british", number=6, at=(900, 500), **more)  # type: ignore[arg-type]


@pytest.mark.rule("MM-44", "MM-45")
@pytest.mark.parametrize(
    ("scene", "spot", "move"),
    [
        (game(us(formation="formed-line"), FOE), (900, 500), 8 * INCH),
        (game(us(formation="mob"), FOE), (900, 500), 8 * INCH),
        (game(us(), FOE), (900, 500), 8 * INCH),
        (game(us(), FOE, snow="ground"), (900, 500), 4 * INCH),
        (game(gun("us", "british", at=(900, 500), crew=5), FOE), (900, 2800 / 6), 2.5 * INCH),
    ],
    ids=["line", "mob", "unformed", "snow", "gun"],
)
def test_a_turn_where_it_stands_takes_half_of_the_move(
    scene: Plain, spot: tuple[float, float], move: float
) -> None:
    played = resolve(scene, action="march", unit="us", to=list(spot), facing_deg=180)
    before = next(one for one in scene["units"] if one["id"] == "us")
    turned = after(played, "us")
    assert event(played, "marched")["turned"] is True
    assert {one["bearing_deg"] for one in turned["figures"]} == {180}
    assert [one["y_mm"] for one in turned["figures"]] == [one["y_mm"] for one in before["figures"]]
    assert turned["state"]["moved_mm"] == pytest.approx(move / 2)


@pytest.mark.rule("MM-44", "MM-45")
@pytest.mark.parametrize(
    ("who", "spot", "fire"),
    [
        (us(formation="formed-line"), 500, {"action": "fire"}),
        (us(), 500, {"action": "fire"}),
        (gun("us", "british", at=(900, 500)), 2800 / 6, {"action": "fire-canister"}),
    ],
    ids=["line", "unformed", "gun"],
)
def test_who_has_turned_does_not_fire_and_goes_half_of_its_move(who: Plain, spot: float, fire: Plain) -> None:
    turned = resolve(game(who, FOE), action="march", unit="us", to=[900, spot], facing_deg=180)["game"]
    with pytest.raises(ActionRefused, match="moved"):
        resolve(turned, **fire, unit="us", target="foe")
    with pytest.raises(ActionRefused, match="it may move"):
        resolve(turned, action="march", unit="us", to=[900, 500 - 5 * INCH])


@pytest.mark.rule("MM-44")
def test_a_line_that_has_turned_about_goes_that_way() -> None:
    line = us(formation="formed-line")
    turned = resolve(game(line, FOE), action="march", unit="us", to=[900, 500], facing_deg=180)["game"]
    gone = resolve(turned, action="march", unit="us", to=[900, 500 - 4 * INCH])
    assert after(gone, "us")["state"]["moved_mm"] == pytest.approx(8 * INCH)


@pytest.mark.rule("MM-44")
def test_a_line_turns_before_it_goes_and_loose_men_at_the_end_of_it() -> None:
    for formation in ("formed-line", "unformed"):
        gone = resolve(game(us(formation=formation), FOE), action="march", unit="us", to=[900, 600])["game"]
        if formation == "formed-line":
            with pytest.raises(ActionRefused, match="turns before it goes"):
                resolve(gone, action="march", unit="us", to=[900, 600], facing_deg=180)
        else:
            turned = resolve(gone, action="march", unit="us", to=[900, 600], facing_deg=180)
            assert after(turned, "us")["state"]["moved_mm"] == pytest.approx(100)


@pytest.mark.rule("MM-44")
@pytest.mark.parametrize("keys", [{}, {"facing_deg": 0}, {"facing_deg": 360}])
def test_who_stands_there_already_facing_that_way_is_told_so(keys: Plain) -> None:
    with pytest.raises(ActionRefused, match="stands there already"):
        resolve(game(us(), FOE), action="march", unit="us", to=[900, 500], **keys)


@pytest.mark.rule("MM-44", "R-32")
def test_who_turns_behind_works_defends_them_still() -> None:
    wall = {"id": "wall", "kind": "wall", "polygon_mm": [[700, 520], [1100, 520], [1100, 525], [700, 525]]}
    scene = game(us(state={"behind": "wall"}), FOE, terrain=[wall])
    turned = resolve(scene, action="march", unit="us", to=[900, 500], facing_deg=90)
    assert after(turned, "us")["state"]["behind"] == "wall"


#: Of a line of six the end figures stand 125 mm apart.
ARM = 125.0


@pytest.mark.rule("MM-44")
@pytest.mark.parametrize(
    ("turn", "pivot", "outer"), [(60, "us-6", "us-1"), (-60, "us-1", "us-6"), (90, "us-6", "us-1")]
)
def test_a_line_wheels_about_the_figure_at_its_end(turn: float, pivot: str, outer: str) -> None:
    line = us(formation="formed-line")
    played = resolve(game(line, FOE), action="wheel", unit="us", turn_deg=turn)
    before, now = ({one["id"]: one for one in unit["figures"]} for unit in (line, after(played, "us")))
    assert (now[pivot]["x_mm"], now[pivot]["y_mm"]) == pytest.approx((before[pivot]["x_mm"], before[pivot]["y_mm"]))
    assert {one["bearing_deg"] for one in now.values()} == {turn % 360}
    assert now[outer]["y_mm"] - 500 == pytest.approx(ARM * math.sin(math.radians(abs(turn))))
    assert after(played, "us")["state"]["moved_mm"] == pytest.approx(ARM * math.radians(abs(turn)))


@pytest.mark.rule("MM-44")
def test_who_has_wheeled_goes_straight_on_with_what_is_left_of_his_move() -> None:
    wheeled = resolve(game(us(formation="mob"), FOE), action="wheel", unit="us", turn_deg=30)
    left = 8 * INCH - ARM * math.radians(30)
    figures = after(wheeled, "us")["figures"]
    x, y = (sum(one[axis] for one in figures) / 6 for axis in ("x_mm", "y_mm"))
    ahead = (math.sin(math.radians(30)), math.cos(math.radians(30)))
    beyond = [x + ahead[0] * (left + 1), y + ahead[1] * (left + 1)]
    with pytest.raises(ActionRefused, match="it may move"):
        resolve(wheeled["game"], action="march", unit="us", to=beyond)
    gone = resolve(wheeled["game"], action="march", unit="us", to=[x + ahead[0] * left, y + ahead[1] * left])
    assert after(gone, "us")["state"]["moved_mm"] == pytest.approx(8 * INCH)
    with pytest.raises(ActionRefused, match="moved"):
        resolve(gone["game"], action="fire", unit="us", target="foe")


LINE = us(formation="formed-line")
#: Who swings to the right comes from (837.5, 500) round (962.5, 500) to where (900, 608) is.
IN_SWING = (900.0, 600.0)


def friend(**more: object) -> Plain:
    return unit("friend", "british", number=2, at=IN_SWING, **more)  # type: ignore[arg-type]


REFUSED = [
    ("too far round", [LINE], [], 100, "up to 90"),
    ("not formed", [us()], [], 45, "only who is formed"),
    ("not at all", [LINE], [], 0, "that way already"),
    ("after a move", [us(formation="formed-line", state={"moved_mm": 50.0})], [], 45, "before it goes on"),
    (
        "a long line",
        [unit("us", "british", number=10, at=(900, 500), formation="formed-line")],
        [],
        60,
        "outer end",
    ),
    ("an enemy", [LINE, unit("near", "french", number=2, at=IN_SWING, facing=180)], [], 60, "near is in its way"),
    ("a formed friend", [LINE, friend(formation="mob")], [], 60, "friend is in its way"),
    ("upon a loose friend", [LINE, friend()], [], 60, "wholly through friend"),
    ("into a wood", [LINE], [wood("wood", 860, 580, 940, 640)], 60, "wood is in its way"),
    ("into a creek", [LINE], [wood("creek", 0, 580, 1828, 640, "creek")], 60, "creek is in its way"),
    (
        "off the table",
        [unit("us", "british", number=6, at=(900, 60), facing=180, formation="mob")],
        [],
        60,
        "the table",
    ),
]


@pytest.mark.rule("MM-44", "MM-51", "MM-52", "MM-191", "MM-256")
@pytest.mark.parametrize(
    ("units", "land", "turn", "why"), [one[1:] for one in REFUSED], ids=[one[0] for one in REFUSED]
)
def test_why_nobody_wheels_so(units: list[Plain], land: list[Plain], turn: float, why: str) -> None:
    scene = game(*units, FOE, terrain=land)
    with pytest.raises(ActionRefused, match=why):
        resolve(scene, action="wheel", unit="us", turn_deg=turn)
    assert event(resolve(scene, action="wheel", unit="us", turn_deg=turn, override=True), "wheeled")


@pytest.mark.rule("MM-51")
def test_a_line_wheels_through_loose_friends_when_it_gets_wholly_through() -> None:
    scene = game(LINE, unit("friend", "british", number=1, leader=1, at=(850, 540)), FOE)
    assert event(resolve(scene, action="wheel", unit="us", turn_deg=80), "wheeled")


@pytest.mark.rule("MM-44")
def test_one_man_does_not_wheel() -> None:
    with pytest.raises(ActionRefused, match="cannot wheel"):
        resolve(game(unit("us", "british", number=1, formation="mob"), FOE), action="wheel", unit="us", turn_deg=45)
