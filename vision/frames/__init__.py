"""Frames of a camera, whatever it is, and what every source of them is."""
