"""Communication between nodes and coordinators on several machines."""
