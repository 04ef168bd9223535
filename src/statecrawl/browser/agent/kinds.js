// @ts-check
// The kinds of events: everything that differs between them is in this table. Only kinds that need more than a listener, such
// as values for a field, also have a place in walk.js. The driver's table is `EVENT_KINDS` in model/event.py.

/** Kind -> its properties. The order matters: the events of an element are listed in it.
 *   types     types of DOM events: a listener for one of them makes an event of this kind
 *   listened  an element has this kind only because of a listener; absent for kinds that walk.js lists itself
 *   acts      the event uses a control, so the driver judges whether it is dangerous
 *   pointed   trusted input uses the mouse for it
 *   fire      fires the event, at a spot of its element; may return a promise
 * @type {any} */
const KINDS = {
  __proto__: null,
  click: {
    types: ['click', 'mousedown', 'mouseup', 'pointerdown', 'pointerup', ...(settings.touch ? ['touchstart', 'touchend'] : [])], listened: true, acts: true, pointed: true,
    fire(/** @type {Found} */ { element, extra }, /** @type {Spot} */ spot) {
      if (extra && extra.length > 0) return fillAndClick(element, spot, extra);
      movePointer(element, spot);
      return dom.connected(element) ? clickOnce(element, spot, 1) : null;
    },
  },
  dblclick: {
    types: ['dblclick'], listened: true, acts: true, pointed: true,
    async fire(/** @type {Found} */ { element }, /** @type {Spot} */ spot) {
      movePointer(element, spot);
      await safe(clickOnce(element, spot, 1));
      if (dom.connected(element)) await safe(clickOnce(element, spot, 2));
      if (dom.connected(element)) point(element, 'dblclick', spot, { button: 0, detail: 2 });
    },
  },
  contextmenu: {
    types: ['contextmenu'], listened: true, pointed: true,
    fire(/** @type {Found} */ { element }, /** @type {Spot} */ spot) {
      movePointer(element, spot);
      return openContextMenu(element, spot);
    },
  },
  hover: {
    types: ['mouseenter', 'mouseover', 'pointerenter', 'pointerover', 'mousemove', 'pointermove'], listened: true, pointed: true,
    fire(/** @type {Found} */ { element }, /** @type {Spot} */ spot) {
      if (kernel.hovered === element) kernel.hovered = null;
      if (touching) return clickOnce(element, spot, 1); // the only way to hover with a finger
      movePointer(element, spot);
      return moveOn(element, spot);
    },
  },
  leave: {
    types: ['mouseleave', 'mouseout', 'pointerleave', 'pointerout'], listened: true, pointed: true,
    fire(/** @type {Found} */ { element }, /** @type {Spot} */ spot) {
      movePointer(element, spot);
      movePointer(dom.root(dom.owner(element)), NOWHERE);
    },
  },
  focus: {
    types: ['focus', 'focusin'], listened: true,
    fire(/** @type {Found} */ { element }) {
      if (focused(dom.owner(element)) === element) dom.blur(element);
      dom.focus(element);
    },
  },
  blur: {
    types: ['blur', 'focusout'], listened: true,
    fire(/** @type {Found} */ { element }) {
      if (focused(dom.owner(element)) !== element) dom.focus(element);
      dom.blur(element);
    },
  },
  input: {
    types: ['input', 'change', 'beforeinput'],
    fire: (/** @type {Found} */ { element, extra }) => enter(element, extra),
  },
  select: {
    acts: true,
    fire(/** @type {Found} */ { element, extra }) {
      moveFocus(element);
      const option = dom.options(element)[extra];
      if (option) write(element, dom.optionValue(option), false);
    },
  },
  upload: {
    fire: (/** @type {Found} */ { element }) => upload(element),
  },
  key: {
    types: ['keydown', 'keyup', 'keypress'], listened: true, acts: true,
    fire: (/** @type {Found} */ { element, extra }) => pressKey(element, extra),
  },
  submit: {
    types: ['submit'], acts: true,
    fire(/** @type {Found} */ { element, extra }) {
      return fillAndSubmit(element, extra[0][extra[1]] || NONE);
    },
  },
  drop: { types: ['drop'], listened: true }, // no event of its own: the target of `drag`
  drag: {
    acts: true, pointed: true,
    fire: (/** @type {Found} */ { element, extra }) => drag(element, extra),
  },
  longpress: {
    acts: true,
    fire(/** @type {Found} */ { element }, /** @type {Spot} */ spot) {
      movePointer(element, spot);
      return pressLong(element, spot);
    },
  },
  scroll: {
    types: ['scroll', 'wheel'],
    fire: (/** @type {Found} */ { element }) => scrollDown(element),
  },
  back: {
    fire() {
      kernel.back -= 1;
      goBack();
    },
  },
};

/** Kinds that an element has because of a listener, in the order in which its events are listed. @type {string[]} */
const LISTENED_KINDS = newList();
/** @type {any} kind -> a bit of its own, so that a set of kinds is a number */
const BIT = native.create(null);
/** @type {any} type -> kind */
const KIND_OF_TYPE = native.create(null);
let nextBit = 1;
for (const kind in KINDS) {
  table(KINDS[kind]);
  if (KINDS[kind].listened) append(LISTENED_KINDS, kind);
  if (!KINDS[kind].types) continue;
  BIT[kind] = nextBit;
  nextBit *= 2;
  for (const type of KINDS[kind].types) KIND_OF_TYPE[type] = kind;
}
const { click: CLICK, hover: HOVER, leave: LEAVE, input: INPUT, key: KEY, submit: SUBMIT, scroll: SCROLL } = BIT;
