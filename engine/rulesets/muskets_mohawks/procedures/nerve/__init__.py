"""Reaction tests and what they make a unit do; losses, rallying, recovering."""
