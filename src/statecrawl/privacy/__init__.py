"""Redaction rules: what is secret in a text, and how it is replaced by a marker or sealed. Pure.

All rules are in this package; other modules only apply them. Where to change a rule:

* `secret_names`: which names of headers, parameters, fields and properties mark their value as secret.
* `secret_spans`: how names and values are written in a text, so that the value beside a secret name is found.
* `redaction`: secrets that are recognized by their own form (tokens, keys), and the marker that replaces a secret.
* `known_secrets`: how secrets that the user or the page supplied are found in every encoding.
* `seals`: reversible markers, for event ids that must still work after redaction.

The rules are applied to facts in `journal.fact_redaction`, to snapshots and notes in `ports.snapshot_redaction`, and
to exchanges in `ports.traffic`.
"""
