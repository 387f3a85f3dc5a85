"""Printed squares in a picture: found, read, and placed to a few hundredths of a pixel."""
