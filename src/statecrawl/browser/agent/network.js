// @ts-check
// Network: which requests are pending, so that the agent waits for the server instead of guessing how long it takes.
//
// A call is open from the moment the page makes it until the browser answers. Long polls and endless streams would keep it
// open for ever: a call that takes longer than the patience setting is put into the background, together with every later
// call of the same URL, and is no longer waited for. The network may also have lost it, so it is reported as failed. The
// crawl finds out which of the two it is, and for what later documents need not wait.
//
// A stream is waited for part by part. One that a page opens while it loads, and that then stays silent, is in the background of
// later documents, too: a heartbeat, or a channel for news.

/** @typedef {{key: string, method: string, since: number, waited: boolean, isStream: boolean}} Call */

if (kernel.calls === undefined) {
  kernel.calls = new Set();
  kernel.background = new Set(settings.background);
}
const removeFromSet = uncurry(Set.prototype.delete);
const eachOfSet = uncurry(Set.prototype.forEach);

/** @param {string} key @param {string} method @param {boolean} isStream @returns {Call} */
const openCall = (key, method = 'GET', isStream = false) => {
  const waited = !isInSet(kernel.background, key);
  const call = { key, method, since: native.now(), waited, isStream };
  if (waited) {
    addToSet(kernel.calls, call);
    begin();
  }
  return call;
};

/** @param {Call} call */
const closeCall = (call) => {
  if (call.waited) {
    call.waited = false;
    removeFromSet(kernel.calls, call);
    finish();
  } else {
    wakeUp();
  }
};

const LATE = 'no answer in time';

/** Put overdue requests into the background. */
const dropOverdue = () => {
  const limit = native.now() - settings.patience;
  eachOfSet(kernel.calls, (/** @type {Call} */ call) => {
    if (call.since > limit) return;
    if (call.key && (!call.isStream || !kernel.isUsed)) {
      addToSet(kernel.background, call.key);
      noteOnce('background', call.key, call.key);
      if (!call.isStream) noteFailed(call.method, call.key, LATE);
    }
    closeCall(call);
  });
};

// A frame loads another document: code that waits for that has to survive the old one.
if (!kernel.awaitFrame) {
  kernel.awaitFrame = (/** @type {any} */ frame) => {
    const call = openCall('');
    native.listen(frame, 'load', () => closeCall(call), ONCE);
  };
}

/** Wait for the promise of a browser function. @param {string} key @param {any} promise @param {string} method @param {boolean} isStream */
const follow = (key, promise, method = 'GET', isStream = false) => {
  const call = openCall(key, method, isStream);
  const close = () => closeCall(call);
  if (quietly(() => native.then(promise, close, close)) === undefined) close(); // the page has broken its promises
  return promise;
};

/** A URL without its query: the part of a long poll that stays the same from call to call. @param {any} input */
const absolute = (input) => {
  try {
    return native.href(new native.URL(typeof input === 'string' ? input : input.url || String(input), document.baseURI));
  } catch {
    return String(input);
  }
};

/** @param {string} url */
const withoutQuery = (url) => {
  const at = native.indexOf(url, '?');
  return at < 0 ? url : native.slice(url, 0, at);
};

/** @param {string} method @param {string} url @param {string} by */
const noteRequest = (method, url, by) => noteOnce('request', method + ' ' + url, [method, url, by]);

/** Record that a request of the application failed: the page that results is not the intended one.
 * @param {string} method @param {string} url @param {string} why */
const noteFailed = (method, url, why) => {
  if (isInScope(url)) note('failed', [method, withoutQuery(url), why]);
};

const UNAVAILABLE = table({ 502: 1, 503: 1, 504: 1 }); // what a proxy answers for a server that is down
const statusOf = getterOf(Response.prototype, 'status');
const addressOf = getterOf(Response.prototype, 'url');
const requestStatus = getterOf(XMLHttpRequest.prototype, 'status');

