"""Crawls in virtual time: a discrete-event kernel, and walkers over true models. Pure."""
