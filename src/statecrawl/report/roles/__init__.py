"""Several crawls of one application, each by another log-in: who reaches what."""
