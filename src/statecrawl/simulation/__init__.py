"""Simulated crawls in virtual time: a discrete-event kernel, and nodes that crawl true models. Pure."""
