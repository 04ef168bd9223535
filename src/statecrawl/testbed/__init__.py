"""The papers' applications: true models by name and parameters, and the figures published about them."""
