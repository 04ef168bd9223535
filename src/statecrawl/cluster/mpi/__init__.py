"""Peers as the ranks of an MPI job."""
