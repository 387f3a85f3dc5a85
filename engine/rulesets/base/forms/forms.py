"""What each action asks of a player: a form for each, from the record of its keys and the words of ``forms.toml``.

What kind of thing a key is follows from its type; the words add a title, labels, and what a text or a number stands
for (a unit, a figure, a bearing …). An action or a key without words still has a form, by its own name.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Literal

from msgspec import NODEFAULT, Struct, inspect

from engine.errors import UnusableFile
from engine.records.reading import convert
from engine.rulesets.base.forms.asking import Kind, Whose, kind_of
from engine.rulesets.base.forms.keys import Entry
from engine.rulesets.base.forms.spelled import spelled

__all__ = [
    "FILE", "Choice", "Field", "Form", "KeyWords", "Passes", "SaidBy", "Section", "Words", "fields_of",
    "forms_of", "words_of",
]  # fmt: skip

FILE = "forms.toml"

#: Where an action stands on the page: with a unit's orders, with the turn, before the battle, between battles.
Section = Literal["orders", "turn", "setup", "campaign"]

#: Whether an action passes the turn on to the next side, begins a new turn for all, or only ends that of the side
#: which acts, where the action that passes it on does not end it. ``plain``: it hands the turn over and does
#: nothing else, as the page does by itself.
Passes = Literal["none", "end", "plain", "side", "turn"]

#: Whose player says what a key is to be: that of the unit which acts, or that of its target.
SaidBy = Literal["own", "target"]


class _Record(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """What all records share: immutable, keyword only, no unknown key; a default is not written."""


class KeyWords(_Record, frozen=True, kw_only=True):
    """The words of a key: what it is called, what its value is, whose units are meant, what values are called.

    ``means``: what values come to, a line each. ``said_by``: whose player says it. ``of`` holds the words of the
    keys inside, where the value is a record or a list of records.
    """

    label: str = ""
    hint: str = ""
    ask: Kind | None = None
    whose: Whose | None = None
    choices: Mapping[str, str] = {}
    means: Mapping[str, str] = {}
    said_by: SaidBy = "own"
    of: Mapping[str, KeyWords] = {}


class Words(_Record, frozen=True, kw_only=True):
    """The words of an action: its title, one line on what it does, where it stands, at whom it is aimed.

    ``passes``: it is what the page's button for the next side, or for the next turn, begins, or does before;
    it has no other on the page.
    ``begins``: it begins a campaign.
    """

    title: str = ""
    hint: str = ""
    section: Section | None = None
    target: Whose = "enemy"
    passes: Passes = "none"
    begins: bool = False
    keys: Mapping[str, KeyWords] = {}


class Choice(_Record, frozen=True, kw_only=True):
    """A value that may be chosen, what it is called, and what it comes to where that is to be said."""

    value: str | int
    label: str
    hint: str = ""


class Field(_Record, frozen=True, kw_only=True):
    """A key of an action, as it is asked for.

    ``least`` and ``most`` bound a number, which may be ``whole``; ``of`` is what stands inside. ``said_by`` the
    target's player: it is his decision, though the action is another's.
    """

    key: str
    label: str
    ask: Kind
    hint: str = ""
    required: bool = False
    default: Any = None
    choices: tuple[Choice, ...] = ()
    least: float | None = None
    most: float | None = None
    whole: bool = False
    whose: Whose = "any"
    said_by: SaidBy = "own"
    of: tuple[Field, ...] = ()


class Form(_Record, frozen=True, kw_only=True):
    """An action, as it is asked for. ``scope``: what it is an action of. ``target``: whom it needs, or may have."""

    action: str
    title: str
    hint: str = ""
    scope: Literal["unit", "side", "game"] = "unit"
    section: Section = "orders"
    target: Literal["none", "may", "must"] = "none"
    whose: Whose = "enemy"
    passes: Passes = "none"
    begins: bool = False
    fields: tuple[Field, ...] = ()

    @property
    def needed(self) -> tuple[str, ...]:
        """The keys without which the action cannot begin, beside its unit and its target."""
        return tuple(field.key for field in self.fields if field.required)


def forms_of(package: str, entries: Mapping[str, Entry]) -> Mapping[str, Form]:
    """The form of every action of the ruleset in a package: those with words first, in the order of the file.

    Raises UnusableFile that names the action and the key where the words do not fit the actions.
    """
    source, words = f"{package}: {FILE}", words_of(package)
    for action in words:
        if action not in entries:
            raise UnusableFile(f"{source}: {action}: expected one of {', '.join(entries)}")
    order = (*words, *(action for action in entries if action not in words))
    built = {
        action: _form(action, entries[action], words.get(action, Words()), f"{source}: {action}")
        for action in order
    }
    return MappingProxyType(built)


@cache
def words_of(package: str) -> Mapping[str, Words]:
    """The words in a package's ``forms.toml``; none where there is no such file. Raises UnusableFile."""
    file = files(package).joinpath(FILE)
    if not file.is_file():
        return {}
    return convert(tomllib.loads(file.read_text(encoding="utf-8")), dict[str, Words], f"{package}: {FILE}")


