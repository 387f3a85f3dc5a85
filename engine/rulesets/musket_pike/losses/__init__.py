"""What befalls units: casualties, fatigue, and that they are gone."""
