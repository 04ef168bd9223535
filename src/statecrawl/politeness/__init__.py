"""Politeness: controls that a crawler must not use by itself, recognized from their text alone. Pure."""
