"""The journal: the facts a crawl learns, their one encoding, and the fold that turns them into the model. Pure."""
