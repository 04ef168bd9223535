"""statecrawl crawls web applications state by state."""
