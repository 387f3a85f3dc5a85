"""``agree``: how the players play, in what part, who attacks, who lays the ground out (MM-196, MM-197, MM-257).

What is agreed is logged, and what follows from it is set at once: the ends of the table (MM-258), the armies, the
side of the humans, the player's Reputation, the force that his part leads, who is active first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from engine.errors import UnknownAction
from engine.events import Change, Event, SetCondition, SetSide
from engine.play import Procedure, happen
from engine.records.action import Action
from engine.records.game import Edge, Game
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.muskets_mohawks.procedures.campaign.campaign_tables import written
from engine.rulesets.muskets_mohawks.procedures.setup.armies import armies, check_side
from engine.rulesets.muskets_mohawks.vocabulary import Die, Part, Period, Play, conditions_of

__all__ = ["AgreeKeys", "agree"]


class AgreeKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``agree``: whatever is said; what is left out stays as it is.

    ``part`` and ``rep`` are the player's own part and Reputation. ``laid_out_by`` is the side that lays the ground
    out in the place of the generator; ``edges`` are the ends of the table, which then the other side chooses.
    """

    play: Play | None = None
    player_side: str | None = None
    part: Part | None = None
    rep: Die | None = None
    period: Period | None = None
    armies: Mapping[str, str] = {}
    attacker: str | None = None
    laid_out_by: str | None = None
    edges: Mapping[str, Edge] = {}


def agree(game: Game, action: Action, keys: AgreeKeys) -> Procedure[None]:
    """Begins ``agree``. Raises UnknownAction for a side or army that there is not, and where nothing is said;
    ActionRefused."""
    for side in filter(None, (keys.player_side, keys.attacker, keys.laid_out_by, *keys.armies, *keys.edges)):
        check_side(game, side, "agree")
    known = armies()[keys.period or conditions_of(game).period]
    for army in keys.armies.values():
        if army not in known:
            raise UnknownAction(f"agree: armies: expected one of {', '.join(known)}, got {army!r}")
    if keys == AgreeKeys():
        raise UnknownAction("agree: expected a key at least: how you play, who attacks, which armies …, got none")
    reasons = Reasons()
    ends = [keys.edges.get(side.name, side.edge) for side in game.sides]
    reasons.add(len(set(ends)) < len(ends), "two sides would have the same end of the table", "MM-258")
    play = keys.play or conditions_of(game).evening.play
    reasons.add(play is None, "say first how you play: alone, together, or against each other", "MM-196")
    return _agree(game, action, keys, allow(action, reasons))


def _agree(game: Game, action: Action, keys: AgreeKeys, against: tuple[str, ...]) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    facts: dict[str, Any] = {
        key: dict(value) if isinstance(value, Mapping) else value
        for key in keys.__struct_fields__
        if (value := getattr(keys, key)) not in (None, {})
    }
    for key, link in (("armies", "for"), ("edges", "at the")):
        if key in facts:
            facts[key] = [f"{side} {link} {value}" for side, value in facts[key].items()]
    changes = tuple(_changes(game, keys))
    yield from happen(Event(event="agreed", facts=facts, changes=changes, rule="MM-196"))


def _changes(game: Game, keys: AgreeKeys) -> Iterator[Change]:
    evening = dict(game.conditions.get("evening", {}))
    evening |= {
        key: value for key in ("play", "attacker", "laid_out_by") if (value := getattr(keys, key)) is not None
    }
    yield SetCondition(key="evening", value=evening)
    for key in ("player_side", "period"):
        if getattr(keys, key) is not None:
            yield SetCondition(key=key, value=getattr(keys, key))
    campaign: dict[str, dict[str, Any]] = {side: {"army": army} for side, army in keys.armies.items()}
    player = keys.player_side or conditions_of(game).player_side or game.sides[0].name
    mine = {"role": keys.part, "commander_rep": keys.rep}
    told = {key: value for key, value in mine.items() if value is not None}
    if told:
        campaign[player] = campaign.get(player, {}) | told
    if campaign:
        yield written(game, **campaign)
    yield from (SetSide(side=side, key="edge", value=edge) for side, edge in keys.edges.items())
