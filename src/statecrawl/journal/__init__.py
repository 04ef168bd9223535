"""The journal: facts a crawl learns, their encoding, and the fold that turns them into the model. Pure."""
