"""Real applications from npm and PyPI, crawled by every variant and by a random clicker in the same time."""
