"""The log's entries told once: what an entry says does not change while the units keep their names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.keeping.entry import Entry
from engine.records.game import Game
from engine.rulesets.base.ruleset import Ruleset
from engine.words.story import Names, lines_of, names_in, rules_of, title_of

__all__ = ["Teller"]


class Teller:
    """Tells entries of one journal, and remembers what it told. Belongs to the desk's thread."""

    def __init__(self) -> None:
        self._key: tuple[object, ...] = ()
        self._names: Names | None = None
        self._told: dict[int, Mapping[str, Any]] = {}

    def names(self, game: Game, rules: Ruleset) -> Names:
        """The names of a game's units; those told by other names before are forgotten."""
        key = (rules.id, *((unit.id, unit.name) for unit in game.units))
        if self._names is None or key != self._key:
            self._key, self._told = key, {}
            self._names = names_in(game, rules)
        return self._names

    def told(self, entry: Entry, meant: Entry | None, game: Game, rules: Ruleset) -> Mapping[str, Any]:
        """What an entry says: words, rows, action, dice and events; ``meant`` is the entry it speaks of."""
        names = self.names(game, rules)
        if entry.number not in self._told:
            built = entry.to_builtins()
            self._told[entry.number] = {
                "title": title_of(entry, names, meant),
                "lines": lines_of(entry, names),
                "rules": rules_of(entry),
                "action": built["action"],
                "rolls": [{**roll, "for": names.asked(roll["for"])} for roll in built["rolls"]],
                "events": [_told_event(event) for event in built["events"]],
            }
        return self._told[entry.number]


def _told_event(event: dict[str, Any]) -> dict[str, Any]:
    """An event without its effects: the page has the game; a whole game within the log would be sent for ever."""
    return {key: value for key, value in event.items() if key not in ("effects", "bases")}
