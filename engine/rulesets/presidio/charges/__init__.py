"""Charges, melees, assaults on walls, and going after those who give way."""
