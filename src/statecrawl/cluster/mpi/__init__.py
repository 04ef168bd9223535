"""MPI transport: mailboxes of ranks and the log of peers."""
