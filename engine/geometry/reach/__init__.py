"""Where a body of bases can get to, how, at what cost, and what stops it; free of any rule.

`blockers` are what stands in the way and `going` what ground costs; `straight` and `wheels` tell the first contact
of a body that shifts or turns; `regions` and `loose` the ground in reach; `detours` shortest ways round obstacles.
"""

from engine.geometry.reach.blockers import NOTHING, Blockers, bases_as_blockers, joined, outlines_as_blockers
from engine.geometry.reach.going import OPEN, Going, Ground, ground_of
from engine.geometry.reach.loose import loose_region
from engine.geometry.reach.regions import Manoeuvre, Region, Setting, Straight, Wheel, region, rings
from engine.geometry.reach.straight import Contact, first_contact
from engine.geometry.reach.wheels import Stop, shifted, turn_until_contact, turned

__all__ = [
    "NOTHING", "OPEN", "Blockers", "Contact", "Going", "Ground", "Manoeuvre", "Region", "Setting", "Stop",
    "Straight", "Wheel", "bases_as_blockers", "first_contact", "ground_of", "joined", "loose_region",
    "outlines_as_blockers", "region", "rings", "shifted", "turn_until_contact", "turned",
]  # fmt: skip
