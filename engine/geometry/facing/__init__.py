"""Directions: what lies in an arc of a figure or a line, and whether it stands before, beside or behind."""
