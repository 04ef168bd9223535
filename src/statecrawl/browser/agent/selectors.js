// @ts-check
// CSS selectors of elements, for programs that want to find them without the agent.
//
// A CSS selector ends at the root of a shadow tree and at a frame. Such a place is written in parts, one for each tree, joined
// by ' /shadow/ ' or ' /frame/ ', which no selector contains.

const KNOWN_BY = ['data-testid', 'data-test', 'name', 'aria-label', 'href', 'title'];
const LONGEST_ATTRIBUTE = 100; // characters of an attribute in a selector
const INTO_SHADOW = ' /shadow/ ', INTO_FRAME = ' /frame/ ';
const DEEPEST_TREE = 20; // nested trees


/** All elements of a tree that match a selector. @param {any} root a document or the root of a shadow tree @param {string} selector */
const foundIn = (root, selector) => (dom.type(root) === 9 ? dom.findAllIn(root, selector) : findAllInside(root, selector));

/** Whether a selector matches this element alone. @param {string} selector @param {any} element @param {any} root */
const isUnique = (selector, element, root) => {
  const found = foundIn(root, selector);
  return found.length === 1 && found[0] === element;
};

/** A selector by an attribute that people and programs identify an element by; "" when others share it. @param {any} element @param {any} root */
const selectorByAttribute = (element, root) => {
  for (let i = 0; i < KNOWN_BY.length; i += 1) {
    const value = dom.attribute(element, KNOWN_BY[i]);
    if (!value || value.length > LONGEST_ATTRIBUTE || isGenerated(value) || native.exec(TOKEN_NAME, value)) continue;
    if (countAlike(root, localName(element), KNOWN_BY[i], value) === 1) return native.escape(localName(element)) + '[' + KNOWN_BY[i] + '=' + native.escape(value) + ']';
  }
  return '';
};

/** The frame that shows a document, if it is one of the frames of an outer document. @param {any} doc @param {any} around @returns {any} */
const frameOf = (doc, around) => {
  const frames = dom.findAllIn(around, 'iframe');
  for (let i = 0; i < frames.length; i += 1) {
    const inner = quietly(() => dom.frameDocument(frames[i]));
    if (inner === doc) return frames[i];
  }
  return null;
};

/** A selector that matches this element alone now; "" when there is none, as in a frame inside a shadow tree. @param {any} element */
const selectorOf = (element) => {
  let whole = '';
  for (let node = element, depth = 0; depth < DEEPEST_TREE; depth += 1) {
    const root = treeOf(node);
    const part = root ? selectorIn(node, root) : '';
    if (!part) return '';
    whole = part + whole;
    if (root === document) return whole;
    const inShadow = dom.type(root) === 11;
    node = inShadow ? quietly(() => shadowHost(root)) : frameOf(root, document);
    if (!node) return '';
    whole = (inShadow ? INTO_SHADOW : INTO_FRAME) + whole;
  }
  return '';
};

/** The same inside one tree. @param {any} element @param {any} root */
const selectorIn = (element, root) => {
  let path = '';
  for (let node = element; node && dom.type(node) === 1; node = dom.parent(node)) {
    const id = dom.id(node);
    const named = '#' + native.escape(id);
    if (id && !isGenerated(id) && isUnique(named, node, root)) return named + path;
    const byAttribute = selectorByAttribute(node, root);
    if (byAttribute) return byAttribute + path;
    const step = native.escape(localName(node)) + ':nth-of-type(' + placeAmongAlike(node) + ')';
    if (node === dom.root(document)) return 'html' + path;
    path = (dom.parent(node) !== root ? ' > ' : dom.type(root) === 11 ? ':host > ' : '') + step + path;
  }
  return path;
};
