"""The campaign's map: what lies and stands on it, marches over it, who comes to a battle."""
