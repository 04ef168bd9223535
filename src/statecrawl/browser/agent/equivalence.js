// @ts-check
// State equivalences: what of a page counts as its state. The names are those of model/equivalence.py.
//
//   content    tags, attributes, texts, contents of fields, and events. Left out: scripts, styles, comments, white space,
//              the order of attributes and of classes, the notation of styles, identifiers that look generated, hidden
//              fields with tokens
//   structure  tags, names of attributes and kinds of fields; no texts and no values, also not in event ids
//   exact      everything, unchanged
//   a function its result, as text, and the events; content decides where nothing else does
//
// Learnt and given rules leave out more. Whatever is left out of the state is also left out of event ids.

/** @type {any} `exact`: nothing is left out or normalised; `values`: texts and values count. */
const EQUIVALENCES = table({
  content: table({ exact: false, values: true }),
  structure: table({ exact: false, values: false }),
  exact: table({ exact: true, values: true }),
});
const EQUIVALENCE = EQUIVALENCES[settings.equivalence] || EQUIVALENCES.content;
const EXACT = EQUIVALENCE.exact;
const WITH_VALUES = EQUIVALENCE.values;
