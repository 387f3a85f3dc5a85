"""The scenes of the gallery, a module for each family of facts."""
