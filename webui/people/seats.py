"""Who sits at the table: the umpire, a side, or a spectator; what each may do, and the codes that let them in."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from engine.records.action import Action
from engine.records.game import Game
from engine.rulesets.base.forms.forms import Form
from webui.errors import WebError
from webui.people.officers import Officer

__all__ = [
    "SPECTATOR", "UMPIRE", "NotYours", "Seat", "act", "between_battles", "code_of", "judge", "own_figures",
    "own_side", "pass_turn", "seat_of", "seats_of", "take_back",
]  # fmt: skip

#: The letters of a code: none that is mistaken for another when it is read out across a table.
_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
_LENGTH = 8


class NotYours(WebError, PermissionError):
    """Something that this seat at the table may not do."""

    status = 403


class Seat(Struct, frozen=True, kw_only=True):
    """A seat at the table; ``side`` names whose, where it is a side's.

    ``officer`` names a player under the side's commander. ``handed_out`` are the side's units that officers order,
    each with its officer's name; all others are the commander's.
    """

    kind: Literal["umpire", "side", "spectator"]
    side: str | None = None
    officer: str | None = None
    handed_out: tuple[tuple[str, str], ...] = ()

    @property
    def name(self) -> str:
        """The seat in one word, as its cookie has it: ``umpire``, ``side:british``, ``side:british:Tom``."""
        return ":".join(part for part in (self.kind, self.side, self.officer) if part is not None)

    @property
    def commands(self) -> bool:
        """Whether he is the commander of a side, who hands its units out."""
        return self.kind == "side" and self.officer is None

    @property
    def title(self) -> str:
        """Who sits there, for people."""
        return self.officer or self.side or self.kind


UMPIRE = Seat(kind="umpire")
SPECTATOR = Seat(kind="spectator")


def seats_of(sides: Iterable[str], officers: Sequence[Officer] = ()) -> tuple[Seat, ...]:
    """Every seat at a table of those sides, their commanders and the officers under them."""
    found: list[Seat] = []
    for side in sides:
        own = [one for one in officers if one.side == side]
        handed_out = tuple((unit, one.name) for one in own for unit in one.units)
        names = (None, *(one.name for one in own))
        found += [Seat(kind="side", side=side, officer=name, handed_out=handed_out) for name in names]
    return (*found, UMPIRE, SPECTATOR)


def seat_of(name: str, seats: Iterable[Seat]) -> Seat | None:
    """The seat of that name; None where there is none such."""
    return next((seat for seat in seats if seat.name == name), None)


def code_of(seat: Seat, key: bytes) -> str:
    """The code that lets somebody into a seat, for as long as the table's key is the same.

    >>> len(code_of(UMPIRE, b"key")), code_of(UMPIRE, b"key") == code_of(SPECTATOR, b"key")
    (8, False)
    """
    digest = hmac.new(key, seat.name.encode(), hashlib.sha256).digest()
    number = int.from_bytes(digest, "big")
    letters = []
    for _ in range(_LENGTH):
        number, rest = divmod(number, len(_LETTERS))
        letters.append(_LETTERS[rest])
    return "".join(letters)


def between_battles(seat: Seat, action: Action, forms: Mapping[str, Form]) -> tuple[Action, bool]:
    """An action as a seat means it, and whether it belongs between battles, when it is nobody's turn.

    There a side acts for itself: where the action asks for a side and none is named, it is the seat's.
    """
    form = forms.get(action.action)
    if form is None or form.section != "campaign":
        return action, False
    sided = any(field.ask == "side" and field.key == "side" for field in form.fields)
    if sided and seat.side is not None and "side" not in action.extra:
        action = replace(action, extra={**action.extra, "side": seat.side})
    return action, True


def act(seat: Seat, game: Game, action: Action, *, between: bool = False) -> None:
    """Makes sure that a seat may have an action done, in its turn or ``between`` battles. Raises NotYours."""
    if seat.kind == "umpire":
        return
    _no_spectator(seat)
    if action.override:
        raise NotYours("only the umpire overrules")
    if action.unit is not None:
        _own_unit(seat, game, action.unit)
        return
    _no_officer(seat)
    named = action.extra.get("side")
    if named is not None and named != seat.side:
        raise NotYours(f"you play {seat.side}: that is for {named} or the umpire")
    if not between:
        pass_turn(seat, game)


def pass_turn(seat: Seat, game: Game, number: int | None = None) -> None:
    """Makes sure that a seat may do what belongs to the turn: its side's turn, or nobody's; and that the turn of a
    ``number`` is this one or the next, but for the umpire. Raises NotYours."""
    _no_spectator(seat)
    _no_officer(seat)
    active = game.turn.active_side
    if seat.kind == "side" and active is not None and active != seat.side:
        raise NotYours(f"it is the turn of {active}: that is for them or the umpire")
    now = game.turn.number
    if seat.kind == "side" and number is not None and number not in (now, now + 1):
        raise NotYours(f"turn {number} is neither this one, {now}, nor the next: that is for the umpire")


def own_figures(seat: Seat, game: Game, figures: Sequence[str]) -> None:
    """Makes sure that a seat may say where figures stand. Raises NotYours."""
    if seat.kind == "umpire":
        return
    _no_spectator(seat)
    wanted = set(figures)
    for unit in game.units:
        if any(figure.id in wanted for figure in unit.figures):
            _own_unit(seat, game, unit.id)


def own_side(seat: Seat, side: str | None) -> None:
    """Makes sure that a seat may do something for a side. Raises NotYours."""
    _no_spectator(seat)
    if seat.kind == "side" and side != seat.side:
        raise NotYours(f"you play {seat.side}: that is for {side} or the umpire")


def take_back(seat: Seat, game: Game, action: Action | None) -> None:
    """Makes sure that a seat may undo or redo what an action did: its own. Raises NotYours."""
    _no_spectator(seat)
    if seat.kind == "side":
        if action is not None and action.unit is None and action.extra.get("side") == seat.side:
            _no_officer(seat)
            return
        own = action is not None and action.unit in game.by_id and game.unit(action.unit or "").side == seat.side
        if not own:
            raise NotYours("only what your own troops did is yours to take back; the umpire takes back the rest")
        _own_unit(seat, game, (action and action.unit) or "")


def judge(seat: Seat) -> None:
    """Makes sure that a seat is the umpire's. Raises NotYours."""
    if seat.kind != "umpire":
        raise NotYours("that is for the umpire")


def _own_unit(seat: Seat, game: Game, unit: str) -> None:
    record = game.by_id.get(unit)
    if record is not None and record.side != seat.side:
        raise NotYours(f"you play {seat.side}: that is for {record.side} or the umpire")
    holder = dict(seat.handed_out).get(unit)
    if holder != seat.officer:
        raise NotYours(f"{unit} is ordered by {holder or 'the commander of your side'}")


def _no_officer(seat: Seat) -> None:
    if seat.officer is not None:
        raise NotYours("that is for the commander of your side")


def _no_spectator(seat: Seat) -> None:
    if seat.kind == "spectator":
        raise NotYours("you are watching: only those who play may do that")
