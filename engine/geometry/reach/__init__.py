"""Where a body of bases can get to, how, at what cost, and what stops it."""

from engine.geometry.first_reach import ahead, all_round, footprint, straight, wheel, within

__all__ = ["ahead", "all_round", "footprint", "straight", "wheel", "within"]
