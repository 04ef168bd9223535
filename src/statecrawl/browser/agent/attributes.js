// @ts-check
// Attributes whose text says the same in several ways: a class is a set of words, a style a set of declarations.
//
// The same few texts stand at thousands of elements, so each is brought into its form once.

const MOST_FORMS = 5000; // that are remembered, and
const LONGEST_FORM = 1000; // characters of a text that is

/** @param {(text: string) => string} form @returns {(text: string) => string} */
const remembering = (form) => {
  /** @type {any} */
  let known = new Map();
  let size = 0;
  return (text) => {
    let formed = native.mapGet(known, text);
    if (formed !== undefined) return formed;
    formed = form(text);
    if (text.length > LONGEST_FORM) return formed;
    size += 1;
    if (size > MOST_FORMS) {
      known = new Map();
      size = 1;
    }
    native.mapSet(known, text, formed);
    return formed;
  };
};

/** The words of a text, sorted, each once. @param {string} text */
const wordsIn = (text) => {
  /** @type {string[]} */
  const words = [];
  for (let from = 0, i = 0; i <= text.length; i += 1) {
    if (i < text.length && !isAsciiBlank(native.charCodeAt(text, i))) continue;
    if (i > from) append(words, native.slice(text, from, i));
    from = i + 1;
  }
  sortNames(words);
  return words;
};

/** What separates classes, and nothing else does. @param {number} code */
const isAsciiBlank = (code) => code === 32 || code === 9 || code === 10 || code === 12 || code === 13;

/** A class, whatever the order of its words. */
const classForm = remembering((text) => {
  const words = wordsIn(text);
  let form = '';
  for (let i = 0; i < words.length; i += 1) if (i === 0 || words[i] !== words[i - 1]) form += (form ? ' ' : '') + words[i];
  return form;
});

const scratch = getterOf(HTMLElement.prototype, 'style')(document.createElement('i'));
const setCssText = setterOf(CSSStyleDeclaration.prototype, 'cssText');
const cssText = getterOf(CSSStyleDeclaration.prototype, 'cssText');
const cssLength = getterOf(CSSStyleDeclaration.prototype, 'length');
const cssItem = uncurry(CSSStyleDeclaration.prototype.item);
const cssPriority = uncurry(CSSStyleDeclaration.prototype.getPropertyPriority);

/** A style, as the browser understands it: what it does not understand is not there, the last declaration of a property
 * counts, and properties are sorted. */
const styleForm = remembering((text) => {
  setCssText(scratch, text);
  /** @type {string[]} */
  const lines = [];
  for (let i = 0; i < cssLength(scratch); i += 1) {
    const name = cssItem(scratch, i);
    const value = dom.property(scratch, name);
    if (value === '') return cssText(scratch); // a part of a shorthand with a variable, which the browser cannot tell
    append(lines, name + ': ' + value + (cssPriority(scratch, name) ? ' !important' : ''));
  }
  sortNames(lines);
  let form = '';
  for (let i = 0; i < lines.length; i += 1) form += (form ? '; ' : '') + lines[i];
  return form;
});
