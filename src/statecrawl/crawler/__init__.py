"""One crawl on one machine: the loop, its walkers, new states, dynamic content, the recorder and the live view."""
