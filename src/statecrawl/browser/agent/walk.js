// @ts-check
// Walk over everything in the page: it hashes the normal form and lists the events on the way.
// What counts is said in equivalence.js.

const MOST_NODES = 150000; // of one page; the rest is cut off, and the description says so
const DEEPEST = 400; // nested elements
const MOST_FRAMES = 100; // of one page
const DEEPEST_FRAME = 8; // nested frames
const NO_RULES = native.create(null); // rules for the attributes of an element
const MOST_HIDDEN = 200; // names of invisible controls
const MOST_DRAGS = 20; // pairs of a draggable element and a drop target
const INDEX = '/index.html'; // what servers return for a directory
const BACK = 'back'; // can be fired, but is no event of the state: it depends on the path that led there
const DISMISSED = ' (dismissed)'; // ends the id of an event whose dialogs are dismissed

/** @type {any} left out of the normal form */
const UNSEEN = table({ script: 1, style: 1, link: 1, meta: 1, template: 1, noscript: 1, base: 1 });
/** @type {any} never drawn themselves, but visible elsewhere */
const ELSEWHERE = table({ html: 1, head: 1, title: 1, body: 1, option: 1, optgroup: 1, datalist: 1, map: 1, area: 1, slot: 1, source: 1, track: 1, param: 1 });
/** @type {any} attributes that identify other elements, or this one */
const REFERENCES = table({ id: 1, for: 1, name: 1, list: 1, form: 1, headers: 1, 'aria-labelledby': 1, 'aria-controls': 1, 'aria-describedby': 1, 'aria-owns': 1, 'aria-activedescendant': 1, 'aria-details': 1, 'aria-flowto': 1 });
/** @type {any} */
const CLICKED_ROLES = table({ button: 1, link: 1, tab: 1, menuitem: 1, menuitemcheckbox: 1, menuitemradio: 1, option: 1, checkbox: 1, radio: 1, switch: 1, treeitem: 1 });
/** @type {any} types of inputs */
const NO_FIELDS = table({ button: 1, submit: 1, reset: 1, image: 1, hidden: 1 });
const MEANT = BIT.click | BIT.dblclick | BIT.contextmenu | BIT.drop; // kinds of events that people mean to cause
const NO_CONTROL = 0, PLAIN_CONTROL = 1, FIELD_CONTROL = 2;
/** @type {any} */
const CLICKED_INPUTS = table({ button: 1, submit: 1, reset: 1, checkbox: 1, radio: 1, image: 1 });
const TOKEN_NAME = /csrf|xsrf|nonce|token|authenticity|viewstate|eventvalidation/i;
const VISIBLE = table({ visibilityProperty: true, contentVisibilityAuto: false });

const SHADOW_ROOT = 'shadow root'; // the tag of a shadow root in the normal form
const OPEN = 1, NAME = 2, VALUE = 3, TEXT = 4, CLOSE = 5, SHADOW = 6, INNER = 7, EVENT = 8, CUT = 9, HOVERED = 10;
const HIDDEN = '-', FOREIGN_FRAME = '~'; // marks of lines that are not elements, attributes, texts or events

/** `via` are the triggers until the element is visible; `around` says that it contains elements with events.
 * @typedef {{id: string, kind: string, element: any, extra: any, via: Trigger[] | null, around: boolean}} Found */

/** The kinds of events that one element listens for. */
class Interest {
  constructor() {
    this.kinds = 0; // bits of kinds
    /** @type {any} */ this.keys = null; // by key
    this.waits = false; // for a pointer that stays down
  }

  /** @param {any} duty of a listener */
  add(duty) {
    this.kinds |= BIT[duty.kind];
    if (duty.waits && duty.type !== 'click') this.waits = true;
    if (duty.kind === 'key') this.press(duty.keys);
  }

  /** @param {string[]} keys */
  press(keys) {
    if (keys.length > 0 && this.keys === null) this.keys = native.create(null);
    for (let i = 0; i < keys.length; i += 1) this.keys[keys[i]] = true;
  }
}
detach(Interest);

