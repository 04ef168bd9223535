"""Redis or Valkey transport: journal, mailboxes and leadership of a crawl."""
