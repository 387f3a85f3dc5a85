"""The Flask application, the live loop from camera to game, and the ``vedette`` command line."""
