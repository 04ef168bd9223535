// @ts-check
// Private copies of all browser functions that the agent uses, taken before any script of the page could change them.
//
// The files of this folder are joined into one function, in the order given by `browser/agent.py`, and run at the very
// start of every document. From then on the page may overwrite anything: the agent calls browser functions through the copies
// below and never through an object of the page. This also works where a form has a field named "attributes" or
// "firstChild", which hides the property of that name.
//
// Once the page runs, the agent therefore avoids everything that implicitly uses a prototype of the page: loops with "of",
// destructuring of arrays, methods of strings and arrays, "new" with constructors looked up in the window. Growing lists,
// tables with keys of the page, and options for the browser have no prototype: a page may put setters and getters on the
// prototypes of arrays and objects, or a proxy below them. Everything that is awaited has passed through `safe`.

const uncurry = Function.prototype.bind.bind(Function.prototype.call);

/** @param {any} owner @param {string} name */
const getterOf = (owner, name) => uncurry(/** @type {any} */ (Object.getOwnPropertyDescriptor(owner, name)).get);

/** @param {any} owner @param {string} name */
const setterOf = (owner, name) => uncurry(/** @type {any} */ (Object.getOwnPropertyDescriptor(owner, name)).set);

const native = {
  apply: Reflect.apply,
  construct: Reflect.construct,
  define: Object.defineProperty,
  describe: Object.getOwnPropertyDescriptor,
  ownKeys: Object.keys,
  freeze: Object.freeze,
  create: Object.create,
  sourceOf: uncurry(Function.prototype.toString),
  promise: Promise,
  then: uncurry(Promise.prototype.then),
  setTimeout: window.setTimeout.bind(window),
  clearTimeout: window.clearTimeout.bind(window),
  frame: window.requestAnimationFrame.bind(window),
  now: performance.now.bind(performance),
  born: performance.timeOrigin, // distinguishes this document from the previous and the next one
  imul: Math.imul,
  floor: Math.floor,
  weakGet: uncurry(WeakMap.prototype.get),
  weakSet: uncurry(WeakMap.prototype.set),
  mapGet: uncurry(Map.prototype.get),
  mapSet: uncurry(Map.prototype.set),
  mapHas: uncurry(Map.prototype.has),
  mapDelete: uncurry(Map.prototype.delete),
  has: uncurry(Object.prototype.hasOwnProperty),
  exec: uncurry(RegExp.prototype.exec),
  charCodeAt: uncurry(String.prototype.charCodeAt),
  slice: uncurry(String.prototype.slice),
  indexOf: uncurry(String.prototype.indexOf),
  lower: uncurry(String.prototype.toLowerCase),
  normalize: uncurry(String.prototype.normalize),
  upper: uncurry(String.prototype.toUpperCase),
  wellFormed: uncurry(/** @type {any} */ (String.prototype).toWellFormed || String.prototype.toString),
  URL: window.URL,
  href: getterOf(window.URL.prototype, 'href'),
  escape: CSS.escape,
  height: getterOf(window, 'innerHeight').bind(undefined, window),
  width: getterOf(window, 'innerWidth').bind(undefined, window),
  scrolled: getterOf(window, 'scrollY').bind(undefined, window),
  name: getterOf(window, 'name').bind(undefined, window),
  setName: setterOf(window, 'name').bind(undefined, window),
  json: JSON.stringify,
  parse: JSON.parse,
  stop: uncurry(Event.prototype.stopImmediatePropagation),
  preventDefault: uncurry(Event.prototype.preventDefault),
  prevented: getterOf(Event.prototype, 'defaultPrevented'),
  eventType: getterOf(Event.prototype, 'type'),
  cancelable: getterOf(Event.prototype, 'cancelable'),
  composedPath: uncurry(Event.prototype.composedPath),
  target: getterOf(Event.prototype, 'target'),
  submitter: getterOf(SubmitEvent.prototype, 'submitter'),
  listen: uncurry(EventTarget.prototype.addEventListener),
  unlisten: uncurry(EventTarget.prototype.removeEventListener),
  dispatch: uncurry(EventTarget.prototype.dispatchEvent),
};