class Walk {
  /** @param {boolean} detailed whether to write down every line, to compare loads and to explain
   * @param {boolean} listHidden whether to list invisible controls, too */
  constructor(detailed, listHidden) {
    this.hash = new Hash();
    /** @type {Found[]} */ this.events = newList();
    /** @type {any} */ this.counts = new Map(); // name -> number of elements with it, if more than one
    /** @type {any} */ this.byId = new Map();
    this.nodes = 0;
    this.cut = false;
    /** @type {any[]} */ this.unready = newList(); // frames that are still loading
    this.frames = 0; // frames visited
    this.nested = 0; // frames around the current document
    /** @type {any[] | null} */ this.lines = detailed ? newList() : null;
    /** @type {any[] | null} */ this.elements = detailed && settings.boxes ? newList() : null; // of the lines that open one; null in frames
    /** @type {any[]} */ this.draggables = newList();
    /** @type {any[]} */ this.drops = newList();
    /** @type {any[]} */ this.pressed = newList(); // elements that listen for presses, or whose role says that they are moved
    /** @type {string[]} */ this.boundaries = newList();
    /** @type {any[]} */ this.roots = newList(); // of shadow trees and frames, which an observer of the document does not cover
    /** @type {any} */ this.modal = null;
    this.wanted = NO_CONTROL; // what the current element is
    /** @type {any} */ this.controls = native.create(null); // line -> whether people could use its element if they could reach it
    /** @type {any} */ this.hidden = null; // the hidden element around the current one, while lines are written
    this.reveals = new Reveals();
    /** @type {Trigger[] | null} */ this.via = null; // triggers of the element whose events are listed
    /** @type {string[] | null} */ this.unrevealed = listHidden ? newList() : null; // controls that are invisible and cannot be revealed
    this.passes = false; // whether an attribute lets the pointer through some element
    this.slotted = false; // whether a slot of the current shadow tree listens for clicks on its content
    /** @type {any} */ this.cursorOwner = null; // the element whose cursor was computed last
    this.isPointer = false; // whether it was the pointer
    this.run();
  }

  run() {
    findJquery();
    if (settings.site) this.hash.text(placeShown(location.href)); // a state is what a page shows, and where
    this.document(document, '', NO_AUDIENCE, rulesFromTop, '', 0, false);
    for (let i = 0; i < this.draggables.length * this.drops.length && i < MOST_DRAGS; i += 1) {
      const from = this.draggables[native.floor(i / this.drops.length)];
      const to = this.drops[i % this.drops.length];
      if (from[0] !== to[0]) this.add('drag', from[0], from[1] + ' to ' + to[1], { __proto__: null, to: to[0], share: 0 });
    }
    if (this.pressed.length > 0 || anyListener(PRESSES)) new Drags(this).find();
    this.whole();
    this.id = IDENTITY === null ? this.hash.digest() : this.identified();
  }

  /** The id from the user's own function, and the events. */
  identified() {
    const hash = new Hash();
    hash.text(String(quietly(() => IDENTITY())));
    for (let i = 0; i < this.events.length; i += 1) {
      hash.code(EVENT);
      hash.text(this.events[i].id);
    }
    return hash.digest();
  }

  /** Events of the page as a whole. */
  whole() {
    const body = dom.body(document);
    if (!body || this.modal) return;
    /** @type {any} */
    const keys = native.create(null);
    let scrolls = kernel.frames;
    eachDutyOfAll(document, (duty) => {
      if (duty.kind === 'scroll') scrolls = true;
      if (duty.kind !== 'key') return;
      const named = duty.keys.length > 0 || !duty.readsKeys || duty.selectors ? duty.keys : UNNAMED_KEYS;
      for (let j = 0; j < named.length; j += 1) keys[named[j]] = true;
    });
    for (const key in keys) this.add('key', body, keyName(key), key);
    if (scrolls && canScroll(dom.root(document), true)) this.add('scroll', null, 'page', null);
    if (canGoBack()) native.mapSet(this.byId, BACK, { id: BACK, kind: BACK, element: null, extra: null, via: null, around: false });
  }

  /** @param {string} kind @param {any} element @param {string} name @param {any} extra */
  add(kind, element, name, extra) {
    const base = native.wellFormed(name ? kind + ' ' + name : kind);
    let id = base;
    if (native.mapHas(this.byId, base)) {
      let count = native.mapGet(this.counts, base) || 1;
      for (; native.mapHas(this.byId, id); id = base + ' #' + count) count += 1; // a page may use a name that looks like ours
      native.mapSet(this.counts, base, count);
    }
    const found = { id, kind, element, extra, via: this.via, around: false };
    append(this.events, found);
    native.mapSet(this.byId, id, found);
    this.hash.code(EVENT);
    this.hash.text(id);
    if (this.lines) append(this.lines, ['', '!', id]);
  }

