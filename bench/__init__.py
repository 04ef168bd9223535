"""Measurements behind docs/benchmarks.md: `make bench`, or `python -m bench PART…` for some of it."""
