"""A turn: what it begins with, supply, bridges, what follows from where units stand, who wins."""
