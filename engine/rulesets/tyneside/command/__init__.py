"""Command: points down the chain, groups, and what a group does."""
