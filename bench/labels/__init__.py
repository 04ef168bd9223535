"""Distinct states of real applications, labelled by hand, and how well the reductions of the crawl agree with the labels."""
