"""From the camera to the game: looks at the table, whose base is whose, what moved, grid and ground."""
