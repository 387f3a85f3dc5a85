"""A game on a table without a grid: its figures as arrays, lines to groups of them, what such a table must have."""
