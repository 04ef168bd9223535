"""HTTP transport: links of nodes, server of the coordinator, live page and metrics."""
