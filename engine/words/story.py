"""The log in plain words: a title and a few lines for each entry of the journal.

Works with the events of any ruleset: its `Wording` holds the sentences, and ``story.toml`` those of what happens
under any rules. An event that neither lists is told by its name and its facts.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from engine.dice import Rolled
from engine.events import Event
from engine.keeping.entry import Entry
from engine.moved.judged import held_against
from engine.records.game import Game, Unit
from engine.rulesets.base.answers.chances import said
from engine.rulesets.base.ruleset import Ruleset, Wording
from engine.words.agreeing import agreed, means_several
from engine.words.rolling import came_to

__all__ = [
    "Names", "happened", "lines_of", "name_of", "names_in", "plain", "rolled_in_words", "rules_of", "said",
    "title_of", "turn_name",
]  # fmt: skip

_LARGE = 10.0

#: Facts that are for programs, or that the sentence has already said.
_HIDDEN = frozenset({"unit", "figures", "figure", "bases", "of", "sigma_mm", "ruleset", "rule"})

_KEY = re.compile(r"\{(\w+)(?:\|([^|}]+)\|([^}]+))?(?::([^}]*))?\}")
_KEY_HYPHEN = re.compile(r"(?<=[a-z])-(?=[a-z0-9])")
_TOTAL = re.compile(r"(.+) \((\d+)\)")
_TOTALS = re.compile(r"(.+) \(\d+(?:, \d+)*\)")
_CELL = re.compile(r"(?:\b(?:hex|square) )?\[(\d+, \d+)\]")
#: The rulesets put no article before a unit's id: "the rangers" are any, and not the unit `rangers`.
_LED_IN = re.compile(r"\b(?:an?|the) $")
_OPTIONAL = re.compile(r"\[([^\]]*)\]")


class Names:
    """The names of a game's units, its unit of length and the ruleset's wording, for telling.

    ``titles`` are those of the actions' forms: an action for which the wording has no verb is called by it.
    """

    def __init__(
        self,
        game: Game,
        mm_per_unit: float = 25.4,
        sign: str = "in",
        wording: Wording | None = None,
        titles: Mapping[str, str] | None = None,
    ) -> None:
        self.wording = wording or Wording()
        self._titles = titles or {}
        sides = self._sides = {side.name: plain(side.name) for side in game.sides}
        self._names = {**sides, **{unit.id: name_of(unit) for unit in game.units}}
        self._mm_per_unit = mm_per_unit
        self._sign = sign
        self._cell = rf"{game.table.grid.kind} \1" if game.table.grid else r"[\1]"
        ids = sorted(map(re.escape, self._names), key=len, reverse=True)
        self._several = tuple(
            name
            for unit in game.units
            if means_several(name := name_of(unit)) and unit.type not in self.wording.persons
        )
        self._mentioned = re.compile(rf"(?<![\w-])({'|'.join(ids)})(-\d+)?(?![\w-])") if ids else None

    def of(self, unit: Any) -> str:
        """The name of a unit, or of whatever id was given for one."""
        return self._names.get(str(unit), plain(str(unit)))

    def within(self, text: str) -> str:
        """A text of the engine: the names of units and sides for their ids, its other keys without hyphens.

        A figure is called by its number in its unit: ``rangers-3`` is no. 3 of the rangers. A hex is ``hex 16, 8``.
        Words of the sentence stay as they are though a unit has one of them for its id: ``the line of sight``.
        """
        text = _CELL.sub(self._cell, text)
        told, done = [], 0
        for found in self._mentions(text):
            if found[2] and found[1] in self._sides:
                continue  # no figure: something that is gone
            number = f" no. {found[2][1:]}" if found[2] else ""
            told += [_KEY_HYPHEN.sub(" ", text[done : found.start()]), self._names[found[1]], number]
            done = found.end()
        return "".join([*told, _KEY_HYPHEN.sub(" ", text[done:])])

    def order(self, action: str, whose: str | None, aim: str) -> str:
        """An action for which there is no verb, by its form's title: whose it is, what it is, and on whom."""
        title = self._titles.get(action)
        told = (" " if title is None else ", ").join(filter(None, [title or said(action), aim]))
        return _sentence(told) if whose is None else f"{whose}: {told[:1].lower()}{told[1:]}"

    def asked(self, purpose: str) -> str:
        """What a roll is for, as it stands above the dice."""
        return _sentence(self.agreed(self.within(purpose)))

    def units_in(self, text: str) -> list[str]:
        """The ids of the units that a text of the engine names, or figures of them, each once."""
        return list(dict.fromkeys(one[1] for one in self._mentions(text) if one[1] not in self._sides))

    def _mentions(self, text: str) -> Iterator[re.Match[str]]:
        """Where a text has the id of a unit, a figure or a side that is no word of the sentence."""
        for found in () if self._mentioned is None else self._mentioned.finditer(text):
            if found[0] == text or not self._ordinary(found, text):
                yield found

    def _ordinary(self, found: re.Match[str], text: str) -> bool:
        led_in = found[1] not in self._sides and _LED_IN.search(text[: found.start()])
        return found[0] in _ordinary_words() or bool(led_in)

    def agreed(self, text: str) -> str:
        """A sentence whose verbs agree with names that mean several, but not with those of persons."""
        return agreed(text, self._several)

    def length(self, mm: float) -> str:
        """A length as the players say it, with the millimetres."""
        return f"{self.short_length(mm)} ({mm:.0f} mm)"

    def short_length(self, mm: float) -> str:
        """A length as the players say it."""
        return f"{mm / self._mm_per_unit:.1f} {self._sign}"

    def value(self, key: str, value: Any) -> str:
        """A fact as people say it."""
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, int | float):
            return self.length(float(value)) if key.endswith("_mm") else _number(float(value))
        if isinstance(value, list | tuple):
            return ("hex " if key == "hex" else "") + ", ".join(self.value("", one) for one in value)
        if isinstance(value, Mapping):
            return ", ".join(
                f"{self._word('', str(k))} {self.value(str(k), v)}" for k, v in value.items() if v not in ({}, [])
            )
        return self._word(key, str(value))

    def _word(self, key: str, text: str) -> str:
        if " " in text:
            return self.within(text)  # a sentence of the rules, such as why a unit stopped
        figure = None if self._mentioned is None else self._mentioned.fullmatch(text)
        if figure is not None and figure[2] and figure[1] not in self._sides:
            return f"no. {figure[2][1:]}" if key == "figure" else self.within(text)  # beside its unit, or by itself
        return self._names.get(text) or (plain(text) if key in ("side", "unit", "target", "enemy") else said(text))


