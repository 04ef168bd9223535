"""The journal, the mailboxes and the leadership of a crawl in Redis or Valkey."""
