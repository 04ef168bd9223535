// Fires an event at an element as statecrawl did: the pointer does not follow elements that the page moves.
async (element, [kind, value]) => {
  const view = element.ownerDocument.defaultView;
  const body = element.ownerDocument.body;
  const session = view.top; // frames share one pointer
  const PRESS = 50, LONG_PRESS = 800; // milliseconds
  const FOCUSABLE = 'a[href],area[href],button,input,select,textarea,summary,[tabindex],[contenteditable],iframe';
  const SUBMITS = 'button:not([type]),[type=submit],[type=image]';
  const BY_SPACE = 'button,summary,[type=checkbox],[type=radio],[type=button],[type=submit],[type=reset]';
  const CODES = { Enter: 13, Escape: 27, ' ': 32, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40, Tab: 9, Backspace: 8, Delete: 46, Home: 36, End: 35, PageUp: 33, PageDown: 34 };
  const clock = session.__clock;
  const sleep = (time) => (clock ? clock.pass(time) : new Promise((done) => { view.setTimeout(done, time); }));

  const around = (node) => {
    const outer = node.assignedSlot || node.parentNode;
    return outer && outer.nodeType === 11 ? outer.host || null : outer;
  };
  const ancestry = (node) => {
    const chain = [];
    for (let at = node; at && at.nodeType === 1; at = around(at)) chain.push(at);
    return chain;
  };
  const spot = () => {
    const box = element.getBoundingClientRect();
    return { clientX: Math.floor(box.left + box.width / 2), clientY: Math.floor(box.top + box.height / 2) };
  };
  const at = spot();
  const point = (target, type, more) => {
    const calm = /enter$|leave$/.test(type);
    const Kind = /^pointer|click$|contextmenu/.test(type) && type !== 'dblclick' ? view.PointerEvent : view.MouseEvent;
    const init = { bubbles: !calm, cancelable: !calm, composed: !calm, view, button: -1, pointerId: 1, pointerType: 'mouse', isPrimary: type[0] === 'p', ...at, ...more };
    return target.dispatchEvent(new Kind(type, init));
  };
  const cross = (device, from, to) => {
    const left = from ? ancestry(from) : [], entered = to ? ancestry(to) : [];
    const [leaves, enters] = [{ relatedTarget: to }, { relatedTarget: from }];
    if (from) {
      point(from, `${device}out`, leaves);
      for (const node of left) if (!entered.includes(node)) point(node, `${device}leave`, leaves);
    }
    if (to) {
      point(to, `${device}over`, enters);
      for (const node of entered.reverse()) if (!left.includes(node)) point(node, `${device}enter`, enters);
    }
  };
  const move = (to) => {
    const before = session.__hovered;
    const from = before && before.isConnected && before.ownerDocument === element.ownerDocument ? before : null;
    session.__hovered = to;
    if (from !== to) for (const device of ['pointer', 'mouse']) cross(device, from, to);
    if (to) for (const type of ['pointermove', 'mousemove']) point(to, type, {});
  };
  const focused = () => {
    let active = element.ownerDocument.activeElement;
    while (active && active.shadowRoot && active.shadowRoot.activeElement) active = active.shadowRoot.activeElement;
    return active;
  };
  const focus = () => {
    const to = ancestry(element).find((node) => node.matches(FOCUSABLE) && !node.matches(':disabled'));
    const active = focused();
    if (to) {
      if (active !== to) to.focus({ preventScroll: true });
    } else if (active && active !== body) active.blur();
  };
  const press = (detail, button) => {
    const held = { detail, button, buttons: button === 2 ? 2 : 1 };
    const mouse = point(element, 'pointerdown', held);
    if (mouse && point(element, 'mousedown', held)) focus();
    return { mouse, ...held, buttons: 0 };
  };
  const release = ({ mouse, ...held }) => {
    point(element, 'pointerup', held);
    if (mouse) point(element, 'mouseup', held);
  };
  const click = async (detail) => {
    const held = press(detail, 0);
    await sleep(PRESS);
    if (!element.isConnected) return;
    release(held);
    if (element.isConnected) point(element, 'click', held);
  };
  const key = (target, name, type) => {
    const typed = name.length === 1 ? name : name === 'Enter' ? '\r' : '';
    const charCode = type === 'keypress' ? typed.charCodeAt(0) : 0;
    const virtual = CODES[name] || (name.length === 1 ? name.toUpperCase().charCodeAt(0) : 0);
    const code = name === ' ' ? 'Space' : /^[a-z]$/i.test(name) ? `Key${name.toUpperCase()}` : /^[0-9]$/.test(name) ? `Digit${name}` : name;
    const keyCode = charCode || virtual;
    return target.dispatchEvent(new view.KeyboardEvent(type, { key: name, code, keyCode, charCode, which: keyCode, bubbles: true, cancelable: true, composed: true, view }));
  };
  const pressKey = (name) => {
    if (element !== body) element.focus({ preventScroll: true });
    const target = element === body ? focused() || body : element;
    const goesOn = key(target, name, 'keydown') && ((name.length > 1 && name !== 'Enter') || key(target, name, 'keypress'));
    if (goesOn && name === 'Enter' && target.isConnected) {
      if (target.localName === 'input' && target.form) {
        const button = target.form.querySelector(SUBMITS);
        if (!button) target.form.requestSubmit();
        else if (!button.matches(':disabled')) button.click();
      } else if (['a', 'button', 'summary'].includes(target.localName)) target.click();
    }
    if (goesOn && name === 'Escape') {
      const modal = [...element.ownerDocument.querySelectorAll('dialog:modal')].pop();
      if (modal && modal.dispatchEvent(new view.Event('cancel', { cancelable: true }))) modal.close();
    }
    if (!target.isConnected) return;
    const released = key(target, name, 'keyup');
    if (goesOn && released && name === ' ' && target.isConnected && target.matches(BY_SPACE)) target.click();
  };
  const setText = (text) => {
    const owner = element.localName === 'textarea' ? view.HTMLTextAreaElement : view.HTMLInputElement;
    Object.getOwnPropertyDescriptor(owner.prototype, 'value').set.call(element, text);
  };
  const tell = (type, data) => element.dispatchEvent(new view.InputEvent(type, { bubbles: true, cancelable: type === 'beforeinput', composed: true, data, inputType: 'insertText' }));
  const changed = () => element.dispatchEvent(new view.Event('change', { bubbles: true }));
  const isField = element.localName === 'input' || element.localName === 'textarea';
  const isTyped = element.localName === 'textarea' || /^(text|search|email|tel|url|password|number)$/.test(element.type);
  const type = async () => {
    element.focus({ preventScroll: true });
    let text = '';
    for (const [number, letter] of [...value].entries()) {
      if (!element.isConnected) return;
      if (isField && number && text !== element.value && element.type !== 'number') text = element.value; // the page changed it
      if (key(element, letter, 'keydown') && key(element, letter, 'keypress') && tell('beforeinput', letter) && element.isConnected) {
        text += letter;
        if (isField) setText(text);
        else element.ownerDocument.execCommand('insertText', false, letter);
        if (isField) tell('input', letter);
        if (isField && text !== element.value && element.type !== 'number') await sleep(PRESS); // the page may update the field a moment later
      }
      if (element.isConnected) key(element, letter, 'keyup');
    }
    if (isField && element.isConnected) changed();
  };
  const fill = () => {
    if (isField) setText(value);
    else element.textContent = value;
    if (isTyped) tell('input', value);
    else element.dispatchEvent(new view.Event('input', { bubbles: true, composed: true }));
    changed();
  };

  switch (kind) {
    case 'click':
      move(element);
      await click(1);
      break;
    case 'dblclick':
      move(element);
      await click(1);
      if (element.isConnected) await click(2);
      if (element.isConnected) point(element, 'dblclick', { button: 0, detail: 2 });
      break;
    case 'contextmenu': {
      move(element);
      const held = press(1, 2);
      if (element.isConnected) point(element, 'contextmenu', { button: 2, buttons: 2 });
      if (element.isConnected) release(held);
      if (element.isConnected) point(element, 'auxclick', held);
      break;
    }
    case 'longpress': {
      move(element);
      const held = press(1, 0);
      await sleep(LONG_PRESS);
      if (element.isConnected) release(held);
      break;
    }
    case 'hover':
      if (session.__hovered === element) session.__hovered = null;
      move(element);
      for (const type of ['pointermove', 'mousemove']) if (element.isConnected) point(element, type, { clientX: at.clientX + 1 });
      break;
    case 'leave':
      move(element);
      move(element.ownerDocument.documentElement);
      break;
    case 'focus':
      if (focused() === element) element.blur();
      element.focus();
      break;
    case 'blur':
      if (focused() !== element) element.focus();
      element.blur();
      break;
    case 'key':
      pressKey(value);
      break;
    case 'input':
      if (isField && !isTyped) {
        focus();
        fill();
      } else {
        if (!isField) view.getSelection().selectAllChildren(element);
        await type();
      }
      break;
    case 'fill':
      fill();
      break;
    case 'submit': {
      const button = element.querySelector('button:not([type]),[type=submit]');
      element.requestSubmit(button && !button.matches(':disabled') ? button : undefined);
      break;
    }
    default: // scroll
      element.dispatchEvent(new view.WheelEvent('wheel', { bubbles: true, cancelable: true, deltaY: element.scrollHeight }));
      element.scrollTop = element.scrollHeight;
      element.dispatchEvent(new view.Event('scroll'));
  }
}
