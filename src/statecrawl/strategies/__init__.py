"""Exploration strategies, one per module, over shared searches; and the offline bounds. Pure.

A new strategy is a module beside `greedy` and one line in `registry`.
"""
