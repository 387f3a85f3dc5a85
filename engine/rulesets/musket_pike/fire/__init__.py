"""Fire: who may fire at whom, the value of a shot, casualties."""
