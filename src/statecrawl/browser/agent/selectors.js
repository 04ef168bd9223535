// @ts-check
// Where an element is, as a CSS selector: for programs that want to find it without the agent.

const KNOWN_BY = ['data-testid', 'data-test', 'name', 'aria-label', 'href', 'title'];
const LONGEST_TOLD = 100; // characters of an attribute by which an element is found

/** Whether a selector finds this element alone. @param {string} selector @param {any} element */
const isUnique = (selector, element) => {
  const found = dom.findAllIn(document, selector);
  return found.length === 1 && found[0] === element;
};

/** A selector by an attribute that people and programs know an element by; nothing when others have it, too. @param {any} element */
const selectorByAttribute = (element) => {
  for (let i = 0; i < KNOWN_BY.length; i += 1) {
    const value = dom.attribute(element, KNOWN_BY[i]);
    if (!value || value.length > LONGEST_TOLD || isGenerated(value) || native.exec(TOKEN_NAME, value)) continue;
    if (countAlike(document, dom.tag(element), KNOWN_BY[i], value) === 1) return native.escape(dom.tag(element)) + '[' + KNOWN_BY[i] + '=' + native.escape(value) + ']';
  }
  return '';
};

/** A selector that finds this element and no other now; nothing when it stands in a frame or a shadow. @param {any} element */
const selectorOf = (element) => {
  let path = '';
  for (let node = element; node && dom.type(node) === 1; node = dom.parent(node)) {
    if (dom.owner(node) !== document) return '';
    if (node === dom.root(document)) return 'html' + path;
    const id = dom.id(node);
    const named = '#' + native.escape(id);
    if (id && !isGenerated(id) && isUnique(named, node)) return named + path;
    const told = selectorByAttribute(node);
    if (told) return told + path;
    path = ' > ' + native.escape(dom.tag(node)) + ':nth-of-type(' + placeAmongAlike(node) + ')' + path;
  }
  return '';
};
