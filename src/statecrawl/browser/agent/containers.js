// @ts-check
// Containers: elements with listeners that contain other controls. Such a listener usually serves what is inside, but its
// source does not show it. Events of a container are fired as long as nothing is known about them; `journal.idle_containers`
// leaves them out once they have proved to have no effect.

const LONGEST_LISTENER = 500; // characters of a listener's source that distinguish it from others

/** The containers among the events of a walk: pairs of a position and a template that equal containers share.
 * @param {Found[]} events @returns {[number, string][]} */
const containersOf = (events) => {
  /** @type {[number, string][]} */
  const found = newList();
  for (let i = 0; i < events.length; i += 1) if (events[i].around && (events[i].kind === 'drag' || !looksInteractive(events[i].element))) append(found, /** @type {any} */ ([i, containerTemplate(events[i])]));
  return found;
};

/** Whether an element looks interactive. @param {any} element */
const looksInteractive = (element) => dom.hasAttribute(element, 'tabindex') || dom.hasAttribute(element, 'role') || cursorOf(element) === 'pointer';

/** The template of a container: its kind of event, tag, id, classes, and the sources of its listeners. @param {Found} found */
const containerTemplate = ({ kind, element, extra }) => {
  const hash = new Hash();
  const id = dom.id(element);
  const texts = [kind, typeof extra === 'string' ? extra : '', dom.tag(element), isGenerated(id) ? '' : id, classForm(dom.attribute(element, 'class') || '')];
  for (let i = 0; i < texts.length; i += 1) {
    hash.code(VALUE);
    hash.text(texts[i]);
  }
  const types = KINDS[kind].types || NONE;
  for (let i = 0; i < types.length; i += 1) {
    hash.code(NAME);
    const known = listenersOf(element, types[i]) || NONE;
    for (let j = 0; j < known.length; j += 1) hash.text(sourceOf(known[j].listener));
    const records = jqueryHandlers(element, native.ownKeys(element), types[i]) || NONE;
    for (let j = 0; j < records.length; j += 1) hash.text(sourceOf(records[j].handler));
    hash.text(dom.attribute(element, 'on' + types[i]) || '');
  }
  eachFrameworkHandler(element, (other, handler) => {
    if (other === kind) hash.text(sourceOf(handler));
  });
  return native.slice(hash.digest(), 0, 12);
};

/** @param {any} listener */
const sourceOf = (listener) => {
  const act = unwrapped(listener);
  return typeof act === 'function' ? native.slice(quietly(() => native.sourceOf(act)) || '', 0, LONGEST_LISTENER) : '';
};
