"""Moving: how far a unit gets over the ground."""
