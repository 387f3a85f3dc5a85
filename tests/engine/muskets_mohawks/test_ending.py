"""The end of a battle, and the steps between encounters in the book's order."""

from __future__ import annotations

import pytest

from engine.errors import ActionRefused, UnknownAction
from tests.engine.muskets_mohawks.playing import Plain, after, event, game, names, resolve, unit


def chief(name: str = "lt", figures: bool = False, **stats: object) -> Plain:
    """A higher Leader of the British, lost unless ``figures``."""
    made = unit(name, "british", type="leader", number=1, at=(1200, 200), stats=stats)
    return {**made, "figures": made["figures"] if figures else []}


@pytest.mark.rule("MM-167")
@pytest.mark.parametrize(
    ("british", "french", "unwilling", "won", "drawn"),
    [(5, 0, False, ["british"], False), (0, 5, False, ["french"], False),
     (5, 5, True, ["british", "french"], True), (0, 0, False, [], True)],
)  # fmt: skip
def test_who_holds_the_field(british: int, french: int, unwilling: bool, won: list[str], drawn: bool) -> None:
    units = [{**unit(side[:2], side), "figures": unit(side[:2], side, number=n)["figures"] if n else []}
             for side, n in (("british", british), ("french", french))]  # fmt: skip
    facts = event(resolve(game(*units), action="end-battle", unwilling=unwilling), "battle")
    assert (facts["won"], facts["drawn"]) == (won, drawn)


@pytest.mark.rule("MM-167")
def test_a_battle_goes_on_while_two_sides_are_willing() -> None:
    both = game(unit("br", "british"), unit("fr", "french", at=(900, 900)))
    with pytest.raises(ActionRefused, match="british and french are still on the table"):
        resolve(both, action="end-battle")


@pytest.mark.rule("MM-260", "MM-168", "MM-237", "MM-239", "MM-240")
def test_the_steps_come_in_the_books_order_each_for_all_units() -> None:
    hurt = {"casualties": 2, "strength": 8, "scored_casualty": True}
    campaign = {"british": {"army": "british", "investment_level": 4, "territory": "contesting"}}
    of = game(
        unit("a", "british", state=hurt), unit("b", "british", state=hurt), unit("f", "french"), campaign=campaign
    )
    # Recovery 2d6 each, Rep 1d6 each, replacements 2 x 1d6 each, desertion 2d6 each.
    dice = [4, 4, 1, 6, 6, 2, 3, 4, 5, 5, 1, 1, 5, 5]
    played = resolve(of, dice, action="afterwards", side="british", won=True, success=True)
    steps = ["after-battle", "rep-change", "replacements", "desertion"]
    assert names(played) == [step for step in steps for _ in "ab"] + ["afterwards"]
    assert [one["unit"] for one in played["events"][:-1]] == ["a", "b"] * 4
    assert (after(played, "a")["stats"]["rep"], after(played, "b")["stats"]["rep"]) == (5, 4)
    assert after(played, "a")["state"]["strength"] == 8 + 2 + 1
    assert after(played, "b")["state"]["strength"] == 8 + 1 - 2


@pytest.mark.rule("MM-260", "MM-239")
def test_without_a_campaign_there_are_no_replacements() -> None:
    played = resolve(
        game(unit("a", "british")), [1, 1], action="afterwards", side="british", won=True, success=False
    )
    assert names(played) == ["after-battle", "rep-change", "desertion", "afterwards"]


@pytest.mark.rule("MM-236", "R-64")
def test_the_nco_of_the_first_unit_takes_a_lost_lieutenants_place_and_is_rolled_anew() -> None:
    of = game(chief(commands=["b", "a"]), unit("a", "british"), unit("b", "british", leader_rep=5))
    # The NCO of b is rolled anew: 4 and one more for an NCO is 5; then desertion of both.
    played = resolve(of, [4, 1, 1, 1, 1], action="afterwards", side="british", won=True, success=False)
    facts = event(played, "promoted")
    assert (facts["unit"], facts["from"], facts["rep"], facts["rule"]) == ("lt", "b", 5, "R-64")
    assert after(played, "lt")["stats"]["nco"] is True
    assert event(played, "rep", unit="b")["rep"] == 5


@pytest.mark.rule("MM-236", "R-64")
def test_two_lost_lieutenants_are_followed_by_two_ncos_and_not_twice_by_the_same() -> None:
    of = game(chief("lt-1"), chief("lt-2"), unit("a", "british", leader_rep=3), unit("b", "british", leader_rep=5))
    played = resolve(of, [4, 4, *[1] * 4], action="afterwards", side="british", won=True, success=False)
    promoted = [(one["unit"], one["from"], one["rep"]) for one in played["events"] if one["event"] == "promoted"]
    assert promoted == [("lt-1", "a", 3), ("lt-2", "b", 5)]
    assert [one["unit"] for one in played["events"] if one["event"] == "rep"] == ["a", "b"]


@pytest.mark.rule("MM-236", "R-64")
def test_a_lost_captain_is_rolled_and_nobody_moves_up() -> None:
    of = game(chief("cpt", rank="captain"), unit("a", "british"))
    played = resolve(of, [5, 1, 1], action="afterwards", side="british", won=True, success=False)
    assert event(played, "rep")["unit"] == "cpt"
    assert "promoted" not in names(played)


@pytest.mark.rule("MM-236")
def test_a_unit_that_lost_its_leader_gets_another() -> None:
    of = game(unit("a", "british", leader=None))
    played = resolve(of, [6, 1, 1], action="afterwards", side="british", won=True, success=False)
    assert event(played, "rep")["unit"] == "a"


@pytest.mark.rule("MM-260")
def test_a_side_that_there_is_not_is_said() -> None:
    with pytest.raises(UnknownAction, match="side: expected one of british, french"):
        resolve(game(), action="afterwards", side="spanish", won=True, success=True)
