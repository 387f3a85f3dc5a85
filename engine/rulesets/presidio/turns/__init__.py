"""A turn: who goes first, and what units do in it beside moving, firing and fighting."""
