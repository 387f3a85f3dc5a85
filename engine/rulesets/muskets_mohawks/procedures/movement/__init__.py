"""Moving: marches, fast moves, fords, changes of posture and formation, leaving the field."""
