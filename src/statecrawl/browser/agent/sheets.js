// @ts-check
// Style sheets: rules that decide whether elements are visible, and which of them apply only while something is hovered or
// focused.
//
// Only `display`, `visibility` and `pointer-events` are read: transparent elements and those out of view count as visible. Of
// the cascade, importance, layers (as lower than unlayered rules), specificity and order are considered; container queries and
// scopes are assumed to match.

/** A declaration of one selector.
 * @typedef {{selector: string, order: number, display: string, visibility: string, 'pointer-events': string, importance: any, layered: boolean, specificity: number, reveal: Reveal | null}} Shown */

/** The parts of a selector that depend on the pointer or the focus: the selector without them, and the selector of the
 * element to hover or focus, which is an ancestor, a sibling, or the shown element itself.
 * @typedef {{stripped: string, trigger: string, how: string, where: string}} Reveal */

const sheetRules = getterOf(CSSStyleSheet.prototype, 'cssRules');
const sheetMedia = getterOf(StyleSheet.prototype, 'media');
const sheetDisabled = getterOf(StyleSheet.prototype, 'disabled');
const mediaText = getterOf(MediaList.prototype, 'mediaText');
const ruleType = getterOf(CSSRule.prototype, 'type');
const ruleSelector = getterOf(CSSStyleRule.prototype, 'selectorText');
const ruleStyle = getterOf(CSSStyleRule.prototype, 'style');
const nestedRules = getterOf(CSSStyleRule.prototype, 'cssRules');
const groupedRules = getterOf(CSSGroupingRule.prototype, 'cssRules');
const ruleMedia = getterOf(CSSMediaRule.prototype, 'media');
const ruleCondition = getterOf(CSSConditionRule.prototype, 'conditionText');
const importedSheet = getterOf(CSSImportRule.prototype, 'styleSheet');
const importMedia = getterOf(CSSImportRule.prototype, 'media');
const priorityOf = uncurry(CSSStyleDeclaration.prototype.getPropertyPriority);
const sheetsOfDocument = getterOf(Document.prototype, 'styleSheets');
const sheetsOfShadow = getterOf(ShadowRoot.prototype, 'styleSheets');
const adoptedByDocument = getterOf(Document.prototype, 'adoptedStyleSheets');
const adoptedByShadow = getterOf(ShadowRoot.prototype, 'adoptedStyleSheets');
const matchMedia_ = window.matchMedia.bind(window);
const supports = CSS.supports.bind(CSS);

const STYLE = 1, IMPORT = 3, MEDIA = 4, SUPPORTS = 12; // types of rules; all newer ones are 0
const MOST_RULES = 50000; // of one page
const DEEPEST_RULES = 20; // nested rules
const PASSING = 'pointer-events'; // whether a pointer hits an element, or what is behind it

/** @param {any} media */
const holds = (media) => {
  const text = media ? mediaText(media) : '';
  return text === '' || matchMedia_(text).matches;
};

/** All sheets of a document or a shadow tree. @param {any} root */
const sheetsOf = (root) => {
  const whole = dom.type(root) === 9;
  const own = whole ? sheetsOfDocument(root) : sheetsOfShadow(root);
  const adopted = quietly(() => (whole ? adoptedByDocument(root) : adoptedByShadow(root))) || NONE;
  /** @type {any[]} */
  const sheets = newList();
  for (let i = 0; i < own.length; i += 1) append(sheets, own[i]);
  for (let i = 0; i < adopted.length; i += 1) append(sheets, adopted[i]);
  return sheets;
};

/** Reads the rules of one document or shadow tree. */
class Sheets {
  /** @param {any[]} sheets */
  constructor(sheets) {
    /** @type {Shown[]} */ this.hiding = newList(); // rules that hide something
    /** @type {Shown[]} */ this.revealing = newList(); // rules that show something while a pointer or the focus is there
    this.passes = false; // whether a rule may let the pointer through an element
    this.read = 0;
    for (let i = 0; i < sheets.length; i += 1) if (!quietly(() => (this.sheet(sheets[i], false), true))) this.passes = true; // sheets of another origin cannot be read
    if (this.read >= MOST_RULES) this.passes = true;
  }

  /** @param {any} sheet @param {boolean} layered */
  sheet(sheet, layered) {
    if (!sheetDisabled(sheet) && holds(sheetMedia(sheet))) this.list(sheetRules(sheet), '', layered, 0);
  }

