"""Where journals are kept: one SQLite file per crawl."""
