// @ts-check
// The purpose of a listener, from its source: which descendants it handles, and which keys.

/** @typedef {{selectors: string, byTarget: boolean, keys: string[], readsKeys: boolean, waits: boolean}} Reading */

/** @type {WeakMap<any, Reading>} */
const readings = new WeakMap();

const CALLS = /\.(?:closest|matches|webkitMatchesSelector|msMatchesSelector|is|parents?)\(\s*(["'`])((?:(?!\1)[^\\\n]){1,200})\1/g;
const CLASSES = /classList\.contains\(\s*(["'`])([\w-]+)\1/g;
const CLASS_NAMES = /className\s*(?:===?|\.(?:indexOf|includes|match)\()\s*(["'`])([\w-]+)\1/g;
const IDS = /\.id\s*===?\s*(["'`])([\w-]+)\1/g;
const TAGS = /(?:tagName|nodeName|localName)(?:\.toLowerCase\(\)|\.toUpperCase\(\))?\s*===?\s*(["'`])([\w-]+)\1/g;
const DATA = /\.dataset\.([A-Za-z]\w*)/g;
const DATA_KEYS = /\.dataset\[\s*(["'`])(\w+)\1/g;
const ATTRIBUTES = /(?:getAttribute|hasAttribute|attr)\(\s*(["'`])(data-[\w-]+)\1/g;
const DATA_UNPACKED = /\{\s*([A-Za-z]\w*)[^{}]*\}\s*=\s*[\w.]*\.dataset\b/g;
const BY_TARGET = /\b(?:target|srcElement|composedPath)\b/;
const WAITS = /\bsetTimeout\b/;
const LONGEST_SOURCE = 20000; // a longer source is a bundled framework's dispatcher

const KEY_NAMES = ['Enter', 'Escape', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Tab', 'Backspace', 'Delete', 'Home', 'End', 'PageUp', 'PageDown', 'F1', 'F2'];
/** @type {any} */
const KEY_CODES = { __proto__: null, Enter: 13, Escape: 27, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40, Tab: 9, Backspace: 8, Delete: 46, Home: 36, End: 35, PageUp: 33, PageDown: 34, ' ': 32, F1: 112, F2: 113 };
const CODED = /(?:keyCode|which)\s*(?:===?|==)\s*(\d+)|(\d+)\s*===?\s*\w+\.(?:keyCode|which)/g;
const CASES = /\.(?:keyCode|which)\s*\)\s*\{/;
const CASE_CODES = /case\s+(\d+)\s*:/g;
const SINGLE_KEYS = /\.key\s*===?\s*(["'`])([^"'`\\])\1/g;
const READS_KEYS = /\.(?:which|keyCode|key|code|charCode)\b/; // whether it reads the key at all
const CONSTANTS = /\b([A-Z]+)_KEY(?:_?CODE)?\b|\b(?:KEY_?CODES?|KEYS?)[._]([A-Z]+)\b/gi; // ENTER_KEY, KEY_ENTER, keyCode.ENTER
/** @type {any} */
const CONSTANT_KEYS = table({ enter: 'Enter', return: 'Enter', esc: 'Escape', escape: 'Escape', up: 'ArrowUp', down: 'ArrowDown', left: 'ArrowLeft', right: 'ArrowRight', tab: 'Tab', space: ' ', backspace: 'Backspace', delete: 'Delete', home: 'Home', end: 'End' });
const SPACE = /(["'`])(?: |Space|Spacebar)\1/;

/** @param {RegExp} pattern @param {string} source @param {number} group @param {(found: string) => void} report */
const eachMatch = (pattern, source, group, report) => {
  pattern.lastIndex = 0;
  for (let found = native.exec(pattern, source), i = 0; found && i < 100; found = native.exec(pattern, source), i += 1) {
    if (found[group] !== undefined) report(found[group]);
  }
};

/** "fooBar" -> "foo-bar" @param {string} name */
const dashed = (name) => {
  let text = '';
  for (let i = 0; i < name.length; i += 1) {
    const letter = name[i];
    const lower = native.lower(letter);
    text += letter === lower ? letter : '-' + lower;
  }
  return text;
};

/** The function that a listener calls in the end: Vue stores it as a property of its own function, Lit of its own object.
 * @param {any} listener */
const unwrapped = (listener) => {
  const inner = quietly(() => (typeof listener === 'function' ? listener.value : listener._$AH));
  if (typeof inner === 'function') return inner;
  return typeof listener === 'function' ? listener : quietly(() => listener.handleEvent);
};

/** @param {any} listener @returns {Reading} */
const read = (listener) => {
  const act = unwrapped(listener);
  if (typeof act !== 'function') return { selectors: '', byTarget: false, keys: NONE, readsKeys: false, waits: false };
  const known = native.weakGet(readings, act);
  if (known !== undefined) return known;
  let source = quietly(() => native.sourceOf(act)) || '';
  if (source.length > LONGEST_SOURCE) source = '';
  /** @type {string[]} */
  const selectors = newList();
  const add = /** @param {string} selector */ (selector) => {
    if (quietly(() => (dom.findIn(document, selector), true))) append(selectors, selector);
  };
  eachMatch(CALLS, source, 2, add);
  eachMatch(CLASSES, source, 2, (name) => add('.' + name));
  eachMatch(CLASS_NAMES, source, 2, (name) => add('.' + name));
  eachMatch(IDS, source, 2, (name) => add('#' + name));
  eachMatch(TAGS, source, 2, (name) => add(native.lower(name)));
  eachMatch(DATA, source, 1, (name) => add('[data-' + dashed(name) + ']'));
  eachMatch(DATA_KEYS, source, 2, (name) => add('[data-' + dashed(name) + ']'));
  eachMatch(DATA_UNPACKED, source, 1, (name) => add('[data-' + dashed(name) + ']'));
  eachMatch(ATTRIBUTES, source, 2, (name) => add('[' + name + ']'));
  let joined = '';
  for (let i = 0; i < selectors.length; i += 1) joined += (i ? ',' : '') + selectors[i];
  const reading = {
    selectors: joined,
    byTarget: native.exec(BY_TARGET, source) !== null,
    keys: keysIn(source),
    readsKeys: native.exec(READS_KEYS, source) !== null,
    waits: native.exec(WAITS, source) !== null,
  };
  native.weakSet(readings, act, reading);
  return reading;
};

/** The keys that a source names. @param {string} source @returns {string[]} */
const keysIn = (source) => {
  /** @type {string[]} */
  const keys = newList();
  const add = /** @param {string} key */ (key) => {
    for (let i = 0; i < keys.length; i += 1) if (keys[i] === key) return;
    append(keys, key);
  };
  const byCode = /** @param {string} code */ (code) => {
    for (const name in KEY_CODES) if (KEY_CODES[name] === +code) add(name);
  };
  for (let i = 0; i < KEY_NAMES.length; i += 1) {
    const name = KEY_NAMES[i];
    if (native.indexOf(source, "'" + name + "'") >= 0 || native.indexOf(source, '"' + name + '"') >= 0 || native.indexOf(source, '`' + name + '`') >= 0) add(name);
  }
  if (native.exec(SPACE, source)) add(' ');
  eachMatch(SINGLE_KEYS, source, 2, add);
  const byConstant = /** @param {string} name */ (name) => {
    const key = native.describe(CONSTANT_KEYS, native.lower(name));
    if (key) add(key.value);
  };
  eachMatch(CONSTANTS, source, 1, byConstant);
  eachMatch(CONSTANTS, source, 2, byConstant);
  eachMatch(CODED, source, 1, byCode);
  eachMatch(CODED, source, 2, byCode);
  if (native.exec(CASES, source)) eachMatch(CASE_CODES, source, 1, byCode);
  return keys;
};
