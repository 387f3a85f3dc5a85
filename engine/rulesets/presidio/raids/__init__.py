"""Raids: herds, plunder, captives, sentries, and the pursuit over the days."""
