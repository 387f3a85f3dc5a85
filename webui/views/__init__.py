"""The routes of the application, by topic."""
