"""A toy ruleset and a small table, for tests that need no real rules and no camera."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from calibration.records import Table
from engine.dice import Roll
from engine.errors import ActionRefused, UnknownAction, UnusableFile
from engine.events import Event, RemoveFigures, SetState
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.answer import Answer, UnitAnswer
from engine.records.chances import Chances
from engine.records.game import Figure, Game, Round, Side, TableArea, Turn, Unit
from engine.rulesets.base.campaigns import CampaignView
from engine.rulesets.base.data.rows import wording_of
from engine.rulesets.base.forms.forms import Form
from engine.rulesets.base.ruleset import Row, Wording
from engine.rulesets.base.verdicts import Verdict, verdict_of
from vision.records import BaseSeen, CameraSeen, Observation


class ToyRules:
    """Every unit may shoot at every other: 3d6, ones take a figure off. ``hush`` is never allowed."""

    id = "toy"
    title = "Toy Soldiers"
    unit_of_length = "in"
    mm_per_unit = 25.4

    def check(self, game: Game) -> None:
        for unit in game.units:
            if unit.type not in ("foot", "horse"):
                raise UnusableFile(f"units: {unit.id}: type: expected foot or horse, got {unit.type!r}")

    def ask(self, game: Game, units: Sequence[str] | None = None) -> Answer:
        return Answer(ruleset=self.id, units=tuple(UnitAnswer(unit=unit.id) for unit in game.units))

    def begin(self, game: Game, action: Action) -> Procedure[None]:
        if action.action not in ("shoot", "hush", "wait"):
            raise UnknownAction(f"action: expected shoot, hush or wait, got {action.action!r}")
        if action.action == "hush" and not action.override:
            raise ActionRefused(["nobody hushes a soldier", "and never two"])
        return self._run(game, action)

    def _run(self, game: Game, action: Action) -> Procedure[None]:
        if action.action == "shoot":
            target = game.unit(action.target or "")
            shot = yield from roll(Roll(purpose="shots", count=3, success="==1", rule="T-1"))
            lost = tuple(figure.id for figure in target.figures[: shot.passed])
            change = RemoveFigures(unit=target.id, figures=lost)
            facts = {"unit": action.unit, "target": target.id, "hits": shot.passed, "casualties": len(lost)}
            game = yield from happen(Event(event="fired", facts=facts, changes=(change,), rule="T-1"))
            nerve = yield from roll(Roll(purpose="nerve", count=2))
            state = SetState(unit=target.id, key="nerve", value=nerve.total)
            yield from happen(Event(event="nerve", facts={"unit": target.id}, changes=(state,)))
        else:
            yield from happen(Event(event=action.action, facts={"unit": action.unit}))

    def wording(self) -> Wording:
        return wording_of("engine.rulesets.muskets_mohawks")

    def turn_order(self, game: Game) -> tuple[str, ...]:
        return tuple(side.name for side in game.sides)

    def foretold(self, game: Game, action: Action) -> Chances | None:
        return None

    def concealed(self, game: Game, side: str | None) -> frozenset[str]:
        return frozenset(unit.id for unit in game.units if unit.side != side and unit.state.get("hidden"))

    def veiled(self, game: Game, side: str | None) -> Game:
        return game

    def campaign(self, game: Game) -> CampaignView | None:
        return None

    def verdict(self, game: Game) -> Verdict | None:
        return verdict_of(game)

    def forms(self) -> Mapping[str, Form]:
        return {
            "shoot": Form(action="shoot", title="Shoot", target="must"),
            "hush": Form(action="hush", title="Hush"),
            "wait": Form(action="wait", title="Wait"),
        }

    def choices(self, game: Game, action: Action) -> Mapping[str, tuple[str, ...]]:
        return {}

    def rows(self) -> Mapping[str, Row]:
        return {"T-1": Row(id="T-1", text="Ones hit.", page="1")}


TABLE = msgspec.convert(
    {
        "format": "vedette-table/1",
        "table": {"width_mm": 1200.0, "depth_mm": 900.0},
        "markers": {"dictionary": "DICT_4X4_100", "size_mm": 80.0},
        "armies": [
            {"name": "red", "base_colour": "#9e2b25", "bases": [
                {"name": "foot", "shape": "round", "diameter_mm": 25.0, "height_mm": 3.0},
                {"name": "horse", "shape": "rect", "width_mm": 25.0, "depth_mm": 50.0, "height_mm": 3.0},
            ]},
            {"name": "blue", "base_colour": "#2f4f9e", "bases": [
                {"name": "foot", "shape": "round", "diameter_mm": 25.0, "height_mm": 3.0},
            ]},
        ],
    },
    Table,
)  # fmt: skip


def line(unit: str, x: float, y: float, number: int, bearing: float = 0.0) -> tuple[Figure, ...]:
    return tuple(
        Figure(
            id=f"{unit}-{n + 1}",
            x_mm=x + 26.0 * n,
            y_mm=y,
            bearing_deg=bearing,
            base=Round(diameter_mm=25.0),
            sigma_mm=0.4,
            bearing_sigma_deg=1.0,
        )
        for n in range(number)
    )


GAME = Game(
    ruleset="toy",
    table=TableArea(width_mm=1200.0, depth_mm=900.0),
    sides=(Side(name="red", edge="south"), Side(name="blue", edge="north")),
    turn=Turn(number=1, active_side="red"),
    units=(
        Unit(id="red-1", side="red", type="foot", name="1st Reds", figures=line("red-1", 200.0, 200.0, 5)),
        Unit(id="blue-1", side="blue", type="foot", figures=line("blue-1", 200.0, 600.0, 4, 180.0)),
    ),
)


def seen(figure: Figure, army: str, *, dx: float = 0.0, dy: float = 0.0, base: str = "foot") -> BaseSeen:
    return BaseSeen(
        army=army, base=base, x_mm=figure.x_mm + dx, y_mm=figure.y_mm + dy, z_mm=0.0,
        bearing_deg=figure.bearing_deg, sigma_mm=0.4, bearing_sigma_deg=1.0, confidence=0.95,
    )  # fmt: skip


def everyone(game: Game) -> list[BaseSeen]:
    return [seen(figure, unit.side) for unit in game.units for figure in unit.figures]


def observed(bases: Sequence[BaseSeen]) -> Observation:
    camera = CameraSeen(reprojection_rms_px=0.2, position_mm=(600.0, 450.0, 1500.0), markers_used=(0, 1, 2))
    return Observation(camera=camera, bases=tuple(bases))