  /** @param {any} doc @param {string} place @param {Audience} audience @param {Rule | null} rule @param {string} path @param {number} depth @param {boolean} inert */
  document(doc, place, audience, rule, path, depth, inert) {
    const root = dom.root(doc);
    if (!root) return;
    const outer = this.modal;
    const modal = inert ? null : topModal(doc);
    if (modal) this.modal = modal;
    this.element(root, place, documentAudience(doc, audience), rule, path, depth, inert || modal !== null);
    if (doc !== document) this.modal = outer;
  }

  /** @param {any} element @param {string} place @param {Audience} audience @param {Rule | null} above @param {string} path @param {number} depth @param {boolean} inert */
  element(element, place, audience, above, path, depth, inert) {
    const tag = dom.tag(element);
    if (UNSEEN[tag] === 1 && !EXACT) return;
    this.nodes += 1;
    if (this.nodes > MOST_NODES || depth > DEEPEST) {
      this.cut = true;
      this.hash.code(CUT);
      return;
    }
    if (ignoredSelectors && dom.matches(element, ignoredSelectors)) return;
    if (settings.ignore.hidden && isHidden(element, tag)) return;
    if (element === this.modal) inert = false;

    const names = dom.attributeNames(element);
    let id = '';
    /** @type {Rule | null} */
    let rule = above;
    let inline = '';
    let role = '';
    let marks = 0;
    for (let i = 0; i < names.length; i += 1) {
      const name = names[i];
      marks |= MARKS[name];
      if (name === 'id') {
        if (ignoredAttributes.id === true) continue;
        const given = dom.attribute(element, 'id');
        if (!isGenerated(given) && !isCounted(given)) id = given;
      } else if (name[0] === 'o' && name[1] === 'n') {
        inline += name + ' ';
        listenedTypes[native.slice(name, 2)] = true; // attributes are not registered as listeners
      } else if (name === 'role') role = dom.attribute(element, 'role');
      else if (name === 'inert') inert = true;
    }
    if (marks >= STYLED && !this.passes) this.passes = (marks & PASSED) !== 0 || native.indexOf(dom.attribute(element, 'style') || '', PASSING) >= 0;
    if (hasRules) {
      rule = ruleAt(element, tag, id, above);
      if (rule && rule.node) return;
      if (rule && rule.attributes && rule.attributes.id) id = '';
    }
    const lines = this.lines;
    if (lines) path = id && native.indexOf(id, '/') < 0 ? '#' + id : path + '/' + stepOf(element, tag);

    const hash = this.hash;
    hash.code(OPEN);
    hash.text(tag);
    const line = lines ? lines.length : 0;
    if (lines) append(lines, [path, '<', tag]);
    if (this.elements) append(this.elements, this.nested > 0 ? null : element);
    const hides = lines !== null && this.hidden === null && isHidden(element, tag);
    if (hides) {
      this.hidden = element;
      append(lines, [path, HIDDEN, 'hidden']);
    }
    if (names.length > 0) this.attributes(element, tag, names, rule, path);
    this.field(element, tag, rule, path);

    const before = this.events.length;
    let inside = audience;
    this.wanted = NO_CONTROL;
    if (!inert || tag === 'html' || tag === 'body') inside = this.interests(element, tag, id, place, audience, inline, role, inert, rule, marks);
    else if (lines) this.interests(element, tag, id, place, audience, inline, role, true, rule, marks); // events do not depend on lines
    const listed = this.events.length;
    if (this.wanted) this.controls[line] = this.wanted;
    if (lines && listed > before) lines[line] = [path, '<', tag, 1];

    const own = placeOf(tag, id, role);
    if (own) place = own;
    const shadow = shadowOf(element);
    if (shadow) {
      append(this.roots, shadow);
      hash.code(SHADOW);
      if (lines) append(lines, [path + '/~', '<', SHADOW_ROOT]);
      if (this.elements) append(this.elements, null);
      const outer = this.slotted;
      this.slotted = false;
      this.children(dom.first(shadow), place || tag, this.shadowAudience(shadow, inside), innerRule(rule), path + '/~', depth + 1, inert, false);
      if (this.slotted) {
        inside = copiedAudience(inside);
        inside.children = element;
      }
      this.slotted = outer;
      if (lines) append(lines, [path + '/~', '>', '']);
    }
    const contained = this.events.length;
    if (tag === 'iframe' || tag === 'frame') this.frame(element, place, rule, path, depth, inert);
    else if (tag !== 'textarea') this.children(dom.first(element), place, inside, rule, path, depth + 1, inert, tag === 'head');
    if (listed > before && this.events.length > contained && CONTROLS[tag] === undefined) for (let i = before; i < listed; i += 1) this.events[i].around = true;
    hash.code(CLOSE);
    if (hides) this.hidden = null;
    if (lines) append(lines, [path, '>', '']);
  }

