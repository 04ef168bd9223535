"""Storage of a crawl: its journal in one SQLite file, and its evidence, traffic, findings and key in a folder."""
