"""What a crawl found, in the formats of other tools: addresses, tables, HAR, WARC, OpenAPI. Bytes come out."""