def names_in(game: Game, ruleset: Ruleset) -> Names:
    """The names of a game's units, for telling by its rules."""
    titles = {form.action: form.title for form in ruleset.forms().values()}
    return Names(game, ruleset.mm_per_unit, ruleset.unit_of_length, ruleset.wording(), titles)


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
    >>> plain("the-army-of-france")
    'The Army of France'
    """
    parts = [part for part in re.split(r"[-_\s]+", word.strip()) if part]
    small = (n > 0 and part in _SMALL for n, part in enumerate(parts))
    return " ".join(p if low else p[:1].upper() + p[1:] for p, low in zip(parts, small, strict=True)) or word


#: Words that a name has without a capital, but at its head.
_SMALL = frozenset({"of", "the", "and", "at", "in", "on", "for", "to"})


def turn_name(number: int) -> str:
    """What a turn is called; a game may stand at 0, before anybody has begun the first.

    >>> turn_name(0), turn_name(3)
    ('Before turn 1', 'Turn 3')
    """
    return f"Turn {number}" if number else "Before turn 1"


def title_of(entry: Entry, names: Names, meant: Entry | None = None) -> str:
    """What happened, in one line; ``meant`` is the entry that an undo takes back, or that a branch goes on from."""
    if entry.follows is not None:
        return "Gone on from an earlier point" + (f", after: {title_of(meant, names)}" if meant else "")
    if entry.undoes is not None:
        if meant is None:
            return "Undone"
        return "Done again" if meant.undoes is not None else f"Undone: {title_of(meant, names)}"
    if entry.action is not None:
        return names.agreed(_action_title(entry, names))
    if entry.kind == "camera" and len(entry.events) > 1:
        return _camera_title(entry)
    told = [_told(event, names) for event in entry.events]
    return names.agreed(told[0]) if told else plain(entry.kind)


def lines_of(entry: Entry, names: Names) -> list[str]:
    """What was rolled, a line a roll, and then what came of it."""
    lines = [rolled_in_words(rolled, names) for rolled in entry.rolls]
    if entry.action is not None or len(entry.events) > 1:
        lines += _together([_told(event, names) for event in entry.events])
    if entry.overruled:
        lines.append("The umpire had it done against the rules")
    return [names.agreed(line) for line in lines]


def _together(lines: Sequence[str]) -> list[str]:
    """Sentences in a row that differ in nothing but the total at their end are one: ``unharmed (5, 8)``."""
    told: list[str] = []
    for line in lines:
        found, last = _TOTAL.fullmatch(line), _TOTALS.fullmatch(told[-1]) if told else None
        if found and last and last[1] == found[1]:
            told[-1] = f"{told[-1][:-1]}, {found[2]})"
        else:
            told.append(line)
    return told


def rules_of(entry: Entry) -> list[str]:
    """The rule rows that the entry followed, each once, in order."""
    rows = [rolled.roll.rule for rolled in entry.rolls] + [event.rule for event in entry.events]
    return list(dict.fromkeys(row for row in rows if row is not None))


def _camera_title(entry: Entry) -> str:
    """What the camera saw at once, counted."""
    kinds = [event.event for event in entry.events]
    parts = [
        f"{_count(kinds.count('moved'), 'unit')} move" if "moved" in kinds else "",
        f"{_count(kinds.count('found'), 'unit')} in place" if "found" in kinds else "",
        "the terrain" if "terrain-seen" in kinds else "",
    ]
    return f"The camera saw {' and '.join(part for part in parts if part) or _count(len(kinds), 'change')}"


def _action_title(entry: Entry, names: Names) -> str:
    action = entry.action
    assert action is not None
    verbs = names.wording.actions
    verb = verbs.get(action.extra.get("mode", "") if action.action == "fire" else "") or verbs.get(action.action)
    against = action.target or action.extra.get("enemy") or action.extra.get("building")
    aim = "" if against is None else names.of(against)
    whose = action.unit or action.extra.get("side")
    who = None if whose is None else names.of(whose)
    if who is None or verb is None:
        return names.order(action.action, who, aim)
    return " ".join(filter(None, [who, verb, aim]))


@cache
def _common() -> Mapping[str, str]:
    """The sentences of events under any rules."""
    sentences: Mapping[str, str] = tomllib.loads(
        (Path(__file__).parent / "story.toml").read_text(encoding="utf-8")
    )["events"]
    return sentences


def rolled_in_words(rolled: Rolled, names: Names) -> str:
    """What was rolled, and for what: ``1st Foot volleys at Hurons: 4d6, 1s hit: 1 4 2 6 → 1 of 4``."""
    return names.agreed(f"{names.asked(rolled.roll.purpose)}: {came_to(rolled)}")


def happened(event: Event, names: Names) -> str:
    """What happened, in a sentence."""
    return names.agreed(_told(event, names))


@cache
def _ordinary_words() -> frozenset[str]:
    """The words that the sentences of rulesets are made of."""
    text = (Path(__file__).parent / "ordinary.toml").read_text(encoding="utf-8")
    return frozenset(tomllib.loads(text)["words"].split())


def _number(value: float) -> str:
    """A number as people say it: nobody cares for hundredths of 52 men."""
    return f"{round(value, 1) if abs(value) >= _LARGE else value:g}"


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _told(event: Event, names: Names) -> str:
    teller = _TELLERS.get(event.event)
    if teller is not None:
        try:
            return teller(event.facts, names)
        except (KeyError, TypeError, ValueError):
            pass  # a ruleset's event of the same name
    given = names.wording.events.get(event.event, _common().get(event.event))
    for sentence in (given,) if isinstance(given, str) else given or ():
        told = _filled(sentence, event.facts, names)
        if told is not None:
            return _sentence(told)
    return _plainly(event, names)


def _filled(sentence: str, facts: Mapping[str, Any], names: Names) -> str | None:
    """A sentence with the facts in their places; None where it needs one that the event has not."""
    kept = _OPTIONAL.sub(lambda part: part[1] if _all_there(part[1], facts) else "", sentence)
    if any(facts.get(found[1]) is None for found in _KEY.finditer(kept)):
        return None
    return _KEY.sub(lambda found: _fact(found, facts[found[1]], names), kept)


def _all_there(part: str, facts: Mapping[str, Any]) -> bool:
    return all(facts.get(found[1]) for found in _KEY.finditer(part))


def _fact(found: re.Match[str], value: Any, names: Names) -> str:
    if found[4] is not None:
        words: dict[str, str] = {
            key: said for key, _, said in (part.partition("=") for part in found[4].split(","))
        }
        key = str(value).lower() if isinstance(value, bool) else str(value)
        return words.get(key, names.value(found[1], value))
    return names.value(found[1], value) if found[2] is None else _count(value, found[2], found[3])


def _plainly(event: Event, names: Names) -> str:
    facts = event.facts
    who = f"{names.of(facts['unit'])}: " if facts.get("unit") is not None else ""
    told = [
        f"{said(key)} {names.value(key, value)}"
        for key, value in facts.items()
        if key not in _HIDDEN and value is not None and value != [] and value != ()
    ]
    text = f"{who}{said(event.event)}" + (f" ({', '.join(told)})" if told else "")
    return text if who else _sentence(text)


def _count(number: float, one: str, many: str | None = None) -> str:
    return f"{number:g} {one if number == 1 else many or one + 's'}"


def _moved(facts: Mapping[str, Any], names: Names) -> str:
    who, distance, turned = _who(facts, names), facts["distance_mm"], facts["turned_deg"]
    if distance < 3.0 and turned >= 3.0:
        return _sentence(f"{who} turned {turned:.0f}°{held_against(facts, names)}")
    return _sentence(f"{who} moved {names.length(distance)}{held_against(facts, names)}")


def _found(facts: Mapping[str, Any], names: Names) -> str:
    return f"The camera found {_who(facts, names)} in place"


def _who(facts: Mapping[str, Any], names: Names) -> str:
    """A unit, or those of its figures that were seen; without their share, which would read like losses."""
    who, some = names.of(facts["unit"]), len(facts["figures"])
    if some == facts["of"]:
        return who
    return f"one figure of {who}" if some == 1 else f"{some} figures of {who}"


_TELLERS: Mapping[str, Callable[[Mapping[str, Any], Names], str]] = {
    "moved": _moved,
    "found": _found,
}
