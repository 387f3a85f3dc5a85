"""What the mat shows: hexes and their ground, units on it, sight, threat, weather."""
