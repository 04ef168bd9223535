// @ts-check
// Links: every URL that the page links to, wherever the link is, and the texts that the page stores in globals.
//
// Collected once per new state, so this code is not on the path of an event. Hidden links count, and so do links in shadow
// roots and frames, which `Walk.roots` lists. The content of <noscript> is text to a browser that runs scripts; it is found by
// parsing the HTML.

const MOST_LINKS = 5000; // of one page
const MOST_STRINGS = 500; // that the page stores in globals
const LONGEST_STRING = 1000; // characters of each
const MOST_GLOBALS = 5000; // that are inspected

const findAllInside = uncurry(DocumentFragment.prototype.querySelectorAll);
const baseOf = getterOf(Node.prototype, 'baseURI');
const uriOf = getterOf(Document.prototype, 'documentURI');

/** @param {any} element a link with an address @returns {string} */
const addressOfLink = (element) => {
  const written = dom.attribute(element, 'href') || '';
  try {
    return native.href(new native.URL(written, baseOf(element)));
  } catch {
    return written;
  }
};

/** Whether a link leads to another document, or to the same one again, so that it can be opened by its URL. @param {any} element */
const leadsElsewhere = (element) => {
  const address = addressOfLink(element);
  const own = uriOf(dom.owner(element));
  if (native.indexOf(address, 'http') !== 0) return false;
  if (native.indexOf(own, 'http') !== 0 && (dom.attribute(element, 'href') || '')[0] === '#') return false; // in a document without a URL of its own
  return native.indexOf(address, '#') < 0 || withoutFragment(address) !== withoutFragment(own);
};

/** Whether a link without a listener leads to a place in the same page, so that it normally only scrolls. @param {any} element */
const isAnchor = (element) => {
  const written = dom.attribute(element, 'href') || '';
  const next = written[1];
  return written[0] === '#' && next !== undefined && next !== '/' && next !== '!' && native.weakGet(registry, element) === undefined && !dom.hasAttribute(element, 'onclick');
};

/** Report every link in the document, in shadow roots and in frames. @param {Walk} walk @param {(link: any) => void} report */
const eachLink = (walk, report) => {
  let left = MOST_LINKS;
  for (let i = -1; i < walk.roots.length && left > 0; i += 1) {
    const root = i < 0 ? document : walk.roots[i];
    const found = dom.type(root) === 9 ? dom.findAllIn(root, 'a[href],area[href]') : findAllInside(root, 'a[href],area[href]');
    for (let j = 0; j < found.length && left > 0; j += 1, left -= 1) report(found[j]);
  }
};

/** @param {Walk} walk */
const links = (walk) => {
  /** @type {string[]} */
  const urls = newList();
  eachLink(walk, (link) => append(urls, addressOfLink(link)));
  return urls;
};

/** Links to other documents, each with all its words. @param {Walk} walk */
const addresses = (walk) => {
  /** @type {any[]} */
  const pairs = newList();
  if (!settings.site) return pairs;
  eachLink(walk, (link) => {
    if (leadsElsewhere(link) && !(ignoredSelectors && dom.closest(link, ignoredSelectors))) append(pairs, [addressOfLink(link), joinedWords(link)]);
  });
  return pairs;
};

/** Events that come late when a whole site is crawled: links whose URL is opened anyway or that only scroll, and submits. @param {Found[]} events */
const lateEvents = (events) => {
  /** @type {number[]} */
  const linked = newList();
  /** @type {number[]} */
  const submits = newList();
  for (let i = 0; settings.site && i < events.length; i += 1) {
    const { kind, element, extra } = events[i];
    const tag = element === null ? '' : dom.tag(element);
    if (kind === 'submit' || (kind === 'click' && submittedBy(element, tag) !== null)) append(submits, i);
    else if (kind === 'key' && extra === 'Enter' && tag === 'input' && dom.fieldForm(element)) append(submits, i);
    else if (kind === 'click' && (tag === 'a' || tag === 'area') && dom.hasAttribute(element, 'href') && (leadsElsewhere(element) || isAnchor(element))) append(linked, i);
  }
  return { linked, submits };
};

const namesOf = Object.getOwnPropertyNames;

/** @type {any} globals that exist before any script of the page runs */
const ownGlobals = native.create(null);
if (settings.site) for (const name of namesOf(window)) ownGlobals[name] = true;

/** The texts that the page stores in globals, and in the fields of plain objects there. No getter is called. */
const globalStrings = () => {
  /** @type {string[]} */
  const texts = newList();
  if (!settings.site) return texts;
  const take = /** @param {any} holder @param {string} name @returns {any} */ (holder, name) => {
    const property = quietly(() => native.describe(holder, name));
    const value = property && native.has(property, 'value') ? property.value : undefined;
    if (typeof value === 'string' && value !== '' && value.length <= LONGEST_STRING && texts.length < MOST_STRINGS) append(texts, native.wellFormed(value));
    return value;
  };
  const names = quietly(() => namesOf(window)) || NONE;
  for (let i = 0; i < names.length && i < MOST_GLOBALS; i += 1) {
    if (ownGlobals[names[i]] === true) continue;
    const value = take(window, names[i]);
    if (typeof value !== 'object' || value === null || !isPlain(value)) continue;
    const inner = quietly(() => namesOf(value)) || NONE;
    for (let j = 0; j < inner.length && j < 100; j += 1) take(value, inner[j]);
  }
  return texts;
};

/** @param {any} value */
const isPlain = (value) => {
  const above = quietly(() => prototypeOf(value));
  return above === null || above === plainPrototype || above === listPrototype;
};
const prototypeOf = Object.getPrototypeOf;
const plainPrototype = Object.prototype;
const listPrototype = Array.prototype;
