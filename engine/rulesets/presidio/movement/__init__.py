"""Moving: how far units go, what the ground costs them, changes of order, jumps and climbs."""
