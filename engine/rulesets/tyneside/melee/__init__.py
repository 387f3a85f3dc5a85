"""Charges and melees."""
