"""What is said of a key that does not fit: which it is, what was expected with an example, and what was given."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta, Struct

from calibration.misfits import misfit


class Side(Struct, forbid_unknown_fields=True):
    morale: int = 4
    territory: Literal["controlling", "contesting"] = "controlling"


class Roster(Struct, forbid_unknown_fields=True):
    rep: Annotated[int, Meta(ge=1, le=9)]
    year: Annotated[int, Meta(ge=1600)] = 1757
    reach_mm: Annotated[float, Meta(gt=0, le=1e6)] = 25.4
    light: Literal["day", "night"] = "day"
    bearing_deg: float | None = None
    hidden: bool = False
    at: tuple[float, float] = (0.0, 0.0)
    path: Annotated[tuple[str, ...], Meta(min_length=1)] = ("N",)
    sides: dict[str, Side] = {}


def told_of(raw: Any, record: Any) -> str:
    """The key's path and what is said of it."""
    with pytest.raises(msgspec.ValidationError) as refused:
        msgspec.convert(raw, record)
    return ": ".join(misfit(raw, record, refused.value))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"rep": "x"}, "rep: expected a whole number such as 4, got 'x'"),
        ({"rep": True}, "rep: expected a whole number such as 4, got true"),
        ({"rep": 4.5}, "rep: expected a whole number such as 4, got 4.5"),
        ({"rep": 0}, "rep: expected a whole number of at least 1, got 0"),
        ({"rep": 10}, "rep: expected a whole number of at most 9, got 10"),
        ({"year": "x"}, "year: expected a whole number such as 1800, got 'x'"),
        ({"reach_mm": "6 in"}, "reach_mm: expected a number such as 12.5, got '6 in'"),
        ({"reach_mm": 0}, "reach_mm: expected a number above 0, got 0"),
        ({"reach_mm": 1e300}, "reach_mm: expected a number of at most 1000000, got 1e+300"),
        ({"light": "noon"}, "light: expected one of day, night, got 'noon'"),
        ({"light": 3}, "light: expected one of day, night, got 3"),
        ({"bearing_deg": []}, "bearing_deg: expected a number such as 12.5, or null, got []"),
        ({"hidden": 1}, "hidden: expected true or false, got 1"),
        ({"at": [1]}, "at: expected a list of 2, got [1]"),
        ({"at": [1, "x"]}, "at[1]: expected a number such as 12.5, got 'x'"),
        ({"path": []}, "path: expected a list of at least 1, got []"),
        ({"path": "N"}, "path: expected a list, [ ], got 'N'"),
        ({"sides": {"french": {}, "british": {"morale": "low"}}},
         "sides.british.morale: expected a whole number such as 4, got 'low'"),
        ({"sides": {"french": {"territory": "lost"}}},
         "sides.french.territory: expected one of controlling, contesting, got 'lost'"),
        ({"sides": {"french": 3}}, "sides.french: expected keys with values, { }, got 3"),
        ({"zeal": 3}, "zeal: unknown key; its keys are: rep, year, reach_mm, light, bearing_deg"),
        ({"yaer": 1757}, "yaer: unknown key (did you mean year?)"),
        ({"sides": {"french": {"moral": 3}}}, "sides.french.moral: unknown key (did you mean morale?)"),
    ],
)  # fmt: skip
def test_a_key_that_does_not_fit_is_told_with_what_was_expected_and_what_was_given(
    change: dict[str, Any], said: str
) -> None:
    assert told_of({"rep": 4, **change}, Roster).startswith(f".{said}")


@pytest.mark.parametrize(
    ("record", "raw", "said"),
    [
        (Roster, {}, ".rep: expected a whole number such as 4, found no such key"),
        (
            list[Roster],
            [{"rep": 4}, {"year": 1757}],
            "[1].rep: expected a whole number such as 4, found no such key",
        ),
        (Roster, [], ": expected keys with values, { }, got []"),
    ],
)
def test_what_is_missing_is_named_by_its_own_path(record: Any, raw: Any, said: str) -> None:
    assert told_of(raw, record) == said


def test_a_long_value_is_cut_so_that_the_line_stays_one() -> None:
    told = told_of({"rep": list(range(1000))}, Roster)
    assert told.endswith(" …")
    assert len(told) < 120
