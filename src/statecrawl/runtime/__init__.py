"""Where the parts meet: subjects by name, measured runs, experiments on all cores."""