  /** @param {any} shadow @param {Audience} outer */
  shadowAudience(shadow, outer) {
    const duties = dutiesOf(shadow, true);
    if (duties.length === 0) return outer;
    const audience = copiedAudience(outer);
    for (let i = 0; i < duties.length; i += 1) {
      if (duties[i].selectors) addSelectors(audience, duties[i].kind, duties[i].selectors);
      else if (duties[i].kind === 'click') audience.pointer = true;
    }
    return audience;
  }

  /** @param {any} node @param {string} place @param {Audience} audience @param {Rule | null} rule @param {string} path @param {number} depth @param {boolean} inert @param {boolean} head */
  children(node, place, audience, rule, path, depth, inert, head) {
    for (; node !== null; node = dom.next(node)) {
      const type = dom.type(node);
      if (type === 1) {
        if (!head || EXACT || dom.tag(node) === 'title') this.element(node, place, audience, rule, path, depth, inert);
      } else if (type === 3 || (type === 8 && EXACT)) {
        if (!(rule && rule.text)) this.text(dom.data(node), path);
      }
    }
  }

  /** @param {string} text @param {string} path */
  text(text, path) {
    this.nodes += 1;
    if (!WITH_VALUES) return;
    const hash = this.hash;
    if (EXACT) {
      hash.code(TEXT);
      hash.text(text);
      if (this.lines) append(this.lines, [path, '"', text]);
      return;
    }
    if (ignoredPatterns.length) text = withoutPatterns(text);
    const some = hash.words(TEXT, text);
    if (some && this.lines) append(this.lines, [path, '"', tidy(text, 1e9)]);
  }

  /** @param {any} element @param {string} tag @param {string[]} names @param {Rule | null} rule @param {string} path */
  attributes(element, tag, names, rule, path) {
    if (names.length > 1) sortNames(names);
    for (let i = 0; i < names.length; i += 1) {
      const name = names[i];
      if (!EXACT && (name === 'nonce' || ((name === 'value' || name === 'checked') && tag === 'input') || (name === 'selected' && tag === 'option'))) continue;
      if (ignoredAttributes[name] === true) continue;
      if (rule && rule.attributes && rule.attributes[name]) continue;
      let value = dom.attribute(element, name);
      if (!EXACT) {
        if (name === 'class') {
          value = classForm(value);
          if (markingClasses !== null) value = withoutMarks(value, markingClasses);
          if (rule && rule.classes) value = withoutMarks(value, rule.classes);
          if (value === '') continue;
        } else if (name === 'style') {
          const style = styleForm(value);
          if (style.form === '' || (style.placed && isCaret(element))) continue;
          if (WITH_VALUES && ignoredPatterns.length === 0) {
            this.line(name, style.digest, path, style.form); // see hashLine
            continue;
          }
          value = style.form;
        }
        if (!WITH_VALUES) value = name === 'type' || name === 'role' ? value : '';
        else if (value[0] === 'b' && native.indexOf(value, 'blob:') === 0) value = 'blob:'; // the rest is generated by the browser
        else {
          const given = value;
          if (hasCounters) value = uncounted(name, value); // before its length matters: id9 and id100 count alike
          if (value === given && (REFERENCES[name] === 1 || (name === 'href' && value[0] === '#')) && isGenerated(value)) value = '*';
          else if (ignoredPatterns.length) value = withoutPatterns(value);
        }
      }
      this.line(name, value, path);
    }
  }

  /** @param {string} name @param {string} value @param {string} path @param {string} written what the line says, if not the value */
  line(name, value, path, written = value) {
    this.hash.code(NAME);
    this.hash.text(name);
    this.hash.code(VALUE);
    this.hash.text(value);
    if (this.lines) append(this.lines, [path, '@' + name, written]);
  }

