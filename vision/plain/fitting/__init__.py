"""Bases fitted to the frame, how well they explain it, and how exactly they stand."""
