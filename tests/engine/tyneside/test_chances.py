"""The chances of fire, melee and command, against every way of their dice, and where these are too many to walk."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

import pytest

from engine.errors import ActionRefused
from engine.events import Event
from engine.odds import odds
from engine.play import Played, Procedure, followed, happen
from engine.records.action import action_from
from engine.records.chances import Chances
from engine.records.game import Game
from engine.rulesets.base.answers.chances import chances
from engine.rulesets.tyneside import RULESET
from tests.engine.tyneside.table import Json, do, game, group, leader, row, said

MELEE = {"action": "melee", "unit": "b", "target": "f"}


def told(of: Game, action: Json) -> Chances:
    return chances(RULESET, of, action_from(action))


def by_words(found: Chances) -> dict[str, float]:
    return {one.what: one.chance for one in found.outcomes}


def facing(ours: int, theirs: int, hurt: tuple[str, ...] = (), **more: Any) -> Game:
    """Rows of touching bases; those ``hurt`` are wounded already."""
    units = [group("b", *row(ours, y=400, step=25), weapon="sword", stats=more.pop("stats", {})),
             group("f", *row(theirs, y=425, step=25), weapon="war-club", stats={"class": "raw"})]  # fmt: skip
    for one in (figure for entry in units for figure in entry["figures"]):
        one["status"] = "wounded" if one["id"] in hurt else "ok"
    return game(*units, options=more)


def several(status: str = "ok", worst: str = "fights") -> Game:
    """Two of ours about one of theirs, and a pair beside them."""
    units = [group("b", (590, 400), (620, 400), (800, 400), weapon="sword"),
             group("f", (605, 420), (800, 425), weapon="bow")]  # fmt: skip
    units[1]["figures"][0]["status"] = status
    return game(*units, options={"worst": worst})


def gives_way(event: Event) -> str | None:
    if event.event != "melee":
        return None
    names = event.facts["lost_by"]
    return f"{' and '.join(names)} {'gives' if len(names) == 1 else 'give'} way"


def gone(played: Played, name: str) -> int:
    """How many of a unit were wounded or killed; a second wound counts as well."""
    return sum(event.event in ("wound", "kill") and event.facts["unit"] == name for event in played.events)


@pytest.mark.rule("TY-72", "TY-73", "TY-74", "TR-12", "TR-17", "TY-40")
@pytest.mark.parametrize("of", [
    facing(1, 1), facing(3, 2, stats={"class": "hero"}), facing(2, 2, ("f-1", "b-2"), worst="casualties"),
    several(), several("wounded"), several("wounded", "casualties"), several("ok", "casualties"),
])  # fmt: skip
def test_a_melee_comes_to_what_all_its_dice_come_to(of: Game) -> None:
    action = action_from(MELEE)
    walked = odds(of, lambda: RULESET.begin(of, action), gives_way)
    assert by_words(told(of, MELEE)) == {
        what: pytest.approx(float(chance), abs=2e-6) for what, chance in walked.items()
    }


@pytest.mark.rule("TY-73", "TR-17")
@pytest.mark.parametrize("status", ["ok", "wounded"])
def test_how_many_a_melee_hurts_on_average_is_counted_over_all_dice(status: str) -> None:
    of, hurt = several(status), Counter[str]()
    for dice in product(range(1, 7), repeat=3):
        played = do(of, "melee", *dice, 3, 3, unit="b", target="f")
        hurt.update({name: gone(played, name) for name in "bf"})
    alone = game(*(group(name, (800, y), weapon=arm) for name, y, arm in (("b", 400, "sword"), ("f", 425, "bow"))))
    for dice in product(range(1, 7), repeat=2):
        played = do(alone, "melee", *dice, unit="b", target="f")
        hurt.update({name: 6 * gone(played, name) for name in "bf"})
    sentence = told(of, MELEE).then[0].sentence
    assert sentence == (
        f"on average {hurt['f'] / 216:.1f} of f and {hurt['b'] / 216:.1f} of b are wounded or killed"
    )


@pytest.mark.rule("TY-74")
def test_whole_platoons_in_contact_have_exact_chances_at_once() -> None:
    """Thirty against thirty, whose dice fall in more ways than can be walked."""
    of = facing(30, 30)
    found = by_words(told(of, MELEE))
    won = sum(one > other - 1 for one, other in product(range(1, 7), repeat=2))
    lost = sum(one < other - 1 for one, other in product(range(1, 7), repeat=2))
    even = 36 - won - lost
    ahead: Counter[str] = Counter()
    for ours in range(31):
        for theirs in range(31 - ours):
            ways = (
                comb(30, ours) * comb(30 - ours, theirs) * won**ours * lost**theirs * even ** (30 - ours - theirs)
            )
            who = "f gives way" if ours > theirs else "b gives way" if ours < theirs else "b and f give way"
            ahead[who] += ways
    assert found == {who: pytest.approx(float(Fraction(n, 36**30)), abs=2e-6) for who, n in ahead.items()}


@pytest.mark.rule("TY-71")
def test_a_melee_that_the_rules_forbid_has_no_chances() -> None:
    with pytest.raises(ActionRefused, match="in contact"):
        told(game(group("b", (600, 400)), group("f", (600, 700))), MELEE)


def volley(klass: str, weapon: str, men: int, foes: int, hurt: int = 0, **stats: Any) -> Game:
    """A group that may fire all its weapons at another across ten centimetres, some of whom are wounded."""
    units = [group("b", *row(men), weapon=weapon, stats={"class": klass, **stats}, commanded=True),
             group("f", *row(foes, y=525))]  # fmt: skip
    for one in units[1]["figures"][:hurt]:
        one["status"] = "wounded"
    return game(*units)


def fallen(of: Game, action: Json) -> dict[str, float]:
    """Hits, killed and wounded on average, counted over every way of the dice."""

    def played() -> Procedure[None]:
        count: Counter[str] = Counter()
        before = {one.id: one.status for one in of.unit("f").figures}

        def noted(event: Event) -> None:
            count["hits"] += event.facts.get("hits", 0) if event.event == "fire" else 0

        after = yield from followed(of, RULESET.begin(of, action_from(action)), noted)
        left = {one.id: one.status for one in after.unit("f").figures}
        facts = {"hits": count["hits"], "killed": len(before) - len(left),
                 "wounded": sum(one == "wounded" != before[name] for name, one in left.items())}  # fmt: skip
        yield from happen(Event(event="end", facts=facts))

    spread = odds(of, played, lambda event: tuple(event.facts.values()) if event.event == "end" else None)
    means = [sum(float(share) * (one or (0, 0, 0))[part] for one, share in spread.items()) for part in range(3)]
    return dict(zip(("hits", "killed", "wounded"), means, strict=True))


@pytest.mark.rule("TY-30", "TY-31", "TY-38", "TY-39", "TY-40", "TR-16")
@pytest.mark.parametrize("of", [
    volley("veteran", "musket", 1, 1), volley("hero", "bow", 2, 2, 1), volley("raw", "hatchet", 2, 1, 1),
    volley("veteran", "rifle", 3, 2, 1), volley("raw", "musket", 3, 1, classes={"b-1": "hero"}),
])  # fmt: skip
def test_what_a_volley_does_on_average_is_what_all_its_dice_do(of: Game) -> None:
    action = {"action": "fire", "unit": "b", "target": "f"}
    mean, found = fallen(of, action), told(of, action)
    assert found.then[0].sentence == (
        f"{mean['hits']:.1f} hits, {mean['killed']:.1f} killed and {mean['wounded']:.1f} wounded on average"
    )
    hits = odds(
        of, lambda: RULESET.begin(of, action_from(action)), lambda e: e.facts["hits"] if e.event == "fire" else None
    )
    assert by_words(found) == {
        f"{count} {'hit' if count == 1 else 'hits'}": pytest.approx(float(chance), abs=2e-6)
        for count, chance in hits.items()
    }


@pytest.mark.rule("TY-37", "TY-39")
def test_a_leaders_shot_at_one_man_kills_him_alone() -> None:
    of = game(leader("b", (600, 500), weapon="rifle"), group("f", *row(3, y=625)))
    found = told(of, {"action": "fire", "unit": "b", "target": "f", "figure": "f-2"})
    assert found.line == "88 %: 1 hit or more; 0.9 hits, 0.3 killed and 0.3 wounded on average"


@pytest.mark.rule("TY-11", "TY-14", "TY-15")
@pytest.mark.parametrize(("klass", "men", "dice"), [("veteran", 10, 3), ("raw", 7, 2), ("hero", 15, 4)])
def test_a_leaders_chance_is_that_his_points_are_enough(klass: str, men: int, dice: int) -> None:
    of = game(leader("b", (600, 500), klass), group("b2", *row(men, y=450, step=14)))
    found = told(of, {"action": "command", "unit": "b", "groups": ["b2"]})
    enough = Fraction(sum(sum(one) >= men for one in product(range(1, 7), repeat=dice)), 6**dice)
    assert by_words(found)["b2 is commanded"] == pytest.approx(float(enough), abs=2e-6)
    assert found.sentence == f"{round(enough * 100)} % b2 is commanded"


@pytest.mark.rule("TY-16", "TY-14", "TY-15")
def test_every_group_has_the_chance_that_points_are_left_for_it() -> None:
    """The link is paid from what his officer throws, the second group from what the first leaves."""
    units = [leader("b", (600, 500), "raw"), group("b2", *row(6, y=450), roles=["nco"], stats={"class": "raw"}),
             group("b3", *row(7, y=550), routing=True)]  # fmt: skip
    action = {"action": "command", "unit": "b", "groups": ["b2", "b3"], "via": ["b2-1"]}
    won: Counter[str] = Counter()
    of = game(*units)
    for dice in product(range(1, 7), repeat=4):
        played = do(of, "command", *dice, unit="b", via=["b2-1"], groups=["b2", "b3"])
        won.update(facts["group"] for facts in said(played, "commanded"))
    found = told(of, action)
    for name, part in (("b2", found), ("b3", found.then[0])):
        assert {one.what: one.chance for one in part.outcomes}.get(f"{name} is commanded", 0) == pytest.approx(
            won[name] / 6**4, abs=2e-6
        )


@pytest.mark.rule("TY-15")
def test_who_is_out_of_distance_has_no_chance() -> None:
    of = game(leader("b", (200, 500)), group("b2", *row(4, x=1200)))
    found = told(of, {"action": "command", "unit": "b", "groups": ["b2"]})
    assert (found.sentence, by_words(found)) == ("0 % b2 is commanded", {"b2 is not commanded": 1.0})


@pytest.mark.rule("TY-11")
def test_a_leader_who_names_no_group_is_told_his_points() -> None:
    found = told(game(leader("b", (600, 500))), {"action": "command", "unit": "b"})
    assert by_words(found)["10 command points"] == pytest.approx(27 / 216, abs=1e-6)
