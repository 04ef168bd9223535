// @ts-check
// What must never block a crawl or leave its scope: dialogs, windows, downloads, printing, navigation; and the errors that
// the page reports.

/** @type {RegExp[]} */
const allowed = newList();
/** @type {RegExp[]} */
const denied = newList();
for (const expression of settings.scope.allow) append(allowed, new RegExp(expression));
for (const expression of settings.scope.deny) append(denied, new RegExp(expression));

/** Whether a URL belongs to the application. @param {string} url */
const isInScope = (url) => {
  for (let i = 0; i < denied.length; i += 1) if (native.exec(denied[i], url)) return false;
  for (let i = 0; i < allowed.length; i += 1) if (native.exec(allowed[i], url)) return true;
  return native.indexOf(url, 'about:') === 0;
};

const LONGEST_MESSAGE = 5000; // characters of a message that are checked; see crawler/dangerous_dialogs.py
const ACCENT = /^[\p{Mn}\p{Me}]$/u;
const SPOKEN = /^[\p{L}\p{M}]$/u;
/** @type {any} */
const ALIKE = { __proto__: null, '\u0131': 'i', '\u03c2': '\u03c3', '\xdf': 'ss' };
const INVISIBLE = /^[\xad\u200b\u200d-\u200f\u2060\ufeff]$/;

/** The words of a text, separated by single spaces. @param {string} text @param {boolean} bare without accents */
const plainWords = (text, bare) => {
  let words = '', apart = false;
  for (let i = 0; i < text.length; i += 1) {
    const letter = text[i];
    if (native.exec(INVISIBLE, letter) !== null || (bare && native.exec(ACCENT, letter) !== null)) continue;
    if (native.exec(SPOKEN, letter) === null) apart = true;
    else {
      words += (apart && words ? ' ' : '') + (ALIKE[letter] || letter);
      apart = false;
    }
  }
  return words;
};

/** The form of a message that the regular expressions for dangerous messages match: see crawler/dangerous_dialogs.py. @param {string} message */
const messageWords = (message) => {
  const lower = native.lower(native.slice(message, 0, LONGEST_MESSAGE));
  const bare = native.normalize(plainWords(native.normalize(lower, 'NFKD'), true), 'NFC');
  return ' ' + plainWords(native.normalize(lower, 'NFC'), false) + ' ' + bare + ' ';
};

/** Groups of regular expressions; compiled at the first dialog, which most pages never open. @type {RegExp[][] | null} */
let declining = null;

/** Whether a message names a dangerous action that the user has not allowed. @param {string} message */
const isDangerous = (message) => {
  if (declining === null) {
    declining = newList();
    for (let i = 0; i < settings.declining.length; i += 1) {
      /** @type {RegExp[]} */
      const group = newList();
      for (let j = 0; j < settings.declining[i].length; j += 1) append(group, new RegExp(settings.declining[i][j], 'u'));
      append(declining, group);
    }
  }
  const text = declining.length === 0 ? '' : messageWords(message);
  for (let i = 0; i < declining.length; i += 1) {
    let found = 0;
    while (found < declining[i].length && native.exec(declining[i][found], text) !== null) found += 1;
    if (found === declining[i].length) return true;
  }
  return false;
};

/** The answer to a question. @param {string} kind @param {string} message */
const answerTo = (kind, message) => {
  const declined = kernel.answer && isDangerous(message);
  noteDialog(kind, message, true, declined);
  return kernel.answer && !declined;
};

/** @param {string} kind @param {string} message @param {boolean} choice @param {boolean} declined as dangerous */
const noteDialog = (kind, message, choice, declined) => {
  const shown = tidy(message, 500);
  note('dialog', declined ? [kind, shown, false, DECLINED] : [kind, shown, kernel.answer]);
  if (choice) kernel.dialogs += 1;
};

const DECLINED = 'declined'; // ends the kind of the note about a dialog that named a dangerous action; see crawler/dangerous_dialogs.py

