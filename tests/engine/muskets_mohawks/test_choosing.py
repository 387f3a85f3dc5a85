"""What is offered where an army is chosen or raised: armies of the wars in play, troops of a side's own list."""

from __future__ import annotations

from typing import Any

import pytest

from engine.records.action import Action
from engine.records.game import game_from
from engine.rulesets.base.actions.opening import open_actions
from engine.rulesets.muskets_mohawks import RULESET
from tests.engine.muskets_mohawks.playing import Plain, game, gun, unit

FIW = ("british", "french", "british-indians", "french-indians")


def offered(of: Plain, action: str, **keys: Any) -> dict[str, tuple[str, ...]]:
    return dict(RULESET.choices(game_from(of, "the game"), Action(action=action, extra=keys)))


@pytest.mark.rule("MM-35")
def test_only_armies_of_the_wars_in_play_are_offered() -> None:
    assert offered(game(), "agree") == {"armies": FIW}
    assert offered(game(), "review") == {"list": FIW}
    assert offered(game(period="texas"), "agree") == {"armies": ("texian", "mexican")}


def test_wars_that_are_being_chosen_count_before_they_are_agreed() -> None:
    assert offered(game(), "agree", period="1812") == {"armies": ("american", "british")}
    assert offered(game(), "agree", period="of the roses") == {}


@pytest.mark.rule("MM-35")
def test_a_side_is_offered_the_troops_of_its_own_army() -> None:
    indians = game(campaign={"french": {"army": "french-indians"}})
    assert offered(indians, "raise", side="french") == {"list": FIW, "entry": ("warriors",)}
    assert "warriors" not in offered(indians, "raise", side="british")["entry"]
    assert offered(indians, "raise", side="british", list="british-indians")["entry"] == ("warriors",)


def test_before_it_is_said_for_which_side_the_troops_of_both_are_offered() -> None:
    entries = offered(game(campaign={"french": {"army": "french-indians"}}), "raise")["entry"]
    assert {"line", "grenadiers", "warriors"} <= set(entries)
    assert "cossacks" not in entries


def test_a_side_without_a_list_is_offered_all_of_the_wars() -> None:
    assert "hussars" in offered(game(period="napoleonic"), "raise", side="british")["entry"]


@pytest.mark.rule("MM-199")
def test_in_winter_only_irregulars_are_offered() -> None:
    assert offered(game(month=1), "raise", side="british", list="british")["entry"] == ("irregulars",)


@pytest.mark.rule("MM-146")
@pytest.mark.parametrize(("gunner", "ways"), [(True, ("canister", "ball")), (False, ("volley", "at-will"))])
def test_a_charge_offers_the_fire_that_its_target_has(gunner: bool, ways: tuple[str, ...]) -> None:
    foe = gun("g", "french", at=(900, 500)) if gunner else unit("g", "french", at=(900, 500))
    of = game_from(game(unit("br", "british"), foe), "the game")
    assert RULESET.choices(of, Action(action="charge", unit="br", target="g")) == {"target_mode": ways}
    assert RULESET.choices(of, Action(action="charge", unit="br")) == {}


def test_whatever_is_offered_can_be_raised() -> None:
    for period in ("fiw", "revolution", "1812", "napoleonic", "texas"):
        for side in ("british", "french"):
            of = game(period=period, month=12)
            lists = offered(of, "raise", side=side)["list"]
            for name in lists:
                for entry in offered(of, "raise", side=side, list=name)["entry"]:
                    keys = {"side": side, "id": "new", "list": name, "entry": entry}
                    RULESET.begin(game_from(of, "the game"), Action(action="raise", extra=keys)).close()


def test_what_is_open_tells_the_words_that_there_are() -> None:
    found = {one.action: one for one in open_actions(RULESET, game_from(game(), "the game"), None)}
    assert found["agree"].choices == {"armies": FIW}
    assert found["weather"].choices == {}
