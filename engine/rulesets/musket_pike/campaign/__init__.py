"""Campaigns: situations, choices made in secret, battles, outcomes, and the losses that are carried over."""
