"""Crawls with several nodes: coordinators, nodes, standby coordinators and the supervisor of local processes."""