  /** The content of a field, which is in no attribute. @param {any} element @param {string} tag @param {Rule | null} rule @param {string} path */
  field(element, tag, rule, path) {
    const left = (rule && rule.attributes) || NO_RULES;
    if (left.value) return;
    if (tag === 'input') {
      const type = dom.inputType(element);
      if (type === 'checkbox' || type === 'radio') {
        if (!left.checked && dom.checked(element)) this.line('checked', '', path);
      } else if (WITH_VALUES) {
        if (type === 'hidden' && !EXACT && native.exec(TOKEN_NAME, (dom.attribute(element, 'name') || '') + ' ' + dom.id(element))) return;
        const value = dom.value(element);
        if (value !== '') this.line('value', value, path);
      }
    } else if (tag === 'option') {
      if (!left.selected && dom.selected(element)) this.line('selected', '', path);
    } else if (tag === 'textarea' && WITH_VALUES) {
      const value = dom.areaValue(element);
      if (value !== '') this.line('value', value, path);
    }
  }

  /** @param {any} element @param {string} place @param {Rule | null} rule @param {string} path @param {number} depth @param {boolean} inert */
  frame(element, place, rule, path, depth, inert) {
    const inner = quietly(() => (dom.tag(element) === 'iframe' ? dom.frameDocument(element) : dom.oldFrameDocument(element))) || null;
    const source = dom.attribute(element, 'src') || '';
    if (!inner) {
      this.hash.code(INNER);
      if (this.lines) append(this.lines, [path, FOREIGN_FRAME, '']);
      append(this.boundaries, absolute(source));
      return;
    }
    const blank = quietly(() => inner.location.href) === 'about:blank';
    const awaited = blank && source && source !== 'about:blank' && native.indexOf(source, 'javascript:') !== 0 && !dom.hasAttribute(element, 'srcdoc');
    this.frames += 1;
    if (this.frames > MOST_FRAMES || this.nested >= DEEPEST_FRAME) {
      this.cut = true;
      this.hash.code(CUT);
      return;
    }
    if ((awaited || dom.ready(inner) !== 'complete') && !isInSet(lateFrames, element)) append(this.unready, element);
    if (this.lines) path = path + '/~';
    append(this.roots, inner);
    this.nested += 1;
    this.document(inner, place, NO_AUDIENCE, innerRule(rule), path, depth + 1, inert || !dom.visible(element, VISIBLE));
    this.nested -= 1;
  }

