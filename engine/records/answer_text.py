"""Answers as compact JSON, one after another: what was in the answer before is not written anew."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Struct

from engine.records.answer import ANSWER_FORMAT, Answer, ChargeOption, FireOption, UnitAnswer

__all__ = ["AnswerText"]


class AnswerText:
    """Writes one answer after another.

    The text is that of `answer_builtins`. Options that are the very same records as in the answer before keep
    their text; those of older answers are forgotten.

    >>> from engine.records.answer import answer_builtins
    >>> answer = Answer(ruleset="mine", units=(UnitAnswer(unit="us", extra={"seen": 2}),))
    >>> AnswerText().of(answer) == msgspec.json.encode(answer_builtins(answer))
    True
    """

    def __init__(self) -> None:
        self._known: dict[int, tuple[Struct, bytes]] = {}

    def of(self, answer: Answer) -> bytes:
        """The text of an answer."""
        known: dict[int, tuple[Struct, bytes]] = {}
        units = b",".join(self._unit(unit, known) for unit in answer.units)
        self._known = known
        rest = {"ruleset": answer.ruleset, "units": msgspec.Raw(b"[%b]" % units), **answer.extra}
        return msgspec.json.encode({"format": ANSWER_FORMAT, **{k: v for k, v in rest.items() if k != "format"}})

    def _unit(self, unit: UnitAnswer, known: dict[int, tuple[Struct, bytes]]) -> bytes:
        told: dict[str, Any] = {
            "unit": unit.unit,
            "fire": msgspec.Raw(b"[%b]" % b",".join(self._options(unit.fire, known))),
            "charge": msgspec.Raw(b"[%b]" % b",".join(self._options(unit.charge, known))),
            "move": None if unit.move is None else _plain(unit.move),
            **unit.extra,
        }
        return msgspec.json.encode(told)

    def _options(
        self, options: Iterable[FireOption | ChargeOption], known: dict[int, tuple[Struct, bytes]]
    ) -> Iterable[bytes]:
        for option in options:
            kept = self._known.get(id(option)) or (option, msgspec.json.encode(_plain(option)))
            known[id(option)] = kept  # the record is kept with its text, so that its id stays its own
            yield kept[1]


def _plain(record: Struct) -> dict[str, Any]:
    """A record with its parts as plain values, what it has ``extra`` among its own keys."""
    built: dict[str, Any] = {}
    for name in record.__struct_fields__:
        if name != "extra":
            value = getattr(record, name)
            if isinstance(value, Struct):
                value = _plain(value)
            elif isinstance(value, tuple) and value and isinstance(value[0], Struct):
                value = [_plain(one) for one in value]
            built[name] = value
    built.update(getattr(record, "extra", {}))
    return built
