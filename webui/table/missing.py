"""What an order still lacks, in the words of its form: the command line names keys, the page what stands on it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from engine.records.action import Action
from engine.rulesets.base.forms.forms import Field, Form

__all__ = ["lacking"]

_PART = re.compile(r"[^.\[\]]+")
_STILL = re.compile(r"(\w+): still to be given\b")
_EITHER = re.compile(r"expected either (\w+) or (\w+)$|(\w+): expected the id of a unit, or (\w+)\b")


def lacking(form: Form | None, action: Action, error: str) -> str:
    """What is missing of an action, or wrong with it, by the labels of its form; ``error`` is the engine's word.

    Without a form, or where the error is of something else than the form's keys, it is said as the engine does.
    """
    if form is None:
        return error
    missing = [
        *(["Who does it"] if form.scope == "unit" and action.unit is None else []),
        *(["Target"] if form.target == "must" and action.target is None else []),
        *(field.label for field in form.fields if field.required and action.extra.get(field.key) is None),
    ]
    if missing:
        return _still(missing)
    head = f"{form.action}: "
    return _labelled(form.fields, error.removeprefix(head)) if error.startswith(head) else error


def _still(labels: Sequence[str], joint: str = ", ") -> str:
    return "Still to be given: " + joint.join(f"“{label}”" for label in labels)


def _labelled(fields: Sequence[Field], said: str) -> str:
    """An error about one of the fields, with the labels of the fields for their keys."""
    labels = {"target": "Target", **{field.key: field.label for field in fields}}
    either = _EITHER.match(said)
    if either is not None:
        return _still([labels.get(key, key) for key in either.groups() if key], " or ")
    where, colon, what = said.partition(": ")
    named, inner = _place(fields, where) if colon and " " not in where else ((), fields)
    still = _STILL.match(what)
    if named and still is not None:
        within = {field.key: field.label for field in inner}
        return _still([": ".join([*named, within.get(still[1], still[1])])])
    told = _told(what if named else said, labels)
    return f"“{': '.join(named)}”: {told}" if named else told[:1].upper() + told[1:]


def _place(fields: Sequence[Field], path: str) -> tuple[tuple[str, ...], Sequence[Field]]:
    """The labels on the way to a key, ``path[0].to``, places in a list counted from 1, and the fields inside."""
    named: list[str] = []
    inner: Sequence[Field] = fields
    for part in _PART.findall(path):
        found = next((field for field in inner if field.key == part), None)
        if found is not None:
            named.append(found.label)
            inner = found.of
        elif part.isdigit() and named:
            named.append(str(int(part) + 1))
        elif part == "target" and not named:
            named.append("Target")
        elif part != "...":
            return (), fields
    return tuple(named), inner


def _told(what: str, labels: Mapping[str, str]) -> str:
    """A sentence with labels for those keys in it that cannot be words of its own."""
    keys = "|".join(re.escape(key) for key in labels if "_" in key)
    named = re.sub(rf"\b({keys})\b", lambda found: f"“{labels[found[1]]}”", what) if keys else what
    return named.replace("the id of a unit", "a unit")