/** @param {string} method @param {string} url @param {any} promise of an answer */
const watchFetch = (method, url, promise) => {
  native.then(
    promise,
    (/** @type {any} */ response) => {
      const status = quietly(() => statusOf(response));
      if (UNAVAILABLE[/** @type {503} */ (status)] === 1) noteFailed(method, url, String(status));
    },
    (/** @type {any} */ error) => {
      if (quietly(() => error.name) === 'TypeError') noteFailed(method, url, 'no answer');
    },
  );
};

const installNetwork = () => {
  installFetch();
  installRequests();
  installLoaders();
  installMissing();
  installChannels();
  follows(/** @type {any} */ (window).SubtleCrypto, ['digest', 'encrypt', 'decrypt', 'sign', 'verify', 'generateKey', 'importKey', 'exportKey', 'deriveKey', 'deriveBits']);
  follows(/** @type {any} */ (window).CacheStorage, ['open', 'match', 'has', 'keys', 'delete']);
  follows(/** @type {any} */ (window).Cache, ['match', 'matchAll', 'add', 'addAll', 'put', 'delete', 'keys']);
  follows(Blob, ['text', 'arrayBuffer']);
  follows(HTMLImageElement, ['decode']);
  follows(/** @type {any} */ (window).Scheduler, ['postTask', 'yield']);
  follows(/** @type {any} */ (window).ServiceWorkerContainer, ['register', 'getRegistration', 'getRegistrations']);
  installReady();
  for (const name of ['compile', 'instantiate', 'compileStreaming', 'instantiateStreaming']) {
    const real = /** @type {any} */ (WebAssembly)[name];
    if (real) replace(WebAssembly, name, function () { return follow('', native.apply(real, WebAssembly, arguments)); });
  }
  follows(window.ReadableStream, ['pipeTo']);
  follows(/** @type {any} */ (window).OffscreenCanvas, ['convertToBlob']);
  follows(/** @type {any} */ (window).FontFaceSet, ['load']);
  follows(/** @type {any} */ (window).StorageManager, ['estimate', 'persist', 'persisted', 'getDirectory']);
  follows(/** @type {any} */ (window).FileSystemDirectoryHandle, ['getFileHandle', 'getDirectoryHandle', 'removeEntry']);
  follows(/** @type {any} */ (window).FileSystemFileHandle, ['getFile', 'createWritable']);
  follows(/** @type {any} */ (window).Permissions, ['query']);
  follows(/** @type {any} */ (window).Clipboard, ['read', 'readText', 'write', 'writeText']);
  follows(/** @type {any} */ (window).MediaDevices, ['getUserMedia', 'getDisplayMedia', 'enumerateDevices']);
  follows(Element, ['requestFullscreen']);
  follows(Document, ['exitFullscreen']);
  const bitmap = window.createImageBitmap;
  replace(window, 'createImageBitmap', function () { return follow('', native.apply(bitmap, window, arguments)); });
  installIterating();
  installAnswers();
  ends(/** @type {any} */ (window).FileReader, ['readAsText', 'readAsDataURL', 'readAsArrayBuffer', 'readAsBinaryString'], ['loadend']);
  ends(/** @type {any} */ (window).IDBDatabase, ['transaction'], ['complete', 'abort']);
  finishes(/** @type {any} */ (window).IDBFactory, ['open', 'deleteDatabase']);
  finishes(/** @type {any} */ (window).IDBObjectStore, ['add', 'put', 'get', 'getAll', 'getAllKeys', 'getKey', 'delete', 'clear', 'count', 'openCursor', 'openKeyCursor']);
  finishes(/** @type {any} */ (window).IDBIndex, ['get', 'getAll', 'getAllKeys', 'getKey', 'count', 'openCursor', 'openKeyCursor']);
};

/** A service worker that the page has registered will become ready; without a registration it may never be. */
const installReady = () => {
  const Container = /** @type {any} */ (window).ServiceWorkerContainer;
  if (!Container) return;
  const register = Container.prototype.register;
  let registered = false;
  replace(Container.prototype, 'register', function () {
    registered = true;
    return native.apply(register, this, arguments);
  });
  const ready = getterOf(Container.prototype, 'ready');
  native.define(Container.prototype, 'ready', {
    get() {
      return registered ? follow('', ready(this)) : ready(this);
    },
    configurable: true,
    enumerable: true,
  });
};

