"""Play against an enemy that the program plays: markers, orders, what scouts see."""