  /** The events of one element, and the audience of the listeners around its children.
   * @param {any} element @param {string} tag @param {string} id @param {string} place @param {Audience} audience @param {string} inline @param {string} role @param {boolean} inert @param {Rule | null} rule @param {number} marks
   * @returns {Audience} */
  interests(element, tag, id, place, audience, inline, role, inert, rule, marks) {
    const own = native.weakGet(registry, element);
    const native_ = CONTROLS[tag];
    if (inspections > 0 && !reactKey) inspect(element);
    const framed = reactKey !== '' || svelte || solid;
    const plain = own === undefined && native_ === undefined && tag !== 'form' && !inline && !role && !framed && (marks & (DRAGGABLE | EDITABLE)) === 0;
    if (plain && (audience === NO_AUDIENCE || !this.isMeant(element, native_, audience, marks))) return audience;

    const interest = new Interest();
    let inside = audience;
    const top = tag === 'html' || tag === 'body';
    let pressed = !top && mayBeDragged(own, inline, role);
    if (own !== undefined && !top) {
      const duties = dutiesOf(element, false);
      for (let i = 0; i < duties.length; i += 1) {
        const duty = duties[i];
        const kind = duty.kind;
        const delegated = duty.selectors && dom.find(element, duty.selectors);
        if (delegated) {
          if (inside === audience) inside = copiedAudience(audience);
          addSelectors(inside, kind, duty.selectors);
        } else if (duty.exact) {
          continue; // no element matches the selectors given to jQuery
        } else if ((kind === 'input' || kind === 'submit') && native_ !== 'field' && native_ !== 'select') {
          if (kind === 'input') {
            if (inside === audience) inside = copiedAudience(audience);
            addSelectors(inside, kind, '*');
          } else interest.kinds |= SUBMIT;
        } else if (kind === 'key' && native_ === undefined && duty.keys.length === 0 && dom.find(element, TYPED_INTO)) {
          if (inside === audience) inside = copiedAudience(audience);
          addSelectors(inside, kind, TYPED_INTO);
        } else if (kind === 'click' && native_ === undefined) {
          if (inside === audience) inside = copiedAudience(audience);
          inside.pointer = true; // elements that look clickable may be the target
          if (duty.byTarget && hasTwoChildren(element)) inside.children = element;
          else if (!hasFrameworkInside(element, kind)) interest.add(duty);
        } else interest.add(duty);
      }
    }
    if (inline && !top) {
      for (const kind in BIT) {
        const types = KINDS[kind].types;
        for (let i = 0; i < types.length; i += 1) {
          if (native.indexOf(inline, 'on' + types[i] + ' ') < 0) continue;
          interest.kinds |= BIT[kind];
          const source = dom.attribute(element, 'on' + types[i]) || '';
          const named = kind === 'key' ? keysIn(source) : NONE;
          interest.press(named);
        }
      }
    }
    if (framed) {
      eachFrameworkHandler(element, (kind, handler) => {
        const reading = read(handler);
        interest.add({ kind, type: kind, keys: reading.keys, waits: false });
        pressed = pressed || kind === 'click';
      });
    }
    if (audience.selectors) {
      for (const kind in audience.selectors) if ((interest.kinds & BIT[kind]) === 0 && dom.matches(element, audience.selectors[kind])) interest.kinds |= BIT[kind];
    }
    if ((interest.kinds & CLICK) === 0 && !top) {
      if (this.looksClickable(element, native_, audience, marks) && !(native_ === 'link' && this.isAddress(element))) interest.kinds |= CLICK;
      if (role && CLICKED_ROLES[role] === 1 && kernel.listenedTypes.click) interest.kinds |= CLICK;
    }
    if (pressed && !inert) append(this.pressed, element);
    if (!top) this.list(element, tag, id, place, inside, interest, rule, marks, inert);
    return inside;
  }

  /** Whether a listener of an ancestor may be about this element. @param {any} element @param {string | undefined} control @param {Audience} audience @param {number} marks */
  isMeant(element, control, audience, marks) {
    if (audience.selectors) for (const kind in audience.selectors) if (dom.matches(element, audience.selectors[kind])) return true;
    return this.looksClickable(element, control, audience, marks);
  }

  /** Whether a listener of an ancestor, with an unknown target, is likely to be about this element. @param {any} element @param {string | undefined} control @param {Audience} audience @param {number} marks */
  looksClickable(element, control, audience, marks) {
    const parent = dom.parent(element);
    if (audience.children !== null && parent === audience.children) return true;
    if (!audience.pointer || (control !== undefined && control !== 'link')) return false;
    if (marks & TABBED && +(dom.attribute(element, 'tabindex') || -1) >= 0) return true;
    return !this.hasPointer(parent) && cursorOf(element) === 'pointer';
  }

  /** Whether the cursor is the pointer all over this element; computed once for siblings. @param {any} element */
  hasPointer(element) {
    if (element !== this.cursorOwner) {
      this.cursorOwner = element;
      this.isPointer = element !== null && dom.type(element) === 1 && cursorOf(element) === 'pointer';
    }
    return this.isPointer;
  }

  /** Whether elements may let the pointer through: the computed style of each element would be expensive. */
  mayPass() {
    return this.passes || this.roots.length > 0 || this.reveals.rules(document).passes;
  }

