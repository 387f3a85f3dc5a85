"""Turning where a unit stands: half of its move, before it goes, and no fire in the same activation."""

from __future__ import annotations

import pytest

from engine.errors import ActionRefused
from tests.engine.muskets_mohawks.playing import INCH, Plain, after, event, game, gun, resolve, unit

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
