// @ts-check
// Listeners: every listener ever attached, by addEventListener, by an on… property, or by an attribute.

/** Shared by all documents of the page. @type {WeakMap<any, any>} node -> type -> listeners */
const registry = kernel.registry || (kernel.registry = new WeakMap());

const ownListeners = (/** @type {any} */ node) => native.weakGet(registry, node);

/** @param {any} node @param {string} type */
const listenersOf = (node, type) => {
  const types = native.weakGet(registry, node);
  return types === undefined ? undefined : types[type];
};

/** @param {any} node @param {string} type */
const hasListener = (node, type) => {
  const known = listenersOf(node, type);
  return known !== undefined && known.length > 0;
};

/** Types for which there is a listener anywhere in the page. @type {any} */
const listenedTypes = kernel.listenedTypes || (kernel.listenedTypes = native.create(null));

/** @param {any} node @param {string} type @param {any} listener @param {any} options @param {string} slot */
const remember = (node, type, listener, options, slot) => {
  let types = native.weakGet(registry, node);
  if (types === undefined) native.weakSet(registry, node, (types = native.create(null)));
  const known = types[type] || (types[type] = newList());
  const capture = typeof options === 'boolean' ? options : Boolean(options && options.capture);
  for (let i = 0; i < known.length; i += 1) {
    const other = known[i];
    if (slot ? other.slot === slot : other.listener === listener && other.capture === capture && !other.slot) {
      other.listener = listener;
      return;
    }
  }
  append(known, { listener, capture, slot });
  listenedTypes[type] = true;
  if (options && options.signal) {
    if (quietly(() => isAborted(options.signal))) forget(node, type, listener, capture, slot);
    else quietly(() => native.listen(options.signal, 'abort', () => forget(node, type, listener, capture, slot), ONCE));
  }
  if (options && options.once === true) native.listen(node, type, () => forget(node, type, listener, capture, slot), { __proto__: null, once: true, capture });
};

/** @param {any} node @param {string} type @param {any} listener @param {any} options @param {string} slot */
const forget = (node, type, listener, options, slot) => {
  const known = listenersOf(node, type);
  if (known === undefined) return;
  const capture = typeof options === 'boolean' ? options : Boolean(options && options.capture);
  let count = 0;
  for (let i = 0; i < known.length; i += 1) {
    const other = known[i];
    const gone = slot ? other.slot === slot : other.listener === listener && other.capture === capture && !other.slot;
    if (!gone) {
      known[count] = other;
      count += 1;
    }
  }
  known.length = count;
};

const isAborted = getterOf(AbortSignal.prototype, 'aborted');

/** Types of events without a kind of their own, but with on… properties. */
const OTHER_TYPES = ['auxclick', 'touchstart', 'touchend', 'dragstart', 'dragover', 'dragenter', 'load', 'error', 'popstate', 'hashchange', 'toggle', 'transitionend', 'animationend'];
/** @type {string[]} types whose on… properties are observed */
const OBSERVED_TYPES = newList();
for (const type in KIND_OF_TYPE) if (type !== 'beforeinput') append(OBSERVED_TYPES, type); // which has no such property everywhere: ids would differ
for (const type of OTHER_TYPES) if (KIND_OF_TYPE[type] === undefined) append(OBSERVED_TYPES, type);

const installListeners = () => {
  const add = EventTarget.prototype.addEventListener;
  replace(EventTarget.prototype, 'addEventListener', function (/** @type {any} */ type, /** @type {any} */ listener, /** @type {any} */ options) {
    const node = this === undefined || this === null ? window : this;
    native.apply(add, node, arguments);
    if (listener) remember(node, String(type), listener, options, '');
  });
  const remove = EventTarget.prototype.removeEventListener;
  replace(EventTarget.prototype, 'removeEventListener', function (/** @type {any} */ type, /** @type {any} */ listener, /** @type {any} */ options) {
    const node = this === undefined || this === null ? window : this;
    native.apply(remove, node, arguments);
    forget(node, String(type), listener, options, '');
  });
  for (let i = 0; i < OBSERVED_TYPES.length; i += 1) {
    const type = OBSERVED_TYPES[i];
    const name = 'on' + type;
    for (const owner of [window, Document.prototype, HTMLElement.prototype, SVGElement.prototype]) {
      const present = native.describe(owner, name);
      if (!present || !present.set) continue;
      native.define(owner, name, {
        configurable: true,
        enumerable: present.enumerable,
        get: present.get,
        set(/** @type {any} */ handler) {
          const node = this === undefined || this === null ? window : this;
          native.apply(/** @type {any} */ (present.set), node, [handler]);
          if (typeof handler === 'function') remember(node, type, handler, false, 'property');
          else forget(node, type, null, false, 'property');
        },
      });
    }
  }
};

/** Modal dialogs in the order in which they were opened. @type {any[]} */
const modals = kernel.modals || (kernel.modals = newList());

/** The modal dialog above everything else in a document, or null. @param {any} doc */
const topModal = (doc) => {
  while (modals.length && !isModal(modals[modals.length - 1])) modals.length -= 1;
  for (let i = modals.length - 1; i >= 0; i -= 1) if (dom.owner(modals[i]) === doc && isModal(modals[i])) return modals[i];
  const others = dom.findAllIn(doc, 'dialog:modal'); // opened by a button without a script
  return others.length ? others[others.length - 1] : null;
};

/** @param {any} dialog */
const isModal = (dialog) => dom.connected(dialog) && dom.matches(dialog, ':modal');

const installModals = () => {
  const show = HTMLDialogElement.prototype.showModal;
  replace(HTMLDialogElement.prototype, 'showModal', function () {
    native.apply(show, this, NONE);
    append(modals, this);
  });
};

/** @type {WeakMap<any, any>} host -> its closed shadow root */
const closedRoots = kernel.closedRoots || (kernel.closedRoots = new WeakMap());

/** The root of a host's shadow tree, open or closed. @param {any} element */
const shadowOf = (element) => dom.shadow(element) || native.weakGet(closedRoots, element) || null;

const installShadows = () => {
  const attach = Element.prototype.attachShadow;
  replace(Element.prototype, 'attachShadow', function (/** @type {any} */ init) {
    const root = native.apply(attach, this, [init]);
    native.weakSet(closedRoots, this, root);
    return root;
  });
  const internals = HTMLElement.prototype.attachInternals;
  replace(HTMLElement.prototype, 'attachInternals', function () {
    const given = native.apply(internals, this, NONE);
    if (given.shadowRoot) native.weakSet(closedRoots, this, given.shadowRoot);
    return given;
  });
};