def _form(action: str, entry: Entry, words: Words, source: str) -> Form:
    record = inspect.type_info(entry.keys)
    assert isinstance(record, inspect.StructType)
    fields = fields_of(record.fields, words.keys, f"{source}.keys", entry.keys)
    of_side = any(field.ask == "side" and field.required for field in fields)
    scope: Literal["unit", "side", "game"] = "unit" if entry.unit else "side" if of_side else "game"
    return Form(
        action=action,
        title=words.title or _named(action),
        hint=words.hint,
        scope=scope,
        section=words.section or ("orders" if entry.unit else "turn"),
        target="may" if entry.target is None else "must" if entry.target else "none",
        whose=words.target,
        passes=words.passes,
        begins=words.begins,
        fields=fields,
    )


def fields_of(
    known: Iterable[inspect.Field], words: Mapping[str, KeyWords], source: str, of: type[Struct] | None = None
) -> tuple[Field, ...]:
    """How the keys of a record are asked for: those with words first. Raises UnusableFile naming ``source``.

    Choices stand as the words have them, else as the record ``of`` which they are spells them.
    """
    orders = {} if of is None else spelled(of)
    by_name = {field.encode_name: field for field in known}
    for key in words:
        if key not in by_name:
            raise UnusableFile(f"{source}.{key}: expected one of {', '.join(by_name) or 'no keys at all'}")
    order = (*words, *(key for key in by_name if key not in words))
    return tuple(
        _field(by_name[key], words.get(key, KeyWords()), f"{source}.{key}", orders.get(key, ())) for key in order
    )


def _field(field: inspect.Field, words: KeyWords, source: str, spelt: Sequence[str] = ()) -> Field:
    found = kind_of(field.type, words.ask, source)
    for table, values_said in (("choices", words.choices), ("means", words.means)):
        for value in values_said:
            if found.values and value not in map(str, found.values):
                known = ", ".join(map(str, found.values))
                raise UnusableFile(f"{source}.{table}.{value}: expected one of {known}")
    order = list(dict.fromkeys([*words.choices, *spelt]))  # of the words, then whatever has none
    values = tuple(sorted(found.values, key=lambda one: order.index(str(one)) if str(one) in order else len(order)))
    values = values or tuple(words.choices)
    ask: Kind = "choice" if found.ask == "text" and words.choices else found.ask
    return Field(
        key=field.encode_name,
        label=words.label or _named(field.encode_name),
        hint=words.hint,
        ask=ask,
        required=field.required,
        default=_default(field),
        choices=tuple(
            Choice(
                value=one,
                label=words.choices.get(str(one), _named(str(one))),
                hint=words.means.get(str(one), ""),
            )
            for one in values
        ),
        least=found.least,
        most=found.most,
        whole=found.whole,
        whose=words.whose or "any",
        said_by=words.said_by,
        of=fields_of(found.of, words.of, f"{source}.of"),
    )


def _default(field: inspect.Field) -> Any:
    """What a key is where nobody gives it; None where that is nothing, or where it must be given."""
    if field.default_factory is not NODEFAULT:
        return field.default_factory()
    return None if field.default is NODEFAULT else field.default


def _named(key: str) -> str:
    """What something without words is called.

    >>> _named("fire-ball"), _named("bearing_deg")
    ('Fire ball', 'Bearing')
    """
    bare = key.removesuffix("_deg").removesuffix("_mm").replace("-", " ").replace("_", " ")
    return bare[:1].upper() + bare[1:]
