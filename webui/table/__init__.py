"""The game on the table: the desk, its one thread, what players do and are asked."""
