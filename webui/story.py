"""The log in plain words: a title and a few lines for each entry of the journal.

Works with the events of any ruleset: those of `_TOLD` have a sentence of their own, any other is told by its
name and its facts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.dice import Rolled
from engine.events import Event
from engine.journal import Entry
from engine.records.game import Game, Unit

__all__ = ["lines_of", "name_of", "plain", "rules_of", "title_of"]

MM_PER_IN = 25.4

#: Facts that are for programs, or that stand in the title already.
_HIDDEN = frozenset({"unit", "figures", "bases", "of", "sigma_mm", "ruleset", "target", "rule"})


class Names:
    """The names of a game's units, and its unit of length, for telling."""

    def __init__(self, game: Game, mm_per_unit: float = MM_PER_IN, sign: str = "in") -> None:
        self._units: Mapping[str, Unit] = game.by_id
        self._mm_per_unit = mm_per_unit
        self._sign = sign

    def of(self, unit: Any) -> str:
        """The name of a unit, or of whatever id that was given for one."""
        if unit is None:
            return "nobody"
        found = self._units.get(str(unit))
        return plain(str(unit)) if found is None else name_of(found)

    def known(self, unit: Any) -> bool:
        """Whether it is the id of a unit."""
        return isinstance(unit, str) and unit in self._units

    def length(self, mm: float) -> str:
        """A length as the players say it, with the millimetres."""
        return f"{mm / self._mm_per_unit:.1f} {self._sign} ({mm:.0f} mm)"


def name_of(unit: Unit) -> str:
    """A unit's name for people.

    >>> name_of(Unit(id="1st-foot", side="british", type="regular"))
    '1st Foot'
    """
    return unit.name or plain(unit.id)


def plain(word: str) -> str:
    """An id as people write a name.

    >>> plain("huron-1")
    'Huron 1'
    """
    parts = re.split(r"[-_\s]+", word.strip())
    return " ".join(part[:1].upper() + part[1:] for part in parts if part) or word


def said(key: str) -> str:
    """A key as people write a word: ``leader_passed`` → ``leader passed``."""
    return key.removesuffix("_mm").removesuffix("_deg").replace("_", " ").replace("-", " ")


def title_of(entry: Entry, names: Names, undone: Entry | None = None) -> str:
    """What happened, in one line; ``undone`` is the entry that an undo takes back."""
    if entry.undoes is not None:
        if undone is not None and undone.undoes is not None:
            return "Done again"
        return "Undone" if undone is None else f"Undone: {title_of(undone, names)}"
    if entry.action is not None:
        return _action_title(entry, names)
    told = [_told(event, names) for event in entry.events]
    if entry.kind == "camera" and len(told) > 1:
        return f"The camera saw {len(told)} units move"
    return told[0] if told else plain(entry.kind)


def _action_title(entry: Entry, names: Names) -> str:
    action = entry.action
    assert action is not None
    who = names.of(action.unit) if action.unit is not None else "The players"
    verb = _VERBS.get(action.action)
    mode = action.extra.get("mode")
    if action.action == "fire" and mode == "volley":
        verb = "volleys at"
    if verb is None:
        verb = said(action.action)
        who = f"{who}:" if action.unit is not None else f"{plain(verb)}"
        verb = verb if action.unit is not None else ""
    against = action.target or action.extra.get("enemy")
    parts = [who, verb, names.of(against) if against is not None else ""]
    return " ".join(part for part in parts if part)


_VERBS: Mapping[str, str] = {
    "fire": "fires at",
    "fire-canister": "fires canister at",
    "fire-ball": "fires ball at",
    "charge": "charges",
    "melee": "fights",
    "reload": "reloads",
    "rally": "rallies",
    "form-line": "forms line",
    "break-off": "breaks off from",
    "recover": "recovers figures",
    "fast-move": "moves fast",
    "reaction": "tests its reaction",
    "prone": "lies down",
    "stand": "stands up",
    "mount": "mounts",
    "dismount": "dismounts",
    "limber": "limbers up",
    "unlimber": "unlimbers",
}


def lines_of(entry: Entry, names: Names) -> list[str]:
    """What was rolled and what came of it, a line each."""
    lines = [_rolled(rolled) for rolled in entry.rolls]
    if entry.action is not None or len(entry.events) > 1:
        lines += [_told(event, names) for event in entry.events]
    if entry.overruled:
        lines.append("The umpire had it done against the rules.")
    return lines


def rules_of(entry: Entry) -> list[str]:
    """The rule rows that the entry followed, each once, in order."""
    rows = [rolled.roll.rule for rolled in entry.rolls] + [event.rule for event in entry.events]
    return list(dict.fromkeys(row for row in rows if row is not None))


def _rolled(rolled: Rolled) -> str:
    roll = rolled.roll
    scores = " ".join(str(score) for score in rolled.scores)
    dice = f"{len(rolled.scores)}{roll.die}"
    if roll.success is None:
        total = f" → {rolled.total}" if len(rolled.scores) > 1 else ""
        return f"{_sentence(roll.purpose)}: {dice}: {scores}{total}"
    return f"{_sentence(roll.purpose)}: {dice}, {_wanted(roll.success)}: {scores} → {rolled.passed}"