const installFetch = () => {
  const realFetch = window.fetch;
  replace(window, 'fetch', function fetch(/** @type {any} */ input, /** @type {any} */ init) {
    const url = absolute(input);
    const method = String((init && init.method) || (input && input.method) || 'GET');
    noteRequest(method, url, 'fetch');
    const promise = native.apply(realFetch, window, arguments);
    watchFetch(method, url, promise);
    return follow(withoutQuery(url), promise, method);
  });
  for (const name of ['json', 'text', 'blob', 'arrayBuffer', 'formData', 'bytes']) {
    const real = /** @type {any} */ (Response.prototype)[name];
    if (!real) continue;
    replace(Response.prototype, name, function () {
      const url = String(quietly(() => addressOf(this)) || '');
      const promise = follow(withoutQuery(url), native.apply(real, this, arguments));
      native.then(promise, undefined, (/** @type {any} */ error) => {
        if (quietly(() => error.name) === 'TypeError') noteFailed('GET', url, 'half an answer');
      });
      return promise;
    });
  }
  installStreams();
};

/** Streams of responses and their readers -> URL. */
const streamed = new WeakMap();

/** Remember where a stream or a reader comes from, and return it. @param {any} from @param {any} stream */
const derived = (from, stream) => {
  const url = native.weakGet(streamed, from);
  if (url !== undefined) native.weakSet(streamed, stream, url);
  return stream;
};

/** Wait for the parts of streams, and know which response they belong to. */
const installStreams = () => {
  const body = /** @type {any} */ (native.describe(Response.prototype, 'body'));
  native.define(Response.prototype, 'body', {
    configurable: true,
    enumerable: true,
    get() {
      const stream = native.apply(body.get, this, []);
      if (stream !== null) quietly(() => native.weakSet(streamed, stream, withoutQuery(String(addressOf(this)))));
      return stream;
    },
  });
  for (const name of ['getReader', 'pipeThrough']) {
    const real = /** @type {any} */ (ReadableStream.prototype)[name];
    replace(ReadableStream.prototype, name, function () { return derived(this, native.apply(real, this, arguments)); });
  }
  const read = ReadableStreamDefaultReader.prototype.read;
  replace(ReadableStreamDefaultReader.prototype, 'read', function () {
    const url = native.weakGet(streamed, this);
    return follow(url ? 'stream ' + url : '', native.apply(read, this, arguments), 'GET', true);
  });
};

const installRequests = () => {
  const calls = new WeakMap();
  const open = XMLHttpRequest.prototype.open;
  replace(XMLHttpRequest.prototype, 'open', function (/** @type {any} */ method, /** @type {any} */ url, /** @type {any} */ async) {
    native.weakSet(calls, this, [String(method), absolute(String(url)), arguments.length < 3 || Boolean(async)]);
    return native.apply(open, this, arguments);
  });
  const send = XMLHttpRequest.prototype.send;
  replace(XMLHttpRequest.prototype, 'send', function () {
    const known = native.weakGet(calls, this) || ['GET', '', true];
    const url = known[1];
    noteRequest(known[0], url, 'xhr');
    if (!known[2]) return native.apply(send, this, arguments);
    const call = openCall(withoutQuery(url), known[0]);
    const close = () => closeCall(call);
    native.listen(this, 'error', () => noteFailed(known[0], url, 'no answer'), ONCE);
    native.listen(this, 'loadend', () => {
      const status = requestStatus(this);
      if (UNAVAILABLE[/** @type {503} */ (status)] === 1) noteFailed(known[0], url, String(status));
      close();
    }, ONCE);
    try {
      return native.apply(send, this, arguments);
    } catch (error) {
      close();
      throw error;
    }
  });
  const beacon = Navigator.prototype.sendBeacon;
  replace(Navigator.prototype, 'sendBeacon', function (/** @type {any} */ url) {
    noteRequest('POST', absolute(url), 'beacon');
    return native.apply(beacon, this, arguments);
  });
};

