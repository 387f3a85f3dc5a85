"""Arithmetic of the plane: bearings, segments, rectangles, comparisons with a limit."""
