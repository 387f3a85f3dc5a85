"""Fire: who may fire at whom, with how many dice, what a hit does."""
