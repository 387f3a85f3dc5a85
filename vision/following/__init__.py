"""From look to look: when the table lies still, what has changed, which base is which."""
