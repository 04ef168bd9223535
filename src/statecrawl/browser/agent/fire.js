// @ts-check
// Firing events as a person would: the whole sequence of pointer, mouse, keyboard and focus events, and what the
// browser does by default.
//
// What we dispatch is not trusted by the browser. Applications that ask for `isTrusted` are crawled with trusted input,
// where the driver moves a real pointer; see `place` below and `browser/trusted.py`.

const HOLD = 800; // milliseconds of page time that a long press lasts
const PRESSED = 50; // and the press of a click

/** @param {any} element */
const viewOf = (element) => dom.view(dom.owner(element)) || window;

/** What makes events for an element: those of its own window. @param {any} element */
const makersOf = (element) => {
  const view = viewOf(element);
  return view === window ? makers : quietly(() => view[AGENT](SECRET, 'makers', [])) || view;
};

/** Where a pointer would hit an element. @param {any} element */
const centre = (element) => {
  const box = dom.box(element);
  return { clientX: native.floor(box.left + box.width / 2), clientY: native.floor(box.top + box.height / 2) };
};

/** @type {any} whether the event bubbles and can be cancelled; all others do */
const CALM = { mouseenter: 1, mouseleave: 1, pointerenter: 1, pointerleave: 1 };

/** @param {any} element @param {string} type @param {any} more */
const point = (element, type, more) => {
  const view = viewOf(element);
  const make = makersOf(element);
  const flows = CALM[type] !== 1;
  const moved = native.indexOf(type, 'pointer') === 0;
  const init = { bubbles: flows, cancelable: flows, composed: true, view, detail: 0, button: moved ? -1 : 0, ...more };
  if (moved) init.detail = 0;
  const Kind = moved || type === 'click' || type === 'auxclick' || type === 'contextmenu' ? make.PointerEvent : native.indexOf(type, 'drag') === 0 || type === 'drop' ? make.DragEvent : type === 'wheel' ? make.WheelEvent : make.MouseEvent;
  if (Kind === make.PointerEvent) {
    init.pointerId = 1;
    init.pointerType = 'mouse';
    init.isPrimary = true;
  }
  return native.dispatch(element, new Kind(type, init));
};

/** Whether anybody could notice an event of this type. @param {string} type */
const isHeard = (type) => heardTypes[type] === true || reactKey !== '' || INLINE_HEARD;
const INLINE_HEARD = true; // attributes are not registered anywhere; rather send one event too many

const MOVES_IN = ['pointerover', 'pointerenter', 'mouseover', 'mouseenter', 'pointermove', 'mousemove'];
const MOVES_OUT = ['pointerout', 'pointerleave', 'mouseout', 'mouseleave'];
const MOVES = [...MOVES_IN, ...MOVES_OUT];

/** @param {string[]} types */
const anyHeard = (types) => {
  for (let i = 0; i < types.length; i += 1) if (heardTypes[types[i]] === true) return true;
  return reactKey !== '' || kernel.inlineMoves === true;
};

/** The elements from one up to the top. @param {any} element */
const ancestry = (element) => {
  /** @type {any[]} */
  const chain = [];
  for (let node = element; node && dom.type(node) === 1; node = dom.parent(node)) append(chain, node);
  return chain;
};

/** Move the pointer to an element, or away from everything. @param {any} element */
const movePointer = (element) => {
  const from = kernel.hovered && dom.connected(kernel.hovered) ? kernel.hovered : null;
  kernel.hovered = element;
  if (from === element || (!from && !element) || !anyHeard(MOVES)) return;
  const left = from ? ancestry(from) : [];
  const entered = element ? ancestry(element) : [];
  const shared = (/** @type {any[]} */ chain, /** @type {any} */ node) => {
    for (let i = 0; i < chain.length; i += 1) if (chain[i] === node) return true;
    return false;
  };
  const where = centre(element || from);
  for (let twice = 0; twice < 2; twice += 1) {
    const device = twice ? 'mouse' : 'pointer';
    if (from) {
      point(from, device + 'out', { ...where, relatedTarget: element });
      for (let i = 0; i < left.length; i += 1) if (!shared(entered, left[i])) point(left[i], device + 'leave', { ...where, relatedTarget: element });
    }
    if (element) {
      point(element, device + 'over', { ...where, relatedTarget: from });
      for (let i = entered.length - 1; i >= 0; i -= 1) if (!shared(left, entered[i])) point(entered[i], device + 'enter', { ...where, relatedTarget: from });
    }
  }
  if (element) {
    point(element, 'pointermove', where);
    point(element, 'mousemove', where);
  }
};