const XHTML = 'http://www.w3.org/1999/xhtml';
const localName = getterOf(Element.prototype, 'localName');
const namespaceOf = getterOf(Element.prototype, 'namespaceURI');

/** Whether an element is in the HTML namespace, and not an SVG element with the same name. @param {any} element */
const isHtml = (element) => namespaceOf(element) === XHTML;

/** @type {any} names of elements whose browser functions accept HTML elements only */
const HTML_NAMES = Object.setPrototypeOf({ input: 1, button: 1, select: 1, textarea: 1, form: 1, label: 1, slot: 1, option: 1, iframe: 1, frame: 1, img: 1 }, null);

/** The name of an element, with a prefix if it is an SVG element with the name of an HTML element. @param {any} element @returns {string} */
const tagOf = (element) => {
  const name = localName(element);
  return HTML_NAMES[name] === 1 && !isHtml(element) ? 'svg-' + name : name;
};

const focusHtml = uncurry(HTMLElement.prototype.focus);
const focusSvg = uncurry(SVGElement.prototype.focus);
const blurHtml = uncurry(HTMLElement.prototype.blur);
const blurSvg = uncurry(SVGElement.prototype.blur);

/** Access to the tree of nodes through getters that no page can replace. */
const dom = {
  type: getterOf(Node.prototype, 'nodeType'),
  first: getterOf(Node.prototype, 'firstChild'),
  next: getterOf(Node.prototype, 'nextSibling'),
  parent: getterOf(Node.prototype, 'parentNode'),
  connected: getterOf(Node.prototype, 'isConnected'),
  owner: getterOf(Node.prototype, 'ownerDocument'),
  view: getterOf(Document.prototype, 'defaultView'),
  text: getterOf(Node.prototype, 'textContent'),
  data: getterOf(CharacterData.prototype, 'data'),
  tag: tagOf,
  id: getterOf(Element.prototype, 'id'),
  attributeNames: uncurry(Element.prototype.getAttributeNames),
  attribute: uncurry(Element.prototype.getAttribute),
  hasAttribute: uncurry(Element.prototype.hasAttribute),
  matches: uncurry(Element.prototype.matches),
  closest: uncurry(Element.prototype.closest),
  find: uncurry(Element.prototype.querySelector),
  findAll: uncurry(Element.prototype.querySelectorAll),
  findIn: uncurry(Document.prototype.querySelector),
  findAllIn: uncurry(Document.prototype.querySelectorAll),
  firstElement: getterOf(Element.prototype, 'firstElementChild'),
  nextElement: getterOf(Element.prototype, 'nextElementSibling'),
  previousElement: getterOf(Element.prototype, 'previousElementSibling'),
  shadow: getterOf(Element.prototype, 'shadowRoot'),
  visible: uncurry(/** @type {any} */ (Element.prototype).checkVisibility),
  slot: getterOf(Element.prototype, 'assignedSlot'),
  host: getterOf(ShadowRoot.prototype, 'host'),
  box: uncurry(Element.prototype.getBoundingClientRect),
  boxes: uncurry(Element.prototype.getClientRects),
  at: uncurry(Document.prototype.elementFromPoint),
  atIn: uncurry(ShadowRoot.prototype.elementFromPoint),
  scrollIntoView: uncurry(Element.prototype.scrollIntoView),
  scroller: getterOf(Document.prototype, 'scrollingElement'),
  wholeHeight: getterOf(Element.prototype, 'scrollHeight'),
  seenHeight: getterOf(Element.prototype, 'clientHeight'),
  scrollTop: getterOf(Element.prototype, 'scrollTop'),
  setScrollTop: setterOf(Element.prototype, 'scrollTop'),
  borderLeft: getterOf(Element.prototype, 'clientLeft'),
  borderTop: getterOf(Element.prototype, 'clientTop'),
  click: uncurry(HTMLElement.prototype.click),
  focus: (/** @type {any} */ element, /** @type {any} */ options = undefined) => (isHtml(element) ? focusHtml : focusSvg)(element, options),
  blur: (/** @type {any} */ element) => (isHtml(element) ? blurHtml : blurSvg)(element),
  active: getterOf(Document.prototype, 'activeElement'),
  activeIn: getterOf(ShadowRoot.prototype, 'activeElement'),
  root: getterOf(Document.prototype, 'documentElement'),
  body: getterOf(Document.prototype, 'body'),
  ready: getterOf(Document.prototype, 'readyState'),
  title: getterOf(Document.prototype, 'title'),
  animations: uncurry(Document.prototype.getAnimations),
  animationsIn: uncurry(ShadowRoot.prototype.getAnimations),
  playState: getterOf(Animation.prototype, 'playState'),
  pending: getterOf(Animation.prototype, 'pending'),
  endAnimation: uncurry(Animation.prototype.finish),
  effect: getterOf(Animation.prototype, 'effect'),
  timing: uncurry(AnimationEffect.prototype.getComputedTiming),
  frameDocument: getterOf(HTMLIFrameElement.prototype, 'contentDocument'),
  frameWindow: getterOf(HTMLIFrameElement.prototype, 'contentWindow'),
  oldFrameDocument: getterOf(HTMLFrameElement.prototype, 'contentDocument'),
  style: window.getComputedStyle.bind(window),
  property: uncurry(CSSStyleDeclaration.prototype.getPropertyValue),
  value: getterOf(HTMLInputElement.prototype, 'value'),
  setValue: setterOf(HTMLInputElement.prototype, 'value'),
  select: uncurry(HTMLInputElement.prototype.select),
  inputType: getterOf(HTMLInputElement.prototype, 'type'),
  checked: getterOf(HTMLInputElement.prototype, 'checked'),
  files: getterOf(HTMLInputElement.prototype, 'files'),
  setFiles: setterOf(HTMLInputElement.prototype, 'files'),
  fieldForm: getterOf(HTMLInputElement.prototype, 'form'),
  buttonForm: getterOf(HTMLButtonElement.prototype, 'form'),
  buttonType: getterOf(HTMLButtonElement.prototype, 'type'),
  selectForm: getterOf(HTMLSelectElement.prototype, 'form'),
  areaForm: getterOf(HTMLTextAreaElement.prototype, 'form'),
  areaValue: getterOf(HTMLTextAreaElement.prototype, 'value'),
  setAreaValue: setterOf(HTMLTextAreaElement.prototype, 'value'),
  selectArea: uncurry(HTMLTextAreaElement.prototype.select),
  options: getterOf(HTMLSelectElement.prototype, 'options'),
  selected: getterOf(HTMLOptionElement.prototype, 'selected'),
  setSelected: setterOf(HTMLOptionElement.prototype, 'selected'),
  optionValue: getterOf(HTMLOptionElement.prototype, 'value'),
  valid: uncurry(HTMLInputElement.prototype.checkValidity),
  elements: getterOf(HTMLFormElement.prototype, 'elements'),
  requestSubmit: uncurry(HTMLFormElement.prototype.requestSubmit),
  labels: getterOf(HTMLInputElement.prototype, 'labels'),
  labelled: getterOf(HTMLLabelElement.prototype, 'control'),
  list: getterOf(HTMLInputElement.prototype, 'list'),
};

