"""Exact chances of fire, guns, charges and melee, by spreads folded into each other and not by walking the dice.

What is rolled, what it is rolled against and what it leads to is read from the functions that the procedures
themselves use; the tests hold the chances against every way of the dice of the procedures.
"""
