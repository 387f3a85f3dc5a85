"""Geometry free of rules: shapes, distances, arcs, aspects, sight, cover, contact and reach on the table."""
