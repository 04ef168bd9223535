// @ts-check
// Descriptions: everything that the driver stores about a state, and the ids of states from stored normal forms.

const outerHTML = getterOf(Element.prototype, 'outerHTML');

/** The HTML of a document, which may be empty. @param {any} doc */
const htmlOf = (doc) => {
  const root = dom.root(doc);
  return root ? outerHTML(root) : '';
};

/** The full description of the current state. @param {boolean} lines whether to add the normal form */
const describe = (lines) => {
  unwatch();
  forgetCensus();
  const detailed = walkPage(lines, true);
  here = detailed; // the next walk starts from what the driver knows
  watch();
  /** @type {string[]} */
  const events = newList();
  /** @type {string[]} */
  const labels = newList();
  /** @type {string[]} */
  const selectors = newList();
  /** @type {any[]} */
  const given = newList();
  /** @type {any[]} */
  const controls = newList();
  const evidence = new Evidence();
  for (let i = 0; i < detailed.events.length; i += 1) {
    const { id, element } = detailed.events[i];
    append(controls, evidence.of(detailed.events[i]));
    append(given, inputsOf(detailed.events[i]));
    append(events, id);
    append(labels, element === null ? '' : labelOf(element));
    append(selectors, element === null ? '' : selectorOf(element));
  }
  const { linked, submits } = lateEvents(detailed.events);
  const { regions, boxes } = detailed.lines === null || !settings.regions ? { regions: newList(), boxes: newList() } : regionsOf(detailed.lines, detailed.controls, detailed.elements);
  detailed.elements = null; // `here` may live long
  const details = {
    state: detailed.id, events, labels, selectors, given, controls, addresses: addresses(detailed), denied: deniedAddresses(detailed), linked, submits, strings: globalStrings(), url: location.href, title: tidy(dom.title(document) || '', 300),
    links: links(detailed), forms: forms(), cut: detailed.cut, hidden: detailed.unrevealed, containers: containersOf(detailed.events),
    regions, boxes,
  };
  return { __proto__: null, details: packed(details), lines: detailed.lines === null ? null : joined(detailed.lines), html: native.slice(htmlOf(document), 0, settings.longest) };
};

/** What an event needs besides its element: values, each with the selector of its field; a key; the target of a drag, with a place
 * in it as a share of its width and height.
 * @param {Found} found @returns {any[]} pairs of a selector and a text, or null for a password that the agent did not invent */
const inputsOf = ({ kind, element, extra }) => {
  /** @type {any[]} */
  const pairs = newList();
  if (kind === 'input') append(pairs, ['', valueGiven(element, extra)]);
  else if (kind === 'select') append(pairs, ['', dom.optionValue(dom.options(element)[extra])]);
  else if (kind === 'key') append(pairs, ['', extra]);
  else if (kind === 'drag') append(pairs, [selectorOf(extra.to || roomOf(element)), extra.share > 0 ? String(extra.share) : '']);
  const fields = kind === 'submit' ? extra[0][extra[1]] : kind === 'click' ? extra : null;
  for (let i = 0; fields && i < fields.length; i += 1) append(pairs, [selectorOf(fields[i][0]), valueGiven(fields[i][0], fields[i][1])]);
  return pairs;
};

/** @param {any} field @param {string} value */
const valueGiven = (field, value) => (dom.tag(field) === 'input' && dom.inputType(field) === 'password' && value !== VALUES.password[0] ? null : value);

const FIELD = '\x1f', LINE = '\x1e'; // end a field and a line; the browser transfers one text much faster than many

/** @param {any[]} lines of texts, perhaps with a mark at the end */
const joined = (lines) => {
  let text = '';
  for (let i = 0; i < lines.length; i += 1) {
    const line = lines[i];
    text += apart(line[0]) + FIELD + line[1] + FIELD + apart(line[2]) + (line.length > 3 ? FIELD + '1' + LINE : LINE);
  }
  return text;
};

/** The ids of states, from their normal forms and URLs: hashed in the same way as by a walk over the page. Content that is
 * not in a form changes the id. @param {[string, string][]} forms */
const rehash = (forms) => {
  /** @type {string[]} */
  const ids = newList();
  for (let i = 0; i < forms.length; i += 1) {
    const hash = new Hash();
    if (settings.site) hash.text(placeShown(forms[i][0]));
    /** @type {number[]} */
    const shadows = newList(); // of each open element, whether it is the root of a shadow tree
    append(shadows, 0);
    const form = forms[i][1];
    for (let from = 0, to = native.indexOf(form, LINE); to >= 0; from = to + 1, to = native.indexOf(form, LINE, from)) {
      const line = native.slice(form, from, to);
      const what = native.indexOf(line, FIELD) + 1;
      const value = native.indexOf(line, FIELD, what) + 1;
      const end = native.indexOf(line, FIELD, value);
      hashLine(hash, native.slice(line, what, value - 1), native.slice(line, value, end < 0 ? line.length : end), shadows);
    }
    append(ids, hash.digest());
  }
  return ids;
};

/** @param {Hash} hash @param {string} what @param {string} value @param {number[]} shadows */
const hashLine = (hash, what, value, shadows) => {
  if (what === '<') {
    const shadow = value === SHADOW_ROOT;
    append(shadows, shadow ? 1 : 0);
    hash.code(shadow ? SHADOW : OPEN);
    if (!shadow) hash.text(value);
  } else if (what === '>') {
    if (shadows[shadows.length - 1] === 0) hash.code(CLOSE);
    shadows.length -= 1;
  } else if (what === HIDDEN) {
    // It describes the layout, and is no part of the state.
  } else if (what === FOREIGN_FRAME) {
    hash.code(INNER);
  } else if (what === '!') {
    hash.code(EVENT);
    hash.text(value);
  } else if (what === '"') {
    hash.code(TEXT);
    hash.text(value);
  } else {
    hash.code(NAME);
    hash.text(native.slice(what, 1));
    hash.code(VALUE);
    hash.text(what === '@style' && !EXACT && WITH_VALUES && ignoredPatterns.length === 0 ? styleDigest(value) : value);
  }
};

/** A text without the separators. @param {string} text */
const apart = (text) => {
  if (native.indexOf(text, FIELD) < 0 && native.indexOf(text, LINE) < 0) return text;
  let result = '';
  for (let i = 0; i < text.length; i += 1) result += text[i] === FIELD || text[i] === LINE ? ' ' : text[i];
  return result;
};

/** All words by which a person would recognise an element. @param {any} element */
const labelOf = (element) => {
  let label = wordsOf(element, dom.tag(element), ANY_MARK);
  for (let i = 0; i < LABEL_SOURCES.length; i += 1) {
    const value = dom.attribute(element, LABEL_SOURCES[i]);
    if (value) label += ' ' + tidy(value, 100);
  }
  return label;
};

const LABEL_SOURCES = ['title', 'value', 'name', 'href', 'aria-label', 'id', 'formaction'];

const forms = () => {
  const found = dom.findAllIn(document, 'form');
  /** @type {any[]} */
  const descriptions = newList();
  for (let i = 0; i < found.length && i < 200; i += 1) {
    if (!isHtml(found[i])) continue;
    const fields = dom.elements(found[i]);
    /** @type {any[]} */
    const names = newList();
    for (let j = 0; j < fields.length && j < 200; j += 1) append(names, [dom.tag(fields[j]), dom.attribute(fields[j], 'type') || '', dom.attribute(fields[j], 'name') || '']);
    append(descriptions, { action: absolute(dom.attribute(found[i], 'action') || ''), method: dom.attribute(found[i], 'method') || 'get', fields: names });
  }
  return descriptions;
};
