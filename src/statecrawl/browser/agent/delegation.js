// @ts-check
// Delegation: whether a listener is meant for its own node or for some of the elements inside it.
//
// A listener at a container usually serves its descendants. Which ones is decided by this evidence, in this order: selectors
// that were passed to jQuery or that the listener's source names; handlers that a framework stores at the descendants;
// children, if the source uses the event's target; and, for a listener without any evidence, descendants with a pointer as
// cursor. Only a listener for which none of this holds is about its own node.

/** What applies to everything inside a listening node: the selectors by kind, and whether the cursor decides.
 * @typedef {{selectors: any, pointer: boolean, children: any}} Audience */

/** @type {Audience} */
const NO_AUDIENCE = { selectors: null, pointer: false, children: null };

/** @param {any} node @param {boolean} whole whether the node is a whole document, its root or body, or the window @returns {any[]} of {kind, selectors, byTarget, keys, readsKeys, waits} */
const dutiesOf = (node, whole) => {
  const types = native.weakGet(registry, node);
  if (types === undefined) return NO_DUTIES;
  /** @type {any[]} */
  let duties = NO_DUTIES;
  const keys = native.ownKeys(node);
  const root = whole || isFrameworkRoot(keys);
  for (const type in types) {
    const kind = KIND_OF_TYPE[type];
    const known = types[type];
    if (kind === undefined || known.length === 0) continue;
    const records = jqueryHandlers(node, keys, type);
    if (records) {
      for (let i = 0; i < records.length; i += 1) {
        const reading = read(records[i].handler);
        const given = records[i].selector ? plainSelector(records[i].selector) : '';
        duties = withOne(duties, { kind, type, selectors: given || reading.selectors, exact: given !== '', byTarget: reading.byTarget, keys: reading.keys, readsKeys: reading.readsKeys, waits: reading.waits });
      }
      if (records.length) continue;
    }
    for (let i = 0; i < known.length; i += 1) {
      const reading = read(known[i].listener);
      if (root && !whole && !reading.selectors) continue;
      if (svelte && !whole && isDispatcher(type, known[i].listener)) continue;
      duties = withOne(duties, { kind, type, selectors: reading.selectors, exact: false, byTarget: reading.byTarget, keys: reading.keys, readsKeys: reading.readsKeys, waits: reading.waits });
    }
  }
  return duties;
};

/** Report the listeners of the window, the document, its root and its body. @param {any} doc @param {(duty: any) => void} report */
const eachDutyOfAll = (doc, report) => {
  const root = dom.root(doc);
  const body = dom.body(doc);
  const nodes = [dom.view(doc), doc, root, body];
  for (let i = 0; i < nodes.length; i += 1) {
    if (!nodes[i]) continue;
    const own = dutiesOf(nodes[i], true);
    const duties = i > 1 ? withInline(nodes[i], own) : own;
    for (let j = 0; j < duties.length; j += 1) report(duties[j]);
  }
};

/** Add what the root or the body of a document listens for by attributes. @param {any} node @param {any[]} duties @returns {any[]} */
const withInline = (node, duties) => {
  const names = dom.attributeNames(node);
  let all = duties;
  for (let i = 0; i < names.length; i += 1) {
    const type = native.slice(names[i], 2);
    const kind = native.indexOf(names[i], 'on') === 0 ? KIND_OF_TYPE[type] : undefined;
    const handler = kind === undefined ? null : quietly(() => node[names[i]]);
    if (typeof handler !== 'function') continue;
    const reading = read(handler);
    all = withOne(all, { kind, type, selectors: reading.selectors, exact: false, byTarget: reading.byTarget, keys: reading.keys, readsKeys: reading.readsKeys, waits: reading.waits });
  }
  return all;
};

/** @type {any[]} */
const NO_DUTIES = NONE;

/** Whether this is Svelte's single function, which listens at the application's root and at the document. @param {string} type @param {any} listener */
const isDispatcher = (type, listener) => {
  const known = listenersOf(document, type);
  for (let i = 0; known !== undefined && i < known.length; i += 1) if (known[i].listener === listener) return true;
  return false;
};

/** Text fields that no form submits: listeners for keys far above them are usually about them. */
const TYPED_INTO = ':is(input:not([type]),input[type=text],input[type=search],input[type=email],input[type=url],input[type=tel],input[type=number],textarea):not(form *)';

/** @param {Audience} outer @returns {Audience} */
const copiedAudience = (outer) => {
  const selectors = native.create(null);
  if (outer.selectors) for (const kind in outer.selectors) selectors[kind] = outer.selectors[kind];
  return { selectors, pointer: outer.pointer, children: outer.children };
};

/** @param {Audience} audience @param {string} kind @param {string} selectors */
const addSelectors = (audience, kind, selectors) => {
  const known = audience.selectors[kind];
  if (known === undefined) audience.selectors[kind] = selectors;
  else if (native.indexOf(known, selectors) < 0) audience.selectors[kind] = known + ',' + selectors;
};

/** The audience inside a document, from the listeners of its window, itself, its root and its body. @param {any} doc @param {Audience} outer */
const documentAudience = (doc, outer) => {
  let audience = outer;
  eachDutyOfAll(doc, ({ kind, selectors, keys }) => {
    if (kind === 'scroll' || (kind === 'key' && !selectors && keys.length > 0)) return; // keys that a listener names are events of the page
    if (audience === outer) audience = copiedAudience(outer);
    if (selectors) addSelectors(audience, kind, selectors);
    else if (kind === 'key') addSelectors(audience, kind, TYPED_INTO);
    else if (kind === 'click') audience.pointer = true;
  });
  return audience;
};

/** Whether a framework stores handlers of this kind for something inside an element. @param {any} element @param {string} kind */
const hasFrameworkInside = (element, kind) => {
  if (!reactKey && !svelte && !solid) return false;
  const inside = dom.findAll(element, '*');
  let found = false;
  for (let i = 0; i < inside.length && i < 500 && !found; i += 1) {
    eachFrameworkHandler(inside[i], (other) => {
      if (other === kind) found = true;
    });
  }
  return found;
};