const FOCUSABLE = 'a[href],button,input,select,textarea,summary,[tabindex],[contenteditable],iframe';

/** Give the focus where a press of the pointer would. @param {any} element */
const moveFocus = (element) => {
  let node = element;
  while (node && dom.type(node) === 1 && !dom.matches(node, FOCUSABLE)) node = dom.parent(node);
  const doc = dom.owner(element);
  const active = dom.active(doc);
  if (node && dom.type(node) === 1) {
    if (active !== node) quietly(() => dom.focus(node, { preventScroll: true }));
  } else if (active && active !== dom.body(doc)) quietly(() => dom.blur(active));
};

/** Press and let go, as far as nobody objects. @param {any} element @param {number} detail @param {number} button */
const press = (element, detail, button) => {
  const where = kernel.positions ? centre(element) : undefined; // asking forces a layout, which few listeners care for
  const held = { ...where, detail, button, buttons: button === 2 ? 2 : 1 };
  muted = !point(element, 'pointerdown', held);
  if (heardTypes.touchstart) quietly(() => touch(element, 'touchstart'));
  if (!muted && point(element, 'mousedown', held)) moveFocus(element);
  return { ...held, buttons: 0 };
};

let muted = false; // the page prevented the pointer from pressing: there are no events of the mouse until it is let go


/** @param {any} element @param {any} held */
const release = (element, held) => {
  point(element, 'pointerup', held);
  if (heardTypes.touchend) quietly(() => touch(element, 'touchend'));
  if (!muted) point(element, 'mouseup', held);
};

/** @param {any} element @param {string} type */
const touch = (element, type) => {
  const make = makersOf(element);
  const touched = new make.Touch({ identifier: 1, target: element, ...centre(element) });
  native.dispatch(element, new make.TouchEvent(type, { bubbles: true, cancelable: true, composed: true, touches: type === 'touchstart' ? [touched] : [], changedTouches: [touched] }));
};

/** What the page does while the pointer is held down: it draws, and only then may listen for the pointer to be let go. */
const hold = async () => {
  if (!heardTypes.mousedown && !heardTypes.pointerdown && !heardTypes.touchstart) return;
  clock.rewind();
  clock.limit = clock.now + PRESSED;
  do await yieldTurn();
  while (clock.step(true));
};

/** @param {any} element @param {number} detail */
const clickOnce = async (element, detail) => {
  const held = press(element, detail, 0);
  await hold();
  if (!dom.connected(element)) return;
  release(element, held);
  if (dom.connected(element)) point(element, 'click', held);
};

/** @param {any} element @param {string} key @param {string} type */
const keyEvent = (element, key, type) => {
  const view = viewOf(element);
  const code = key.length === 1 ? native.charCodeAt(native.upper(key), 0) : KEY_CODES[key] || 0;
  const name = key === ' ' ? 'Space' : key.length === 1 ? 'Key' + native.upper(key) : key;
  const event = new (makersOf(element).KeyboardEvent)(type, { key, code: name, keyCode: code, which: code, bubbles: true, cancelable: true, composed: true, view });
  return native.dispatch(element, event);
};

