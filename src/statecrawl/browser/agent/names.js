// @ts-check
// Ids of events and names of elements: the same on every load and in every state, and readable.

const LONGEST_NAME = 40; // characters of an element's own words
const LONGEST_VALUE = 60; // characters of a value or a URL inside a name

/** Collapse white space to single spaces, trim, and cut to the given length. @param {string} text @param {number} longest */
const tidy = (text, longest) => {
  let tidied = '';
  let blank = false;
  for (let i = 0; i < text.length && tidied.length < longest; i += 1) {
    const code = native.charCodeAt(text, i);
    if (isBlank(code)) blank = true;
    else {
      if (blank && tidied) tidied += ' ';
      blank = false;
      tidied += text[i];
    }
  }
  return tidied;
};

/** @param {number} code */
const isBlank = (code) => code === 32 || (code <= 13 && code >= 9) || code === 160 || code === 0xfeff;

/** Identifiers that well-known libraries count up, and React's marks inside longer ones. */
const COUNTED = /^#?(?:fc-dom|ui-id|ui-tabs|sl-tab|sl-tab-panel|ag|mui|tippy|floating-ui|headlessui(?:-[a-z]+)*|react-aria|react-select|react-tabs|rc_unique|rc-tabs|downshift|select2-data|mat(?:-[a-z]+)+|cdk(?:-[a-z]+)+|dijit(?:_[A-Za-z]+)*|ext-(?:gen|comp|element)|pn_id|pr_id|yui_3|ember)[-_]?\d|:r[0-9a-v]+:/;

const LONGEST_ID = 200; // characters; an application that identifies an element by its id writes no longer ones

/** Random bytes in Base64, recognized by their padding. Some of them look like words, so the letters are not considered. */
const PADDED = /^[A-Za-z0-9+/]{6,}={1,2}$/;

/** Whether an identifier looks generated: three digits in a row, eight hexadecimal digits, padded Base64, or a library's own pattern.
 * @param {string} id */
const isGenerated = (id) => {
  if (id.length > LONGEST_ID) return true;
  if (native.exec(COUNTED, id) !== null) return true;
  if (id[id.length - 1] === '=' && id.length % 4 === 0 && native.exec(PADDED, id) !== null) return true;
  let digits = 0;
  let hexes = 0;
  let mixed = false;
  for (let i = 0; i < id.length; i += 1) {
    const code = native.charCodeAt(id, i);
    if (code >= 48 && code <= 57) {
      digits += 1;
      hexes += 1;
      mixed = true;
      if (digits >= 3) return true;
    } else {
      digits = 0;
      if ((code >= 97 && code <= 102) || (code >= 65 && code <= 70)) hexes += 1;
      else {
        hexes = 0;
        mixed = false;
      }
    }
    if (hexes >= 8 && mixed) return true;
    if (code === 58 && id.length > 2 && (native.charCodeAt(id, 0) === 58 || native.charCodeAt(id, id.length - 1) === 58)) return true; // :r1:
    if (code === 171) return true; // «r1»
  }
  return native.indexOf(id, '_r_') === 0;
};

/** Rare attributes that are needed often: a bit for each, so that a number holds which of them an element has. @type {any} */
const MARKS = { __proto__: null, draggable: 1, contenteditable: 2, 'aria-disabled': 4, tabindex: 8, name: 16, 'aria-label': 32, style: 64, 'pointer-events': 128 };
const DRAGGABLE = 1, EDITABLE = 2, DISABLED = 4, TABBED = 8, NAMED = 16, LABELLED = 32, STYLED = 64, PASSED = 128, ANY_MARK = 63;

/** @type {any} landmarks by tag */
const LANDMARKS = table({ nav: 1, header: 1, footer: 1, main: 1, aside: 1, form: 1, dialog: 1, table: 1, iframe: 1, frame: 1 });
/** @type {any} landmarks by role */
const LANDMARK_ROLES = table({ navigation: 1, banner: 1, contentinfo: 1, main: 1, complementary: 1, form: 1, dialog: 1, alertdialog: 1, menu: 1, menubar: 1, tablist: 1, toolbar: 1, tree: 1, listbox: 1, grid: 1, search: 1, region: 1, tabpanel: 1 });

/** The name of a place for the elements inside it: "nav#menu", or "" when it is not a landmark.
 * @param {string} tag @param {string} id the element's id, unless it is generated or volatile @param {string} role */