  /** @param {any} rules @param {string} around the selector of the rule around them @param {boolean} layered @param {number} depth */
  list(rules, around, layered, depth) {
    for (let i = 0; depth < DEEPEST_RULES && i < rules.length && this.read < MOST_RULES; i += 1) {
      this.read += 1;
      if (!quietly(() => (this.rule(rules[i], around, layered, depth + 1), true))) this.passes = true;
    }
  }

  /** @param {any} rule @param {string} around @param {boolean} layered @param {number} depth */
  rule(rule, around, layered, depth) {
    const type = ruleType(rule);
    if (type === STYLE) {
      const selector = nested(ruleSelector(rule), around);
      this.style(selector, ruleStyle(rule), layered);
      this.list(nestedRules(rule), selector, layered, depth);
    } else if (type === IMPORT) {
      const imported = importedSheet(rule);
      if (imported && holds(importMedia(rule))) this.sheet(imported, layered || rule.layerName !== null);
    } else if (type === MEDIA) {
      if (holds(ruleMedia(rule))) this.list(groupedRules(rule), around, layered, depth);
    } else if (type === SUPPORTS) {
      if (supports(ruleCondition(rule))) this.list(groupedRules(rule), around, layered, depth);
    } else if (type === 0) this.list(groupedRules(rule), around, layered || rule.nameList === undefined && rule.name !== undefined, depth);
  }

  /** @param {string} selectors @param {any} style @param {boolean} layered */
  style(selectors, style, layered) {
    const passing = dom.property(style, PASSING);
    if (passing !== '') this.passes = true;
    const display = dom.property(style, 'display');
    const visibility = dom.property(style, 'visibility');
    if (display === '' && visibility === '' && passing === '') return;
    const importance = { display: priorityOf(style, 'display') !== '', visibility: priorityOf(style, 'visibility') !== '', [PASSING]: priorityOf(style, PASSING) !== '' };
    const shows = (display !== '' && display !== 'none') || visibility === 'visible' || (passing !== '' && passing !== 'none');
    const hidden = hides(display, 'display') || hides(visibility, 'visibility') || hides(passing, PASSING);
    if (!shows && !hidden) return;
    const all = splitSelectors(selectors);
    for (let i = 0; i < all.length; i += 1) {
      const reveal = shows ? revealOf(all[i]) : null;
      const rule = { selector: all[i], order: this.read, display, visibility, [PASSING]: passing, importance, layered, specificity: specificityOf(all[i]), reveal };
      if (hidden) append(this.hiding, rule);
      if (reveal !== null) append(this.revealing, rule);
    }
  }
}
detach(Sheets);

/** A selector with the selector of the rule around it. @param {string} selector @param {string} around */
const nested = (selector, around) => {
  if (around === '') return selector;
  const outer = ':is(' + around + ')';
  let text = '';
  for (let i = 0; i < selector.length; i += 1) text += selector[i] === '&' ? outer : selector[i];
  return native.indexOf(selector, '&') < 0 ? outer + ' ' + selector : text;
};

/** Walk over a selector and report each character outside brackets and strings, with its position.
 * @param {string} text @param {(character: string, at: number) => void} report */
const eachBare = (text, report) => {
  let depth = 0;
  let quote = '';
  for (let i = 0; i < text.length; i += 1) {
    const character = text[i];
    if (character === '\\') i += 1;
    else if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === '(' || character === '[') depth += 1;
    else if (character === ')' || character === ']') depth -= 1;
    else if (depth === 0) report(character, i);
  }
};

/** @param {string} selectors @returns {string[]} */
const splitSelectors = (selectors) => {
  /** @type {string[]} */
  const parts = newList();
  let from = 0;
  eachBare(selectors, (character, at) => {
    if (character !== ',') return;
    append(parts, tidy(native.slice(selectors, from, at), 1e6));
    from = at + 1;
  });
  append(parts, tidy(native.slice(selectors, from), 1e6));
  return parts;
};