/** Methods whose promise is waited for. @param {any} kind @param {string[]} names */
const follows = (kind, names) => {
  if (!kind) return;
  for (const name of names) {
    const real = kind.prototype[name];
    if (!real) continue;
    replace(kind.prototype, name, function () {
      return follow('', native.apply(real, this, arguments));
    });
  }
};

/** Streams that are read by a loop over their parts. */
const installIterating = () => {
  if (typeof (/** @type {any} */ (ReadableStream.prototype).values) !== 'function') return;
  const parts = Object.getPrototypeOf(/** @type {any} */ (new ReadableStream()).values());
  const next = parts.next;
  replace(parts, 'next', function () { return follow('', native.apply(next, this, arguments)); });
};

/** Calls that answer by a callback of the page, or by a promise that is settled later than we want to wait. */
const installAnswers = () => {
  const answered = /** @param {string} key @param {any} act */ (key, act) => {
    const call = openCall(key);
    return /** @this {any} */ function () {
      closeCall(call);
      return typeof act === 'function' ? native.apply(act, this, arguments) : undefined;
    };
  };
  const blob = HTMLCanvasElement.prototype.toBlob;
  replace(HTMLCanvasElement.prototype, 'toBlob', function (/** @type {any} */ act, /** @type {any} */ type, /** @type {any} */ quality) {
    return native.apply(blob, this, [answered('', act), type, quality]);
  });
  const Locks = /** @type {any} */ (window).LockManager;
  if (Locks) {
    const request = Locks.prototype.request;
    replace(Locks.prototype, 'request', function (/** @type {any} */ name, /** @type {any} */ options, /** @type {any} */ act) {
      const callback = answered('lock ' + name, arguments.length > 2 ? act : options); // until the lock is held, not until it is released
      return native.apply(request, this, arguments.length > 2 ? [name, options, callback] : [name, callback]);
    });
  }
  const transit = /** @type {any} */ (Document.prototype).startViewTransition;
  if (transit) {
    replace(Document.prototype, 'startViewTransition', function () {
      const transition = native.apply(transit, this, arguments);
      kernel.transits += 1;
      const over = () => { kernel.transits -= 1; };
      native.then(transition.finished, over, over);
      follow('', transition.updateCallbackDone);
      follow('', transition.finished);
      native.then(transition.ready, endAnimations, () => {});
      return transition;
    });
  }
  const Places = /** @type {any} */ (window).Geolocation;
  if (Places) {
    const where = Places.prototype.getCurrentPosition;
    replace(Places.prototype, 'getCurrentPosition', function (/** @type {any} */ act, /** @type {any} */ failed, /** @type {any} */ options) {
      const call = openCall('');
      const wrapped = /** @param {any} by */ (by) => /** @param {any} what */ (what) => {
        closeCall(call);
        if (typeof by === 'function') by(what);
      };
      return native.apply(where, this, [wrapped(act), wrapped(failed), options]);
    });
  }
  const Notes = /** @type {any} */ (window).Notification;
  if (Notes) {
    const ask = Notes.requestPermission;
    replace(Notes, 'requestPermission', function () { return follow('permission to notify', native.apply(ask, Notes, arguments)); });
  }
};

/** Methods of an object, or ones that create it, which reports its end by an event. @param {any} kind @param {string[]} names @param {string[]} types */
const ends = (kind, names, types) => {
  if (!kind) return;
  for (const name of names) {
    const real = kind.prototype[name];
    if (!real) continue;
    replace(kind.prototype, name, function () {
      const made = native.apply(real, this, arguments) || this;
      const call = openCall('');
      const close = () => closeCall(call);
      for (let i = 0; i < types.length; i += 1) native.listen(made, types[i], close, ONCE);
      return made === this ? undefined : made;
    });
  }
};

const ENDS = ['success', 'error', 'blocked'];

/** Methods that return a database request. @param {any} kind @param {string[]} names */
const finishes = (kind, names) => {
  if (!kind) return;
  for (const name of names) {
    const real = kind.prototype[name];
    if (!real) continue;
    replace(kind.prototype, name, function () {
      const request = native.apply(real, this, arguments);
      const call = openCall('');
      const close = () => closeCall(call);
      for (let i = 0; i < ENDS.length; i += 1) native.listen(request, ENDS[i], close, ONCE);
      return request;
    });
  }
};