const placeOf = (tag, id, role) => {
  if (id) return tag + '#' + id;
  if (LANDMARKS[tag] === 1 || native.indexOf(tag, '-') > 0) return tag;
  return role && LANDMARK_ROLES[role] === 1 ? role : '';
};

/** A text without what the user ignores. @param {string} text */
const withoutIgnored = (text) => (ignoredPatterns.length ? withoutPatterns(text) : text);

/** The text of an element without what rules leave out of a state, as far as a name needs it. @param {any} element @param {Rule | null} rule */
const ruledText = (element, rule) => {
  let text = '';
  for (let node = dom.first(element); node !== null && text.length < LONGEST_RAW; node = dom.next(node)) {
    const type = dom.type(node);
    if (type === 3 || type === 4) {
      if (!(rule && rule.text)) text += dom.data(node);
    } else if (type === 1) {
      const inner = ruleInside(node, dom.tag(node), rule);
      if (!(inner && inner.node)) text += ruledText(node, inner);
    }
  }
  return text;
};

const LONGEST_RAW = 1000; // characters, including white space, from which a name is built

/** An attribute, unless a rule leaves it out of a state. @param {any} element @param {string} name @param {Rule | null} [rule] */
const ruledAttribute = (element, name, rule) => (rule && rule.attributes && rule.attributes[name] ? '' : dom.attribute(element, name));

/** The element's own words; all of them when `rule` is omitted (null means no rule). @param {any} element @param {string} tag @param {number} marks @param {Rule | null} [rule] */
const wordsOf = (element, tag, marks, rule) => {
  const label = marks & LABELLED ? ruledAttribute(element, 'aria-label', rule) : null;
  if (label) return tidy(withoutIgnored(label), LONGEST_NAME);
  if (tag === 'input' || tag === 'select' || tag === 'textarea') {
    const type = dom.attribute(element, 'type');
    const hint = ruledAttribute(element, 'placeholder', rule) || ruledAttribute(element, 'title', rule) || ruledAttribute(element, 'alt', rule);
    const words = type === 'submit' || type === 'button' || type === 'reset' || type === 'checkbox' || type === 'radio' ? ruledAttribute(element, 'value', rule) : '';
    return tidy(withoutIgnored(words || hint || ''), LONGEST_NAME);
  }
  const written = marks & EDITABLE ? dom.attribute(element, 'contenteditable') : null; // the content of an editable element is its value, not its name
  const text = written !== null && written !== 'false' ? '' : tidy(withoutIgnored((hasRules && rule !== undefined ? ruledText(element, rule) : dom.text(element)) || ''), LONGEST_NAME);
  return text || tidy(withoutIgnored(ruledAttribute(element, 'title', rule) || ruledAttribute(element, 'alt', rule) || ruledAttribute(element, 'value', rule) || ''), LONGEST_NAME);
};

/** A URL without its query. @param {string} address */
const plainAddress = (address) => {
  if (native.indexOf(address, 'blob:') === 0) return 'blob:';
  const at = native.indexOf(address, '?');
  return native.slice(at < 0 ? address : native.slice(address, 0, at), 0, LONGEST_VALUE);
};

/** The name of an element in event ids: button#save, or a "Home" /home in nav.
 * @param {any} element @param {string} tag @param {string} id stable, or nothing @param {string} place where it stands @param {boolean} words whether its words count @param {number} marks @param {Rule | null} rule */
const elementName = (element, tag, id, place, words, marks, rule) => {
  let name = tag;
  if (id) name += '#' + id;
  else {
    const field = marks & NAMED ? dom.attribute(element, 'name') : null;
    const known = field && hasCounters ? uncounted('name', field) : field;
    if (known && (known !== field || !isGenerated(known))) name += '[' + tidy(known, LONGEST_NAME) + ']';
    if (words) {
      const words = wordsOf(element, tag, marks, rule);
      if (words) name += ' "' + words + '"';
    }
    if (tag === 'a' || tag === 'area') {
      const address = dom.attribute(element, 'href');
      if (address && !ignoredAttributes.href) name += ' ' + plainAddress(withoutIgnored(hasCounters ? uncounted('href', address) : address));
    }
    const type = tag === 'input' ? dom.inputType(element) : '';
    if (type === 'radio' || type === 'checkbox') name += ' ' + type;
  }
  return place ? name + ' in ' + place : name;
};