/** The first HTML element that matches a selector, which SVG elements may match, too. @param {any} root @param {string} selector */
const findHtml = (root, selector) => {
  const first = dom.find(root, selector);
  if (first === null || isHtml(first)) return first;
  const found = dom.findAll(root, selector);
  for (let i = 1; i < found.length; i += 1) if (isHtml(found[i])) return found[i];
  return null;
};

/** The same for the element itself and its ancestors. @param {any} element @param {string} selector */
const closestHtml = (element, selector) => {
  for (let node = element; node && dom.type(node) === 1; node = dom.parent(node)) {
    node = dom.closest(node, selector);
    if (node === null || isHtml(node)) return node;
  }
  return null;
};

/** The driver's settings for this page; inserted by `browser/agent.py`. @type {any} */
const settings = SETTINGS;

/** The property under which the driver finds the agent; random for each browser, so that no page can guess it. @type {string} */
const AGENT = settings.name;

/** The secret with which the driver authenticates to the agent, because a page may find the agent all the same. @type {string} */
const SECRET = settings.secret;

/** Constructors of events, saved before the page can replace them. @type {any} */
const makers = native.create(null);
for (const name of ['Event', 'MouseEvent', 'PointerEvent', 'DragEvent', 'WheelEvent', 'KeyboardEvent', 'InputEvent', 'TouchEvent', 'Touch', 'DataTransfer', 'File']) {
  makers[name] = /** @type {any} */ (window)[name];
}

