"""What a crawler must not do without being asked: judged from text alone, without a page, a clock or a network."""
