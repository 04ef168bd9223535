// @ts-check
// Presses: what listeners for a pressed pointer, and the look of an element, tell about whether the page drags it.

const PRESSES = settings.touch ? ['pointerdown', 'mousedown', 'touchstart'] : ['pointerdown', 'mousedown'];
const FOLLOWS = settings.touch ? ['pointermove', 'mousemove', 'touchmove'] : ['pointermove', 'mousemove'];
const NAMES_MOVES = /(?:mouse|pointer|touch)_?move|PointerCapture|drag|resiz|_mouse_?down|\b(?:is_?)?(?:drawing|painting|panning|sliding|moving)\b/i;
const READS_PLACE = /\b(?:client|page|screen|offset|layer|movement)[XY]\b|changedTouches/;
const NATIVE_CODE = /\[native code\]/;
const HANDLE_WORDS = /slider|thumb(?!nail|s)|knob|splitter|gutter|resiz(?!able(?!-handle))|divider|sash/i;
const LOOSE = /drag|sortable|handle|grip|grab|\bmove?able\b/i;
const DRAG_CURSORS = /^(?:grab|grabbing|move|all-scroll|crosshair|(?:[ns]?[ew]?|col|row|nesw|nwse|ns|ew)-resize)$/;
/** @type {any} */
const MOVED_ROLES = table({ slider: 1, separator: 1 });

/** What a node's listeners of some types tell: whether there are any; and whether one names moves, reads where the pointer is, reads the
 * target, or hides its source. @typedef {{heard: boolean, names: boolean, reads: boolean, targets: boolean, opaque: boolean, selectors: string}} Hint */

/** @returns {any} */
const newHint = () => ({ __proto__: null, heard: false, names: false, reads: false, targets: false, opaque: false, selectors: '' });

/** @param {any} node @param {string[]} types @returns {Hint} */
const hintOf = (node, types) => {
  const hint = newHint();
  const own = native.weakGet(registry, node);
  for (let i = 0; i < types.length; i += 1) {
    const inline = dom.type(node) === 1 ? quietly(() => dom.attribute(node, 'on' + types[i])) : null;
    if (inline) addSource(hint, inline, '');
    const known = own === undefined ? undefined : own[types[i]];
    if (known === undefined || known.length === 0) continue;
    const records = jqueryHandlers(node, native.ownKeys(node), types[i]);
    for (let j = 0; records && j < records.length; j += 1) addListener(hint, records[j].handler, records[j].selector ? plainSelector(records[j].selector) : '');
    for (let j = 0; !(records && records.length) && j < known.length; j += 1) if (known[j].slot !== 'property' || !inline) addListener(hint, known[j].listener, '');
  }
  if (reactKey !== '') quietly(() => addReact(hint, node[reactKey], types));
  return hint;
};

/** @type {any} type -> React's property */
const REACT_PROPERTIES = table({ pointerdown: 'onPointerDown', mousedown: 'onMouseDown', touchstart: 'onTouchStart', pointermove: 'onPointerMove', mousemove: 'onMouseMove', touchmove: 'onTouchMove' });

/** @param {any} hint @param {any} properties @param {string[]} types */
const addReact = (hint, properties, types) => {
  for (let i = 0; properties && i < types.length; i += 1) {
    const handler = properties[REACT_PROPERTIES[types[i]]];
    if (typeof handler === 'function') addListener(hint, handler, '');
  }
};

/** @param {any} hint @param {any} listener @param {string} selectors given to jQuery */
const addListener = (hint, listener, selectors) => {
  const act = unwrapped(listener);
  if (typeof act !== 'function') {
    hint.heard = true;
    return;
  }
  const source = quietly(() => native.sourceOf(act)) || '';
  addSource(hint, source.length > LONGEST_SOURCE ? '' : source, selectors || read(listener).selectors);
};

/** @param {any} hint @param {string} source @param {string} selectors */
const addSource = (hint, source, selectors) => {
  hint.heard = true;
  if (native.exec(NAMES_MOVES, source) !== null) hint.names = true;
  if (native.exec(READS_PLACE, source) !== null) hint.reads = true;
  if (native.exec(BY_TARGET, source) !== null) hint.targets = true;
  if (native.exec(NATIVE_CODE, source) !== null) hint.opaque = true;
  if (selectors) hint.selectors += (hint.selectors ? ',' : '') + selectors;
};

/** Whether an element listens for presses, and may thus be dragged. @param {any} own its registered listeners @param {string} inline names of its attributes @param {string} role */
const mayBeDragged = (own, inline, role) => {
  if (role !== '' && MOVED_ROLES[role] === 1) return true;
  for (let i = 0; i < PRESSES.length; i += 1) {
    if (own !== undefined && own[PRESSES[i]] !== undefined && own[PRESSES[i]].length > 0) return true;
    if (inline && native.indexOf(inline, 'on' + PRESSES[i] + ' ') >= 0) return true;
  }
  return false;
};

/** Whether an element is a control, which is pressed to be clicked. @param {any} element @param {string} tag */
const isControl = (element, tag) => CONTROLS[tag] !== undefined || tag === 'option' || CLICKED_ROLES[dom.attribute(element, 'role') || ''] === 1;

/** @param {string} tag */
const isSurface = (tag) => tag === 'canvas' || tag === 'svg';

/** The words of an element's class and id. @param {any} element */
const wordsOfClass = (element) => (dom.attribute(element, 'class') || '') + ' ' + dom.id(element) + ' ' + (dom.attribute(element, 'aria-roledescription') || '');

/** Whether an element moves along a track. @param {any} element */
const isSlid = (element) => MOVED_ROLES[dom.attribute(element, 'role') || ''] === 1 || native.exec(HANDLE_WORDS, wordsOfClass(element)) !== null;

/** Whether an element is called something that is dragged. @param {any} element */
const isLoose = (element) => native.exec(LOOSE, wordsOfClass(element)) !== null || isSlid(element);

/** Whether an element is a handle rather than a surface. @param {any} element */
const isHandled = (element) => isLoose(element) || looksDraggable(element);

/** Whether style sheets show or prepare an element to be dragged. @param {any} element */
const looksDraggable = (element) => {
  const style = dom.style(element);
  return native.exec(DRAG_CURSORS, dom.property(style, 'cursor')) !== null || dom.property(style, 'touch-action') === 'none';
};
