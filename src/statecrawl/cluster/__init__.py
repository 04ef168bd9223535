"""How nodes and coordinators on several machines speak to each other."""
