"""Applications of the papers and generated ones: true models by name and parameters, and published figures."""
