"""How the comparison becomes a page: facts, findings, charts, tables, markup."""
