"""Bases fitted to the frame, the lamp that they tell, and how exactly they stand."""
