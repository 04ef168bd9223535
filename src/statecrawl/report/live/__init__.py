"""The live page: a drawing of a growing crawl, sent as small changes."""
