// @ts-check
// Drags: which elements follow a pressed pointer, and where they are dragged to.
//
// A press that only the page sees may start anything. It counts as the start of a drag where there is evidence: the listener
// names moves of the pointer, or a listener for moves around the element reads where the pointer is, or the element
// looks like something to drag (its role, its cursor, `touch-action`, its class). Many libraries listen for presses at the root of
// the page, or in a function whose source tells nothing; what looks like a list there, or like a handle, is dragged as a trial:
// `journal.idle_containers` leaves it out once it has proved to have no effect.
//
// Of all elements of one template, the first is dragged. An item of a list goes to its next sibling and to the next list of the
// same kind; anything goes to the elements that are named as targets of a drop; all others move to two places of the room
// around them.


const HANDLES = '[role=slider],[role=separator],[class*=handle i],[class*=thumb i],[class*=knob i],[class*=gutter i],[class*=splitter i],[class*=resiz i],[class*=grip i],[class*=drag i]';
const TRACK = /slider|track/i;
const LISTED = /sortable|list|board|column/i;
const DROP_WORDS = /drop-?_?(?:zone|target|area|box|here|pable)|\btrash\b|\bbin\b/i;
const DROP_ZONES = '[class*=drop i],[id*=drop i],[class*=trash i],[id*=trash i]';
const MOVED = '[role=slider],[role=separator]';
const FAR = 0.75, NEAR = 0.25; // shares of a box
const MOST_LISTED = 200; // elements that are considered inside one listening element

/** Finds the drags of one walk. */
class Drags {
  /** @param {Walk} walk */
  constructor(walk) {
    this.walk = walk;
    /** @type {any} */ this.known = native.create(null); // template and kind of target -> true
    this.count = 0;
    this.rootMoves = false; // whether a listener at the root follows the pointer
    /** @type {any} */ this.zones = null;
  }

  find() {
    const documents = this.documents();
    for (let i = 0; i < documents.length; i += 1) {
      const moves = this.rootHint(documents[i], FOLLOWS);
      this.rootMoves = this.rootMoves || moves.reads || moves.names;
    }
    for (let i = 0; i < this.walk.pressed.length; i += 1) this.listening(this.walk.pressed[i]);
    for (let i = 0; i < documents.length; i += 1) this.root(documents[i]);
  }

  documents() {
    /** @type {any[]} */
    const documents = newList();
    append(documents, document);
    for (let i = 0; i < this.walk.roots.length; i += 1) if (dom.type(this.walk.roots[i]) === 9) append(documents, this.walk.roots[i]);
    return documents;
  }

  /** What the listeners of a window, a document, its root and its body tell. @param {any} doc @param {string[]} types @returns {Hint} */
  rootHint(doc, types) {
    const all = newHint();
    const nodes = [dom.view(doc), doc, dom.root(doc), dom.body(doc)];
    for (let i = 0; i < nodes.length; i += 1) {
      if (!nodes[i] || isFrameworkRoot(native.ownKeys(nodes[i]))) continue;
      const hint = quietly(() => hintOf(nodes[i], types));
      if (!hint) continue;
      for (const what in all) if (hint[what] === true) all[what] = true;
      if (hint.selectors) all.selectors += (all.selectors ? ',' : '') + hint.selectors;
    }
    return all;
  }

  /** The drags that start inside an element that listens for presses. @param {any} element */
  listening(element) {
    const role = dom.attribute(element, 'role') || '';
    const press = hintOf(element, PRESSES);
    if (MOVED_ROLES[role] === 1) {
      if (press.heard || anyListener(PRESSES)) if (role === 'slider' || press.heard || dom.hasAttribute(element, 'tabindex')) this.slide(element, false);
      return;
    }
    const tag = dom.tag(element);
    if (!press.heard || isFrameworkRoot(native.ownKeys(element)) || dom.closest(element, MOVED) !== null) return;
    if (isControl(element, tag) && !press.names) return;
    const sorts = press.opaque && hasListener(element, 'dragover');
    if (press.names || sorts || isSurface(tag) || isLoose(element) || this.isFollowed(element, press)) this.inside(element, tag, press, sorts);
    else if (press.opaque && !this.items(element, true) && rowAround(element) !== null) this.loose(element, true);
  }

