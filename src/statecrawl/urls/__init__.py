"""Addresses: one form for each, what is alike among them, and where they are found in what a server sends."""
