"""The lens: the board that is printed, photos of it, and how well the lens is known."""