const installDialogs = () => {
  replace(window, 'alert', function alert(/** @type {any} */ message) { noteDialog('alert', String(message), false, false); });
  replace(window, 'confirm', function confirm(/** @type {any} */ message) {
    return answerTo('confirm', String(message));
  });
  replace(window, 'prompt', function prompt(/** @type {any} */ message, /** @type {any} */ usual) {
    const question = String(message);
    if (!answerTo('prompt', question)) return null;
    return usual ? String(usual) : (chosen(userValues, question) || valuesForPurpose(question, languageOf(dom.root(document))) || VALUES.text)[0];
  });
  replace(window, 'print', function print() { note('print', null); });
};

/** A window that was closed as soon as it was opened. @param {string} url */
const closedWindow = (url) => ({
  closed: true, opener: null, name: '', location: { href: url, assign() {}, replace() {}, reload() {} },
  close() {}, focus() {}, blur() {}, postMessage() {}, addEventListener() {}, removeEventListener() {}, moveTo() {}, resizeTo() {}, print() {},
  document: { write() {}, writeln() {}, open() {}, close() {}, title: '', body: null },
});

const SAME_WINDOW = /^(?:_self|_top|_parent|)$/i;

/** Whether a name stands for a window that does not exist yet, and for none of the frames of the page. @param {any} name */
const isNewWindow = (name) => {
  const target = String(name || '');
  return native.exec(SAME_WINDOW, target) === null && !hasFrame(/** @type {any} */ (window.top), target, 0);
};

const MOST_WINDOWS = 200; // in one parent

/** Whether a window contains a frame of this name at any depth. @param {any} view @param {string} name @param {number} depth @returns {boolean} */
const hasFrame = (view, name, depth) => {
  for (let i = 0; depth <= DEEPEST_FRAME && i < view.length && i < MOST_WINDOWS; i += 1) {
    const frame = quietly(() => view[i]);
    if (!frame) continue;
    const own = quietly(() => frame.name); // "" if it has another origin
    if (own === name || (own === undefined && isFrameNamed(view, name))) return true;
    if (hasFrame(frame, name, depth + 1)) return true;
  }
  return false;
};

/** and then only the element tells it. @param {any} view @param {string} name */
const isFrameNamed = (view, name) => {
  const quoted = '[name="' + native.escape(name) + '"]';
  return Boolean(quietly(() => dom.findIn(view.document, 'iframe' + quoted + ',frame' + quoted)));
};

/** Where a link or a form of a document opens its target. @param {any} element @param {any} button that submits a form, if any @returns {string} */
const targetOf = (element, button) => {
  const own = (button && dom.attribute(button, 'formtarget')) || dom.attribute(element, 'target');
  if (own !== null && own !== undefined) return own;
  const base = dom.findIn(document, 'base[target]');
  return (base && dom.attribute(base, 'target')) || '';
};

/** Listeners of the agent at the window and the document. @type {[any, string, any, boolean][]} */
const guards = newList();

/** @param {any} node the window or the document @param {string} type @param {any} listener @param {boolean} capture */
const guard = (node, type, listener, capture = false) => {
  append(guards, [node, type, listener, capture]);
  native.listen(node, type, listener, capture);
};

/** A document that is written anew removes all listeners of its window and itself, including ours: install them again. */
const installRewriting = () => {
  for (const name of ['open', 'write', 'writeln']) {
    const real = /** @type {any} */ (Document.prototype)[name];
    replace(Document.prototype, name, function () {
      const anew = this === document && dom.ready(document) !== 'loading';
      const answer = native.apply(real, this, arguments);
      if (anew) {
        native.weakSet(registry, window, native.create(null));
        native.weakSet(registry, document, native.create(null));
        for (let i = 0; i < guards.length; i += 1) native.listen(guards[i][0], guards[i][1], guards[i][2], guards[i][3]);
        kernel.rewritten = native.now();
        wakeUp();
      }
      return answer;
    });
  }
};

