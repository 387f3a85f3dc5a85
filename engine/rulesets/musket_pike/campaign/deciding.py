"""What the program chooses in a campaign: by the best worst case of the expected values, or by a die (MP-296)."""

from __future__ import annotations

from collections.abc import Mapping

from engine.dice import DiceSource, Roll
from engine.rulesets.musket_pike.campaign.records import Campaign, Seat, Situation

__all__ = ["conservative", "reckless", "worths"]


def worths(campaign: Campaign) -> Mapping[str, float]:
    """What each situation and conclusion is worth to side a if both sides decide conservatively."""
    known = {name: conclusion.value for name, conclusion in campaign.conclusion_by_id.items()}
    for place in campaign.ways.static_order():
        if place not in known:
            situation = campaign.situation_by_id[place]
            matrix = {pair: known[_expected(campaign, battle)] for pair, battle in situation.battle_of.items()}
            known[place] = matrix[_safest(situation, matrix, "a"), _safest(situation, matrix, "b")]
    return known


def conservative(campaign: Campaign, situation: Situation, seat: Seat) -> str:
    """Side a's choice with the best worst case, side b's with the least best case for a; of equals the first."""
    known = worths(campaign)
    matrix = {pair: known[_expected(campaign, battle)] for pair, battle in situation.battle_of.items()}
    return _safest(situation, matrix, seat)


def reckless(situation: Situation, seat: Seat, dice: DiceSource) -> str:
    """A choice at random: a die with as many faces as there are choices; none is rolled for a single one."""
    options = situation.options(seat)
    if len(options) == 1:
        return options[0]
    purpose = f"the choice of side {seat} in {situation.title}"
    (score,) = dice.scores(Roll(purpose=purpose, count=1, die=f"d{len(options)}", each=True, rule="MP-296"))
    return options[score - 1]


def _expected(campaign: Campaign, battle: str) -> str:
    """Where the outcome to expect of a battle leads."""
    record = campaign.battle_by_id[battle]
    return record.next[record.expected]


def _safest(situation: Situation, matrix: Mapping[tuple[str, str], float], seat: Seat) -> str:
    rows, columns = situation.options("a"), situation.options("b")
    if seat == "a":
        return max(rows, key=lambda a: min(matrix[a, b] for b in columns))
    return min(columns, key=lambda b: max(matrix[a, b] for a in rows))
