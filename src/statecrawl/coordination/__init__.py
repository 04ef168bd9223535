"""How several nodes divide one crawl. Pure: no I/O, no clock, no global randomness."""