const installWindows = () => {
  const open = window.open;
  replace(window, 'open', function (/** @type {any} */ url, /** @type {any} */ name) {
    if (name !== undefined && name !== '' && !isNewWindow(name)) return native.apply(open, window, arguments);
    const address = url ? absolute(String(url)) : 'about:blank';
    note('window', address);
    return closedWindow(address);
  });
  replace(window, 'close', function close() { note('close', null); });
  const opens = /** @param {any} event */ (event) => {
    if (native.prevented(event)) return;
    const path = native.composedPath(event);
    for (let i = 0; i < path.length; i += 1) {
      const node = path[i];
      if (!node || quietly(() => dom.type(node)) !== 1) continue;
      const tag = dom.tag(node);
      if (tag !== 'a' && tag !== 'area') continue;
      const address = dom.attribute(node, 'href');
      if (address === null) return;
      if (dom.hasAttribute(node, 'download')) {
        native.preventDefault(event);
        note('download', absolute(address));
      } else if (isNewWindow(targetOf(node, null))) {
        native.preventDefault(event);
        note('window', absolute(address));
      }
      return;
    }
  };
  guard(window, 'click', opens);
  const sendsElsewhere = /** @param {any} form @param {any} button */ (form, button) => {
    if (!isNewWindow(quietly(() => targetOf(form, button)))) return false;
    note('window', absolute((button && dom.attribute(button, 'formaction')) || dom.attribute(form, 'action') || location.href));
    return true;
  };
  guard(window, 'submit', (/** @type {any} */ event) => {
    const button = quietly(() => native.submitter(event)); // a page may dispatch a plain event of this type
    if (!native.prevented(event) && sendsElsewhere(native.target(event), button)) native.preventDefault(event);
  });
  const send = HTMLFormElement.prototype.submit;
  replace(HTMLFormElement.prototype, 'submit', function submit() {
    if (!sendsElsewhere(this, null)) native.apply(send, this, NONE);
  });
};

/** Navigation to other documents: outside the scope it is recorded and prevented. */
const installNavigation = () => {
  const navigation = /** @type {any} */ (window).navigation;
  if (!navigation) return;
  const top = window === window.top;
  const { NavigateEvent, NavigationDestination } = /** @type {any} */ (window);
  const destinationOf = getterOf(NavigateEvent.prototype, 'destination');
  const downloadOf = getterOf(NavigateEvent.prototype, 'downloadRequest');
  const isHashChange = getterOf(NavigateEvent.prototype, 'hashChange');
  const typeOf = getterOf(NavigateEvent.prototype, 'navigationType');
  const formDataOf = getterOf(NavigateEvent.prototype, 'formData');
  const urlOf = getterOf(NavigationDestination.prototype, 'url');
  const isSameDocument = getterOf(NavigationDestination.prototype, 'sameDocument');
  native.listen(navigation, 'navigate', (/** @type {any} */ event) => {
    const destination = destinationOf(event);
    const url = urlOf(destination);
    if (downloadOf(event) !== null) {
      note('download', url);
      native.preventDefault(event);
      return;
    }
    if (isHashChange(event) || isSameDocument(destination)) {
      if (top && isHashChange(event) && typeOf(event) === 'push') {
        kernel.back += 1;
        kernel.entries += 1;
      }
      wakeUp();
      return;
    }
    if (native.indexOf(url, 'javascript:') === 0) return;
    if (isRefresh(url)) {
      native.preventDefault(event);
      return;
    }
    if (!isInScope(url)) {
      note('boundary', url);
      native.preventDefault(event);
      return;
    }
    if (top && settings.held && native.cancelable(event)) {
      note(HELD, url); // until requests pass the gate, redirects out of the scope would not be noticed
      native.preventDefault(event);
      return;
    }
    if (top) {
      kernel.leaving = kernel.departed = true;
      leaveReport();
      if (formDataOf(event)) noteRequest('POST', url, 'form');
      wakeUp();
    } else {
      const frame = quietly(() => window.frameElement);
      if (frame && kernel.awaitFrame) kernel.awaitFrame(frame);
    }
  });
  native.listen(navigation, 'navigateerror', () => {
    if (top) stay();
  });
};

