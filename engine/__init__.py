"""The game, its geometry, rulesets, dice, events and journal; knows nothing of pictures, Flask or clocks."""
