"""Parts of HTML pages: facts, headlines, charts, tables and markup."""
