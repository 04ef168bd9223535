"""The applications of the testbed as real web applications: pages, scripts, and the servers that feed them."""
