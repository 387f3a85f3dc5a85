"""What the table shows: figures, distances, who sees whom and what stands in the way."""
