"""What requests to the application carry: typed, strict, finite."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from flask import request
from msgspec import Meta, Struct

from calibration.misfits import misfit
from engine.records.game import MOST_TURNS
from webui.camera.assigning import Assignment
from webui.errors import BadRequest

__all__ = [
    "AmendBody", "AnswerBody", "AssignBody", "BranchBody", "FigureAt", "ImportBody", "JoinBody", "MoveBody",
    "OddsBody", "OfficerBody", "OptionBody", "PlaceBody", "PutBackBody", "ResolveBody", "SayBody", "StrictBody",
    "TurnBody", "UndoBody", "WithdrawBody", "body",
]  # fmt: skip

T = TypeVar("T")


class StrictBody(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What all requests share: no unknown key."""


class ResolveBody(StrictBody, frozen=True, kw_only=True):
    """``POST /api/resolve``: an action and all the dice typed for it so far.

    ``only_ask``: what it would begin with as the table stands, before any die; then nothing changes. ``key`` is the
    page's own name for the order: sent again, what was done is told again, and not done twice.
    """

    action: Mapping[str, Any]
    dice: Annotated[tuple[int, ...], Meta(max_length=1000)] = ()
    roll: bool = False
    revision: int | None = None
    only_ask: bool = False
    key: Annotated[str, Meta(min_length=1, max_length=64)] | None = None

    def __post_init__(self) -> None:
        if self.only_ask and (self.dice or self.roll):
            raise ValueError("only_ask: expected no dice and no roll beside it")


class OddsBody(StrictBody, frozen=True, kw_only=True):
    """``POST /api/odds``: the action whose chances are wanted."""

    action: Mapping[str, Any]


class AnswerBody(StrictBody, frozen=True, kw_only=True):
    """``POST /api/questions/answer``: what somebody was asked, and the keys of the action that he says."""

    number: int
    answer: Mapping[str, Any]


class WithdrawBody(StrictBody, frozen=True, kw_only=True):
    """``POST /api/questions/withdraw``: the question that is taken back."""

    number: int


class JoinBody(StrictBody, frozen=True, kw_only=True):
    """``POST /api/join``: the code of a seat; empty to give one's seat up."""

    code: Annotated[str, Meta(max_length=40)]


class SayBody(StrictBody, frozen=True, kw_only=True):
    """``POST /api/messages``: something said to all, or to one's own side."""

    text: str
    own_side: bool = False


class OfficerBody(StrictBody, frozen=True, kw_only=True):
    """``POST /api/officers``: the units that a player of the side orders from now on; the umpire names the side."""

    name: Annotated[str, Meta(min_length=1, max_length=40)]
    units: Annotated[tuple[str, ...], Meta(max_length=500)] = ()
    side: str | None = None


class UndoBody(StrictBody, frozen=True, kw_only=True):
    """``POST /api/undo`` and ``/api/redo``: the entry that the page means."""

    number: int | None = None


class BranchBody(StrictBody, frozen=True, kw_only=True):
    """``POST /api/branch``: the entry after which the game goes on."""

    entry: Annotated[int, Meta(ge=1)]


class ImportBody(StrictBody, frozen=True, kw_only=True):
    """``POST /api/log/import``: the text of an exported game."""

    file: str


class TurnBody(StrictBody, frozen=True, kw_only=True):
    """``POST /api/turn``."""

    number: Annotated[int, Meta(ge=0, le=MOST_TURNS)]
    side: str


class OptionBody(StrictBody, frozen=True, kw_only=True):
    """``POST /api/options``: a ruling and how it is played from now on."""

    key: str
    value: str | int | float | bool


class AmendBody(StrictBody, frozen=True, kw_only=True):
    """``POST /api/unit``: keys of a unit's state and stats, and the values that they have from now on."""

    unit: str
    state: Mapping[str, Any] = {}
    stats: Mapping[str, Any] = {}


class FitBody(StrictBody, frozen=True, kw_only=True):
    """``POST /api/grid/fit``: what is printed on the mat and how large, where that is to be narrowed."""

    kind: Literal["hex", "square"] | None = None
    size_mm: Annotated[float, Meta(gt=0)] | None = None


class FigureAt(StrictBody, frozen=True, kw_only=True):
    """Where a figure is put; without a bearing it keeps the one that it has."""

    id: str
    x_mm: float
    y_mm: float
    bearing_deg: float | None = None


class PlaceBody(StrictBody, frozen=True, kw_only=True):
    """``POST /api/place`` and ``/api/demo/move``: each figure once."""

    figures: Annotated[tuple[FigureAt, ...], Meta(min_length=1, max_length=1000)]

    def __post_init__(self) -> None:
        if len({figure.id for figure in self.figures}) < len(self.figures):
            raise ValueError("figures: expected each figure once")


class PutBackBody(StrictBody, frozen=True, kw_only=True):
    """``POST /api/place/back``: whose figures."""

    unit: str


MoveBody = PlaceBody
AssignBody = Assignment


def body(kind: type[T]) -> T:
    """The request's body. Raises BadRequest naming the key and what was expected."""
    text = request.get_data(cache=False)
    try:
        read = msgspec.json.decode(text, type=kind)
    except msgspec.ValidationError as error:
        raise BadRequest(_wrong(text, kind, error)) from error
    except (ValueError, RecursionError) as error:
        raise BadRequest(f"not well-formed JSON ({error})") from error
    _demand_finite(msgspec.to_builtins(read), "")
    return read


def _wrong(text: bytes, kind: Any, error: msgspec.ValidationError) -> str:
    """Which key of a body does not fit, and what was expected there."""
    try:
        where, what = misfit(msgspec.json.decode(text), kind, error)
    except (msgspec.DecodeError, RecursionError):  # no JSON further on, or too deep to be looked through
        return str(error).replace("`", "")
    return f"{where.lstrip('.') or 'the whole body'}: {what}"


def _demand_finite(value: Any, where: str) -> None:
    if isinstance(value, float) and not math.isfinite(value):
        raise BadRequest(f"{where or 'the whole body'}: expected a finite number")
    if isinstance(value, Mapping):
        for key, inner in value.items():
            _demand_finite(inner, f"{where}.{key}" if where else str(key))
    elif isinstance(value, list | tuple):
        for inner in value:
            _demand_finite(inner, where)
