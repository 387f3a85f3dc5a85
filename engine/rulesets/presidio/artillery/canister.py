"""Canister: as many dice as the burst, shared out among all in its cone (PR-906, PR-921)."""

from __future__ import annotations

from engine.dice import Roll
from engine.events import Event
from engine.play import Procedure, happen, roll
from engine.records.game import Game
from engine.rulesets.presidio.artillery.blasts import canister_field
from engine.rulesets.presidio.artillery.gun_templates import cone_template
from engine.rulesets.presidio.artillery.gunnery import GunShot
from engine.rulesets.presidio.book import Band, to_wound
from engine.rulesets.presidio.units.casualties import felled, morale_due
from engine.rulesets.presidio.vocabulary import figures_of, stats_of

__all__ = ["canister"]


def canister(game: Game, shot: GunShot, band: Band) -> Procedure[Game]:
    """The dice of canister and who falls: the game after it."""
    number = shot.number(band)
    if number is None:
        return game
    request = Roll(
        purpose=f"{shot.unit.id} fires canister", count=shot.load.burst, die="d12", success=f">={number}",
        rule="PR-906",
    )  # fmt: skip
    hits = (yield from roll(request)).passed
    facts = {"unit": shot.unit.id, "hits": hits, "template": cone_template(shot)}
    game = yield from happen(Event(event="canister", facts=facts, rule="PR-906"))
    numbers = canister_field(shot).tolist()
    if not numbers or not hits:
        return game
    struck = yield from _shared(numbers, hits)
    fallen: dict[str, list[str]] = {}
    hit: dict[str, int] = {}
    for one in struck:
        figure, owner = shot.field.figures[one], shot.field.units[one]
        hit[owner.id] = hit.get(owner.id, 0) + 1
        least = to_wound(shot.load.damage, stats_of(owner).armor)
        if least is None:
            continue
        request = Roll(purpose=f"{figure.id} is wounded", count=1, die="d12", success=f">={least}", rule="PR-607")
        if (yield from roll(request)).passed and figure.id not in fallen.setdefault(owner.id, []):
            fallen[owner.id].append(figure.id)
    for name, number_hit in hit.items():
        game = yield from felled(game, name, number_hit, fallen.get(name, []), "PR-921")
    for name in hit:
        if fallen.get(name) and figures_of(game.unit(name)):
            game = yield from morale_due(game, name)
    return game


def _shared(numbers: list[int], hits: int) -> Procedure[list[int]]:
    """Whom each hit goes to, by number in the field; a single figure takes them all without a die."""
    if len(numbers) == 1:
        return numbers * hits
    request = Roll(purpose="whom the canister hits", count=hits, die=f"d{len(numbers)}", each=True, rule="PR-921")
    return [numbers[score - 1] for score in (yield from roll(request)).scores]
