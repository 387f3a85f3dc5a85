"""Risk, the Actions tables, and what they make a unit do."""