/** Replace a constructor so that `onCreate` receives every object it creates. @param {string} name @param {(made: any, values: any[]) => void} onCreate */
const observeCreation = (name, onCreate) => {
  const real = /** @type {any} */ (window)[name];
  if (!real) return;
  /** @type {any} */
  const ours = new Proxy(real, {
    construct(/** @type {any} */ target, /** @type {any} */ values, /** @type {any} */ newTarget) {
      const made = native.construct(target, values, newTarget === ours ? target : newTarget);
      onCreate(made, values);
      return made;
    },
  });
  native.weakSet(disguises, ours, real);
  native.define(real.prototype, 'constructor', { value: ours, writable: true, configurable: true });
  native.define(window, name, { value: ours, writable: true, configurable: true, enumerable: false });
};

const CONNECTION_EVENTS = ['open', 'message', 'error', 'close'];

/** Everything through which a message may arrive. */
const installChannels = () => {
  const socket = (/** @type {string} */ by) => (/** @type {any} */ made, /** @type {any[]} */ values) => {
    noteRequest('GET', absolute(values[0]), by);
    kernel.sockets += 1;
    const received = (/** @type {any} */ sign) => {
      const now = native.now();
      if (now - kernel.lastMessage > kernel.lull) kernel.lull = now - kernel.lastMessage;
      kernel.hasReply = true;
      kernel.lastMessage = now;
      if (sign !== null && native.eventType(sign) === 'message') kernel.isUnanswered = false; // also after the page has settled
      wakeUp();
    };
    received(null);
    for (let i = 0; i < CONNECTION_EVENTS.length; i += 1) native.listen(made, CONNECTION_EVENTS[i], received);
    const call = openCall(withoutQuery(absolute(values[0]))); // until it is open, or has failed
    const close = () => closeCall(call);
    for (let i = 0; i < CONNECTION_EVENTS.length; i += 1) native.listen(made, CONNECTION_EVENTS[i], close, ONCE);
  };
  observeCreation('WebSocket', socket('websocket'));
  observeCreation('EventSource', socket('eventsource'));
  const spoke = () => {
    kernel.lastMessage = native.now();
    kernel.activity += 1;
  };
  for (const kind of [window.WebSocket, window.Worker]) {
    const name = kind === window.Worker ? 'postMessage' : 'send';
    const real = /** @type {any} */ (kind.prototype)[name];
    replace(kind.prototype, name, function () {
      spoke();
      if (name === 'postMessage') kernel.workers = 1;
      else if (kernel.messageSent === 0 || kernel.hasReply) {
        if (kernel.messageSent === 0) kernel.lull = 0;
        kernel.messageSent = kernel.lastMessage;
        kernel.hasReply = false;
      }
      return native.apply(real, this, arguments);
    });
  }
  observeCreation('Worker', (made) => {
    kernel.workers = 1;
    spoke();
    native.listen(made, 'message', () => {
      kernel.workers = 0;
      kernel.lastMessage = native.now();
      wakeUp();
    });
  });
  /** @type {any[]} */
  const channels = newList();
  observeCreation('BroadcastChannel', (made) => {
    append(channels, made);
    native.listen(made, 'message', () => {
      kernel.workers = 0;
      wakeUp();
    });
  });
  const broadcast = BroadcastChannel.prototype.postMessage;
  replace(BroadcastChannel.prototype, 'postMessage', function () {
    spoke();
    for (let i = 0; i < channels.length; i += 1) if (channels[i] !== this && channels[i].name === this.name) kernel.workers = 1;
    return native.apply(broadcast, this, arguments);
  });
  for (const owner of [MessagePort.prototype, window]) {
    const real = /** @type {any} */ (owner).postMessage;
    replace(owner, 'postMessage', function () {
      kernel.activity += 1;
      return native.apply(real, this === undefined ? window : this, arguments);
    });
  }
  for (const name of ['IntersectionObserver', 'ResizeObserver']) observeCreation(name, () => { kernel.frames = true; });
};
