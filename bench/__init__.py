"""Benchmarks, each run with `python -m bench.<name>`."""
