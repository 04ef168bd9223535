// @ts-check
// The kinds of events, and the types of listeners that ask for each.

/** @type {any} */
const TYPES_OF_KIND = {
  __proto__: null,
  click: ['click', 'mousedown', 'mouseup', 'pointerdown', 'pointerup', ...(settings.touch ? ['touchstart', 'touchend'] : [])],
  dblclick: ['dblclick'],
  contextmenu: ['contextmenu'],
  hover: ['mouseenter', 'mouseover', 'pointerenter', 'pointerover', 'mousemove', 'pointermove'],
  leave: ['mouseleave', 'mouseout', 'pointerleave', 'pointerout'],
  focus: ['focus', 'focusin'],
  blur: ['blur', 'focusout'],
  input: ['input', 'change', 'beforeinput'],
  key: ['keydown', 'keyup', 'keypress'],
  submit: ['submit'],
  drop: ['drop'],
  scroll: ['scroll', 'wheel'],
};

/** Kinds that an element may have because somebody listens; in the order in which an element's events are listed. */
const LISTENED_KINDS = ['click', 'dblclick', 'contextmenu', 'hover', 'leave', 'focus', 'blur', 'key', 'drop'];

/** @type {any} kind -> a bit of its own, so that a set of kinds is a number */
const BIT = native.create(null);
let nextBit = 1;
for (const kind in TYPES_OF_KIND) {
  BIT[kind] = nextBit;
  nextBit *= 2;
}
const { click: CLICK, hover: HOVER, leave: LEAVE, input: INPUT, key: KEY, submit: SUBMIT, scroll: SCROLL } = BIT;

/** @type {any} type -> kind */
const KIND_OF_TYPE = native.create(null);
for (const kind in TYPES_OF_KIND) for (const type of TYPES_OF_KIND[kind]) KIND_OF_TYPE[type] = kind;
