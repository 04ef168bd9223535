"""Exports of a crawl to formats of other tools: URLs, tables, HAR, WARC, OpenAPI, tests. They yield bytes."""
