"""The live table: the one thread that owns the game, and what everybody else may see of it.

Requests and the camera hand their work to the owner, one piece after another; what changed is on disk before
anybody is told. Readers get a finished state and wait for its revision to grow.
"""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import msgspec

from engine.clock import now_text
from engine.keeping.entry import Entry
from webui.camera.album import Album
from webui.camera.sightings import CameraView, Look, Picture
from webui.errors import NotReady, Outdated, Refused
from webui.people.messages import Message, Messages
from webui.people.officers import Officer, officers_of
from webui.people.seats import UMPIRE, Seat, seats_of
from webui.serving.packing import Begun
from webui.shown.drawn import Drawn, Texts
from webui.shown.state import camera_state, is_stale, picture_state
from webui.table.desk import Desk
from webui.table.exchanging import exchange
from webui.table.members import Closable, Eye, Hand, Part
from webui.table.questions import Question, Questions
from webui.table.repeats import Repeats

if TYPE_CHECKING:
    from webui.evening.bench import Workbench

T = TypeVar("T")

#: How often the owner looks up from an empty desk, to notice that the picture has grown old.
_TICK_S = 0.5
#: How long a request waits for its turn at the desk.
_PATIENCE_S = 30.0


class LiveTable:
    """A table that is played on.

    ``clock_s`` is a monotonic clock in seconds; ``first_revision`` lies above every revision that a page may
    remember from before a restart. ``keeping`` is let go last of all.
    """

    def __init__(
        self,
        desk: Desk,
        *,
        mode: Literal["demo", "serve"],
        clock_s: Callable[[], float],
        first_revision: int = 1,
        keeping: Closable | None = None,
    ) -> None:
        self.mode = mode
        self.clock_s = clock_s
        self.hand: Hand | None = None
        self.eye: Eye | None = None
        self.bench: Workbench | None = None
        self.messages = Messages(now_text)
        self.questions = Questions()
        self.repeats = Repeats()
        self._desk = desk
        self._tasks: queue.SimpleQueue[tuple[Callable[[Desk], Any], Future[Any] | None] | None]
        self._tasks = queue.SimpleQueue()
        self._changed = threading.Condition()
        self._revision = first_revision
        self._answers = 0
        self._entry_revisions: list[int] = [first_revision] * len(desk.journal.entries)
        self._closed = False
        self._ended = False
        self._closing_lock = threading.Lock()
        self._camera = CameraView()
        self._picture: Picture | None = None
        self._stale = False
        self._trouble: str | None = None
        self._owner = threading.Thread(target=self._own, name="vedette-table", daemon=True)
        self._keeping = keeping
        self._members: list[Part] = []
        self._album = Album(lambda: desk.journal.path)
        self._texts: Texts = {}
        self._publish()

    def start(self) -> None:
        """Lets the owner and every part begin."""
        self._owner.start()
        for part in self._members:
            part.start()

    def add(self, part: Part) -> None:
        """A part that starts and ends with the table: the camera's watcher, say."""
        self._members.append(part)

    def end_streams(self) -> None:
        """Lets every page that waits for news go; nothing new is taken on from now."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def close(self) -> None:
        """Ends the threads, tells every waiting page, and closes the journal."""
        self.end_streams()
        with self._closing_lock:
            if self._ended:
                return
            self._ended = True
        for part in reversed(self._members):
            part.close()
        self._tasks.put(None)
        if self._owner.is_alive():
            self._owner.join()
        self._desk.journal.close()
        if self._keeping is not None:
            self._keeping.close()

    @property
    def kept_in(self) -> Path:
        """The journal's file."""
        return self._desk.journal.path

    def seats(self) -> tuple[Seat, ...]:
        """Every seat at the table; before a game has begun nobody's side."""
        sides = tuple(side.name for side in self._desk.game.sides) if self._desk.begun else ()
        return seats_of(sides, self.officers())

    def officers(self) -> tuple[Officer, ...]:
        """The players under the sides' commanders, and what they order."""
        return officers_of(self._desk.journal.entries)

    def say(self, seat: Seat, text: str, *, own_side: bool) -> Message:
        """Says something, and tells the pages that there is something to read. Raises BadRequest, NotYours."""
        message = self.messages.say(seat, text, own_side=own_side)
        self.tell()
        return message

    def tell(self) -> None:
        """Lets the pages know that there is something new to be told beside the game."""
        with self._changed:
            self._bump()

    @property
    def closed(self) -> bool:
        """Whether the table has been closed."""
        return self._closed

    @property
    def revision(self) -> int:
        """Grows with every change of what the page draws."""
        return self._revision

    @property
    def picture(self) -> Picture | None:
        """The newest picture of the table, None before the first."""
        return self._picture

    def wait(self, since: int, timeout_s: float) -> int | None:
        """The revision as soon as it is past ``since``; None when the time is up or the table is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._revision > since, timeout_s)
            return self._revision if self._revision > since and not self._closed else None

    @property
    def answers(self) -> int:
        """Grows whenever the game or its answers have changed, which is worth telling at once."""
        return self._answers

    def pause(self, answers: int, seconds: float) -> bool:
        """Waits, no longer than until the answers are newer than those; True as soon as the table is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._answers != answers, seconds)
            return self._closed

    def state_json(self, seat: Seat = UMPIRE) -> bytes:
        """The state as the page of a seat reads it."""
        begun, end = self.state(seat)
        return begun.data + end

    def state(self, seat: Seat = UMPIRE) -> tuple[Begun, bytes]:
        """The same in two parts: what is drawn for all who know the same, and the end, for this seat.

        Raises NotReady where the table changes meanwhile.
        """
        with self._changed:
            ready = self._drawn.begun_for(seat) is not None
        if not ready:
            self.do(lambda _desk: self._drawn.draw(seat))
        with self._changed:
            begun = self._drawn.begun_for(seat)
            if begun is None:  # the table has moved on since
                raise NotReady("the table has just changed: ask again")
            camera = camera_state(self._camera, self._desk, self.clock_s())
            camera["warnings"] = [*self._drawn.faults, *camera["warnings"]]
            end: dict[str, Any] = {
                "revision": self._revision,
                "drawn": begun.mark,
                "mode": self.mode,
                "evening": self.bench is not None,
                "seat": seat,
                "camera": camera,
                "picture": picture_state(self._picture),
                "messages": self.messages.newest(seat),
                "questions": self.questions.told(seat),
                "pictures": self._album.count(),
            }
        return begun, msgspec.json.encode(end)[1:]

    def do(self, task: Callable[[Desk], T]) -> T:
        """Has the owner do something with the desk, and gives back what came of it, or raises it.

        Raises NotReady where the table is closed or has been busy for long.
        """
        if self._closed:
            raise NotReady("the program is ending")
        future: Future[T] = Future()
        self._tasks.put((task, future))
        try:
            return future.result(_PATIENCE_S)
        except TimeoutError:
            future.cancel()
            raise NotReady("the table is busy: try again in a moment") from None

    def take_in(self, entries: Sequence[Entry]) -> None:
        """Goes on with another game, whose journal these entries are; the present one is put aside.

        Raises Refused where the game does not fit this table; then, and where the disk fails, nothing has changed.
        """

        def done(desk: Desk) -> None:
            exchange(desk, entries, same_rules=self.mode == "demo")
            self._album.look_again()
            with self._changed:
                self._entry_revisions = []
            if self.hand is not None:
                self.hand.stand(desk.game)

        self.do(done)

    def entries_at(self, revision: int) -> int:
        """How many entries the journal had when a page had seen ``revision``."""
        with self._changed:
            return sum(1 for one in self._entry_revisions if one <= revision)

    def looked(self, look: Look) -> None:
        """The camera has measured a settled table."""
        self._tasks.put((lambda desk: desk.look(look.observation, look.changed), None))

    def pictured(self, picture: Picture) -> None:
        """There is a new picture of the table."""
        with self._changed:
            self._picture = picture
            self._bump()
            still = not self._camera.disturbed and not self._camera.bumped
        if still:  # the owner files it under the newest entry, when what was seen with it has been written down
            keep = lambda desk: self._album.keep(picture.jpeg, len(desk.journal.entries))  # noqa: E731
            self._tasks.put((keep, Future()))

    def camera_is(self, view: CameraView) -> None:
        """How the camera is; a frame that merely is newer is no change to be told."""
        with self._changed:
            before, self._camera = self._camera, view
            stale, self._stale = self._stale, is_stale(view, self.clock_s())
            same = msgspec.structs.replace(before, seen_at_s=view.seen_at_s) == view
            if not same or stale != self._stale:
                self._bump()

    def _own(self) -> None:
        while True:
            try:
                task = self._tasks.get(timeout=_TICK_S)
            except queue.Empty:
                self._look_up()
                continue
            if task is None:
                return
            self._serve(*task)

    def _serve(self, work: Callable[[Desk], Any], future: Future[Any] | None) -> None:
        if future is not None and not future.set_running_or_notify_cancel():
            return
        journal, changes = self._desk.journal, self._desk.changes
        entries = len(journal.entries)
        error: Exception | None = None
        result: Any = None
        try:
            result = work(self._desk)
        except Exception as fault:  # whoever asked gets it; the owner goes on
            error = fault
        if future is None:
            self._camera_trouble(error)
        if self._desk.changes != changes:
            if self._desk.journal is journal:
                self._follow(entries)
            self._publish()
        if future is not None:
            if error is None:
                future.set_result(result)
            else:
                future.set_exception(error)

    def _camera_trouble(self, error: Exception | None) -> None:
        """Says what a look at the table failed of, until one succeeds."""
        trouble = None if error is None else f"what the camera saw could not be taken in: {_in_words(error)}"
        if trouble != self._trouble:
            self._trouble = trouble
            self._desk.changes += 1

    def _follow(self, entries: int) -> None:
        """Lets the hand do on the virtual table what the newest entries did in the game."""
        if self.hand is None:
            return
        journal = self._desk.journal.entries
        for entry in journal[entries:]:
            try:
                self.hand.follow(entry, self._desk.game, journal)
            except Exception as error:  # the game stands; only the virtual table does not follow
                self._trouble = f"the virtual table does not follow: {_in_words(error)}"

    def _publish(self) -> None:
        drawn = Drawn(self._desk, [self._trouble] if self._trouble else [], self._texts)
        self.questions.keep(self._stands)
        with self._changed:
            self._drawn = drawn
            self._answers += 1
            self._bump()
            known = len(self._entry_revisions)
            self._entry_revisions += [self._revision] * (len(self._desk.journal.entries) - known)

    def _stands(self, question: Question) -> bool:
        """Whether a question is still one: nothing was done since, and nobody of those it is about has moved."""
        about = frozenset(name for name in (question.action.unit, question.action.target) if name is not None)
        try:
            self._desk.since(question.entries, about)
        except Outdated:
            return False
        return len(self._desk.journal.entries) >= question.entries

    def _look_up(self) -> None:
        with self._changed:
            stale = is_stale(self._camera, self.clock_s())
            if stale != self._stale:
                self._stale = stale
                self._bump()

    def _bump(self) -> None:
        self._revision += 1
        self._changed.notify_all()


@contextlib.contextmanager
def running(live: LiveTable) -> Iterator[LiveTable]:
    """A table from start to close."""
    live.start()
    try:
        yield live
    finally:
        live.close()


def conflict(live: LiveTable, desk: Desk, revision: int | None, units: frozenset[str]) -> None:
    """Refuses what an old page asks for. Raises Outdated."""
    if revision is not None:
        desk.since(live.entries_at(revision), units)


def demand_hand(live: LiveTable) -> Hand:
    """The hand over the virtual table. Raises Refused where the table is a real one."""
    if live.hand is None:
        raise Refused("only the demo has a virtual table to move figures on")
    return live.hand


def _in_words(error: Exception) -> str:
    """What went wrong: Vedette's own errors are sentences, of any other the kind tells more than its text."""
    return str(error) if hasattr(error, "exit_status") else f"{type(error).__name__}: {error}"
