"""Every action of every ruleset can be asked for on the page: its form has words, and asks for the right things."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

import pytest
from msgspec import Meta, Struct, inspect

from engine.errors import UnusableFile
from engine.rulesets import BUILT_IN, find_ruleset
from engine.rulesets.base.forms.asking import kind_of
from engine.rulesets.base.forms.forms import Field, Form, forms_of
from engine.rulesets.base.forms.keys import Entry
from engine.rulesets.base.units.keys import unit_fields


@pytest.fixture(params=BUILT_IN)
def ruleset(request):
    return find_ruleset(request.param)


def test_every_action_has_a_form_with_a_title_and_a_hint(ruleset):
    forms = ruleset.forms()
    assert set(forms) == set(ruleset.entries())
    words = {action for action, form in forms.items() if form.hint}
    assert words == set(forms)


def test_every_key_has_a_label_of_its_own_words(ruleset):
    from engine.rulesets.base.forms.forms import words_of

    words = words_of(ruleset.package)
    for action, form in ruleset.forms().items():
        assert {field.key for field in form.fields} == set(words[action].keys), action
        assert all(words[action].keys[field.key].label for field in form.fields), action


def test_no_action_asks_for_a_bare_text_where_a_player_would_have_to_guess_the_word(ruleset):
    for form in ruleset.forms().values():
        assert not [field.key for field in form.fields if field.ask in ("text", "texts")], form.action


def test_no_action_asks_for_what_only_its_rulebook_explains(ruleset):
    def asks(fields):
        return [one.ask for field in fields for one in (field, *field.of)]

    for form in ruleset.forms().values():
        assert "other" not in asks(form.fields), form.action


def test_what_a_form_leaves_out_the_action_may_lack(ruleset):
    for name, entry in ruleset.entries().items():
        form = ruleset.forms()[name]
        assert (form.scope == "unit") == entry.unit
        required = {one.encode_name for one in inspect.type_info(entry.keys).fields if one.required}
        assert set(form.needed) == required


class _Inner(Struct):
    id: str


class _Keys(Struct):
    mode: Literal["a", "b"] | None = None
    cause: str | tuple[float, float] | None = None
    how_many: Annotated[int, Meta(ge=1, le=6)] = 1
    shares: tuple[_Inner, ...] = ()
    odd: tuple[tuple[str, str], ...] = ()
    fights: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = ()
    taken: Mapping[Literal["horse", "cow"], int] = {}
    how: Literal["a", "b"] | Literal["c"] | None = None


def _kind(name: str, finer: str | None = None):
    field = next(one for one in inspect.type_info(_Keys).fields if one.name == name)
    return kind_of(field.type, finer, "x")


@pytest.mark.parametrize(
    ("key", "words", "asked"),
    [
        ("mode", None, "choice"),
        ("cause", None, "other"),
        ("cause", "unit", "unit"),
        ("cause", "point", "point"),
        ("how_many", None, "number"),
        ("shares", None, "rows"),
        ("odd", None, "other"),
        ("fights", None, "pairs"),
        ("taken", None, "each-choice"),
        ("how", None, "choice"),
    ],
)
def test_what_is_asked_for_follows_from_the_type_and_the_words(key, words, asked):
    assert _kind(key, words).ask == asked


def test_a_numbers_bounds_come_from_its_type():
    found = _kind("how_many")
    assert (found.least, found.most, found.whole) == (1, 6, True)


def test_words_that_do_not_fit_the_type_are_refused_with_what_would_fit():
    with pytest.raises(UnusableFile, match=r"x\.ask: expected one of number, bearing, got .unit."):
        _kind("how_many", "unit")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[flee]\n", "flee: expected one of hold"),
        ('[hold]\nkeys.where = { label = "Where" }\n', "hold.keys.where: expected one of mode"),
        ('[hold]\nkeys.mode.choices = { c = "C" }\n', "mode.choices.c: expected one of a, b"),
        ("[hold]\ntitel = 3\n", "titel"),
    ],
)
def test_words_for_what_is_not_there_are_refused(tmp_path, monkeypatch, text, message):
    with pytest.raises(UnusableFile, match=message):
        forms_of(_package(tmp_path, monkeypatch, text), _ENTRIES)


def test_an_action_without_words_still_has_a_form_by_its_own_name(tmp_path, monkeypatch):
    forms = forms_of(_package(tmp_path, monkeypatch, ""), _ENTRIES)
    assert forms["hold"].title == "Hold"
    assert [(one.key, one.label) for one in forms["hold"].fields][:2] == [("mode", "Mode"), ("cause", "Cause")]


def test_forms_stand_in_the_order_of_their_words_then_the_rest(tmp_path, monkeypatch):
    entries = {**_ENTRIES, "go": Entry(begin=_never), "stay": Entry(begin=_never)}
    forms = forms_of(_package(tmp_path, monkeypatch, '[stay]\ntitle = "Stay put"\n'), entries)
    assert list(forms) == ["stay", "hold", "go"]
    assert forms["stay"] == Form(action="stay", title="Stay put")


def test_a_text_with_choices_is_a_choice(tmp_path, monkeypatch):
    entries = {"say": Entry(begin=_never, keys=_Inner)}
    text = '[say]\nkeys.id = { label = "What", choices = { yes = "Yes!", no = "No." } }\n'
    (field,) = forms_of(_package(tmp_path, monkeypatch, text), entries)["say"].fields
    assert isinstance(field, Field)
    assert (field.ask, [one.label for one in field.choices]) == ("choice", ["Yes!", "No."])


def _never(game, action, keys):
    raise AssertionError("a form begins nothing")


_ENTRIES = {"hold": Entry(begin=_never, keys=_Keys)}


def _package(tmp_path, monkeypatch, text: str) -> str:
    """A package of a fresh name with that ``forms.toml``."""
    name = f"forms_of_{abs(hash(text))}"
    folder = tmp_path / name
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "forms.toml").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    return name


@pytest.mark.parametrize(
    ("ruleset", "key", "order"),
    [
        ("muskets-mohawks", "rank", ["lieutenant", "captain", "major", "war-chief"]),
        ("musket-pike", "quality", ["A+++", "A++", "A+", "A", "B", "C", "D", "E", "F"]),
        ("tyneside", "class", ["hero", "veteran", "raw"]),
    ],
)
def test_choices_stand_in_the_order_of_the_rules_and_not_of_the_alphabet(
    ruleset: str, key: str, order: list[str]
) -> None:
    fields = unit_fields(find_ruleset(ruleset))["stats"]
    (field,) = (one for one in fields if one.key == key)
    assert [choice.value for choice in field.choices] == order
