// @ts-check
// Handlers that a framework stores itself: it listens once, far above, and finds the element's handler on its own.
//
//   React         the element's properties, under a key that starts with __reactProps$ or __reactEventHandlers$
//   Svelte 5      __click and the like on the element
//   Solid         $$click and the like on the element
//   jQuery        a record under a key jQuery<digits> at the listening node, with selectors; before jQuery 3 it is
//                 behind jQuery._data; the same for Backbone and old Ember
//   Vue, Angular, Preact, Lit, Alpine and others listen at the element itself and need nothing of this.

/** @type {any} React's property -> kind */
const KIND_OF_PROPERTY = table({
  onClick: 'click', onClickCapture: 'click', onMouseDown: 'click', onMouseUp: 'click', onPointerDown: 'click', onPointerUp: 'click', onTouchStart: 'click',
  onDoubleClick: 'dblclick', onContextMenu: 'contextmenu', onMouseEnter: 'hover', onMouseOver: 'hover', onPointerEnter: 'hover', onPointerOver: 'hover', onMouseMove: 'hover', onPointerMove: 'hover',
  onMouseLeave: 'leave', onMouseOut: 'leave', onPointerLeave: 'leave', onPointerOut: 'leave', onFocus: 'focus', onBlur: 'blur',
  onInput: 'input', onChange: 'input', onBeforeInput: 'input', onKeyDown: 'key', onKeyUp: 'key', onKeyPress: 'key', onSubmit: 'submit', onDrop: 'drop', onScroll: 'scroll',
});

/** @type {string} */
let reactKey = kernel.reactKey || '';
let svelte = false;
let solid = false;
let inspections = 300; // elements that are still inspected to find out which framework created them

/** @param {any} element */
const inspect = (element) => {
  inspections -= 1;
  quietly(() => inspectProperties(element)); // the properties belong to the page
};

/** @param {any} element */
const inspectProperties = (element) => {
  const keys = native.ownKeys(element);
  for (let i = 0; i < keys.length; i += 1) {
    const key = keys[i];
    if (native.indexOf(key, '__reactProps$') === 0 || native.indexOf(key, '__reactEventHandlers$') === 0) {
      reactKey = key;
      kernel.reactKey = key;
    } else if (native.indexOf(key, '$$') === 0) solid = true;
    else if (native.indexOf(key, '__') === 0 && typeof element[key] === 'function') svelte = true;
  }
  if (!svelte && typeof Object.getOwnPropertySymbols === 'function') {
    const marks = symbolsOf(element);
    for (let i = 0; i < marks.length; i += 1) if (marks[i].description === 'events') svelte = true;
  }
};

const symbolsOf = Object.getOwnPropertySymbols;

/** Report each handler that a framework stores for an element. @param {any} element @param {(kind: string, handler: any) => void} report */
const eachFrameworkHandler = (element, report) => {
  try {
    eachStoredHandler(element, report);
  } catch {
    // The stored values belong to the page, and so do their errors.
  }
};

/** @param {any} element @param {(kind: string, handler: any) => void} report */
const eachStoredHandler = (element, report) => {
  if (reactKey) {
    const properties = element[reactKey];
    for (const name in properties) {
      const kind = KIND_OF_PROPERTY[name];
      if (kind && typeof properties[name] === 'function') report(kind, properties[name]);
    }
  }
  if (svelte || solid) {
    for (const type in KIND_OF_TYPE) {
      const handler = element['__' + type] || element['$$' + type];
      if (typeof handler === 'function' || (handler && typeof handler[0] === 'function')) report(KIND_OF_TYPE[type], handler[0] || handler);
    }
    const marks = symbolsOf(element);
    for (let i = 0; i < marks.length; i += 1) {
      const handlers = marks[i].description === 'events' ? element[marks[i]] : null;
      for (const type in handlers) if (KIND_OF_TYPE[type] && handlers[type]) report(KIND_OF_TYPE[type], handlers[type]);
    }
  }
};

/** Whether a framework listens at this node for everything inside it. @param {string[]} keys the node's own properties */
const isFrameworkRoot = (keys) => {
  for (let i = 0; i < keys.length; i += 1) {
    if (native.indexOf(keys[i], '__reactContainer$') === 0 || keys[i] === '_reactRootContainer' || native.indexOf(keys[i], '_reactListening') === 0) return true;
  }
  return false;
};

const JQUERY = /^jQuery\d/;

/** @type {any} an old jQuery, whose handlers only its own function returns */
let jquery = null;

/** Find jQuery before a walk: a lookup of a property that a window does not have is slow. */
const findJquery = () => {
  const known = quietly(() => /** @type {any} */ (window).jQuery);
  jquery = typeof known === 'function' && typeof known._data === 'function' ? known : null;
};

/** What jQuery listens for at a node: a list of handlers with their selectors, or null.
 * @param {any} node @param {string[]} keys the node's own properties @param {string} type @returns {{handler: any, selector: string}[] | null} */
const jqueryHandlers = (node, keys, type) => {
  try {
    const records = jqueryRecords(node, keys, type);
    if (!records) return null;
    /** @type {any[]} */
    const handlers = newList();
    for (let i = 0; i < records.length; i += 1) append(handlers, { handler: records[i].handler, selector: String(records[i].selector || '') });
    return handlers;
  } catch {
    return null; // the records belong to the page
  }
};

/** @param {any} node @param {string[]} keys @param {string} type */
const jqueryRecords = (node, keys, type) => {
  for (let i = 0; i < keys.length; i += 1) {
    if (native.exec(JQUERY, keys[i]) === null) continue;
    const record = node[keys[i]];
    if (record && record.events) return record.events[jqueryType(type)] || null;
  }
  const events = jquery === null ? null : quietly(() => jquery._data(node, 'events'));
  return (events && events[jqueryType(type)]) || null;
};

/** Replace each match in a text; the text's own method would run code of the page. @param {string} text @param {RegExp} pattern that matches no empty text, and globally @param {(found: any) => string} by */
const replaced = (text, pattern, by) => {
  let result = '';
  let from = 0;
  pattern.lastIndex = 0;
  for (let found = native.exec(pattern, text); found; found = native.exec(pattern, text)) {
    result += native.slice(text, from, found.index) + by(found);
    from = pattern.lastIndex;
  }
  return result + native.slice(text, from);
};

const RELATIVE = /(^|,)\s*[>+~]\s*/g;
const ONLY_JQUERY = /:(?:visible|hidden|first|last|even|odd|eq|gt|lt|input|button|text|checkbox|radio|password|file|submit|reset|image|header|parent|selected|animated|contains)\b(?!-)(?:\([^()]*\))?/g;
/** @type {any} */
const plainSelectors = native.create(null);

/** A selector of jQuery as a CSS selector: extensions of jQuery are removed, so that it matches too much rather
 * than too little; "" when the rest is not valid either. @param {string} selector */
const plainSelector = (selector) => {
  const known = plainSelectors[selector];
  if (known !== undefined) return known;
  const isPlain = /** @param {string} text */ (text) => text !== '' && quietly(() => (dom.findIn(document, text), true)) === true;
  const rest = replaced(replaced(selector, ONLY_JQUERY, () => ''), RELATIVE, (found) => found[1]);
  return (plainSelectors[selector] = isPlain(selector) ? selector : isPlain(rest) ? rest : '');
};

/** jQuery keeps these under the type that it really listens for. @param {string} type */
const jqueryType = (type) => (type === 'mouseenter' ? 'mouseover' : type === 'mouseleave' ? 'mouseout' : type === 'focus' ? 'focusin' : type === 'blur' ? 'focusout' : type);
