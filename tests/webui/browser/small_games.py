"""A small game of each ruleset, which comes to an end by what its own rules call one, within a few turns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from engine.records.game import Figure, Game, Unit
from vision.simulated import load_demo
from webui.commands.demo import demo_game

__all__ = ["SMALL_GAMES", "SmallGame"]


class SmallGame(Struct, frozen=True, kw_only=True):
    """How a ruleset's demo becomes a small game, and what a side does in its turn beside firing.

    ``forces``: how many figures of each unit take part; ``state`` is laid over theirs, ``sides`` and
    ``conditions`` over the game's. ``moved`` are units nearer than in the demo, in mm; ``first`` is the side
    that begins, ``hides`` a unit that lies hidden. ``then`` are a unit's actions when it has fired, ``after``
    the turn's, each where it is open. ``begins`` is what begins every later round, the last side's die the
    best. ``counts`` is what each side takes, counted in round ``counted_in``; nobody goes on after round
    ``unwilling_in``. ``types`` are sides that type what their dice show when they fire: the lowest faces or the
    highest; all else the program rolls. ``end`` is the event of the rules that ends the game.
    """

    ruleset: str
    forces: Mapping[str, int]
    end: str
    state: Mapping[str, Mapping[str, Any]] = {}
    sides: Mapping[str, Mapping[str, Any]] = {}
    conditions: Mapping[str, Any] = {}
    moved: Mapping[str, tuple[float, float]] = {}
    first: str | None = None
    hides: str | None = None
    then: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    begins: str | None = None
    counts: Mapping[str, Mapping[str, int]] = {}
    counted_in: int = 0
    unwilling_in: int = 0
    types: Mapping[str, Literal["low", "high"]] = {}

    def game(self, *, whole: bool = False) -> Game:
        """The game as it begins; ``whole``: with all the demo's forces."""
        game = demo_game(load_demo(self.ruleset))
        if whole:
            return replace(game, conditions={**game.conditions, **self.conditions})
        conditions = {key: value for key, value in game.conditions.items() if key != "campaign"}
        return replace(
            game,
            units=tuple(self._units(game.units)),
            sides=tuple(
                replace(side, extra={**side.extra, **self.sides.get(side.name, {})}) for side in game.sides
            ),
            conditions={**conditions, **self.conditions},
            turn=replace(game.turn, active_side=self.first or game.turn.active_side),
        )

    def _placed(self, unit: Unit, figures: Iterable[Figure]) -> Iterable[Figure]:
        x_mm, y_mm = self.moved.get(unit.id, (0.0, 0.0))
        return (replace(one, x_mm=one.x_mm + x_mm, y_mm=one.y_mm + y_mm) for one in figures)

    def _units(self, units: Iterable[Unit]) -> Iterable[Unit]:
        for unit in units:
            if unit.id in self.forces:
                yield replace(
                    unit,
                    figures=tuple(self._placed(unit, unit.figures[: self.forces[unit.id]])),
                    state={**unit.state, **self.state.get(unit.id, {})},
                )


#: Those that show most of the page by themselves stand first: the others' turns are played by tests of their own.
SMALL_GAMES: tuple[SmallGame, ...] = (
    SmallGame(
        ruleset="muskets-mohawks",
        forces={"1st-foot": 10, "grenadiers": 8, "la-reine": 2},
        first="french",
        then=("reload",),
        types={"british": "low"},
        after=("end-battle",),
        unwilling_in=2,
        end="battle",
    ),
    SmallGame(
        ruleset="tyneside",
        forces={"regulars": 2, "la-corne": 1, "militia": 6, "hurons": 7, "chief": 1},
        moved={"militia": (-350.0, -330.0), "la-corne": (-350.0, -330.0)},
        hides="hurons",
        then=("risk", "load"),
        types={"french": "high"},
        end="lost",
    ),
    SmallGame(
        ruleset="musket-pike",
        forces=dict.fromkeys(
            ("grand-battery", "kings-own", "guards", "lord-ashby", "batterie", "gardes", "navarre", "boufflers"), 1
        ),
        conditions={
            "turn_limit": 2,
            "fog_of_war": True,
            "visibility": 7,
            "victory": {"minor": 0.01, "major": 50.0},
        },
        end="battle-over",
    ),
    SmallGame(
        ruleset="presidio",
        forces={"cuera": 6, "militia": 6, "ensign": 1, "comanches": 7, "warriors": 5},
        hides="warriors",
        begins="initiative",
        counts={"spanish": {"warrior": 3, "horse": 1}, "raiders": {"soldier": 2}},
        counted_in=2,
        end="victory",
    ),
    SmallGame(
        ruleset="palouse",
        forces={"27th-foot": 1, "grenadiers": 1, "guyenne": 1, "abenaki": 1},
        state={
            "guyenne": {"hits": 11},
            "abenaki": {"hits": 6},
            "grenadiers": {"hits": 11},
            "27th-foot": {"hits": 5},
        },
        sides={name: {"army_resolve": 2, "army_resolve_start": 2} for name in ("british", "french")},
        first="french",
        after=("elimination", "check-resolve"),
        end="retires",
    ),
)