/** Press a key, and what the browser does upon it by default. @param {any} element @param {string} key */
const pressKey = (element, key) => {
  const body = dom.body(document);
  if (element !== body) quietly(() => dom.focus(element, { preventScroll: true }));
  const target = element === body ? dom.active(document) || body : element;
  const goesOn = keyEvent(target, key, 'keydown') && (key.length > 1 && key !== 'Enter' ? true : keyEvent(target, key, 'keypress'));
  if (goesOn && key === 'Enter' && dom.connected(target)) {
    const tag = dom.tag(target);
    if (tag === 'input') {
      const form = dom.fieldForm(target);
      if (form) quietly(() => submitByKey(form));
    } else if (tag === 'a' || tag === 'button' || tag === 'summary') point(target, 'click', {});
  }
  if (goesOn && key === 'Escape') {
    const modal = topModal(document);
    if (modal && native.dispatch(modal, new (makersOf(modal).Event)('cancel', { cancelable: true }))) quietly(() => modal.close());
  }
  if (!dom.connected(target)) return;
  const released = keyEvent(target, key, 'keyup');
  if (goesOn && released && key === ' ' && dom.connected(target) && dom.matches(target, PRESSED_BY_SPACE)) dom.click(target);
};

const PRESSED_BY_SPACE = 'button,summary,input[type=checkbox],input[type=radio],input[type=button],input[type=submit],input[type=reset]';

/** What the enter key does in a field: press the form's first button, or submit when there is none. @param {any} form */
const submitByKey = (form) => {
  const button = dom.find(form, 'button:not([type]),[type=submit],[type=image]');
  if (!button) dom.requestSubmit(form);
  else if (!dom.matches(button, ':disabled')) dom.click(button);
};

/** @param {any} form */
const submit = (form) => {
  const button = dom.find(form, 'button:not([type]),[type=submit]');
  dom.requestSubmit(form, button && !dom.matches(button, ':disabled') ? button : undefined);
};

/** Write into a field, as if typed. @param {any} field @param {string} value @param {boolean} alone whether nothing else follows */
const write = (field, value, alone) => {
  const tag = dom.tag(field);
  const make = makersOf(field);
  if (alone) moveFocus(field);
  if (tag === 'select') {
    const options = dom.options(field);
    for (let i = 0; i < options.length; i += 1) if (dom.optionValue(options[i]) === value) dom.setSelected(options[i], true);
  } else if (tag === 'input' || tag === 'textarea') {
    const last = value[value.length - 1] || '';
    if (alone && last) keyEvent(field, last, 'keydown');
    if (alone) native.dispatch(field, new make.InputEvent('beforeinput', { bubbles: true, cancelable: true, composed: true, data: value, inputType: 'insertText' }));
    if (tag === 'input') dom.setValue(field, value);
    else dom.setAreaValue(field, value);
    native.dispatch(field, new make.InputEvent('input', { bubbles: true, composed: true, data: value, inputType: 'insertText' }));
    if (alone && last) keyEvent(field, last, 'keyup');
  } else {
    quietly(() => dom.focus(field));
    const doc = dom.owner(field);
    quietly(() => {
      viewOf(field).getSelection().selectAllChildren(field);
      const told = new make.InputEvent('beforeinput', { bubbles: true, cancelable: true, composed: true, data: value, inputType: 'insertText' });
      if (native.dispatch(field, told)) doc.execCommand('insertText', false, value);
    });
    return;
  }
  if (tag === 'select') native.dispatch(field, new make.Event('input', { bubbles: true, composed: true }));
  native.dispatch(field, new make.Event('change', { bubbles: true }));
};

/** @param {[any, string][]} set */
const fillFields = (set) => {
  for (let i = 0; i < set.length; i += 1) if (dom.connected(set[i][0])) write(set[i][0], set[i][1], false);
};

/** Drag one element onto another. @param {any} from @param {any} to */
const drag = (from, to) => {
  const data = new (makersOf(from).DataTransfer)();
  const more = { dataTransfer: data, ...centre(from) };
  movePointer(from);
  point(from, 'pointerdown', more);
  point(from, 'mousedown', more);
  if (!point(from, 'dragstart', more)) return;
  const there = { dataTransfer: data, ...centre(to) };
  point(from, 'drag', more);
  point(to, 'dragenter', there);
  const refused = point(to, 'dragover', there); // a place accepts what is dragged by preventing the default
  if (!refused) point(to, 'drop', there);
  if (dom.connected(from)) point(from, 'dragend', there);
};

