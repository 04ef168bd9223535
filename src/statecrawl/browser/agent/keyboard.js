// @ts-check
// The keyboard: keys and their default actions; typing into fields.

/** Dispatch a key event. Whether its default action may follow. @param {any} element @param {string} key @param {string} type */
const keyEvent = (element, key, type) => {
  const typed = key.length === 1 ? key : key === 'Enter' ? '\r' : '';
  const { code, virtual, shiftKey } = key.length === 1 ? keyOf(key) : { code: key, virtual: KEY_CODES[key] || 0, shiftKey: false };
  const charCode = type === 'keypress' ? native.charCodeAt(typed, 0) : 0;
  const keyCode = charCode || virtual;
  const init = { __proto__: null, key, code, keyCode, charCode, which: keyCode, shiftKey, bubbles: true, cancelable: true, composed: true, view: viewOf(element) };
  return native.dispatch(element, new (makersOf(element).KeyboardEvent)(type, init));
};

/** The other keys of a US keyboard: code, virtual key, character, character with Shift. @type {[string, number, string, string][]} */
const US_KEYS = [
  ['Minus', 189, '-', '_'], ['Equal', 187, '=', '+'], ['BracketLeft', 219, '[', '{'], ['BracketRight', 221, ']', '}'], ['Backslash', 220, '\\', '|'],
  ['Semicolon', 186, ';', ':'], ['Quote', 222, "'", '"'], ['Backquote', 192, '`', '~'], ['Comma', 188, ',', '<'], ['Period', 190, '.', '>'], ['Slash', 191, '/', '?'],
];
const SHIFTED_DIGITS = ')!@#$%^&*(';

/** The key of a character. @param {string} character */
const keyOf = (character) => {
  const upper = native.upper(character);
  const number = native.charCodeAt(upper, 0);
  if (character === ' ') return { code: 'Space', virtual: 32, shiftKey: false };
  if (number >= 65 && number <= 90) return { code: 'Key' + upper, virtual: number, shiftKey: character === upper };
  if (number >= 48 && number <= 57) return { code: 'Digit' + character, virtual: number, shiftKey: false };
  const digit = native.indexOf(SHIFTED_DIGITS, character);
  if (digit >= 0) return { code: 'Digit' + digit, virtual: 48 + digit, shiftKey: true };
  for (let i = 0; i < US_KEYS.length; i += 1) if (US_KEYS[i][2] === character || US_KEYS[i][3] === character) return { code: US_KEYS[i][0], virtual: US_KEYS[i][1], shiftKey: US_KEYS[i][3] === character };
  return { code: '', virtual: 0, shiftKey: false };
};

/** Press a key, including its default action. @param {any} element @param {string} key */
const pressKey = (element, key) => {
  const body = dom.body(document);
  if (element !== body) quietly(() => dom.focus(element, UNSCROLLED));
  const target = element === body ? focused(document) || body : element;
  const goesOn = keyEvent(target, key, 'keydown') && (key.length > 1 && key !== 'Enter' ? true : keyEvent(target, key, 'keypress'));
  if (goesOn && key === 'Enter' && dom.connected(target)) {
    const tag = dom.tag(target);
    if (tag === 'input') {
      const form = dom.fieldForm(target);
      if (form) quietly(() => submitByKey(form));
    } else if (tag === 'a' || tag === 'button' || tag === 'summary') quietly(() => dom.click(target));
  }
  if (goesOn && key === 'Escape') {
    const modal = topModal(document);
    if (modal && native.dispatch(modal, new (makersOf(modal).Event)('cancel', { __proto__: null, cancelable: true }))) quietly(() => modal.close());
  }
  if (!dom.connected(target)) return;
  const released = keyEvent(target, key, 'keyup');
  if (goesOn && released && key === ' ' && dom.connected(target) && dom.matches(target, PRESSED_BY_SPACE)) dom.click(target);
};

const PRESSED_BY_SPACE = 'button,summary,input[type=checkbox],input[type=radio],input[type=button],input[type=submit],input[type=reset]';

/** The default action of Enter in a field: click the form's first submit button, or submit a form without one. @param {any} form */
const submitByKey = (form) => {
  const button = findHtml(form, 'button:not([type]),[type=submit],[type=image]');
  if (!button) dom.requestSubmit(form);
  else if (!dom.matches(button, ':disabled')) dom.click(button);
};

/** @param {any} form */
const submit = (form) => {
  const button = findHtml(form, 'button:not([type]),[type=submit]');
  dom.requestSubmit(form, button && !dom.matches(button, ':disabled') ? button : undefined);
};

/** Whether text can be typed into a field; others have a picker. @param {any} field */
const isTyped = (field) => dom.tag(field) === 'textarea' || (dom.tag(field) === 'input' && native.exec(TYPED, dom.inputType(field)) !== null);
const TYPED = /^(?:text|search|email|tel|url|password|number)$/;

/** Whether a field reports no value until it contains a complete number. @param {any} field */
const isNumber = (field) => dom.tag(field) === 'input' && dom.inputType(field) === 'number';

/** @param {any} field @param {string} value */
const setText = (field, value) => (dom.tag(field) === 'textarea' ? dom.setAreaValue(field, value) : dom.setValue(field, value));

