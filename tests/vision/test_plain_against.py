"""An army that was made up of shadows is not there where others are found that stand in its bases."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import cast

import pytest
from msgspec.structs import replace

from tests.vision.small_table import TABLE, base, camera
from tests.vision.test_plain import CLEAN, posed
from vision.bases.usual import Known, Usual
from vision.ground import FLAT
from vision.measure import Measurer
from vision.plain import Pictures, look_against_empty
from vision.plain.against import contradicted
from vision.plain.unchanged import put_down_since
from vision.records import BaseSeen
from vision.simulated import Renderer, VirtualTable

STEP = 25.4
BLOCK = [(180.0 + STEP * file, 150.0 + STEP * rank) for file in range(4) for rank in range(3)]


def seen(places: Sequence[tuple[float, float]], army: str | None = "french", off_mm: float = 0.0) -> list[BaseSeen]:
    """Bases of an army, so far to the right of some places."""
    return [
        BaseSeen(army=army, base="foot", x_mm=x + off_mm, y_mm=y, z_mm=0.0, bearing_deg=None, sigma_mm=0.4,
                 bearing_sigma_deg=None, confidence=0.9)
        for x, y in places
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("off_mm", "away"),
    [(0.0, False), (3.0, False), (STEP / 2, True), (20.0, True), (23.0, False)],
    ids=["there", "nearly there", "half a step aside", "well into it", "beside it"],
)
def test_an_army_is_not_there_where_others_stand_in_its_bases_but_elsewhere(off_mm: float, away: bool) -> None:
    alone = BLOCK[::12]
    assert contradicted(seen(alone), seen(alone, None, off_mm), TABLE) == away


def test_one_base_found_elsewhere_is_no_reason_to_give_up_an_army_and_several_beside_as_many_that_are_there() -> (
    None
):
    army = seen(BLOCK)
    elsewhere = seen(BLOCK, None, STEP / 2)
    assert not contradicted(army, [], TABLE)
    assert not contradicted(army, elsewhere[:1], TABLE)
    assert contradicted(army, elsewhere[:6], TABLE)
    apart = [(100.0 + 70.0 * k, 100.0) for k in range(6)]
    some = [*seen(apart[:3], None, 12.0), *seen(apart[3:], None)]
    assert not contradicted(seen(apart), some, TABLE)
    assert contradicted(seen(apart), [*some[:3], *some[:3], some[3]], TABLE)


@pytest.mark.parametrize(("sigma_mm", "away"), [(0.5, True), (2.1, False)])
def test_what_is_found_roughly_does_not_contradict_what_stands_within_its_doubt(
    sigma_mm: float, away: bool
) -> None:
    apart = [(100.0 + 70.0 * k, 100.0) for k in range(6)]
    rough = [replace(one, sigma_mm=sigma_mm) for one in seen(apart, None, 5.0)]
    assert contradicted(seen(apart), rough, TABLE) == away


def test_what_was_usual_for_an_army_that_is_given_up_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """A part of a later frame is looked at as if nobody had ever seen it."""
    empty = VirtualTable(table=TABLE, flock="#8f7a4a")
    block = replace(empty, bases=tuple(replace(base(f"p{at}", *at), plain=True) for at in BLOCK))
    moved = replace(block, bases=(*block.bases[:-1], replace(block.bases[-1], x_mm=400.0)))
    before, after, later = (Renderer(camera(), CLEAN, 1).render(now).copy() for now in (empty, block, moved))
    asked: list[Known] = []

    def made_up(*arguments: object) -> tuple[list[BaseSeen], Known]:
        asked.append(arguments[-1] if isinstance(arguments[-1], Known) else Known())
        usual = cast("Usual", object())  # nobody looks at it where it is forgotten
        return (seen(BLOCK[:6], "french", STEP / 2) if len(asked) == 1 else []), Known(armies={"french": usual})

    monkeypatch.setattr("vision.measure.look_for_bases", made_up)
    measurer = Measurer(TABLE, camera().intrinsics, before)
    assert {one.army for one in measurer.measure(after).bases} == {None}
    measurer.measure(later)
    assert asked[1].armies == {}, "the army was not there"


def test_a_block_is_found_though_an_army_was_made_up_between_its_bases() -> None:
    empty = VirtualTable(table=TABLE, flock="#8f7a4a")
    block = replace(empty, bases=tuple(replace(base(f"p{at}", *at), plain=True) for at in BLOCK))
    before, after = (Renderer(camera(), CLEAN, 1).render(now) for now in (empty, block))
    prints, pose = posed(after)
    made_up = seen(BLOCK[:6], "french", STEP / 2)
    told, _ = look_against_empty(Pictures(after, before, pose, TABLE, FLAT, prints), made_up)
    assert len(told) == len(BLOCK)
    assert all(min(math.dist(at, (b.x_mm, b.y_mm)) for b in told) < 2.0 for at in BLOCK)
    assert {b.army for b in told} == {None}


def test_an_army_that_is_there_is_told_with_the_bases_that_no_paint_told() -> None:
    empty = VirtualTable(table=TABLE, flock=VirtualTable(table=TABLE).mat)
    painted = [(120.0 + 60.0 * k, 330.0) for k in range(6)]
    stand = [base(f"f{at}", *at, army="french") for at in painted]
    stand += [replace(base(f"p{at}", *at), plain=True) for at in BLOCK]
    before, after = (
        Renderer(camera(), CLEAN, 1).render(now) for now in (empty, replace(empty, bases=tuple(stand)))
    )
    prints, pose = posed(after)
    french = seen(painted)
    told, _ = look_against_empty(Pictures(after, before, pose, TABLE, FLAT, prints), french)
    assert told[: len(french)] == french
    assert {b.army for b in told[len(french) :]} == {None}
    assert len(told) >= len(french) + 9


def test_nothing_is_kept_of_an_army_that_is_not_there() -> None:
    """Else the next look at a part of the table would look for its bases as they looked."""
    usual = Known(chroma_blur_px=1.0, armies={"french": object(), "british": object()})  # type: ignore[dict-item]
    left = usual.of_armies({"british", None})
    assert list(left.armies) == ["british"]
    assert left.chroma_blur_px == 1.0


def test_what_looks_painted_but_lay_there_on_the_empty_table_is_no_base_if_it_is_in_doubt() -> None:
    """The print of a rules sheet, or a hill's edge. Who is surely seen there was left standing: that is said."""
    stands, comes = base("a", 200.0, 200.0), base("b", 400.0, 200.0)
    then, now = VirtualTable(table=TABLE, bases=(stands,)), VirtualTable(table=TABLE, bases=(stands, comes))
    before, after = (Renderer(camera(), CLEAN, 1).render(one) for one in (then, now))
    found, pose = posed(after)
    pictures = Pictures(after, before, pose, TABLE, FLAT, found)
    doubted = seen([(200.0, 200.0), (400.0, 200.0)], "british")
    assert put_down_since(pictures, doubted) == doubted[1:]
    assert look_against_empty(pictures, doubted)[0] == doubted[1:]
    sure = [replace(one, confidence=0.995) for one in doubted]
    assert put_down_since(pictures, sure) == sure
