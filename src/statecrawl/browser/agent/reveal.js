// @ts-check
// Controls that style sheets hide until something is hovered or focused: a person hovers the row, and then clicks the button
// that has appeared in it. The same applies to controls that let the pointer through until then.
//
// An invisible element can be revealed under three conditions. Each hidden ancestor, and each rule that makes the element
// invisible, is overridden by a stronger rule while some *trigger* is hovered or focused. The trigger itself is visible, once
// the outer elements are revealed. And the revealed element stays while the pointer moves to it, which is so where the trigger
// is an ancestor. A trigger beside the element qualifies only where a rule keeps the element visible while the pointer or the
// focus is in the element itself.

/** @typedef {{element: any, how: string}} Trigger */

/** Finds out, during one walk, how elements can be revealed. */
class Reveals {
  constructor() {
    /** @type {any} */ this.sheets = new Map(); // root -> its rules during this walk
    /** @type {any} */ this.displayed = new Map(); // element -> its triggers, or null
  }

  /** The triggers to hover or focus, one after the other, until an element is visible; null when there are none.
   * @param {any} element @returns {Trigger[] | null} */
  of(element) {
    if (!this.mayReveal(element)) return null;
    const triggers = this.display(element);
    if (triggers === null || isFolded(element)) return null;
    const seen = this.inherited(element, 'visibility');
    if (seen === null || triggers.length + seen.length === 0) return null;
    const all = joinedTriggers(triggers, seen);
    for (let i = 0; i < all.length; i += 1) if (!keepsFocus(element, all[i])) return null;
    return all;
  }

  /** The triggers to hover or focus until the pointer hits an element that now lets it through; null when there are none.
   * @param {any} element @returns {Trigger[] | null} */
  reach(element) {
    const triggers = this.mayReveal(element) ? this.inherited(element, PASSING) : null;
    for (let i = 0; triggers !== null && i < triggers.length; i += 1) if (!keepsFocus(element, triggers[i])) return null;
    return triggers;
  }

  /** Whether there are rules that reveal anything in the tree of an element. @param {any} element */
  mayReveal(element) {
    for (let root = treeOf(element); root; root = dom.type(root) === 11 ? treeOf(dom.host(root)) : null) if (this.rules(root).revealing.length > 0) return true;
    return false;
  }

  /** @param {any} root @returns {Sheets} */
  rules(root) {
    let read = native.mapGet(this.sheets, root);
    if (read === undefined) native.mapSet(this.sheets, root, (read = readSheets(root)));
    return read;
  }

  /** The triggers until an element is displayed. @param {any} element @returns {Trigger[] | null} */
  display(element) {
    const known = native.mapGet(this.displayed, element);
    if (known !== undefined) return known;
    const outer = drawnIn(element);
    const around = outer && dom.type(outer) === 1 ? this.display(outer) : NO_TRIGGERS;
    let all = around;
    if (around !== null && dom.property(dom.style(element), 'display') === 'none') {
      const own = this.trigger(element, 'display');
      all = own === null ? null : joinedTriggers(around, [own]);
    }
    native.mapSet(this.displayed, element, all);
    return all;
  }

  /** The triggers until a displayed element is visible, or can be hit, according to an inherited property.
   * @param {any} element @param {string} property @returns {Trigger[] | null} */
  inherited(element, property) {
    if (allows(element, property)) return NO_TRIGGERS;
    for (let node = element; node && dom.type(node) === 1; node = drawnIn(node)) {
      if (allows(node, property)) return null;
      const own = this.trigger(node, property);
      if (own !== null) return [own];
      if (this.strongest(node, property) !== null) return null; // the element itself is hidden, and stays hidden
    }
    return null;
  }

  /** The trigger of the strongest rule that shows an element, if no rule that hides it is stronger. @param {any} element @param {string} property @returns {Trigger | null} */
  trigger(element, property) {
    const root = treeOf(element);
    if (!root) return null;
    const { revealing } = this.rules(root);
    for (let i = revealing.length - 1; i >= 0; i -= 1) {
      const rule = revealing[i];
      const reveal = /** @type {Reveal} */ (rule.reveal);
      if (reveal.where === 'self' || !shows(rule, property) || !matchesSafely(element, reveal.stripped)) continue;
      const hidden = this.strongest(element, property);
      if (hidden !== null && !isStronger(rule, hidden, property)) continue;
      const trigger = triggerOf(element, root, reveal);
      if (trigger === null || (reveal.where === 'beside' && !staysShown(element, revealing, property, reveal.how))) continue;
      return { element: trigger, how: reveal.how };
    }
    return null;
  }

  /** The strongest rule that hides an element now; null when there is none. @param {any} element @param {string} property @returns {any} */
  strongest(element, property) {
    const root = treeOf(element);
    const rules = root ? this.rules(root).hiding : NONE;
    const style = styleOf(element);
    /** @type {any} */
    let strongest = null;
    if (style && hides(dom.property(style, property), property)) strongest = priorityOf(style, property) ? INLINE_IMPORTANT : INLINE_RULE;
    for (let i = 0; i < rules.length; i += 1) {
      const rule = rules[i];
      if (!hides(/** @type {any} */ (rule)[property], property) || !matchesSafely(element, rule.selector)) continue;
      if (strongest === null || isStronger(rule, strongest, property)) strongest = rule;
    }
    return strongest;
  }
}
detach(Reveals);

/** Whether a rule shows an element as long as the pointer or the focus is in it. @param {any} element @param {Shown[]} revealing @param {string} property @param {string} how */
const staysShown = (element, revealing, property, how) => {
  for (let i = 0; i < revealing.length; i += 1) {
    const reveal = /** @type {Reveal} */ (revealing[i].reveal);
    if (reveal.where !== 'self' || !shows(revealing[i], property)) continue;
    if ((reveal.how === 'hover') === (how === 'hover') && matchesSafely(element, reveal.stripped)) return true;
  }
  return false;
};

