"""The frame as the search reads it: laid flat, how much like paint each pixel is, light and ground."""