  /** @param {any} element @param {string} tag @param {string} id @param {string} place @param {Audience} audience @param {Interest} interest @param {Rule | null} rule @param {number} marks @param {boolean} inert */
  list(element, tag, id, place, audience, interest, rule, marks, inert) {
    const control = CONTROLS[tag];
    const draggable = (marks & DRAGGABLE) !== 0 && dom.attribute(element, 'draggable') === 'true';
    const editable = marks & EDITABLE ? dom.attribute(element, 'contenteditable') : null;
    let click = (interest.kinds & CLICK) !== 0;
    if (control !== undefined) {
      if (control === 'link') click = click || (dom.hasAttribute(element, 'href') && !this.isAddress(element));
      else if (control === 'click') click = true;
      else if (control === 'label') click = click || isHandle(element);
      else if (control === 'field') click = tag === 'input' && CLICKED_INPUTS[dom.inputType(element)] === 1;
    }
    const wanted = click ? interest.kinds | CLICK : interest.kinds & ~CLICK;
    const any = wanted !== 0 || draggable || (editable !== null && editable !== 'false') || control === 'field' || control === 'select' || tag === 'form';
    if (!any) return;
    const field = control === 'select' || (control === 'field' && (tag !== 'input' || NO_FIELDS[dom.inputType(element)] !== 1));
    const isPressed = (click && (control !== 'label' || (interest.kinds & CLICK) !== 0)) || (interest.kinds & MEANT) !== 0;
    this.wanted = field ? FIELD_CONTROL : isPressed || draggable || (editable !== null && editable !== 'false') ? PLAIN_CONTROL : NO_CONTROL;
    if (inert) return;
    const reach = this.mayPass() && isOutOfReach(element, control, marks) ? this.reveals.reach(element) : NO_TRIGGERS;
    if (reach === null) return;
    const disabled = control !== undefined && control !== 'link' && dom.matches(element, ':disabled');
    if (disabled && !this.isEnabled(element, tag, audience)) return;
    if (marks & DISABLED && dom.attribute(element, 'aria-disabled') === 'true') return;
    const shown = tag === 'area' ? pictureOf(element) : element;
    if (tag === 'slot' && hasAssigned(element)) {
      if (click) this.slotted = true;
      return;
    }
    const visible = dom.visible(shown, VISIBLE) || isContents(shown);
    const seen = visible ? NO_TRIGGERS : this.reveals.of(shown);
    if (seen === null) {
      const plain = control === 'link' && (interest.kinds & CLICK) === 0; // it is found by its URL
      if (this.unrevealed !== null && click && !plain && this.unrevealed.length < MOST_HIDDEN && !hasHandle(element, tag) && !isOfLogin(element, tag)) append(this.unrevealed, 'click ' + elementName(element, tag, id, place, WITH_VALUES && !(rule && rule.text), marks, rule));
      return;
    }
    const via = seen.length + reach.length === 0 ? null : joinedTriggers(seen, reach);
    this.via = via;
    const name = elementName(element, tag, id, place, WITH_VALUES && !(rule && rule.text), marks, rule);
    if (disabled) {
      this.clicks(element, tag, name, audience, false);
      this.via = null;
      return;
    }
    if (tag === 'form') {
      if ((wanted & SUBMIT || dom.hasAttribute(element, 'action')) && !findHtml(element, 'button:not([type]),[type=submit],[type=image]')) this.add('submit', element, name, [fillingsOf(element, audience, null), 0]);
    }
    if ((wanted & (HOVER | LEAVE)) === LEAVE && isHovered(element)) this.hash.code(HOVERED); // the pointer's presence shows only when it leaves
    for (let i = 0; i < LISTENED_KINDS.length; i += 1) {
      const kind = LISTENED_KINDS[i];
      if ((wanted & BIT[kind]) === 0) continue;
      if (kind === 'click') this.clicks(element, tag, name, audience, control === 'link' && (interest.kinds & CLICK) === 0);
      else if (kind === 'key') for (const key in interest.keys || (control === 'field' ? ENTER_OR_ESCAPE : ENTER)) this.add('key', element, keyName(key) + ' ' + name, key);
      else if (kind === 'drop') {
        if (via === null) append(this.drops, [element, name]);
      } else this.add(kind, element, name, null);
    }
    if (interest.waits) this.add('longpress', element, name, null);
    if (wanted & SCROLL && (canScroll(element, false) || hasListener(element, 'wheel') || dom.hasAttribute(element, 'onwheel'))) this.add('scroll', element, name, null);
    if (control === 'field' || control === 'select') this.inputs(element, tag, name, wanted, audience);
    else if (editable !== null && editable !== 'false') this.edits(element, name);
    if (draggable && via === null) append(this.draggables, [element, name]);
    this.via = null;
  }

  /** Whether a disabled button is enabled by filling in its form. @param {any} element @param {string} tag @param {Audience} audience */
  isEnabled(element, tag, audience) {
    const form = submittedBy(element, tag);
    return form !== null && form !== undefined && isEnabledByFilling(form, audience);
  }

  /** Whether a link without a listener is no event: when a whole site is crawled, its URL is opened instead. @param {any} element */
  isAddress(element) {
    return settings.site && leadsElsewhere(element);
  }

