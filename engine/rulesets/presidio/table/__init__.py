"""What the table shows: figures and terrain, who sees whom, cover, how strong things are."""
