// @ts-check
// Loaders: scripts, pictures and style sheets that the page waits for, and parts of it that fail to load.

/** Wait for scripts in the page, and for pictures and style sheets whose events the page handles. */
const installLoaders = () => {
  for (const [kind, name] of [[HTMLScriptElement, 'src'], [HTMLImageElement, 'src'], [HTMLLinkElement, 'href']]) {
    const present = /** @type {any} */ (native.describe(/** @type {any} */ (kind).prototype, /** @type {string} */ (name)));
    native.define(/** @type {any} */ (kind).prototype, /** @type {string} */ (name), {
      configurable: true,
      enumerable: true,
      get: present.get,
      set(/** @type {any} */ value) {
        native.apply(present.set, this, [value]);
        watchLoader(this, kind === HTMLScriptElement);
      },
    });
    const setAttribute = Element.prototype.setAttribute;
    replace(/** @type {any} */ (kind).prototype, 'setAttribute', function (/** @type {any} */ attribute) {
      native.apply(setAttribute, this, arguments);
      if (native.lower(String(attribute)) === name) watchLoader(this, kind === HTMLScriptElement);
    });
  }
};

const LOADED = { __proto__: null, script: 'src', img: 'src', link: 'href' };
/** The URL that a script, a picture or a link loads. @param {any} element */
const addressOfLoader = (element) => absolute(dom.attribute(element, LOADED[/** @type {'img'} */ (dom.tag(element))] || 'src') || '');

const entriesNamed = performance.getEntriesByName.bind(performance);
const entryStatus = getterOf(PerformanceResourceTiming.prototype, 'responseStatus');

/** The status of the last response for a URL; 0 when there is none, or it is unknown. @param {string} url */
const lastStatus = (url) => {
  const entries = entriesNamed(url);
  for (let i = entries.length - 1; i >= 0; i -= 1) {
    const status = quietly(() => entryStatus(entries[i]));
    if (typeof status === 'number') return status;
  }
  return 0;
};

/** Record a part of the page that failed to load, unless the server answers that it does not exist. */
const installMissing = () => {
  guard(window, 'error', (/** @type {any} */ event) => {
    const element = native.target(event);
    const tag = quietly(() => dom.tag(element));
    const name = typeof tag === 'string' ? LOADED[/** @type {'img'} */ (tag)] : undefined;
    if (typeof name !== 'string' || !dom.attribute(element, name)) return;
    const url = addressOfLoader(element), status = lastStatus(url);
    const halved = tag !== 'img' && status > 0 && status < 400; // or not of the right kind, which hardly matters for a picture
    if (status === 0 || halved || UNAVAILABLE[/** @type {503} */ (status)] === 1) noteFailed('GET', url, status ? String(status) : 'no answer');
  }, true);
};

const complete = getterOf(HTMLImageElement.prototype, 'complete');
const LAZY = 1250; // pixels below the viewport at which Chromium starts to load lazy pictures

/** Pictures in the markup of a page whose events the page handles. */
const watchPictures = () => {
  const pictures = dom.findAllIn(document, 'img[onload],img[onerror]');
  for (let i = 0; i < pictures.length; i += 1) if (isHtml(pictures[i]) && !complete(pictures[i]) && !isInSet(late, pictures[i])) watchLoader(pictures[i], false);
};

/** Elements that did not load in time. @type {any} */
const late = kernel.late || (kernel.late = new Set());

/** Whether the page handles the events of an element that will load. @param {any} element */
const isAwaited = (element) => {
  if (!hasListener(element, 'load') && !hasListener(element, 'error') && !dom.hasAttribute(element, 'onload') && !dom.hasAttribute(element, 'onerror')) return false;
  return dom.attribute(element, 'loading') !== 'lazy' || (dom.connected(element) && dom.visible(element) && dom.box(element).top < native.height() + LAZY);
};

/** @type {any} */
const loaders = kernel.loaders || (kernel.loaders = new Map()); // element -> whether it is waited for without listeners

/** @param {any} element @param {boolean} always */
const watchLoader = (element, always) => {
  if (native.mapHas(loaders, element)) return;
  const since = native.now();
  native.mapSet(loaders, element, { always, since });
  const done = () => {
    native.mapDelete(loaders, element);
    wakeUp();
  };
  native.listen(element, 'load', done, ONCE);
  native.listen(element, 'error', done, ONCE);
};

/** Whether an element belongs to a document that is shown. In a document that the page has merely parsed, nothing is loaded. @param {any} element */
const isShown = (element) => dom.view(dom.owner(element)) !== null;

const eachOfMap = uncurry(Map.prototype.forEach);

/** Whether anything is loading that the page will react to. */
const isLoading = () => {
  let loading = false;
  watchPictures();
  eachOfMap(loaders, (/** @type {any} */ loader, /** @type {any} */ element) => {
    const awaited = isShown(element) && (loader.always ? dom.connected(element) : isAwaited(element));
    if (native.now() - loader.since > settings.patience) {
      addToSet(late, element);
      native.mapDelete(loaders, element);
      if (awaited) noteFailed('GET', addressOfLoader(element), LATE);
    } else if (awaited) loading = true;
  });
  return loading;
};