  /** @param {any} element @param {string} tag @param {string} name @param {Audience} audience @param {boolean} plain a link that nobody listens to */
  clicks(element, tag, name, audience, plain) {
    const form = submittedBy(element, tag);
    if (!form) {
      this.add('click', element, name, plain ? PLAIN : null);
      return;
    }
    const sets = fillingsOf(form, audience, element);
    for (let k = 0; k < sets.length; k += 1) this.add('click', element, name + fillingName(sets, k), sets[k]);
  }

  /** @param {any} element @param {string} tag @param {string} name @param {number} wanted @param {Audience} audience */
  inputs(element, tag, name, wanted, audience) {
    const listened = (wanted & (INPUT | KEY)) !== 0;
    if (!listened && formOf(element, tag)) return;
    if (tag === 'select') {
      const options = dom.options(element);
      let listed = 0;
      for (let i = 0; i < options.length && listed < settings.options; i += 1) {
        listed += 1;
        if (dom.matches(options[i], ':disabled') || dom.selected(options[i])) continue;
        this.add('select', element, name + ' = ' + tidy(dom.optionValue(options[i]), LONGEST_VALUE), i);
      }
      return;
    }
    const type = tag === 'input' ? dom.inputType(element) : 'text';
    if (type === 'file') {
      if (dom.files(element).length === 0) this.add('upload', element, name, null);
      return;
    }
    if (!isWritten(type) || dom.hasAttribute(element, 'readonly')) return;
    const now = tag === 'input' ? dom.value(element) : dom.areaValue(element);
    const values = knownValues(element, tag);
    const most = submittedWith(element, tag) && !isOfUser(element, tag) ? 1 : values.length; // the form is submitted as a whole
    for (let i = 0; i < values.length && i < most; i += 1) {
      if (values[i] !== now) this.add('input', element, name + ' = ' + (type === 'password' ? '…' + (i + 1) : tidy(values[i], LONGEST_VALUE)), values[i]);
    }
  }

  /** @param {any} element @param {string} name */
  edits(element, name) {
    const values = chosen(userValues, name) || VALUES.text;
    const now = tidy(dom.text(element) || '', 1e6);
    for (let i = 0; i < values.length; i += 1) if (values[i] !== now) this.add('input', element, name + ' = ' + tidy(values[i], LONGEST_VALUE), values[i]);
  }
}
detach(Walk);

/** Whether the page has added history entries that lie behind the current one, and listens for going back. */
const canGoBack = () => kernel.back > 0 && (hasListener(window, 'popstate') || hasListener(window, 'hashchange'));

/** Walk over the page; twice if the first walk reveals which framework created it. @param {boolean} detailed @param {boolean} listHidden */
const walkPage = (detailed, listHidden = false) => {
  const known = reactKey + svelte + solid;
  const walk = new Walk(detailed, listHidden);
  return known === reactKey + svelte + solid ? walk : new Walk(detailed, listHidden);
};

/** @param {string} address */
const withoutFragment = (address) => {
  const at = native.indexOf(address, '#');
  return at < 0 ? address : native.slice(address, 0, at);
};

/** The location as far as it is part of a state: a folder and its index.html are the same. @param {string} address */
const placeShown = (address) => {
  const whole = withoutFragment(address);
  const at = whole.length - INDEX.length;
  return withoutIgnored(at > 0 && native.slice(whole, at) === INDEX ? native.slice(whole, 0, at + 1) : whole);
};

/** Frames that did not load in time. @type {any} */
const lateFrames = kernel.lateFrames || (kernel.lateFrames = new Set());

/** @type {any} */
const ENTER = { __proto__: null, Enter: true };
/** @type {any} keys to try where a listener names none: in fields, and in the page as a whole */
const ENTER_OR_ESCAPE = { __proto__: null, Enter: true, Escape: true };
const UNNAMED_KEYS = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Enter', 'Escape', ' '];

/** @type {any} tag -> its native interaction */
const CONTROLS = table({ a: 'link', area: 'link', button: 'click', summary: 'click', label: 'label', input: 'field', textarea: 'field', select: 'select' });

/** @param {string} key */
const keyName = (key) => (key === ' ' ? 'Space' : key);

/** @param {string[]} names */
const sortNames = (names) => {
  for (let i = 1; i < names.length; i += 1) {
    const name = names[i];
    let at = i;
    for (; at > 0 && names[at - 1] > name; at -= 1) names[at] = names[at - 1];
    names[at] = name;
  }
};
