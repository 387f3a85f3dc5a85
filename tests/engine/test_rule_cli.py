"""``vedette rule``: the row that an answer names, in words, without the page."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

from engine.rulesets import BUILT_IN, find_ruleset
from engine.rulesets.base.ruleset import Row
from tests.command_line import vedette


def test_a_row_that_an_answer_names_is_told() -> None:
    row = find_ruleset("muskets-mohawks").rows()["MM-98"]
    assert vedette("rule", "muskets-mohawks", "MM-98").stdout == f"MM-98 (p. {row.page}): {row.text}\n"
    (told,) = json.loads(vedette("rule", "muskets-mohawks", "MM-98", "--json").stdout)["rows"]
    assert told == {"id": "MM-98", "text": row.text, "page": row.page, "not_built": None}


def test_a_row_s_name_alone_tells_whose_it_is() -> None:
    assert vedette("rule", "PR-010").stdout == vedette("rule", "presidio", "PR-010").stdout
    assert vedette("rule", "MM-98", "MM-99").stdout == vedette("rule", "muskets-mohawks", "MM-98", "MM-99").stdout


@pytest.mark.parametrize("ruleset", sorted(BUILT_IN))
def test_without_a_row_all_are_told(ruleset: str) -> None:
    lines = vedette("rule", ruleset).stdout.splitlines()
    assert [line.split()[0].rstrip(":") for line in lines if line[0] != " "] == list(find_ruleset(ruleset).rows())


def test_what_the_program_does_not_do_yet_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    row = Row(id="T-1", text="Ones hit.", not_built="nobody has asked for it")
    monkeypatch.setattr("engine.rulesets.find_ruleset", lambda _: SimpleNamespace(rows=lambda: {"T-1": row}))
    assert vedette("rule", "toy").stdout == "T-1: Ones hit.\n    not built: nobody has asked for it\n"


def test_a_row_or_a_rulebook_that_is_not_there_is_refused_in_one_line() -> None:
    for words, said in (
        (("muskets-mohawks", "MM-999"), "there is no row 'MM-999'; did you mean MM-"),
        (("muskets-mohawks", "MM-98", "zzz"), "'vedette rule muskets-mohawks' lists all"),
        (("chess", "MM-98"), "expected one of"),
    ):
        done = vedette("rule", *words)
        assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert said in done.stderr
