"""Experiments in simulation: subjects, studies, measured runs, and what the papers claim."""
