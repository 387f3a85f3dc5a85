"""What units are: their arms, sorts, sizes and formations, who leads them, who falls."""