const DYNAMIC = /:(hover|focus-within|focus-visible|focus)(?![\w-])/g;
const NEGATED = /:not\([^()]*:(?:hover|focus)/;
const BARE = /[\s>+~,(]/; // before a pseudo-class that stands alone

/** A selector without the parts that depend on the pointer and the focus. @param {string} selector */
const withoutDynamic = (selector) => replaced(selector, DYNAMIC, ({ index }) => (index === 0 || native.exec(BARE, selector[index - 1]) !== null ? '*' : ''));

/** @param {string} selector @returns {Reveal | null} */
const revealOf = (selector) => {
  if (native.indexOf(selector, ':hover') < 0 && native.indexOf(selector, ':focus') < 0) return null;
  if (native.exec(NEGATED, selector) !== null || native.indexOf(selector, '::') >= 0) return null;
  /** @type {any[]} ends of compound selectors, and the combinator after each */
  const ends = newList();
  eachBare(selector, (character, at) => {
    if (character === '>' || character === '+' || character === '~') append(ends, [at, character]);
    else if (character === ' ' && native.indexOf('>+~ ', selector[at + 1]) < 0 && native.indexOf('>+~', selector[at - 1]) < 0) append(ends, [at, ' ']);
  });
  append(ends, [selector.length, '']);
  let from = 0;
  /** @type {Reveal | null} */
  let reveal = null;
  for (let i = 0; i < ends.length; i += 1) {
    const compound = native.slice(selector, from, ends[i][0]);
    DYNAMIC.lastIndex = 0;
    const found = native.exec(DYNAMIC, compound);
    if (found !== null) {
      const how = native.indexOf(compound, ':hover') >= 0 ? 'hover' : native.indexOf(compound, ':focus-within') >= 0 || native.indexOf(compound, ':has(') >= 0 ? 'focus-within' : 'focus';
      reveal = { stripped: withoutDynamic(selector), trigger: withoutDynamic(native.slice(selector, 0, ends[i][0])), how, where: 'self' };
    } else if (reveal !== null && reveal.where !== 'beside') reveal.where = 'above';
    if (reveal !== null && (ends[i][1] === '+' || ends[i][1] === '~')) reveal.where = 'beside';
    from = ends[i][0] + (ends[i][1] === '' ? 0 : 1);
  }
  return reveal;
};

const SIMPLE = /(#[\w-]+)|(\.[\w-]+|\[[^\]]*\])|(::[\w-]+)|:(is|not|has|where|nth-child|nth-last-child|host|host-context)\(|(:[\w-]+(?:\([^()]*\))?)|([\w-]+)/g;
const ID_WEIGHT = 1000000, CLASS_WEIGHT = 1000;

/** The specificity of a selector as one number. @param {string} selector @returns {number} */
const specificityOf = (selector) => {
  let sum = 0;
  for (let at = 0; at < selector.length; ) {
    SIMPLE.lastIndex = at;
    const found = native.exec(SIMPLE, selector);
    if (found === null) break;
    at = SIMPLE.lastIndex;
    if (found[4] !== undefined) {
      const inner = argumentAt(selector, at);
      at += inner.length + 1;
      if (found[4] !== 'where') sum += greatest(inner);
      if (found[4] === 'host' || found[4] === 'nth-child' || found[4] === 'nth-last-child') sum += CLASS_WEIGHT;
    } else if (found[1] !== undefined) sum += ID_WEIGHT;
    else if (found[2] !== undefined || found[5] !== undefined) sum += CLASS_WEIGHT;
    else sum += 1;
  }
  return sum;
};

/** The content of a bracket that was opened just before. @param {string} selector @param {number} from */
const argumentAt = (selector, from) => {
  let depth = 1;
  for (let i = from; i < selector.length; i += 1) {
    if (selector[i] === '(') depth += 1;
    else if (selector[i] === ')') depth -= 1;
    if (depth === 0) return native.slice(selector, from, i);
  }
  return native.slice(selector, from);
};

/** @param {string} selectors */
const greatest = (selectors) => {
  const parts = splitSelectors(selectors);
  let most = 0;
  for (let i = 0; i < parts.length; i += 1) {
    const one = specificityOf(parts[i]);
    if (one > most) most = one;
  }
  return most;
};

/** @type {WeakMap<any, any>} document or shadow root -> rules read, and the sheets they come from */
const sheetsRead = new WeakMap();

/** The rules of a document or a shadow tree; read again when the sheets have changed. @param {any} root @returns {Sheets} */
const readSheets = (root) => {
  const sheets = sheetsOf(root);
  const known = native.weakGet(sheetsRead, root);
  /** @type {any[]} */
  const lengths = newList();
  let same = known !== undefined && known.sheets.length === sheets.length;
  for (let i = 0; i < sheets.length; i += 1) {
    const length = quietly(() => (sheetDisabled(sheets[i]) ? -1 : sheetRules(sheets[i]).length)) || 0;
    append(lengths, length);
    if (same && (known.sheets[i] !== sheets[i] || known.lengths[i] !== length)) same = false;
  }
  if (same) return known.read;
  const read = new Sheets(sheets);
  native.weakSet(sheetsRead, root, { sheets, lengths, read });
  return read;
};
