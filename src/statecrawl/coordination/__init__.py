"""Who does what when several nodes crawl one application. Pure: no I/O, no clock, no chance of its own."""
