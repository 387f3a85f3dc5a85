"""A unit on the map as the rules see it: where it stands, what it counts as, how many men it is."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor

from engine.records.game import Cell, Unit
from engine.rulesets.musket_pike.parameters import Parameters
from engine.rulesets.musket_pike.vocabulary import State, Stats, formation_of, state_of, stats_of

__all__ = [
    "LINE_FORMATIONS",
    "QUALITY",
    "Troop",
    "allowance",
    "full_allowance",
    "gun_fire",
    "letter",
    "movement_class",
    "mp_left",
    "troop_of",
]

#: What a letter of quality, command or leadership is worth (MP-210, MP-219).
QUALITY = {"A+++": 9, "A++": 8, "A+": 7, "A": 6, "B": 5, "C": 4, "D": 3, "E": 2, "F": 1}
_LETTERS = "FEDCBA"

#: The formations that are a line for the rules.
LINE_FORMATIONS = frozenset({"line", "shortened-line", "extended-line", "dismounted"})
_INFANTRY = frozenset({"infantry", "pioneer"})
_CAVALRY = frozenset({"cavalry", "squadron"})
_WITHOUT_FACING = frozenset({"skirmisher", "ship", "leader", "supply-wagon"})


@dataclass(frozen=True, slots=True, eq=False)
class Troop:
    """A unit on the map.

    ``side`` is whose it acts as: its captor's where it is captured (MP-87). ``facing`` counts clockwise from UR;
    None: it has none. ``foot``: an infantry type, dismounted dragoons among them; ``horse``: a cavalry type that is
    mounted; ``line``, ``block`` and ``column`` are formations of foot. ``men`` counts a gun as its men.
    """

    unit: Unit
    number: int
    id: str
    side: str
    type: str
    formation: str
    hex: Cell
    facing: int | None
    stats: Stats
    state: State
    nation: str
    strength: int
    men: float
    foot: bool
    horse: bool
    gun: bool
    line: bool
    block: bool
    column: bool
    attributes: frozenset[str]

    @property
    def leader(self) -> bool:
        """Whether it is a leader."""
        return self.type == "leader"

    @property
    def wagon(self) -> bool:
        """Whether it is a supply wagon."""
        return self.type == "supply-wagon"

    @property
    def skirmisher(self) -> bool:
        """Whether it is a skirmisher unit."""
        return self.type == "skirmisher"

    @property
    def fights(self) -> bool:
        """Whether it can be disordered, routed and tired: no leader, no wagon."""
        return self.type not in ("leader", "supply-wagon")

    @property
    def steady(self) -> bool:
        """Whether it is neither disordered nor routed."""
        return not (self.state.disordered or self.state.routed)

    @property
    def turned_by_captors(self) -> bool:
        """Whether its captors have turned guns that need to be set up: they cannot fire them any more (MP-87)."""
        captured = self.state.captured_by is not None
        return captured and self.state.turned_now and "needs-setup" in self.attributes


def troop_of(
    unit: Unit, number: int, hex: Cell, facing: int | None, men_per_gun: float
) -> Troop:  # fmt: skip
    """The unit as the rules see it, in a hex; ``number`` is its place in the file."""
    stats, state, formation = stats_of(unit), state_of(unit), formation_of(unit)
    infantry, cavalry = unit.type in _INFANTRY, unit.type in _CAVALRY
    on_foot = cavalry and formation == "dismounted"
    gun = unit.type == "artillery"
    side = unit.side if state.captured_by is None else state.captured_by
    return Troop(
        unit=unit, number=number, id=unit.id, side=side, type=unit.type, formation=formation, hex=hex,
        facing=None if unit.type in _WITHOUT_FACING else facing, stats=stats, state=state,
        nation=unit.side if stats.nation is None else stats.nation, strength=stats.strength,
        men=stats.strength * (men_per_gun if gun or unit.type == "ship" else 1),
        foot=infantry or on_foot or unit.type == "skirmisher", horse=cavalry and not on_foot, gun=gun,
        line=(infantry or on_foot) and formation in LINE_FORMATIONS, block=formation == "block",
        column=infantry and formation == "column", attributes=frozenset(stats.attributes),
    )  # fmt: skip


def movement_class(troop: Troop) -> str | None:
    """The class of movement whose costs the unit pays; ``unlimbered`` cannot move, None: a ship."""
    if troop.leader or troop.horse:
        return "mounted"
    if troop.type in ("ship", "supply-wagon"):
        return "wagon" if troop.wagon else None
    if troop.gun and (not troop.state.routed or troop.formation == "unlimbered"):
        return troop.formation
    # The routed run as a column (MP-67): limbered guns, too, and dismounted dragoons, whose horses are not there.
    if troop.state.routed or troop.skirmisher or troop.column:
        return "column"
    return "block" if troop.block else "line"


def allowance(troop: Troop, parameters: Parameters) -> float:
    """The unit's movement points a turn (MP-40), two thirds of them when disordered, rounded down (MP-54)."""
    whole = full_allowance(troop, parameters)
    if troop.state.disordered and not troop.state.routed:
        return floor(whole * parameters.disordered_movement + 1e-9)
    return whole


def full_allowance(troop: Troop, parameters: Parameters) -> float:
    """The unit's movement points a turn when it is in good order (MP-40)."""
    if troop.stats.movement is not None:
        return troop.stats.movement
    horses = troop.gun and "horse-artillery" in troop.attributes
    return parameters.allowance.get("horse-artillery" if horses else troop.type, 0.0)


def mp_left(troop: Troop, parameters: Parameters) -> float:
    """The movement points that the unit still has this turn: none where disorder has left it fewer than it used."""
    return max(0.0, allowance(troop, parameters) - troop.state.mp_used)


def letter(number: int) -> str:
    """The letter of a command number: 6 and more are A, 1 and less F.

    >>> letter(7), letter(4), letter(0)
    ('A', 'C', 'F')
    """
    return _LETTERS[min(max(number, 1), 6) - 1]


def gun_fire(troop: Troop) -> bool:
    """Whether a unit counts as artillery in fire: guns and ships (MP-27)."""
    return troop.gun or troop.type == "ship"