def _wanted(success: str) -> str:
    return re.sub(r"^==", "exactly ", success.replace("<=", "up to ").replace(">=", "at least "))


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _told(event: Event, names: Names) -> str:
    teller = _TOLD.get(event.event)
    if teller is not None:
        try:
            return teller(event.facts, names)
        except (KeyError, TypeError, ValueError):
            pass  # facts of another ruleset's event of the same name: told plainly
    return _plainly(event, names)


def _plainly(event: Event, names: Names) -> str:
    facts = event.facts
    who = f"{names.of(facts['unit'])}: " if facts.get("unit") is not None else ""
    told = [
        f"{said(key)} {_value(key, value, names)}"
        for key, value in facts.items()
        if (key not in _HIDDEN or (key == "target" and value)) and value is not None and value != []
    ]
    return f"{who}{said(event.event)}" + (f" ({', '.join(told)})" if told else "")


def _value(key: str, value: Any, names: Names) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float) and key.endswith("_mm"):
        return names.length(float(value))
    if isinstance(value, list | tuple):
        return ", ".join(_value("", one, names) for one in value)
    if isinstance(value, Mapping):
        return ", ".join(f"{said(str(k))} {_value(str(k), v, names)}" for k, v in value.items())
    return names.of(value) if names.known(value) else said(str(value))


def _count(number: int, one: str) -> str:
    return f"{number} {one}{'' if number == 1 else 's'}"


def _moved(facts: Mapping[str, Any], names: Names) -> str:
    who, distance, turned = names.of(facts["unit"]), facts["distance_mm"], facts["turned_deg"]
    some = "" if len(facts["figures"]) == facts["of"] else f" ({len(facts['figures'])} of {facts['of']} figures)"
    if distance < 3.0 and turned >= 3.0:
        return f"{who} turned {turned:.0f}°{some}"
    return f"{who} moved {names.length(distance)}{some}"


def _placed(facts: Mapping[str, Any], names: Names) -> str:
    units = facts.get("units") or []
    return f"{', '.join(names.of(unit) for unit in units)} put right by hand ({_count(facts['figures'], 'figure')})"


def _assigned(facts: Mapping[str, Any], names: Names) -> str:
    return f"{_count(facts['figures'], 'base')} assigned to {names.of(facts['unit'])}"


def _fired(facts: Mapping[str, Any], names: Names) -> str:
    misfires = f", {_count(facts['misfires'], 'misfire')}" if facts.get("misfires") else ""
    hits, lost = facts["hits"], facts["casualties"]
    return f"{names.of(facts['unit'])} hits {names.of(facts['target'])} {_times(hits)}{misfires}: {lost} lost"


def _times(number: int) -> str:
    return {0: "not at all", 1: "once", 2: "twice"}.get(number, f"{number} times")


def _hit(facts: Mapping[str, Any], names: Names) -> str:
    return f"{names.of(facts['unit'])} loses {_count(facts['casualties'], 'figure')}"


def _reaction(facts: Mapping[str, Any], names: Names) -> str:
    tests = " and ".join(said(test) for test in facts["tests"])
    leader = {0: ", its Leader fails", 1: ", its Leader passes"}.get(facts.get("leader_passed", -1), "")
    return f"{names.of(facts['unit'])} tests ({tests}): {facts['passed']} passed{leader} → {said(facts['result'])}"


def _charged(facts: Mapping[str, Any], names: Names) -> str:
    dice = f"{facts['charger_passed']} passed to {facts['target_passed']}"
    return f"{names.of(facts['unit'])} charges {names.of(facts['target'])}: {dice} → {said(facts['result'])}"


def _fought(facts: Mapping[str, Any], names: Names) -> str:
    unit, enemy = names.of(facts["unit"]), names.of(facts["enemy"])
    return (
        f"{unit} loses {facts['unit_casualties']}, {enemy} loses {facts['enemy_casualties']}"
        f" ({facts['unit_successes']} successes to {facts['enemy_successes']})"
    )


def _leader_check(facts: Mapping[str, Any], names: Names) -> str:
    return f"{names.of(facts['unit'])}: its Leader is {said(facts['result'])} ({facts['total']})"


def _reloaded(facts: Mapping[str, Any], names: Names) -> str:
    left = facts["markers"]
    return (
        f"{names.of(facts['unit'])} reloads: {_count(left, 'marker')} left"
        if left
        else (f"{names.of(facts['unit'])} is loaded")
    )


_TOLD: Mapping[str, Callable[[Mapping[str, Any], Names], str]] = {
    "begin": lambda facts, names: "The game begins",
    "moved": _moved,
    "placed": _placed,
    "assigned": _assigned,
    "turn": lambda facts, names: f"Turn {facts['number']}: {plain(facts['side'])} to act",
    "terrain-seen": lambda facts, names: f"The camera saw terrain: {', '.join(said(k) for k in facts['kinds'])}",
    "fired": _fired,
    "hit": _hit,
    "destroyed": lambda facts, names: f"{names.of(facts['unit'])} is wiped out",
    "reaction": _reaction,
    "charge": _charged,
    "melee": _fought,
    "leader-check": _leader_check,
    "reload": _reloaded,
}


def told(entries: Sequence[Entry], names: Names) -> list[str]:
    """The titles of some entries: for reports and tests."""
    return [title_of(entry, names) for entry in entries]
