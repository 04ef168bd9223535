// @ts-check
// What events and elements are called: the same on every load, in every state, and fit to be read.

const LONGEST_NAME = 40; // characters of an element's own words
const LONGEST_VALUE = 60; // of a value or an address inside a name

/** White space as one blank, none at the ends, not longer than asked. @param {string} text @param {number} longest */
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

const LONGEST_ID = 200; // characters; whoever wants to find an element by its name does not write more

/** Whether an identifier looks made up by a program: three digits in a row, eight hexadecimal ones, or a library's own. @param {string} id */
const isGenerated = (id) => {
  if (id.length > LONGEST_ID) return true;
  if (native.exec(COUNTED, id) !== null) return true;
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

/** @type {any} landmarks, by tag */
const LANDMARKS = { nav: 1, header: 1, footer: 1, main: 1, aside: 1, form: 1, dialog: 1, table: 1, iframe: 1, frame: 1 };
/** @type {any} and by role */
const LANDMARK_ROLES = { navigation: 1, banner: 1, contentinfo: 1, main: 1, complementary: 1, form: 1, dialog: 1, alertdialog: 1, menu: 1, menubar: 1, tablist: 1, toolbar: 1, tree: 1, listbox: 1, grid: 1, search: 1, region: 1, tabpanel: 1 };

/** What a place is called by those inside it: "nav#menu", or nothing when it is no landmark.
 * @param {any} element @param {string} tag @param {string} id the element's id, unless it is generated or volatile */
const placeOf = (element, tag, id) => {
  if (id) return tag + '#' + id;
  if (LANDMARKS[tag] === 1 || native.indexOf(tag, '-') > 0) return tag;
  const role = dom.attribute(element, 'role');
  return role && LANDMARK_ROLES[role] === 1 ? role : '';
};

/** A text as far as the user has not said to ignore it. @param {string} text */
const heeded = (text) => (ignoredPatterns.length ? withoutPatterns(text) : text);

/** The element's own words. @param {any} element @param {string} tag */
const wordsOf = (element, tag) => {
  const label = dom.attribute(element, 'aria-label');
  if (label) return tidy(heeded(label), LONGEST_NAME);
  if (tag === 'input' || tag === 'select' || tag === 'textarea') {
    const type = dom.attribute(element, 'type');
    const hint = dom.attribute(element, 'placeholder') || dom.attribute(element, 'title') || dom.attribute(element, 'alt');
    const said = type === 'submit' || type === 'button' || type === 'reset' || type === 'checkbox' || type === 'radio' ? dom.attribute(element, 'value') : '';
    return tidy(heeded(said || hint || ''), LONGEST_NAME);
  }
  const written = dom.attribute(element, 'contenteditable'); // what stands in a field is its value, not its name
  const text = written !== null && written !== 'false' ? '' : tidy(heeded(dom.text(element) || ''), LONGEST_NAME);
  return text || tidy(heeded(dom.attribute(element, 'title') || dom.attribute(element, 'alt') || dom.attribute(element, 'value') || ''), LONGEST_NAME);
};

/** An address without its query. @param {string} address */
const plainAddress = (address) => {
  if (native.indexOf(address, 'blob:') === 0) return 'blob:';
  const at = native.indexOf(address, '?');
  return native.slice(at < 0 ? address : native.slice(address, 0, at), 0, LONGEST_VALUE);
};

/** What an element is called in the names of its events: button#save, or a "Home" /home in nav.
 * @param {any} element @param {string} tag @param {string} id stable, or nothing @param {string} place where it stands @param {boolean} words whether its words count */
const elementName = (element, tag, id, place, words) => {
  let name = tag;
  if (id) name += '#' + id;
  else {
    const field = dom.attribute(element, 'name');
    if (field && !isGenerated(field)) name += '[' + tidy(field, LONGEST_NAME) + ']';
    if (words) {
      const said = wordsOf(element, tag);
      if (said) name += ' "' + said + '"';
    }
    if (tag === 'a' || tag === 'area') {
      const address = dom.attribute(element, 'href');
      if (address && !ignoredAttributes.href) name += ' ' + plainAddress(heeded(address));
    }
    const type = tag === 'input' ? dom.inputType(element) : '';
    if (type === 'radio' || type === 'checkbox') name += ' ' + type;
  }
  return place ? name + ' in ' + place : name;
};