const installHistory = () => {
  // The number of documents loaded into this page before is not part of a state.
  native.define(History.prototype, 'length', { get: () => 1 + kernel.entries, configurable: true, enumerable: true });
  if (window !== window.top) return;
  const most = 50; // entries that a page may add before the next event; more is a flood
  kernel.pushed = 0;
  for (const name of ['pushState', 'replaceState']) {
    const real = /** @type {any} */ (History.prototype)[name];
    replace(History.prototype, name, function () {
      kernel.pushed += 1;
      if (kernel.pushed > most) return undefined;
      if (name === 'pushState') {
        kernel.back += 1;
        kernel.entries += 1;
      }
      return native.apply(real, this, arguments);
    });
  }
  guard(window, 'hashchange', () => {
    wakeUp();
  });
};

const contentType = getterOf(Document.prototype, 'contentType');
const MARKED_UP = { __proto__: null, 'text/html': 1, 'application/xhtml+xml': 1, 'image/svg+xml': 1 };

/** Record scripts that failed to load: the page lacks what they would have done. Also a document that is not HTML. */
const installFailures = () => {
  guard(window, 'error', (/** @type {any} */ event) => {
    const element = native.target(event);
    if (quietly(() => dom.tag(element)) !== 'script' || !dom.attribute(element, 'src')) return;
    const url = addressOfLoader(element);
    const status = lastStatus(url);
    noteOnce('script', url, url + (status >= 400 ? ' (' + status + ')' : ''));
  }, true);
  const type = contentType(document);
  if (window === window.top && MARKED_UP[/** @type {'text/html'} */ (type)] !== 1) noteOnce('document', type, type);
};

/** Record uncaught errors, and what the page writes to the console as an error. */
const installComplaints = () => {
  guard(window, 'error', (/** @type {any} */ event) => {
    if (event.message) noteOnce('error', String(event.message), tidy(String(event.message) + ' (' + event.filename + ':' + event.lineno + ')', 500));
  });
  guard(window, 'unhandledrejection', (/** @type {any} */ event) => {
    const reason = quietly(() => String(event.reason));
    noteOnce('error', String(reason), tidy('unhandled rejection: ' + reason, 500));
  });
  const complain = /** @type {any} */ (console).error;
  /** @type {any} */ (console).error = function error() {
    let text = '';
    for (let i = 0; i < arguments.length && i < 5; i += 1) text += (i ? ' ' : '') + quietly(() => native.slice(String(arguments[i]), 0, 300));
    noteOnce('console', text, tidy(text, 500));
    return native.apply(complain, console, arguments);
  };
};

/** The next document starts a new session: clear what only this window stores, and prevent handlers that run when the page
 * is left from writing into the new session. */
const forget_ = () => {
  kernel.ended = true;
  const nothing = () => undefined;
  quietly(() => storageClear(window.sessionStorage));
  quietly(() => storageClear(window.localStorage)); // also where the driver clears it, or this process may restore it
  quietly(() => native.setName(''));
  native.define(Storage.prototype, 'setItem', asOwn(nothing));
  native.define(Document.prototype, 'cookie', table({ get: () => '', set: nothing, configurable: true }));
};

const storageClear = uncurry(Storage.prototype.clear);

/** Do not let the page handle the end of its session. We listen first, before any script of the page. */
const installLeaving = () => {
  const mute = /** @param {any} event */ (event) => {
    if (kernel.ended === true) native.stop(event);
  };
  for (const type of ['beforeunload', 'pagehide', 'unload', 'visibilitychange', 'freeze']) guard(window, type, mute, true);
};

/** The navigation that had started ended without a document: it was a download, or the response was empty. */
const stay = () => {
  kernel.leaving = false;
  withdrawReport();
  wakeUp();
};
