"""What the table shows: figures and terrain as shapes, distances, the way from unit to unit."""
