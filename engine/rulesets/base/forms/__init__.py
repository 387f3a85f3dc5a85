"""What actions ask: their keys, checked one by one, and the forms that players fill in."""
