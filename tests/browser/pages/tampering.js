// Breaks what every script relies on. Some built-ins throw, some lie, some lose what they are given: whoever runs in
// the same world and did not keep the originals is misled. The page keeps them, for its own two buttons.

const tell = (() => {
  const { apply } = Reflect;
  const { getElementById } = Document.prototype;
  const { set } = Object.getOwnPropertyDescriptor(Node.prototype, "textContent");
  const page = document;
  return (text) => apply(set, apply(getElementById, page, ["out"]), [text]);
})();

const { tamperAsAsked, tamperAgain } = (() => {
  const { defineProperty } = Object;
  const asked = new URLSearchParams(location.search).get("only");
  const nothing = () => {};
  const fail = () => {
    throw new TypeError("tampered with");
  };

  // Descriptors have no prototype, because the prototype of all objects is among what is tampered with.
  const put = (owner, name, value) =>
    defineProperty(owner, name, { __proto__: null, value, writable: true, configurable: true });
  const putGetter = (owner, name, get) =>
    defineProperty(owner, name, { __proto__: null, get, set: nothing, configurable: true });
  // Counted loops: the iterator of arrays is among it, too.
  const eachOwner = (owners, name, value) => {
    for (let i = 0; i < owners.length; i++) put(owners[i], name, value);
  };
  const each = (owner, names, value) => {
    for (let i = 0; i < names.length; i++) put(owner, names[i], value);
  };
  const eachGetter = (owner, names, get) => {
    for (let i = 0; i < names.length; i++) putGetter(owner, names[i], get);
  };
  const attempt = (owner, names, get) => {
    for (let i = 0; i < names.length; i++) {
      try {
        putGetter(owner, names[i], get);
      } catch {}
    }
  };

  const GROUPS = {
    __proto__: null,
    array() {
      each(Array.prototype, ["push", "map", "filter", "forEach", "concat", "slice", "join", "some", "find"], fail);
      put(Array.prototype, "includes", () => true);
      put(Array.prototype, "indexOf", () => 0);
      put(Array.prototype, Symbol.iterator, fail);
      put(Array, "from", () => []);
      put(Array, "isArray", () => false);
    },
    setters() {
      const names = ["id", "kind", "type", "name", "value", "state", "events", "result", "error", "data", "0"];
      eachGetter(Object.prototype, names, () => "tampered");
      put(Object.prototype, "toJSON", () => "tampered");
    },
    promise() {
      each(Promise.prototype, ["then", "catch", "finally"], () => new Promise(nothing));
      each(Promise, ["all", "resolve", "reject", "race", "allSettled"], () => new Promise(nothing));
      put(window, "queueMicrotask", nothing);
    },
    json() {
      put(JSON, "stringify", () => "tampered");
      put(JSON, "parse", () => ({ tampered: true }));
    },
    collections() {
      eachOwner([Map.prototype, WeakMap.prototype], "get", () => "tampered");
      eachOwner([Map.prototype, WeakMap.prototype], "set", nothing);
      eachOwner([Map.prototype, WeakMap.prototype], "has", () => false);
      eachOwner([Set.prototype, WeakSet.prototype], "has", () => true);
      eachOwner([Set.prototype, WeakSet.prototype], "add", nothing);
    },
    string() {
      const names = ["slice", "substring", "split", "replace", "trim", "startsWith", "match", "matchAll", "padStart"];
      each(String.prototype, names, fail);
      put(String.prototype, "includes", () => true);
      put(String.prototype, "toLowerCase", () => "tampered");
      put(RegExp.prototype, "test", () => true);
      put(RegExp.prototype, "exec", () => null);
      put(RegExp.prototype, Symbol.replace, () => "tampered");
    },
    function() {
      each(Function.prototype, ["call", "apply", "bind"], fail);
      put(Function.prototype, "toString", () => "function () { [native code] }");
    },
    object() {
      each(Object, ["keys", "values", "entries", "getOwnPropertyNames", "getOwnPropertyDescriptor"], () => []);
      each(Object, ["assign", "freeze", "create", "defineProperty", "getPrototypeOf"], fail);
      each(Reflect, ["apply", "get", "set", "has", "ownKeys", "construct", "defineProperty"], fail);
    },
    listeners() {
      put(EventTarget.prototype, "addEventListener", nothing);
      put(EventTarget.prototype, "removeEventListener", nothing);
      put(EventTarget.prototype, "dispatchEvent", () => true);
      each(Event.prototype, ["preventDefault", "stopPropagation"], fail);
      eachGetter(Event.prototype, ["target", "type", "currentTarget"], () => null);
      each(window, ["Event", "MouseEvent", "PointerEvent", "KeyboardEvent", "InputEvent"], fail);
    },
    nodes() {
      const relatives = ["childNodes", "firstChild", "nextSibling", "parentNode", "ownerDocument"];
      eachGetter(Node.prototype, relatives, () => null);
      putGetter(Node.prototype, "nodeType", () => 8);
      putGetter(Node.prototype, "nodeName", () => "#tampered");
      putGetter(Node.prototype, "textContent", () => "tampered");
      putGetter(Node.prototype, "isConnected", () => false);
      each(Node.prototype, ["contains", "cloneNode", "getRootNode"], fail);
    },
    elements() {
      eachGetter(Element.prototype, ["tagName", "localName", "id", "className", "outerHTML"], () => "tampered");
      eachGetter(Element.prototype, ["attributes", "children", "shadowRoot", "classList"], fail);
      each(Element.prototype, ["getAttribute", "getAttributeNames", "closest", "matches", "querySelectorAll"], fail);
      put(Element.prototype, "checkVisibility", () => false);
      put(Element.prototype, "getBoundingClientRect", () => ({ x: -1, y: -1, width: 0, height: 0 }));
      each(HTMLElement.prototype, ["click", "focus", "blur"], nothing);
    },
    document() {
      eachGetter(Document.prototype, ["body", "documentElement", "forms", "defaultView"], () => null);
      each(Document.prototype, ["querySelector", "querySelectorAll", "createTreeWalker", "elementFromPoint"], fail);
      each(Document.prototype, ["getElementById", "getElementsByTagName", "createElement"], () => null);
      put(window, "getComputedStyle", () => ({ display: "none", visibility: "hidden", cursor: "wait" }));
    },
    time() {
      put(window, "Date", fail);
      each(Performance.prototype, ["now", "mark", "getEntriesByType"], fail);
      each(window, ["setTimeout", "setInterval", "requestAnimationFrame", "requestIdleCallback"], () => 0);
      put(window, "MutationObserver", fail);
      put(Math, "random", () => 4);
    },
    network() {
      put(window, "fetch", () => new Promise(nothing));
      each(XMLHttpRequest.prototype, ["open", "send"], nothing);
      put(window, "XMLHttpRequest", fail);
      put(window, "WebSocket", fail);
    },
    errors() {
      put(Error, "captureStackTrace", fail);
      put(Error, "prepareStackTrace", fail);
      put(Error, "stackTraceLimit", 0);
      each(console, ["log", "debug", "info", "warn", "error"], fail);
    },
    indices() {
      // Whoever writes to the end of a list hands the list to the page, which puts in what it likes.
      const own = (list, at, value) =>
        defineProperty(list, at, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
      const renamed = (value) => (typeof value === "string" ? value + " renamed" : { __proto__: value, id: "renamed" });
      for (let at = 0; at < 60; at++) {
        const set = function (value) {
          own(this, at, renamed(value));
        };
        defineProperty(Array.prototype, at, { __proto__: null, get: () => "renamed", set, configurable: true });
      }
    },
    chain() {
      const own = (list, at, value) =>
        defineProperty(list, at, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
      const traps = {
        __proto__: null,
        set: (_, name, value, list) => (own(list, name, typeof value === "string" ? value + " renamed" : {}), true),
        get: (_, name) => (typeof name === "symbol" || name === "toString" ? undefined : "renamed"),
        has: () => true,
      };
      Object.setPrototypeOf(Array.prototype, new Proxy({}, traps));
    },
    traps() {
      Object.setPrototypeOf(Array.prototype, new Proxy({}, { __proto__: null, set: fail, get: fail, has: fail }));
    },
    words() {
      // Tables that are asked for tags, attributes, roles and the like find what the page put below them.
      const names = ["html", "body", "p", "button", "a", "input", "form", "label", "select", "div", "tag", "class", "for"];
      const more = ["text", "search", "checkbox", "button", "menu", "exact", "slot", "once", "selectors", "keys", "200"];
      each(Object.prototype, names, 1);
      each(Object.prototype, more, 1);
    },
    dictionaries() {
      const pressed = ["ctrlKey", "shiftKey", "altKey", "metaKey", "passive", "once", "capture", "preventScroll"];
      eachGetter(Object.prototype, pressed, () => true);
      eachGetter(Object.prototype, ["signal", "relatedTarget", "sourceCapabilities", "detail", "attributeFilter"], fail);
      eachGetter(Object.prototype, ["checkOpacity", "opacityProperty", "checkVisibilityCSS", "attributeOldValue"], fail);
    },
    descriptors() {
      putGetter(Object.prototype, "get", () => fail);
      putGetter(Object.prototype, "set", () => fail);
    },
    thenables() {
      const never = () => new Promise(nothing);
      put(Object.prototype, "then", nothing);
      put(Promise.prototype, "then", never);
      put(Promise.prototype, "constructor", never);
    },
    species() {
      put(Promise.prototype, "constructor", { __proto__: null, [Symbol.species]: fail });
      put(Promise, Symbol.hasInstance, () => false);
      putGetter(Array, Symbol.species, fail);
      putGetter(RegExp, Symbol.species, fail);
      put(Object.prototype, Symbol.toPrimitive, fail);
      putGetter(Object.prototype, Symbol.toStringTag, fail);
    },
    lists() {
      const kinds = [NodeList, HTMLCollection, HTMLOptionsCollection, StyleSheetList, CSSRuleList, DOMRectList, FileList];
      for (let i = 0; i < kinds.length; i++) attempt(kinds[i].prototype, ["length"], fail);
      attempt(Symbol.prototype, ["description"], fail);
    },
    layout() {
      const sizes = ["scrollHeight", "clientHeight", "scrollTop", "clientLeft", "clientTop"];
      attempt(Element.prototype, sizes, fail);
      attempt(DOMRectReadOnly.prototype, ["left", "top", "right", "bottom", "width", "height"], fail);
      attempt(DOMRect.prototype, ["width", "height"], fail);
      attempt(window, ["innerHeight", "scrollY"], fail);
      attempt(CSSStyleDeclaration.prototype, ["overflowY"], fail);
      attempt(MediaQueryList.prototype, ["matches"], fail);
      attempt(Document.prototype, ["scrollingElement"], () => ({}));
    },
    relatives() {
      putGetter(HTMLLabelElement.prototype, "control", () => ({ type: "checkbox" }));
      putGetter(HTMLInputElement.prototype, "list", () => ({}));
      putGetter(HTMLElement.prototype, "style", () => ({}));
      putGetter(HTMLFrameElement.prototype, "contentDocument", () => ({}));
    },
    records() {
      // What frameworks would keep at elements.
      const { getElementById } = Document.prototype;
      const page = document;
      document.addEventListener("DOMContentLoaded", () => {
        const element = getElementById.call(page, "over");
        if (!element) return;
        element.jQuery1 = { __proto__: null, get events() { return fail(); } };
        element.__reactProps$x = new Proxy({}, { __proto__: null, ownKeys: fail, get: fail });
        putGetter(element, "__click", fail);
        putGetter(element, Symbol("events"), fail);
      });
    },
    shadows() {
      put(Element.prototype, "attachShadow", fail);
      putGetter(HTMLIFrameElement.prototype, "contentDocument", fail);
      putGetter(HTMLIFrameElement.prototype, "contentWindow", fail);
      put(window, "Proxy", fail);
      put(window, "WeakRef", fail);
    },
  };

  const names = Object.keys(GROUPS);
  const tamper = (chosen) => {
    // A group that an earlier one has already made impossible is left as it is.
    for (let i = 0; i < chosen.length; i++) {
      try {
        GROUPS[chosen[i]]();
      } catch {}
    }
  };
  const all = asked ? [asked] : names;
  return {
    tamperAsAsked: () => tamper(all),
    tamperAgain: () => {
      tamper(all);
      tell("attacked");
    },
  };
})();
