"""The live page: what is drawn of a crawl while it grows, and how little of it has to be sent."""
