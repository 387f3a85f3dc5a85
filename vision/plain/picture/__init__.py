"""The frame beside the empty table: what has changed, shadows, what shows about a base."""
