// @ts-check
// Census of the page: how many elements share an attribute's value, and the position of each element among its siblings.
//
// A query of the document for each element would take quadratic time: a table of contents with fourteen thousand links took
// 50 s. One pass over each tree, made at the first query, answers for all elements.

/** @type {any} tree -> number of elements by tag, attribute and value */
let counts = new Map();
/** @type {any} element -> its position among the siblings with its tag */
let places = new WeakMap();

/** Forget the counts because the page may have changed. */
const forgetCensus = () => {
  counts = new Map();
  places = new WeakMap();
};

/** @param {string} tag @param {string} name @param {string} value */
const censusKey = (tag, name, value) => tag + ' ' + name + ' ' + value;

/** The number of elements of a tree with this tag and this value of an attribute, one of those in KNOWN_BY.
 * @param {any} root @param {string} tag @param {string} name @param {string} value @returns {number} */
const countAlike = (root, tag, name, value) => {
  let counted = native.mapGet(counts, root);
  if (counted === undefined) native.mapSet(counts, root, (counted = count(root)));
  return native.mapGet(counted, censusKey(tag, name, value)) || 0;
};

/** @param {any} root a document, or the root of a shadow tree */
const count = (root) => {
  const counted = new Map();
  const selector = '[data-testid],[data-test],[name],[aria-label],[href],[title]';
  const found = dom.type(root) === 9 ? dom.findAllIn(root, selector) : findAllInside(root, selector);
  for (let i = 0; i < found.length; i += 1) {
    const tag = localName(found[i]);
    for (let j = 0; j < KNOWN_BY.length; j += 1) {
      const value = dom.attribute(found[i], KNOWN_BY[j]);
      if (value === null || value === '' || value.length > LONGEST_ATTRIBUTE) continue;
      const key = censusKey(tag, KNOWN_BY[j], value);
      native.mapSet(counted, key, (native.mapGet(counted, key) || 0) + 1);
    }
  }
  return counted;
};

/** The position of an element among the children of its parent with the same tag. @param {any} element @returns {number} */
const placeAmongAlike = (element) => {
  const known = native.weakGet(places, element);
  if (known !== undefined) return known;
  const parent = dom.parent(element);
  if (!parent) return 1;
  /** @type {any} */
  const last = native.create(null);
  for (let node = dom.first(parent); node !== null; node = dom.next(node)) {
    if (dom.type(node) !== 1) continue;
    const tag = dom.tag(node);
    last[tag] = (last[tag] || 0) + 1;
    native.weakSet(places, node, last[tag]);
  }
  return native.weakGet(places, element) || 1;
};
