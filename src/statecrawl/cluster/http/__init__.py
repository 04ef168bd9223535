"""Nodes, coordinators and live pages over HTTP."""