  /** The drags inside an element whose listener starts drags. @param {any} element @param {string} tag @param {Hint} press @param {boolean} sorts */
  inside(element, tag, press, sorts) {
    if (press.selectors && this.delegated(element, press, false)) return;
    if (this.handles(element)) return;
    const listed = native.exec(LISTED, wordsOfClass(element)) !== null;
    if (isSurface(tag)) this.add('own', element, { __proto__: null, to: element, share: FAR }, dragName(element, false) + ' to 75 %', false);
    else if (sorts || listed) this.items(element, false);
    else if (!((press.targets || press.opaque) && this.items(element, false))) this.loose(element, false);
  }

  /** Whether a listener for moves at an element, around it, or at the root follows the pointer. @param {any} element @param {Hint} press */
  isFollowed(element, press) {
    if (looksDraggable(element) || (this.rootMoves && (press.reads || press.opaque))) return true;
    for (let node = element, up = 0; node && dom.type(node) === 1 && up < FARTHEST; node = drawnIn(node), up += 1) {
      const moves = hintOf(node, FOLLOWS);
      if (moves.heard && (moves.reads || moves.names || up === 0)) return true;
    }
    return false;
  }

  /** Trials: what looks like a handle or a list, where a listener at the root of a document may drag it. @param {any} doc */
  root(doc) {
    const press = this.rootHint(doc, PRESSES);
    if (!press.heard || !dom.body(doc)) return;
    if (press.selectors) this.delegated(dom.body(doc), press, !press.names);
    if (!press.names && !press.reads) return;
    const found = dom.findAllIn(doc, HANDLES + ',[class*=slider i]');
    for (let i = 0; i < found.length && i < MOST_LISTED; i += 1) if (isLoose(found[i]) && !isControl(found[i], dom.tag(found[i])) && this.isOutermost(found[i])) this.loose(found[i], true);
    const lists = dom.findAllIn(doc, 'ul,ol,div,section,main,tbody');
    for (let i = 0, tried = 0; i < lists.length && i < MOST_LISTED && tried < MOST_TRIALS; i += 1) if (isBoard(lists[i]) && this.items(lists[i], true)) tried += 1;
  }

  /** Whether nothing around an element looks like a handle, too. @param {any} element */
  isOutermost(element) {
    const parent = dom.parent(element);
    return !parent || dom.type(parent) !== 1 || dom.closest(parent, HANDLES) === null;
  }

  /** Drag what a delegated listener names. Whether there was anything. @param {any} around @param {Hint} press @param {boolean} trial */
  delegated(around, press, trial) {
    const found = quietly(() => dom.findAll(around, press.selectors)) || NONE;
    let any = false;
    for (let i = 0; i < found.length && i < MOST_LISTED; i += 1) {
      if ((!press.names && isControl(found[i], dom.tag(found[i]))) || (trial && !isLoose(found[i]) && !looksDraggable(found[i]))) continue;
      this.loose(found[i], trial);
      any = true;
    }
    return any;
  }

  /** Drag the handles inside an element. Whether there are any. @param {any} element */
  handles(element) {
    const found = dom.findAll(element, HANDLES);
    let any = false;
    for (let i = 0; i < found.length && i < MOST_LISTED; i += 1) {
      if (!isLoose(found[i]) || dom.tag(found[i]) === 'input' || !dom.visible(found[i], VISIBLE) || dom.closest(dom.parent(found[i]), HANDLES) !== dom.closest(element, HANDLES)) continue;
      this.loose(found[i], false);
      any = true;
    }
    return any;
  }

  /** Drag an element that moves freely, in a list, or along a track. @param {any} element @param {boolean} trial */
  loose(element, trial) {
    if (isSlid(element)) {
      this.slide(element, trial);
      return;
    }
    const template = 'loose ' + templateOfElement(element);
    if (this.known[template] === true) return;
    this.known[template] = true;
    const row = rowAround(element);
    if (row !== null) this.row(element, row, trial);
    const zones = this.zonesFor(element);
    for (let i = 0; i < zones.length; i += 1) this.add('zone ' + templateOfElement(zones[i]), element, { __proto__: null, to: zones[i], share: 0 }, dragName(element, false) + ' to ' + dragName(zones[i], false), trial);
    if (row === null && zones.length === 0) this.slide(element, trial);
  }

