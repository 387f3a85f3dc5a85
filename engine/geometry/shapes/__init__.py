"""What stands on a table, as arrays: bases, units of them, terrain, and how much of a base is in a piece."""