/** @param {any} field */
const textOf = (field) => (dom.tag(field) === 'textarea' ? dom.areaValue(field) : dom.value(field));

/** @param {any} field @param {string} type @param {string} data */
const inputEvent = (field, type, data) => native.dispatch(field, new (makersOf(field).InputEvent)(type, { __proto__: null, bubbles: true, cancelable: type === 'beforeinput', composed: true, data, inputType: 'insertText' }));

const MOST_TURNS = 5; // event loop turns in which a page may render a letter

/** Let the page render a letter that it has taken back: it may render the field a moment later, with its own value.
 * @param {any} field @param {string} text */
const waitForRendering = async (field, text) => {
  const shown = textOf(field);
  clock.rewind();
  clock.limit = clock.now + PRESSED;
  for (let i = 0; i < MOST_TURNS && textOf(field) === shown && shown !== text; i += 1) {
    await yieldTurn();
    while (clock.step(true));
  }
};

/** Type into a field, key by key, replacing its content. @param {any} field @param {string} value */
const type = async (field, value) => {
  quietly(() => dom.focus(field, UNSCROLLED));
  let last = field;
  let text = ''; // typed so far
  for (let i = 0; i < value.length; i += 1) {
    const at = typedInto(field);
    if (!dom.connected(at)) return;
    if (at !== last) text = textOf(at);
    else if (i > 0 && text !== textOf(at) && !isNumber(at)) text = textOf(at); // the page has changed it; a number may be incomplete
    last = at;
    const key = value[i];
    if (keyEvent(at, key, 'keydown') && keyEvent(at, key, 'keypress') && inputEvent(at, 'beforeinput', key) && dom.connected(at)) {
      text += key;
      setText(at, text);
      inputEvent(at, 'input', key);
      if (text !== textOf(at) && !isNumber(at)) await safe(waitForRendering(at, text));
    }
    if (dom.connected(at)) keyEvent(at, key, 'keyup');
  }
  if (dom.connected(last)) changed(last);
};

/** The element that receives keys: a field may move the focus to the next one. @param {any} field */
const typedInto = (field) => {
  const active = focused(dom.owner(field));
  return active && active !== field && isTyped(active) ? active : field;
};

/** @param {any} field */
const changed = (field) => native.dispatch(field, new (makersOf(field).Event)('change', { __proto__: null, bubbles: true }));

/** Type into an editable element. @param {any} element @param {string} value */
const edit = (element, value) => {
  quietly(() => dom.focus(element));
  quietly(() => viewOf(element).getSelection().selectAllChildren(element));
  for (let i = 0; i < value.length && dom.connected(element); i += 1) {
    const key = value[i];
    if (keyEvent(element, key, 'keydown') && keyEvent(element, key, 'keypress') && inputEvent(element, 'beforeinput', key)) quietly(() => dom.owner(element).execCommand('insertText', false, key));
    if (dom.connected(element)) keyEvent(element, key, 'keyup');
  }
};

/** Write into a field as a person does. @param {any} field @param {string} value @param {boolean} alone whether nothing else follows */
const write = (field, value, alone) => {
  const tag = dom.tag(field);
  const field_ = tag === 'select' || tag === 'input' || tag === 'textarea';
  if (!field_) return edit(field, value);
  if (alone) moveFocus(field);
  if (tag === 'select') {
    const options = dom.options(field);
    for (let i = 0; i < options.length; i += 1) if (dom.optionValue(options[i]) === value) dom.setSelected(options[i], true);
  } else setText(field, value);
  if (isTyped(field)) inputEvent(field, 'input', value);
  else native.dispatch(field, new (makersOf(field).Event)('input', { __proto__: null, bubbles: true, composed: true }));
  changed(field);
};

/** Write into one field and nothing else, key by key where possible. @param {any} field @param {string} value */
const enter = async (field, value) => {
  if (isTyped(field)) await safe(type(field, value));
  else write(field, value, true);
};

/** Fill in a form at once. @param {Filling} filling */
const fillFields = (filling) => {
  for (let i = 0; i < filling.length; i += 1) if (dom.connected(filling[i][0])) fillOne(filling[i][0], filling[i][1]);
};

/** @param {any} field @param {string} value */
const fillOne = (field, value) => {
  if (dom.tag(field) === 'input' && !isWritten(dom.inputType(field))) {
    if (!dom.checked(field)) dom.click(field);
  } else write(field, value, false);
};

/** Fill in a form as a person does: what the page listens to is typed key by key, and the page may work in between.
 * @param {Filling} filling */
const fillOut = async (filling) => {
  let works = false;
  for (let i = 0; i < filling.length; i += 1) {
    const field = filling[i][0];
    const value = filling[i][1];
    if (!dom.connected(field) || (isTyped(field) && value === '' && textOf(field) === '')) continue;
    if (!isTyped(field) || value === '' || textOf(field) === value || !mayListen()) fillOne(field, value);
    else await safe(type(field, value));
    works = works || mayListen();
  }
  if (works) await safe(letWork(PRESSED));
};

const mayListen = () => reactKey !== '' || anyListener(WRITTEN_TYPES);
const WRITTEN_TYPES = ['input', 'change', 'beforeinput', 'keydown', 'keyup', 'keypress'];