  /** Elements that are named as targets of a drop. @param {any} element */
  zonesFor(element) {
    if (this.zones === null) {
      this.zones = newList();
      const found = dom.findAllIn(dom.owner(element), DROP_ZONES);
      for (let i = 0; i < found.length && i < MOST_LISTED && this.zones.length < MOST_ZONES; i += 1) if (native.exec(DROP_WORDS, (dom.attribute(found[i], 'class') || '') + ' ' + dom.id(found[i])) !== null && dom.visible(found[i], VISIBLE)) append(this.zones, found[i]);
    }
    /** @type {any[]} */
    const others = newList();
    for (let i = 0; i < this.zones.length; i += 1) if (dom.owner(this.zones[i]) === dom.owner(element) && !containsNode(this.zones[i], element) && !containsNode(element, this.zones[i])) append(others, this.zones[i]);
    return others;
  }

  /** @param {any} element @param {boolean} trial */
  slide(element, trial) {
    const to = native.exec(TRACK, dom.attribute(element, 'class') || '') !== null && native.exec(GRIPPED, dom.attribute(element, 'class') || '') === null ? element : null;
    const named = dragName(element, false); // unlike the items of a list, several sliders are different things
    this.add('near ' + named, element, { __proto__: null, to, share: NEAR }, named + ' to 25 %', trial);
    this.add('far ' + named, element, { __proto__: null, to, share: FAR }, named + ' to 75 %', trial);
  }

  /** Drag the first item of a list. Whether there is one. @param {any} list @param {boolean} trial */
  items(list, trial) {
    const first = firstItem(list);
    if (first === null || (trial && isControl(first, dom.tag(first)))) return false;
    const count = this.count;
    this.row(first, first, trial);
    return this.count > count;
  }

  /** Drag an item of a list to its next sibling, and to the next list. @param {any} grip what is pressed, the item or its handle @param {any} row @param {boolean} trial */
  row(grip, row, trial) {
    const handle = grip === row ? handleIn(row) : grip;
    const beside = nextAlike(row);
    const other = nextList(row);
    const key = templateOfElement(row);
    const name = dragName(row, true);
    if (beside !== null) this.add('beside ' + key, handle, { __proto__: null, to: beside, share: FAR }, name + ' to the next', trial);
    if (other !== null) this.add('other ' + key, handle, { __proto__: null, to: other, share: FAR }, name + ' to ' + dragName(other, false), trial);
  }

  /** @param {string} key the template, and the kind of target @param {any} element @param {any} goal @param {string} name @param {boolean} trial */
  add(key, element, goal, name, trial) {
    const id = key + ' ' + templateOfElement(element);
    if (this.known[id] === true || this.count >= MOST_DRAGS || !this.isInReach(element)) return;
    this.known[id] = true;
    this.count += 1;
    this.walk.add('drag', element, name, goal);
    if (trial) this.walk.events[this.walk.events.length - 1].around = true;
  }

  /** @param {any} element */
  isInReach(element) {
    if (!dom.visible(element, VISIBLE) || dom.closest(element, '[inert],[aria-disabled=true],:disabled') !== null) return false;
    if (ignoredSelectors && dom.closest(element, ignoredSelectors) !== null) return false;
    const modal = topModal(dom.owner(element));
    return (modal === null || containsNode(modal, element)) && allows(element, PASSING);
  }
}
detach(Drags);

const MOST_TRIALS = 3; // lists
const MOST_ZONES = 3; // targets of a drop

/** The name of an element in the id of a drag. Items of a list are named by their template, since any of them may be the first.
 * @param {any} element @param {boolean} item */
const dragName = (element, item) => {
  const tag = dom.tag(element);
  const id = item ? '' : stableId(element);
  const label = item || id ? null : dom.attribute(element, 'aria-label');
  const name = (id ? tag + '#' + id : stepOf(element, tag)) + (label ? ' "' + tidy(label, LONGEST_NAME) + '"' : '');
  for (let node = drawnIn(element); node && dom.type(node) === 1; node = drawnIn(node)) {
    const place = placeOf(dom.tag(node), stableId(node), dom.attribute(node, 'role') || '');
    if (place) return name + ' in ' + place;
  }
  return name;
};

/** The id of an element, unless it is generated or left out. @param {any} element */
const stableId = (element) => {
  const given = ignoredAttributes.id === true ? '' : dom.attribute(element, 'id') || '';
  return isGenerated(given) || isCounted(given) ? '' : given;
};
