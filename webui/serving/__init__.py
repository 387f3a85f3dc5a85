"""The web server: its address, who may talk to it, what requests carry."""
