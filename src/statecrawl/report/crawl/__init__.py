"""The report of one crawl: facts and evidence become plain values, and those become a folder of static files."""
