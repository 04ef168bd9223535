"""Configuration of a crawl: the option table, settings files, and the plan, which is valid once it exists."""
