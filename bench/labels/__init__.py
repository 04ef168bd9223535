"""Distinct states of real applications, labelled by hand, and how well our reductions agree with the labels."""
