"""What a set of rules asks of a unit, and the keys that its stats and its state may have."""
