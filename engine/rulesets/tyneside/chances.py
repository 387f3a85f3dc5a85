"""The chances of fire, melee and command, in words: of other actions every way of the dice is walked."""

from __future__ import annotations

from engine.errors import EngineError
from engine.events import Event
from engine.odds import odds
from engine.records.action import Action
from engine.records.chances import Chances, Part
from engine.records.game import Game
from engine.rulesets.base.answers.chances import in_short, likely, numbers_in_short, percent
from engine.rulesets.base.data.rows import wording_of
from engine.rulesets.base.forms.keys import keys_of
from engine.rulesets.tyneside.command.command_action import CommandKeys, command
from engine.rulesets.tyneside.fire.fire_action import FireKeys, option_at, shots_of
from engine.rulesets.tyneside.fire.fire_chances import Standing, hits_of, left_by
from engine.rulesets.tyneside.melee.melee_action import MeleeKeys, fights_at
from engine.rulesets.tyneside.melee.melee_chances import harmed_on_average, losers, tolls_of
from engine.rulesets.tyneside.vocabulary import weapon_of

__all__ = ["foretold"]


def foretold(game: Game, action: Action) -> Chances | None:
    """The chances of fire, a melee or command that the rules allow; None: the dice have to be walked."""
    tell = {"fire": _fire, "melee": _melee, "command": _command}.get(action.action)
    try:
        return None if tell is None or action.unit is None else tell(game, action)
    except EngineError:
        return None  # walking it says what is wrong with it


def _fire(game: Game, action: Action) -> Chances | None:
    """How many hit, and how many of those aimed at are killed and wounded on average."""
    unit, target, keys = game.unit(action.unit or ""), game.unit(action.target or ""), keys_of(action, FireKeys)
    option, reasons = option_at(game, unit, target, keys)
    shots = shots_of(option)
    if reasons or not shots:
        return None
    hits = hits_of(shots)
    told = numbers_in_short(hits, wording_of(__package__).outcomes["fire"], average=False)
    names = option.targets_seen if keys.figure is None else (keys.figure,)
    aimed = Standing.of([figure for one in game.units for figure in one.figures if figure.id in names])
    spread = left_by(shots, weapon_of(unit, str(option.extra["weapon"])).family, aimed)
    killed = sum((sum(aimed) - sum(left)) * chance for left, chance in spread.items())
    struck = sum(left.struck * chance for left, chance in spread.items())
    mean = sum(number * chance for number, chance in hits.items())
    text = f"{mean:.1f} hits, {killed:.1f} killed and {struck:.1f} wounded on average"
    return Chances(outcomes=told.outcomes, sentence=told.sentence, then=(Part(outcomes=(), sentence=text),))


def _melee(game: Game, action: Action) -> Chances | None:
    """Who gives way, and how many are harmed on average."""
    unit, target = game.unit(action.unit or ""), game.unit(action.target or "")
    pairs, reasons = fights_at(game, unit, target, keys_of(action, MeleeKeys))
    if reasons:
        return None
    tolls = tolls_of(game, unit, target, pairs)
    words = {
        "(True, False)": f"{unit.id} gives way", "(False, True)": f"{target.id} gives way",
        "(True, True)": f"{unit.id} and {target.id} give way",
    }  # fmt: skip
    told = in_short(losers(game, tolls), words)
    if told is None:
        return None
    ours, theirs = harmed_on_average(tolls)
    text = f"on average {theirs:.1f} of {target.id} and {ours:.1f} of {unit.id} are wounded or killed"
    return Chances(outcomes=told.outcomes, sentence=told.sentence, then=(Part(outcomes=(), sentence=text),))


def _command(game: Game, action: Action) -> Chances | None:
    """Whether each of the groups is commanded."""
    keys = keys_of(action, CommandKeys)
    if not keys.groups:
        return None
    first, *others = (_commanded(game, action, keys, group) for group in keys.groups)
    return Chances(outcomes=first.outcomes, sentence=first.sentence, then=tuple(others))


def _commanded(game: Game, action: Action, keys: CommandKeys, group: str) -> Part:
    def told(event: Event) -> bool | None:
        mine = event.event in ("commanded", "not-commanded") and event.facts.get("group") == group
        return event.event == "commanded" if mine else None

    found = odds(game, lambda: command(game, action, keys), told)
    words = {True: f"{group} is commanded", False: f"{group} is not commanded"}
    chance = found.get(True, 0)
    return Part(
        outcomes=likely((words[bool(one)], share) for one, share in sorted(found.items(), key=str, reverse=True)),
        sentence=f"{percent(chance)} {words[True]}",
    )
