"""Bases that stand together: lines, blocks, crowds, told by their figures and each other."""
