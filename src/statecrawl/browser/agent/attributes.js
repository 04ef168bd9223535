// @ts-check
// Normal form of attributes whose value can be written in several ways: a class is a set of words, a style a set of declarations.
//
// The same few values occur at thousands of elements, so each is normalized once.

const MOST_FORMS = 5000; // values that are remembered
const LONGEST_FORM = 1000; // characters of a value that is remembered

/** @template Form @param {(text: string) => Form} form @returns {(text: string) => Form} */
const remembering = (form) => {
  /** @type {any} */
  let known = new Map();
  let size = 0;
  /** @type {string | null} */
  let lastText = null;
  /** @type {any} */
  let last;
  return (text) => {
    if (text === lastText) return last; // neighbours often have the same value
    let formed = native.mapGet(known, text);
    if (formed === undefined) {
      formed = form(text);
      if (text.length > LONGEST_FORM) return formed;
      size += 1;
      if (size > MOST_FORMS) {
        known = new Map();
        size = 1;
      }
      native.mapSet(known, text, formed);
    }
    lastText = text;
    last = formed;
    return formed;
  };
};

/** The words of a text, sorted and without duplicates. @param {string} text */
const wordsIn = (text) => {
  /** @type {string[]} */
  const words = newList();
  for (let from = 0, i = 0; i <= text.length; i += 1) {
    if (i < text.length && !isAsciiBlank(native.charCodeAt(text, i))) continue;
    if (i > from) append(words, native.slice(text, from, i));
    from = i + 1;
  }
  sortNames(words);
  return words;
};

/** Whether a character separates classes. @param {number} code */
const isAsciiBlank = (code) => code === 32 || code === 9 || code === 10 || code === 12 || code === 13;

/** The normal form of a class attribute: words in a fixed order. */
const classForm = remembering((text) => {
  const words = wordsIn(text);
  let form = '';
  for (let i = 0; i < words.length; i += 1) if (i === 0 || words[i] !== words[i - 1]) form += (form ? ' ' : '') + words[i];
  return form;
});

/** Class names that editors use for the caret and the selection that they draw. */
const CARET = /(?:^|[\s_-])(?:gap)?(?:cursors?|caret)(?=\s|$)|(?:^|\s)(?:ace_selection|cm-selectionBackground|CodeMirror-selected)(?=\s|$)/;
const isCaretClass = remembering((text) => (native.exec(CARET, text) === null ? '' : text));

/** Whether an element is a caret that the page draws itself: only its style tells where it is. @param {any} element @returns {boolean} */
const isCaret = (element) => {
  const classes = dom.attribute(element, 'class');
  return classes !== null && isCaretClass(classes) !== '' && (dom.firstElement(element) === null ? !dom.text(element) : isCaret(dom.firstElement(element)));
};

const scratch = getterOf(HTMLElement.prototype, 'style')(document.createElementNS('http://www.w3.org/1999/xhtml', 'i'));
const setCssText = setterOf(CSSStyleDeclaration.prototype, 'cssText');
const cssText = getterOf(CSSStyleDeclaration.prototype, 'cssText');
const cssLength = getterOf(CSSStyleDeclaration.prototype, 'length');
const cssItem = uncurry(CSSStyleDeclaration.prototype.item);
const cssPriority = uncurry(CSSStyleDeclaration.prototype.getPropertyPriority);

/** Style properties that move or hide an element: the style of a caret has at least one. */
const PLACED = /(?:^|; )(?:left|top|transform|translate|visibility|opacity|display): /;

/** Normal form of a style as the browser parses it: what it does not understand is dropped, the last declaration of a property
 * wins, and properties are sorted. Also the text that is hashed for it, and whether it may be the style of a caret. */
const styleForm = remembering((text) => {
  const form = declarations(text);
  return { __proto__: null, form, digest: styleDigest(form), placed: native.exec(PLACED, form) !== null };
});

/** The text that is hashed for a style. @param {string} form */
const styleDigest = (form) => (form.length > LONGEST_HASHED ? digestOf(form) : form);

const LONGEST_HASHED = 24; // characters, as long as a digest

/** @param {string} text */
const digestOf = (text) => {
  const hash = new Hash();
  hash.text(text);
  return hash.digest();
};

/** @param {string} text of a style @returns {string} */
const declarations = (text) => {
  setCssText(scratch, text);
  /** @type {string[]} */
  const lines = newList();
  for (let i = 0; i < cssLength(scratch); i += 1) {
    const name = cssItem(scratch, i);
    const value = dom.property(scratch, name);
    if (value === '') return cssText(scratch); // a part of a shorthand with a variable, whose value the browser does not report
    append(lines, name + ': ' + value + (cssPriority(scratch, name) ? ' !important' : ''));
  }
  sortNames(lines);
  let form = '';
  for (let i = 0; i < lines.length; i += 1) form += (form ? '; ' : '') + lines[i];
  return form;
};
