// What a random clicker can use: one visible control, chosen at random, and where to click it.
// Installed at the start of every document; `seed` makes the choice.
(() => {
  const NATIVE = 'a[href],button,input,select,textarea,summary,label,option,[onclick],[contenteditable=""],[contenteditable=true],' +
    '[role=button],[role=link],[role=tab],[role=menuitem],[role=menuitemcheckbox],[role=menuitemradio],[role=checkbox],[role=radio],' +
    '[role=switch],[role=option],[role=treeitem],[role=gridcell],[role=combobox],[role=slider],[role=spinbutton],[tabindex],[draggable=true]';
  const KINDS = new Set(['click', 'dblclick', 'mousedown', 'mouseup', 'pointerdown', 'pointerup', 'touchstart', 'contextmenu']);
  const TYPED = new Set(['text', 'search', 'email', 'url', 'tel', 'password', 'number']);
  const STEPPED = new Set(['range', 'date', 'time', 'month', 'week', 'datetime-local', 'color']);
  const listening = new WeakSet();
  const add = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function addEventListener(kind, ...rest) {
    if (KINDS.has(kind) && this instanceof Element && this !== document.body && this !== document.documentElement) listening.add(this);
    return add.call(this, kind, ...rest);
  };

  const isOwn = (element) => element.matches(NATIVE) || listening.has(element) || typeof element.onclick === 'function';
  const isPointed = (element) => getComputedStyle(element).cursor === 'pointer' &&
    !(element.parentElement && getComputedStyle(element.parentElement).cursor === 'pointer');

  function* all(root) {
    for (const element of root.querySelectorAll('*')) {
      yield element;
      if (element.shadowRoot) yield* all(element.shadowRoot);
      if (element.tagName === 'IFRAME') {
        let inner = null;
        try { inner = element.contentDocument; } catch { /* another origin */ }
        if (inner) yield* all(inner);
      }
    }
  }

  const isUsable = (element) => !element.disabled && element.type !== 'file' && element.type !== 'hidden' &&
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true });

  // The centre of an element in the viewport, if a click there reaches it
  function place(element) {
    element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
    const box = element.getBoundingClientRect();
    if (box.width < 1 || box.height < 1) return null;
    let x = box.left + box.width / 2;
    let y = box.top + box.height / 2;
    let hit = element.getRootNode().elementFromPoint?.(x, y);
    if (!hit || !(element.contains(hit) || hit.contains(element) && hit.tagName === 'LABEL')) return null;
    for (let view = element.ownerDocument.defaultView; view.frameElement; view = view.parent) {
      const frame = view.frameElement.getBoundingClientRect();
      x += frame.left;
      y += frame.top;
    }
    return x >= 0 && y >= 0 && x < innerWidth && y < innerHeight ? { x, y } : null;
  }

  function kind(element) {
    if (element.tagName === 'TEXTAREA' || element.isContentEditable) return 'type';
    if (element.tagName === 'SELECT') return 'step';
    if (element.tagName !== 'INPUT') return 'click';
    return TYPED.has(element.type) ? 'type' : STEPPED.has(element.type) ? 'step' : 'click';
  }

  const choose = (seed) => {
    let state = seed >>> 0;
    const below = (count) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor(state / 4294967296 * count);
    };
    const controls = [...all(document)].filter((element) => (isOwn(element) || isPointed(element)) && isUsable(element));
    while (controls.length) {
      const [element] = controls.splice(below(controls.length), 1);
      const at = place(element);
      if (!at) continue;
      const use = kind(element);
      if (use === 'step') element.focus();
      return { ...at, kind: use };
    }
    return null;
  };
  Object.defineProperty(window, Symbol.for('bench'), { value: { choose } });
})();