/** @param {any} element */
const scrollDown = (element) => {
  const page = element === null;
  const node = page ? document.scrollingElement || dom.root(document) : element;
  const target = page ? dom.body(document) : element;
  native.dispatch(target, new (makersOf(target).WheelEvent)('wheel', { bubbles: true, cancelable: true, deltaY: node.scrollHeight }));
  node.scrollTop = node.scrollHeight;
  native.dispatch(page ? document : element, new (makersOf(target).Event)('scroll', { bubbles: page }));
  kernel.mustDraw = true;
};

/** @param {any} field */
const upload = (field) => {
  const make = makersOf(field);
  const carried = new make.DataTransfer();
  carried.items.add(new make.File(['a file of text\n'], 'example.txt', { type: 'text/plain', lastModified: clock.epoch }));
  dom.setFiles(field, carried.files);
  native.dispatch(field, new make.Event('input', { bubbles: true, composed: true }));
  native.dispatch(field, new make.Event('change', { bubbles: true }));
};

/** Fire an event that a walk has found. @param {Found} found */
const fire = async (found) => {
  const { kind, element, extra } = found;
  switch (kind) {
    case 'click':
      movePointer(element);
      if (extra) fillFields(extra);
      if (dom.connected(element)) await clickOnce(element, 1);
      break;
    case 'dblclick':
      movePointer(element);
      await clickOnce(element, 1);
      if (dom.connected(element)) await clickOnce(element, 2);
      if (dom.connected(element)) point(element, 'dblclick', { ...centre(element), detail: 2 });
      break;
    case 'contextmenu': {
      movePointer(element);
      const held = press(element, 1, 2);
      if (!dom.connected(element)) break;
      point(element, 'contextmenu', { ...held, detail: 0 });
      if (dom.connected(element)) release(element, held);
      if (dom.connected(element)) point(element, 'auxclick', held);
      break;
    }
    case 'hover':
      if (kernel.hovered === element) kernel.hovered = null;
      movePointer(element);
      break;
    case 'leave':
      movePointer(element);
      movePointer(null);
      break;
    case 'focus':
      if (dom.active(dom.owner(element)) === element) dom.blur(element);
      dom.focus(element);
      break;
    case 'blur':
      if (dom.active(dom.owner(element)) !== element) dom.focus(element);
      dom.blur(element);
      break;
    case 'key':
      pressKey(element, extra);
      break;
    case 'longpress': {
      movePointer(element);
      const held = press(element, 1, 0);
      clock.rewind();
      const until = clock.now + HOLD;
      clock.limit = until;
      while (clock.step(true));
      if (clock.now < until) clock.now = until;
      if (dom.connected(element)) release(element, held);
      break;
    }
    case 'drag':
      drag(element, extra);
      break;
    case 'select': {
      moveFocus(element);
      const option = dom.options(element)[extra];
      if (option) write(element, dom.optionValue(option), false);
      break;
    }
    case 'input':
      write(element, extra, true);
      break;
    case 'upload':
      upload(element);
      break;
    case 'submit':
      fillFields(extra[0][extra[1]] || []);
      if (dom.connected(element)) submit(element);
      break;
    case 'scroll':
      scrollDown(element);
      break;
    case 'back':
      kernel.back -= 1;
      goBack();
      break;
    default:
      break;
  }
};

const historyBack = uncurry(History.prototype.back);

const goBack = () => {
  begin(); // until the page is told
  let open = true;
  const told = () => {
    if (open) finish();
    open = false;
  };
  native.listen(window, 'popstate', told, { once: true });
  native.listen(window, 'hashchange', told, { once: true });
  native.setTimeout(told, 500);
  historyBack(window.history);
};
