"""Charges and melees, to the end of what they cause."""
