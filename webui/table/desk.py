"""The desk: the game with its journal and its ruleset, and all that can be done to it.

Every change is an entry of the journal, on disk before it is returned. The desk belongs to one thread at a time
(`webui.live` sees to that): the geometry under `ask` must not be shared between threads.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from calibration.records import Table
from engine.errors import ActionRefused, DiceError, EngineError, JournalError, UnknownAction, UnusableFile
from engine.events import Event, Place, PlaceFigures, begin, fold
from engine.keeping.entries import game_of, set_back, turn_said_by
from engine.keeping.entry import PLACING, Entry
from engine.keeping.journal import Journal
from engine.moved.by_hand import placed_event, turn_event
from engine.moved.judged import judged_event
from engine.moved.moves import Move, Spent, move_of, spent_of
from engine.moved.put_back import Stood, put_back_event, stood_after, stood_before, units_put_elsewhere
from engine.moved.ways import Ways, after_entry, ways_told, with_options_of
from engine.play import Played
from engine.records.action import Action, action_from
from engine.records.answer import Answer
from engine.records.game import Game
from engine.rulesets import find_ruleset
from engine.rulesets.base.actions.amending import amended
from engine.rulesets.base.actions.overruling import overrules
from engine.rulesets.base.options import option_event
from engine.rulesets.base.ruleset import Ruleset
from engine.rulesets.base.units.mustering import roll_of
from engine.unfinished import Unfinished, play_so_far
from vision.mats.records import GridFound
from vision.records import BaseSeen, Observation, TerrainSeen
from webui.camera.assigning import Assignment, assignment, demand_parts
from webui.camera.fronts import but_for_fronts
from webui.camera.ground import new_pieces, terrain_event
from webui.camera.mat import grid_event
from webui.camera.memory import Memory, remembered, told_again
from webui.camera.muster import ANYWHERE_MM, REACH_MM, Mustered, muster
from webui.camera.placing import placed_bases
from webui.camera.returning import but_for_returning, units_to_set_back
from webui.camera.sightings import Changed, everywhere
from webui.errors import BadRequest, NotReady, Outdated, Refused
from webui.table.teller import Teller

__all__ = ["Desk"]


class Desk:
    """A game that is being played.

    ``clock`` gives the time as ISO 8601 text; ``seeds`` a fresh seed for the program's own dice. ``changes``
    grows with whatever changes here. ``takes_terrain``: terrain that the camera sees becomes the game's, where the
    game came without any; it does not once people have said what lies there.
    """

    def __init__(self, journal: Journal, table: Table, clock: Callable[[], str], seeds: Callable[[], int]) -> None:
        self.table = table
        self._clock = clock
        self._seeds = seeds
        self.changes = 0
        self.observation: Observation | None = None
        self.takes_terrain = True
        self.carry_on(journal)

    def carry_on(self, journal: Journal) -> None:
        """Goes on with the game of another journal; the camera's last look is kept."""
        self.journal = journal
        self.teller = Teller()
        self._ruleset: Ruleset | None = None
        self._answered: tuple[Game, Answer] | None = None
        self._present: frozenset[str] = frozenset()
        self._absent: frozenset[str] = frozenset()
        self.mustered: Mustered | None = None
        self.moves: tuple[Move, ...] = ()
        self.ways: Ways = ways_told(journal.entries)
        self._stood: Stood = stood_before(journal.entries)
        self.memory: Memory = told_again(journal.entries, journal.game) if journal.entries else {}
        self.changes += 1

    @property
    def begun(self) -> bool:
        """Whether a game has begun."""
        return bool(self.journal.entries)

    @property
    def game(self) -> Game:
        """The game as it stands. Raises NotReady where none has begun."""
        if not self.begun:
            raise NotReady("no game has begun yet")
        return self.journal.game

    @property
    def ruleset(self) -> Ruleset:
        """The rules that are played."""
        if self._ruleset is None or self._ruleset.id != self.game.ruleset:
            self._ruleset = find_ruleset(self.game.ruleset)
        return self._ruleset

    def begin(self, game: Game) -> Entry:
        """Begins a game, in the place of whatever there was. Raises UnusableFile where the ruleset refuses it."""
        find_ruleset(game.ruleset).check(game)
        return self._append("begin", (begin(game),))

    def answer(self) -> Answer:
        """What every unit can do, worked out once for each game."""
        game = self.game
        if self._answered is None or self._answered[0] is not game:
            self._answered = (game, self.ruleset.ask(game))
        return self._answered[1]

    def look(self, observation: Observation, changed: Changed = everywhere) -> Entry | None:
        """Takes in what the camera sees; the entry is what has moved, None where nothing has.

        ``changed`` tells of a place of the table whether the picture there has changed since the last look.
        """
        observation = but_for_fronts(observation, self.table)
        before, self.observation = self.observation, observation
        self.changes += 1
        if not self.begun:
            return None
        stayed = {
            name
            for name, seen in self.memory.items()
            if name not in self._absent and not changed(seen.x_mm, seen.y_mm)
        }
        self.mustered = muster(
            self.game, self.memory, observation.bases, self.table, reach_mm=self._reach_mm(), stayed=stayed
        )
        self._present = frozenset(self.mustered.matches) | (self._present & stayed)
        self._absent = self.unseen() - stayed
        events = [*self.mustered.events, *self._terrain(observation.terrain, before)]
        return self._seen(events) if events else None

    def see(self, observation: Observation) -> None:
        """Finds out which figure stands on which base that the camera sees; nothing moves by it."""
        self.observation = observation = but_for_fronts(observation, self.table)
        self.mustered = muster(self.game, self.memory, observation.bases, self.table, reach_mm=self._reach_mm())
        self._present = frozenset(self.mustered.matches)
        self.changes += 1

    def _reach_mm(self) -> float:
        """How far a figure may have gone since the last look; at the first it may stand anywhere."""
        ever = any(entry.kind == "camera" for entry in self.journal.entries)
        return REACH_MM if ever else ANYWHERE_MM

    def _seen(self, events: Sequence[Event]) -> Entry:
        """Writes down what the camera saw, and with each move whether the rules allowed it."""
        owed = set_back(self.journal.entries)
        events = [but_for_returning(event, self.game, self.ways, self.memory, owed) for event in events]
        after = fold(events, self.game)
        ways = after_entry(self.ways, "camera", events, self.game, after, self._told())
        judged = {
            unit: move_of(unit, ways[unit], after, by_reach=not self._hides(after))
            for unit in (event.facts["unit"] for event in events if event.event == "moved")
            if not ways[unit].formed
        }
        entry = self._append("camera", [judged_event(event, judged) for event in events])
        if judged:
            self.moves = tuple(move for move in judged.values() if move is not None)
        return entry

    def to_set_back(self) -> tuple[str, ...]:
        """The units that people have still to set back on the table after an undo."""
        return units_to_set_back(self.game, self.memory, set_back(self.journal.entries))

    def _told(self) -> Answer | None:
        """The answer to the game as it stands, where somebody has asked for it."""
        return None if self._answered is None or self._answered[0] is not self.game else self._answered[1]

    def _hides(self, game: Game) -> bool:
        """Whether anything is hidden from anybody: then where a unit may go tells more than all may know."""
        sides = (None, *(side.name for side in game.sides))
        return any(self.ruleset.concealed(game, side) for side in sides)

    def spent(self) -> dict[str, Spent]:
        """What units have used of their moves by hand in this turn; none where moves are ordered."""
        turn = self.game.turn.number, self.game.turn.active_side
        if "move" in self.ruleset.forms() or self.game.table.grid is not None:
            return {}
        return {
            unit: spent_of(way, self.game)
            for unit, way in self.ways.items()
            if (way.steps or way.taken_mm) and way.turn == turn and unit in self.game.by_id
        }

    def resolve(self, action: Action, dice: Sequence[int], *, roll: bool = False) -> Entry | Unfinished:
        """Plays an action with the dice typed so far; ``roll`` lets the program roll what is left.

        Raises Refused with every reason where the rules or the dice forbid it, BadRequest where there is no such
        action.
        """
        with _refusals():
            played = self._played(action, dice, self._seeds() if roll else None)
            if isinstance(played, Unfinished):
                return played
            overruled = overrules(self.game, self.ruleset, action)
            return self._append("action", played.events, rolls=played.rolls, action=action, overruled=overruled)

    def beginning(self, action: Action) -> Unfinished | None:
        """What an action waits for first, None where it needs no dice; changes nothing. Raises like `resolve`."""
        with _refusals():
            played = self._played(action, (), None)
        return played if isinstance(played, Unfinished) else None

    def _played(self, action: Action, dice: Sequence[int], seed: int | None) -> Played | Unfinished:
        game, ruleset = self.game, self.ruleset
        return play_so_far(game, lambda: ruleset.begin(game, action), dice, seed)

    def undo(self, number: int | None) -> Entry:
        """Takes back the newest entry that can be undone. Raises Refused where ``number`` is another."""
        return self._journalled(lambda: self.journal.undo(at=self._clock(), number=number))

    def redo(self, number: int | None = None) -> Entry:
        """Lets the entry that was undone last stand again. Raises Refused where there is none, or it is another."""
        return self._journalled(lambda: self.journal.redo(at=self._clock(), number=number))

    def branch(self, number: int) -> Entry:
        """Lets the game go on from after an earlier entry; what came since is kept. Raises Refused."""
        return self._journalled(lambda: self.journal.branch(at=self._clock(), number=number))

    def set_turn(self, number: int, side: str) -> Entry:
        """Says whose turn it is; gives the older entry where it is so already. Raises BadRequest: no such side."""
        if (number, side) == (self.game.turn.number, self.game.turn.active_side):
            return turn_said_by(self.journal.entries)
        try:
            event = turn_event(self.game, number, side)
        except UnusableFile as error:
            raise BadRequest(str(error)) from error
        return self._append("turn", (event,))

    def set_option(self, key: str, value: Any) -> Entry:
        """Has a ruling played otherwise from now on. Raises UnknownAction, UnusableFile with what was expected."""
        return self._append("option", (option_event(self.ruleset, self.game, key, value),))

    def set_grid(self, found: GridFound) -> Entry:
        """Plays on the grid that was found on the mat. Raises Refused where the rules need another."""
        try:
            return self._append("grid", (grid_event(found),))
        except EngineError as error:
            raise Refused("these rules cannot be played on that grid", (str(error),)) from error

    def amend(self, unit: str, state: Mapping[str, Any], stats: Mapping[str, Any]) -> Entry:
        """Sets keys of a unit's state and stats. Raises BadRequest where the rules know no such key or value."""
        try:
            event = amended(self.game, self.ruleset, unit, state, stats)
        except UnusableFile as error:
            raise BadRequest(str(error)) from error
        return self._append("amend", (event,))

    def place(self, places: Sequence[Place]) -> Entry:
        """Puts figures where a person says that they stand; they stay there until their bases really move.

        Raises BadRequest where a place does not fit the game.
        """
        return self._placed(lambda: placed_event(self.game, places))

    def put_back(self, unit: str) -> Entry:
        """Puts a unit's figures back where they stood before people put them elsewhere.

        Raises BadRequest where there is no such unit, or nothing to put back.
        """
        return self._placed(lambda: put_back_event(self.game, unit, self._stood))

    def can_put_back(self) -> tuple[str, ...]:
        """The units whose figures can be put back where they stood before people put them elsewhere."""
        return units_put_elsewhere(self.game, self._stood)

    def _placed(self, told: Callable[[], Event]) -> Entry:
        try:
            event = told()
        except UnusableFile as error:
            raise BadRequest(str(error)) from error
        places = [place for change in event.changes if isinstance(change, PlaceFigures) for place in change.places]
        seen = self.observation.bases if self.observation is not None else ()
        bases = placed_bases(self.game, self.memory, places, seen, self.table)
        return self._append("place", (replace(event, facts={**event.facts, "bases": bases}),))

    def assign(self, wanted: Assignment) -> Entry:
        """Puts bases that belong to nobody into a unit, which is made where there is none of that id.

        Raises BadRequest where a base, the unit or what figures are said to be does not fit.
        """
        demand_parts(self.game, roll_of(self.ruleset).parts, self.unseen(), wanted)
        event = assignment(self.game, self.table, self.strays(), self.unseen(), wanted)
        return self._append("assign", (event,))

    def strays(self) -> tuple[BaseSeen, ...]:
        """The bases in sight that belong to nobody, those of figures that the game has lost at the end."""
        if self.mustered is None or self.observation is None:
            return ()
        return tuple(
            self.observation.bases[index] for index in (*self.mustered.strays, *sorted(self.mustered.lost))
        )

    def note(self, kind: str, events: Sequence[Event]) -> Entry:
        """Writes down something that is not of the rules: who commands what. Raises Refused."""
        return self._journalled(lambda: self._append(kind, events))

    def unseen(self) -> frozenset[str]:
        """The figures that the camera does not see.

        One that a single look missed, though the picture has not changed where it stands, is seen all the same.
        """
        return frozenset(f.id for unit in self.game.units for f in unit.figures if f.id not in self._present)

    def since(self, number: int, units: frozenset[str]) -> None:
        """Makes sure that nothing after entry ``number`` makes an old page's view of these units wrong.

        Raises Outdated. What the camera saw of other units does not count, nor what it found where it should be.
        """
        for entry in self.journal.entries[number:]:
            if entry.kind != "camera":
                raise Outdated("the game has changed meanwhile: look again before you act")
            for event in entry.events:
                if event.event == "moved" and event.facts.get("unit") in units:
                    raise Outdated("the camera has seen the unit or its target move meanwhile: look again")

    def _terrain(self, seen: Sequence[TerrainSeen], before: Observation | None) -> Iterator[Event]:
        """The terrain that is new, for a game whose terrain comes from the camera."""
        begun_with = game_of(self.journal.entries[:1]).terrain
        if begun_with or not self.takes_terrain:
            return
        pieces = new_pieces(self.game, seen, before.terrain if before is not None and self.game.terrain else None)
        event = terrain_event(self.game, self.ruleset, self.table, pieces) if pieces else None
        if event is not None:
            yield event

    def _journalled(self, change: Callable[[], Entry]) -> Entry:
        try:
            entry = change()
        except (JournalError, UnusableFile) as error:
            raise Refused(str(error)) from error
        self.moves = ()
        if entry.undoes is not None or entry.follows is not None:
            told = ways_told(self.journal.entries)
            self.ways = {unit: with_options_of(self.ways.get(unit), way) for unit, way in told.items()}
            self._stood = stood_before(self.journal.entries)
        self._matched_again()
        return entry

    def _append(self, kind: str, events: Sequence[Event], **more: Any) -> Entry:
        if self.begun and kind != "begin":
            self.ruleset.check(fold(events, self.game))
        before, told = (self.game, self._told()) if self.begun else (None, None)
        entry = self.journal.append(at=self._clock(), kind=kind, events=events, **more)
        self.ways = {} if before is None else after_entry(self.ways, kind, entry.events, before, self.game, told)
        self._stood = {} if before is None else stood_after(self._stood, kind, entry.events, before)
        self.moves = self.moves if kind in PLACING else ()
        self.memory = remembered(self.memory, kind, entry.events, self.game)
        self._matched_again()
        return entry

    def _matched_again(self) -> None:
        """Figures to bases again, for figures that came or went without the camera's doing; nothing moves by it."""
        self.changes += 1
        if self.observation is not None:
            self.mustered = muster(self.game, self.memory, self.observation.bases, self.table)
            self._present |= frozenset(self.mustered.matches)


@contextlib.contextmanager
def _refusals() -> Iterator[None]:
    """What the engine refuses of an action, as a request is told it."""
    try:
        yield
    except ActionRefused as error:
        raise Refused("the rules do not allow this", error.reasons) from error
    except DiceError as error:
        raise Refused("the dice do not fit", (str(error),)) from error
    except (UnknownAction, UnusableFile) as error:
        raise BadRequest(str(error)) from error


def action_of(raw: Mapping[str, Any]) -> Action:
    """The action in a request. Raises BadRequest."""
    try:
        return action_from(dict(raw))
    except EngineError as error:
        raise BadRequest(str(error)) from error
