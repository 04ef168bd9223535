"""The report of one crawl: facts and evidence become plain values, and these become static files."""
