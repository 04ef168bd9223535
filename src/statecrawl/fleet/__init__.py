"""Crawls with several nodes: coordinators, nodes, standby, supervised processes on this machine, and MPI."""
