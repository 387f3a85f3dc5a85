"""Shots of every arm: what may be fired, and the action that fires it."""
