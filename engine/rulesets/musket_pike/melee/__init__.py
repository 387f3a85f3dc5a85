"""Melee: attacks on a hex, the strengths of both sides, losses, who gives way."""
