"""Keeping one's nerve: tests, rallying, falling back, running away."""
