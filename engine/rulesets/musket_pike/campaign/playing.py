"""A campaign played: begun, choices in secret, battles with what earlier ones left, outcomes (MP-291 to MP-295)."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from engine.dice import DiceSource
from engine.errors import ActionRefused, UnknownAction
from engine.records.game import Game
from engine.records.sealing import opened_text, sealed_text
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.base.fitting import expected
from engine.rulesets.musket_pike.campaign.deciding import conservative, reckless
from engine.rulesets.musket_pike.campaign.losses import left_of, lost_in, mustered
from engine.rulesets.musket_pike.campaign.records import (
    Battle,
    Campaign,
    Fought,
    Opponent,
    Outcome,
    Sealed,
    Seat,
    Situation,
    Standing,
)
from engine.rulesets.musket_pike.vocabulary import Mustered

__all__ = [
    "battle_ahead",
    "begun",
    "chosen",
    "fought",
    "opened",
    "played",
    "prepared",
    "settled",
    "situation_of",
    "standing",
]

OTHER: Mapping[Seat, Seat] = {"a": "b", "b": "a"}


def begun(
    campaign: Campaign, *, situation: str | None = None, opponent: Opponent = "people", player: Seat = "a",
    use_expected: bool = False,
) -> Campaign:  # fmt: skip
    """The campaign at its first situation or at a later one (MP-292 to MP-294).

    Raises UnknownAction for a situation that there is not.
    """
    first = campaign.start if situation is None else situation
    if first not in campaign.situation_by_id:
        raise UnknownAction(f"situation: {expected(campaign.situation_by_id, first)}")
    state = Standing(situation=first, opponent=opponent, player=player, use_expected=use_expected)
    return replace(campaign, state=state)


def standing(campaign: Campaign) -> Standing:
    """How far the campaign has come. Raises ActionRefused where it has not begun."""
    if campaign.state is None:
        raise ActionRefused(["the campaign has not begun yet"], ["MP-291"])
    return campaign.state


def situation_of(campaign: Campaign) -> Situation:
    """The situation that both sides see. Raises ActionRefused where the campaign has not begun or is over."""
    state = standing(campaign)
    if state.situation in campaign.conclusion_by_id:
        raise ActionRefused(
            [f"the campaign is over: {campaign.conclusion_by_id[state.situation].text}"], ["MP-291"]
        )
    return campaign.situation_by_id[state.situation]


def chosen(campaign: Campaign, seat: Seat, choice: str, dice: DiceSource, key: str | None = None) -> Campaign:
    """A side's choice, kept under the side's own key where one is given; a program that plays chooses as well.

    Raises ActionRefused where the side has chosen or is the program's, UnknownAction where it has no such choice.
    """
    situation, state = situation_of(campaign), standing(campaign)
    if state.opponent != "people" and seat != state.player:
        raise ActionRefused([f"the program chooses for side {seat}"], ["MP-292"])
    if seat in state.chosen:
        raise ActionRefused([f"side {seat} has made its choice"], ["MP-294"])
    if choice not in situation.options(seat):
        raise UnknownAction(f"choice: {expected(situation.options(seat), choice)}")
    made = {**state.chosen, seat: choice if key is None else Sealed(sealed=sealed_text(choice, key))}
    if state.opponent == "conservative":
        made[OTHER[seat]] = conservative(campaign, situation, OTHER[seat])
    elif state.opponent == "reckless":
        made[OTHER[seat]] = reckless(situation, OTHER[seat], dice)
    return _with(campaign, chosen=made)


def opened(campaign: Campaign, seat: Seat, key: str) -> Campaign:
    """A choice that was kept under a key, laid open once both sides have chosen: until then it is secret (MP-291).

    Raises ActionRefused, SealError for a wrong key.
    """
    made = standing(campaign).chosen
    secret = made.get(seat)
    if not isinstance(secret, Sealed):
        raise ActionRefused([f"side {seat} has no choice under a key"])
    if OTHER[seat] not in made:
        raise ActionRefused([f"side {OTHER[seat]} has not chosen yet: what side {seat} chose is secret until then"])
    choice = opened_text(secret.sealed, key)
    options = situation_of(campaign).options(seat)
    if choice not in options:
        raise ActionRefused([f"the choice of side {seat}: {expected(options, choice)}"])
    return _with(campaign, chosen={**made, seat: choice})


def battle_ahead(campaign: Campaign) -> Battle:
    """The battle that the pair of choices selects. Raises ActionRefused while one is missing or under a key."""
    situation, made = situation_of(campaign), standing(campaign).chosen
    missing = Reasons()
    for seat in OTHER:
        missing.add(seat not in made, f"side {seat} has not chosen yet", "MP-294")
        missing.add(isinstance(made.get(seat), Sealed), f"the choice of side {seat} is under its key", "MP-303")
    if missing:
        raise ActionRefused(missing.texts, missing.rules)
    return campaign.battle_by_id[situation.battle_of[str(made["a"]), str(made["b"])]]


def prepared(campaign: Campaign, scenario: Game) -> Game:
    """The battle's game with what earlier battles left of its units (MP-295)."""
    return left_of(scenario, standing(campaign).history, campaign.carry_over)


def played(campaign: Campaign, scenario: Game, end: Game) -> Campaign:
    """The campaign after a battle was played to ``end``: its outcome, and what was lost in it.

    Raises ActionRefused for a game between other sides.
    """
    from engine.rulesets.musket_pike.turns.victory import score

    names = tuple(side.name for side in end.sides)
    if names != campaign.sides:
        raise ActionRefused(
            [f"the game: expected the sides {' and '.join(campaign.sides)}, got {' and '.join(names)}"]
        )
    return fought(campaign, mustered(prepared(campaign, scenario)), end, score(end).outcome)


def fought(campaign: Campaign, began: Mapping[str, Mustered], end: Game, outcome: Outcome) -> Campaign:
    """The campaign after a battle was played from units as they ``began`` to ``end``: what each lost (MP-295)."""
    losses, fatigue = lost_in(began, end)
    return _onward(campaign, outcome, played=True, losses=losses, fatigue=fatigue)


def settled(campaign: Campaign, outcome: Outcome | None = None) -> Campaign:
    """The campaign after a battle that was not played: by a given outcome, or by the one to expect (MP-293).

    Raises ActionRefused where expected values are not used and no outcome is given.
    """
    if outcome is None and not standing(campaign).use_expected:
        raise ActionRefused(
            ["this campaign's battles are played: give the game as it ended, or the outcome"], ["MP-293"]
        )
    return _onward(campaign, outcome or battle_ahead(campaign).expected, played=False, losses={}, fatigue={})


def _onward(
    campaign: Campaign, outcome: Outcome, *, played: bool, losses: Mapping[str, int], fatigue: Mapping[str, int]
) -> Campaign:
    battle, state = battle_ahead(campaign), standing(campaign)
    fought = Fought(
        situation=state.situation, a=str(state.chosen["a"]), b=str(state.chosen["b"]), battle=battle.id,
        outcome=outcome, played=played, losses=losses, fatigue=fatigue,
    )  # fmt: skip
    return _with(campaign, situation=battle.next[outcome], chosen={}, history=(*state.history, fought))


def _with(campaign: Campaign, **changed: object) -> Campaign:
    return replace(campaign, state=replace(standing(campaign), **changed))