/** @type {Trigger[]} */
const NO_TRIGGERS = NONE;
/** @type {any} */
const INLINE_RULE = { __proto__: null, importance: { display: false, visibility: false, [PASSING]: false }, layered: false, specificity: 1e12, order: 0 };
/** @type {any} */
const INLINE_IMPORTANT = { __proto__: null, importance: { display: true, visibility: true, [PASSING]: true }, layered: false, specificity: 1e12, order: 0 };

const htmlStyle = getterOf(HTMLElement.prototype, 'style');
const svgStyle = getterOf(SVGElement.prototype, 'style');

/** The inline style of an element: a form may have a field of that name. @param {any} element @returns {any} */
const styleOf = (element) => quietly(() => htmlStyle(element)) || quietly(() => svgStyle(element));

/** @param {any} element @param {string} selector */
const matchesSafely = (element, selector) => quietly(() => dom.matches(element, selector)) === true;

/** @param {any} element the document or shadow root that it stands in */
const treeOf = (element) => {
  const root = rootNode(element);
  return root && (dom.type(root) === 9 || dom.type(root) === 11) ? root : null;
};
const rootNode = uncurry(Node.prototype.getRootNode);

/** @param {any} rule @param {string} property */
const shows = (rule, property) => (property === 'visibility' ? rule.visibility === 'visible' : rule[property] !== '' && rule[property] !== 'none');

/** @param {string} value @param {string} property */
const hides = (value, property) => (property === 'visibility' ? value === 'hidden' || value === 'collapse' : value === 'none');

/** Whether an element is visible, or can be hit, according to an inherited property. @param {any} element @param {string} property */
const allows = (element, property) => {
  const value = dom.property(dom.style(element), property);
  return property === 'visibility' ? value === 'visible' : value !== 'none';
};

/** Whether one rule overrides another. @param {any} one @param {any} other @param {string} property */
const isStronger = (one, other, property) => {
  if (one.importance[property] !== other.importance[property]) return one.importance[property];
  if (one.layered !== other.layered) return other.layered;
  if (one.specificity !== other.specificity) return one.specificity > other.specificity;
  return one.order > other.order;
};

/** @param {Trigger[]} one @param {Trigger[]} other @returns {Trigger[]} */
const joinedTriggers = (one, other) => {
  if (other.length === 0) return one;
  /** @type {Trigger[]} */
  const all = newList();
  for (let i = 0; i < one.length; i += 1) append(all, one[i]);
  for (let i = 0; i < other.length; i += 1) {
    let known = false;
    for (let j = 0; j < one.length; j += 1) if (one[j].element === other[i].element && one[j].how === other[i].how) known = true;
    if (!known) append(all, other[i]);
  }
  return all;
};

/** The element to hover or focus. @param {any} element that is shown then @param {any} root @param {Reveal} reveal */
const triggerOf = (element, root, reveal) => {
  for (let node = dom.parent(element); node && dom.type(node) === 1; node = dom.parent(node)) if (matchesSafely(node, reveal.trigger)) return node;
  if (dom.type(root) === 11 && native.indexOf(reveal.trigger, ':host') === 0) return dom.host(root);
  for (let node = element; reveal.where === 'beside' && node && dom.type(node) === 1; node = dom.parent(node)) {
    for (let other = dom.previousElement(node); other; other = dom.previousElement(other)) if (matchesSafely(other, reveal.trigger)) return other;
  }
  return null;
};

/** The element that would be focused by a press on an element. @param {any} element */
const focusedBy = (element) => {
  let node = element;
  while (node && dom.type(node) === 1 && !dom.matches(node, FOCUSABLE)) node = drawnIn(node);
  return node && dom.type(node) === 1 ? node : null;
};

/** The element to focus for a trigger; null when none can be focused. @param {Trigger} trigger */
const focusFor = (trigger) => {
  if (dom.matches(trigger.element, FOCUSABLE)) return trigger.element;
  const inside = trigger.how === 'focus-within' ? dom.findAll(trigger.element, FOCUSABLE) : NONE;
  for (let i = 0; i < inside.length; i += 1) if (dom.visible(inside[i], VISIBLE)) return inside[i];
  return null;
};

/** Whether the revealed content stays when an element inside it is pressed, which takes the focus. @param {any} element @param {Trigger} trigger */
const keepsFocus = (element, trigger) => {
  if (trigger.how === 'hover') return true;
  if (focusFor(trigger) === null) return false;
  const next = focusedBy(element);
  if (trigger.how === 'focus' && isAmong(ancestry(element), trigger.element)) return next === trigger.element;
  return next !== null;
};

/** Whether an element is in collapsed or undrawn content, which no rule for hovering changes. @param {any} element */
const isFolded = (element) => {
  const folded = dom.closest(element, 'details:not([open])');
  if (folded && !dom.closest(element, 'summary')) return true;
  for (let node = element; node && dom.type(node) === 1; node = drawnIn(node)) if (dom.property(dom.style(node), 'content-visibility') === 'hidden') return true;
  return false;
};

/** Hover and focus the triggers that reveal an element. @param {Trigger[]} triggers */
const pull = async (triggers) => {
  for (let i = 0; i < triggers.length; i += 1) {
    const { element, how } = triggers[i];
    if (!dom.connected(element)) continue;
    if (how !== 'hover') quietly(() => dom.focus(focusFor(triggers[i]), UNSCROLLED));
    else if (touching) await safe(clickOnce(element, spotOn(element), 1));
    else movePointer(element, spotOn(element));
  }
};