/** Make these properties of browser objects, such as lists and boxes, impossible to replace.
 * @param {any} kind @param {string[]} names */
const lock = (kind, names) => {
  for (const name of names) native.define(kind.prototype, name, { configurable: false });
};
for (const kind of [NodeList, HTMLCollection, HTMLOptionsCollection, StyleSheetList, CSSRuleList, DOMRectList, FileList]) lock(kind, ['length']);
lock(DOMRectReadOnly, ['left', 'top', 'right', 'bottom', 'width', 'height']);
lock(DOMRect, ['width', 'height']);
lock(MediaQueryList, ['matches']);
lock(Symbol, ['description']);

/** The descriptor of an own property of any object. @param {any} value @returns {any} */
const asOwn = (value) => ({ __proto__: null, value, writable: true, enumerable: true, configurable: true });

const setPrototype = Object.setPrototypeOf;

/** Let our objects inherit nothing of the page, not even setters. @param {any} kind */
const detach = (kind) => setPrototype(kind.prototype, null);

/** A table for keys of the page, without a prototype. Unlike a literal without a prototype, it stays fast. @template T @param {T} entries @returns {T} */
const table = (entries) => setPrototype(entries, null);

/** An empty list without a prototype, so that appending runs no code of the page. @returns {any[]} */
const newList = () => setPrototype([], null);

/** An empty list that stays empty. @type {any[]} */
const NONE = /** @type {any} */ (native.freeze(newList()));

/** @template T @param {T[]} items made by `newList` @param {T} item */
const append = (items, item) => {
  items[items.length] = item;
};

/** The items and one more. Most temporary lists have one item: as a literal, which runs no code of the page, it costs nothing.
 * @template T @param {T[]} items @param {T} item @returns {T[]} */
const withOne = (items, item) => {
  const length = items.length;
  if (length === 0) return [item];
  if (length > 1) {
    append(items, item);
    return items;
  }
  const more = newList();
  append(more, items[0]);
  append(more, item);
  return more;
};

const isList = Array.isArray;

/** A copy without prototypes at any depth. @param {any} value @returns {any} */
const bare = (value) => {
  if (typeof value !== 'object' || value === null) return value;
  setPrototype(value, null);
  if (isList(value)) for (let i = 0; i < value.length; i += 1) bare(value[i]);
  else for (const name in value) bare(value[name]);
  return value;
};

/** Our own value as JSON, even if a page defines "toJSON": the browser transfers one text much faster than
 * many values. @param {any} value */
const packed = (value) => native.json(bare(value));

const ITERATOR = Symbol.iterator;

/** A sequence for the browser, without calling the page's array iterator. @param {any[]} items @returns {any} */
const sequence = (items) => table({
  [ITERATOR]: () => {
    let at = 0;
    const next = () => {
      at += 1;
      return at > items.length ? table({ done: true, value: undefined }) : table({ done: false, value: items[at - 1] });
    };
    return table({ next });
  },
});

/** Options of a listener, and of focus. @type {any} */
const ONCE = table({ once: true });
/** @type {any} */
const UNSCROLLED = table({ preventScroll: true });

const PROMISE = asOwn(native.promise);

/** A promise of ours that can be awaited without calling the page's `constructor`. @template T @param {Promise<T>} promise @returns {Promise<T>} */
const safe = (promise) => native.define(promise, 'constructor', PROMISE);

const THEN = asOwn(Promise.prototype.then);
const NO_KIND = asOwn(undefined);

/** A promise of ours for the driver, without calling the page's `then`. @param {any} promise */
const forDriver = (promise) => native.define(native.define(promise, 'constructor', NO_KIND), 'then', THEN);

/** Call a function of the page and ignore its errors. @param {() => any} act */
const quietly = (act) => {
  try {
    return act();
  } catch {
    return undefined;
  }
};
