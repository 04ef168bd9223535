// @ts-check
// Regions: parts of a page that may change independently of each other, each with digests of what it shows.
//
// A region is a container without the regions inside it. Containers are landmarks, lists, rows, tables, forms, dialogs, elements
// with a stable id or a role, each of several fields, and, if they have controls: custom elements, drawings, equal siblings, and
// blocks beside each other. So are blocks directly below body, such as the veil behind a dialog, and each class and data attribute
// of html and body. Everything else is the region "".
//
// The *place* of a region is the path of containers that leads there; equal siblings share it. Three digests say what it shows:
//
//   shape    which elements there are, without counting them: equal for one row and for a thousand
//   look     the elements in order, with classes and conditions such as "checked", but without texts and values
//   content  everything except marks of pointer and focus, geometry, and identifiers that look generated
//
// Events are not part of what a region shows: a modal dialog takes them away from all other regions without changing these.
// The regions are read from the lines of the normal form, in which each element is followed by its attributes and its events.

const MOST_REGIONS = 1000; // of a page; the rest belongs to the regions around it
const MOST_CONDITIONS = 50; // classes and data attributes of html and body that are regions
const MOST_SIBLINGS = 200; // of equal elements that are regions of their own
const LONGEST_PLACE = 1000; // characters; what is nested deeper belongs to the regions around it
const DIGEST = 12; // hexadecimal digits

/** @type {any} */
const ROWS = table({ li: 1, tr: 1, dt: 1, dd: 1 });
/** @type {any} */
const ROW_ROLES = table({ row: 1, listitem: 1, treeitem: 1 });
/** @type {any} */
const LISTS = table({ ul: 1, ol: 1, dl: 1, table: 1, menu: 1, dialog: 1 });
/** @type {any} */
const BLOCKS = table({ nav: 1, main: 1, header: 1, footer: 1, aside: 1, section: 1, article: 1, form: 1, fieldset: 1, details: 1, iframe: 1, frame: 1 });
/** @type {any} never regions, whatever their attributes say */
const INLINE = table({ html: 1, head: 1, title: 1, body: 1, a: 1, button: 1, input: 1, select: 1, option: 1, optgroup: 1, textarea: 1, label: 1, summary: 1, legend: 1, caption: 1, p: 1, h1: 1, h2: 1, h3: 1, h4: 1, h5: 1, h6: 1, span: 1, b: 1, i: 1, em: 1, strong: 1, small: 1, code: 1, pre: 1, img: 1, td: 1, th: 1, thead: 1, tbody: 1, tfoot: 1 });
/** @type {any} no regions because they are directly below body */
const NOT_HANGING = table({ script: 1, style: 1, template: 1, noscript: 1, link: 1, meta: 1, svg: 1 });
/** @type {any} roles of controls and of elements without a meaning */
const PLAIN_ROLES = table({ presentation: 1, none: 1, generic: 1, img: 1, separator: 1, slider: 1, spinbutton: 1, textbox: 1, combobox: 1, searchbox: 1, cell: 1, gridcell: 1, columnheader: 1, rowheader: 1, heading: 1, rowgroup: 1 });
/** @type {any} attributes that are part of the look */
const CONDITIONS = table({ '@class': 1, '@checked': 1, '@selected': 1, '@disabled': 1, '@open': 1, '@hidden': 1, '@readonly': 1, '@type': 1, '@role': 1, '@contenteditable': 1, '@aria-checked': 1, '@aria-selected': 1, '@aria-expanded': 1, '@aria-pressed': 1, '@aria-current': 1, '@aria-sort': 1, '@aria-disabled': 1 });
/** @type {any} attributes that tell where the user is, and not what the page shows */
const MARKING = table({ '@tabindex': 1, '@aria-hidden': 1, '@inert': 1, '@aria-activedescendant': 1, '@aria-describedby': 1, '@aria-owns': 1 });
/** @type {any} roles of what appears anywhere, so that its class tells more than its place */
const FLOATING_ROLES = table({ tooltip: 1, alert: 1, status: 1, dialog: 1, alertdialog: 1 });
/** @type {any} attributes that say the same with the value "false" and when they are missing */
const OPTIONAL = table({ '@aria-expanded': 1, '@aria-pressed': 1, '@aria-selected': 1, '@aria-checked': 1, '@aria-current': 1, '@aria-disabled': 1, '@aria-busy': 1, '@aria-invalid': 1, '@aria-grabbed': 1, '@aria-modal': 1 });
const MARKING_NAME = /^@data-(?:focus|hover|active-?descendant)/;
const MARKING_CLASS = /(?:^|[-_])(?:hover(?:ed)?|focus(?:ed|-visible|-within)?)$|^ng-(?:dirty|pristine|(?:un)?touched|(?:in)?valid)(?:-|$)/;

/** @typedef {{place: string, isRow: boolean, line: number, shape: any, look: Hash, content: Hash, events: number[], opened: number}} Region */

/** The regions of a page: place, shape, look, content, positions of events; and where they are in the page, if its elements are known.
 * @param {any[]} lines of its normal form @param {any} controls line -> PLAIN_CONTROL or FIELD_CONTROL if people could use its element if they could reach it @param {any[] | null} elements of the lines that open one
 * @returns {{regions: [string, string, string, string, number[]][], boxes: number[][]}} */
const regionsOf = (lines, controls, elements) => {
  const reader = new RegionReader(lines, controls);
  reader.read();
  /** @type {any} */
  const regions = newList();
  /** @type {number[][]} */
  const boxes = newList();
  for (let i = 0; i < reader.regions.length; i += 1) {
    const { place, shape, look, content, events, opened } = reader.regions[i];
    append(regions, [place, shapeDigest(shape), shortDigest(look), shortDigest(content), events]);
    if (elements) append(boxes, i === 0 ? [0, 0, native.width(), native.height()] : boxOf(elements[opened]));
  }
  return { regions, boxes };
};

/** Left edge, top edge, width and height of an element, in whole pixels; zeros where they are unknown. @param {any} element */
const boxOf = (element) => {
  if (!element) return [0, 0, 0, 0];
  const box = dom.box(element);
  return [native.floor(box.left), native.floor(box.top), native.floor(box.width), native.floor(box.height)];
};

/** @param {Hash} hash */
const shortDigest = (hash) => native.slice(hash.digest(), 0, DIGEST);

/** @param {any} shape a table whose names are the parts */
const shapeDigest = (shape) => {
  const parts = native.ownKeys(shape);
  sortNames(parts);
  const hash = new Hash();
  for (let i = 0; i < parts.length; i += 1) {
    hash.code(OPEN);
    hash.text(parts[i]);
  }
  return shortDigest(hash);
};

class RegionReader {
  /** @param {any[]} lines @param {any} controls */
  constructor(lines, controls) {
    this.lines = lines;
    /** @type {Region[]} */ this.regions = newList();
    /** @type {Region[]} */ this.owners = newList(); // of each open element
    /** @type {string[]} */ this.paths = newList(); // of each open element, below its region
    const { repeated, busy, branches, hanging, forms } = elementsWithControls(lines, controls);
    /** @type {any} */ this.repeated = repeated; // line -> true
    /** @type {any} */ this.busy = busy; // likewise
    /** @type {any} */ this.branches = branches; // likewise
    /** @type {any} */ this.hanging = hanging; // likewise
    /** @type {any} */ this.forms = forms; // likewise
    /** @type {any} */ this.controls = controls; // likewise
    this.conditions = 0; // classes and attributes of html and body that are regions
    this.events = 0;
    this.elements = -1; // opened so far, less one
    this.drawn = 0; // depth inside a drawing
    this.unread = 0; // depth inside a title
    append(this.owners, this.open('', false, -1));
    append(this.paths, '');
  }

  /** @param {string} place @param {boolean} isRow @param {number} line that opens its element @returns {Region} */
  open(place, isRow, line) {
    const region = { place, isRow, line, shape: native.create(null), look: new Hash(), content: new Hash(), events: newList(), opened: this.elements };
    append(this.regions, region);
    return region;
  }

  read() {
    const { lines, owners, paths } = this;
    for (let i = 0; i < lines.length; i += 1) {
      const what = lines[i][1];
      const value = lines[i][2];
      const top = owners.length - 1;
      const region = owners[top];
      if (what === '<') i = this.element(i, value);
      else if (what === '>') {
        if (this.drawn > 0) this.drawn -= 1;
        if (this.unread > 0) this.unread -= 1;
        region.look.code(CLOSE);
        region.content.code(CLOSE);
        owners.length = top;
        paths.length = top;
      } else if (what === '!') {
        append(region.events, this.events);
        this.events += 1;
      } else if (what === '"' && this.unread === 0) {
        region.content.code(TEXT);
        region.content.text(value);
      }
    }
  }

  /** Read the line of an element and those of its attributes. The index of the last of them. @param {number} start @param {string} tag */
  element(start, tag) {
    const { lines } = this;
    this.elements += 1;
    let id = '';
    let role = '';
    let named = '';
    let name = '';
    let end = start + 1;
    for (; end < lines.length && isOfElement(lines[end][1]); end += 1) {
      const what = lines[end][1];
      if (what === '@id') id = lines[end][2];
      else if (what === '@role') role = lines[end][2];
      else if (what === '@name' || (what === '@type' && name === '')) name = lines[end][2];
      else if (what === '@class') named = stableClass(lines[end][2]);
    }
    const around = this.owners[this.owners.length - 1];
    const region = this.regionOf(start, tag, id === '*' || isGenerated(id) ? '' : id, role, named, name, around);
    const path = region === around ? this.paths[this.paths.length - 1] + '/' + tag : tag;
    if (this.drawn > 0 || tag === 'svg') this.drawn += 1;
    if (this.unread > 0 || tag === 'title') this.unread += 1;
    append(this.owners, region);
    append(this.paths, path);
    region.shape[role ? path + '[' + role + ']' : path] = true;
    region.look.code(OPEN);
    region.look.text(tag);
    region.content.code(OPEN);
    region.content.text(tag);
    const isRoot = tag === 'html' || tag === 'body';
    for (let i = start + 1; i < end; i += 1) {
      const what = lines[i][1];
      if (isMarking(what) || (lines[i][2] === 'false' && OPTIONAL[what] === 1)) continue;
      if (isRoot && (what === '@class' || native.indexOf(what, '@data-') === 0)) this.condition(region.place, what, lines[i][2]);
      else if (!isRoot || what !== '@style') this.attribute(region, what, lines[i][2]);
    }
    return end - 1;
  }

  /** Make a data attribute of html or body a region of its own, and so each class. They change with a theme, and while a dialog is
   * open. @param {string} around @param {string} what @param {string} value */
  condition(around, what, value) {
    const before = around ? around + '>html[' : 'html[';
    if (what !== '@class') {
      const region = this.openCondition(before + what + ']');
      if (region !== null) this.attribute(region, what, value);
    }
    const words = what === '@class' ? withoutMarkingClasses(value) : '';
    for (let from = 0, i = 0; words !== '' && i <= words.length; i += 1) {
      if (i < words.length && words[i] !== ' ') continue;
      const word = native.slice(words, from, i);
      if (!isGenerated(word)) this.openCondition(before + '.' + word + ']');
      from = i + 1;
    }
  }

  /** A region of html or body, of which there are few. @param {string} place @returns {Region | null} */
  openCondition(place) {
    if (this.conditions >= MOST_CONDITIONS || place.length > LONGEST_PLACE || this.regions.length >= MOST_REGIONS) return null;
    this.conditions += 1;
    return this.open(place, false, -2);
  }

  /** The region of an element: a new one, or the one around it. @param {number} line @param {string} tag @param {string} id @param {string} role @param {string} named @param {string} name @param {Region} around */
  regionOf(line, tag, id, role, named, name, around) {
    if (this.controls[line] === FIELD_CONTROL && this.forms[around.line] === true && !around.isRow) return this.fieldOf(line, tag, id || name, around);
    if (INLINE[tag] === 1 || tag === SHADOW_ROOT || this.drawn > 0 || this.regions.length >= MOST_REGIONS) return around;
    const isRow = ROWS[tag] === 1 || ROW_ROLES[role] === 1;
    const isList = LISTS[tag] === 1 || role === 'dialog' || role === 'alertdialog';
    const meant = role !== '' && CLICKED_ROLES[role] !== 1 && PLAIN_ROLES[role] !== 1;
    const isRegion = isRow || isList || (id !== '' && !isRow) || (!around.isRow && (BLOCKS[tag] === 1 || meant || this.repeated[line] === true || this.hanging[line] === true || (this.branches[line] === true && CLICKED_ROLES[role] !== 1) || (this.busy[line] === true && (tag === 'svg' || native.indexOf(tag, '-') > 0))));
    if (!isRegion) return around;
    const step = isRow ? tag : id ? '' : role ? tag + '[' + role + ']' + (named && FLOATING_ROLES[role] === 1 ? '.' + named : '') : named ? tag + '.' + named : tag;
    const place = step === '' ? '#' + id : around.place ? around.place + '>' + step : step;
    return place.length > LONGEST_PLACE ? around : this.open(place, isRow, line);
  }

  /** The region of a field that is not the only one. @param {number} line @param {string} tag @param {string} name @param {Region} around */
  fieldOf(line, tag, name, around) {
    const step = ':' + (name === '' || isGenerated(name) ? tag : name);
    const place = around.place ? around.place + '>' + step : step;
    const isSplit = place.length <= LONGEST_PLACE && this.regions.length < MOST_REGIONS;
    return isSplit ? this.open(place, false, line) : around;
  }

  /** @param {Region} region @param {string} what @param {string} value */
  attribute(region, what, value) {
    if (what === '@class') value = withoutMarkingClasses(value);
    else if (this.drawn > 0 && CONDITIONS[what] !== 1) return;
    else if (isGenerated(value) && CONDITIONS[what] !== 1 && value.length < LONGEST_ID) value = '*';
    if (CONDITIONS[what] === 1) {
      region.look.text(what);
      region.look.code(VALUE);
      region.look.text(value);
    }
    region.content.code(NAME);
    region.content.text(what);
    region.content.code(VALUE);
    region.content.text(value);
  }
}
detach(RegionReader);

/** Whether a line is about the element that the lines before it have opened. @param {string} what */
const isOfElement = (what) => what[0] === '@' || what === HIDDEN;

/** The first class that does not look generated. @param {string} classes */
const stableClass = (classes) => {
  const end = native.indexOf(classes, ' ');
  const first = end < 0 ? classes : native.slice(classes, 0, end);
  return isGenerated(first) || native.exec(MARKING_CLASS, first) !== null ? '' : first;
};

/** Whether an attribute tells where the user is, and not what the page shows. @param {string} what */
const isMarking = (what) => what === HIDDEN || MARKING[what] === 1 || native.exec(MARKING_NAME, what) !== null;

/** @param {string} classes */
const withoutMarkingClasses = (classes) => {
  let result = '';
  for (let from = 0, i = 0; i <= classes.length; i += 1) {
    if (i < classes.length && classes[i] !== ' ') continue;
    const word = native.slice(classes, from, i);
    if (native.exec(MARKING_CLASS, word) === null) result += (result ? ' ' : '') + word;
    from = i + 1;
  }
  return result;
};

/** The lines of elements that have controls inside, of those among them that have equal siblings and more than one element, and of
 * branches: the outermost blocks with several controls below an element whose children have controls in more than one place.
 * Elements with several fields. Blocks directly below body with at most one control. What people cannot reach counts as well, or parts of the page would be divided in another way as soon as they are hidden.
 * @param {any[]} lines @param {any} controls line -> kind of control */
const elementsWithControls = (lines, controls) => {
  /** @type {any} */ const busy = native.create(null);
  /** @type {any} */ const branches = native.create(null);
  /** @type {any} */ const forms = native.create(null);
  /** @type {any} */ const hanging = native.create(null);
  /** @type {number[]} */ const below = newList(); // lines of blocks directly below a body
  /** @type {any} */ const alike = native.create(null); // line of the parent, tag and class -> lines of the elements
  /** @type {{line: number, controls: number, fields: number, elements: number, busy: number, blocks: number[]}[]} open elements; the counts are those before them */
  const open = newList();
  append(open, { line: -1, controls: 0, fields: 0, elements: 0, busy: 0, blocks: newList() });
  let met = 0;
  let fields = 0;
  let opened = 0;
  for (let i = 0; i < lines.length; i += 1) {
    const what = lines[i][1];
    if (what === '<') {
      opened += 1;
      append(open, { line: i, controls: met, fields, elements: opened, busy: 0, blocks: newList() });
      if (controls[i] > NO_CONTROL) met += 1;
      if (controls[i] === FIELD_CONTROL) fields += 1;
    } else if (what === '>' && open.length > 1) {
      const element = open[open.length - 1];
      const parent = open[open.length - 2];
      open.length -= 1;
      if (element.busy > 1) for (let j = 0; j < element.blocks.length; j += 1) branches[element.blocks[j]] = true;
      const tag = lines[element.line][2];
      if (fields - element.fields > 1) forms[element.line] = true;
      if (met - element.controls < 2 && parent.line >= 0 && lines[parent.line][2] === 'body' && NOT_HANGING[tag] !== 1 && native.indexOf(tag, '-') < 0) append(below, element.line);
      if (met === element.controls) continue;
      busy[element.line] = true;
      parent.busy += 1;
      const isBlock = opened > element.elements && INLINE[tag] !== 1;
      if (isBlock && parent.line >= 0) {
        const key = parent.line + ' ' + tag + ' ' + classAfter(lines, element.line);
        append(alike[key] || (alike[key] = newList()), element.line);
      }
      if (isBlock && met - element.controls > 1) append(parent.blocks, element.line);
      else if (element.busy === 1) for (let j = 0; j < element.blocks.length; j += 1) append(parent.blocks, element.blocks[j]);
    }
  }
  /** @type {any} */ const repeated = native.create(null);
  for (const key in alike) {
    const siblings = alike[key];
    for (let i = 0; siblings.length > 1 && siblings.length <= MOST_SIBLINGS && i < siblings.length; i += 1) repeated[siblings[i]] = true;
  }
  if (fields > 1) forms[-1] = true;
  for (let i = 0; below.length <= MOST_SIBLINGS && i < below.length; i += 1) hanging[below[i]] = true;
  return { repeated, busy, branches, hanging, forms };
};

/** The stable class of the element that a line opens. @param {any[]} lines @param {number} at */
const classAfter = (lines, at) => {
  for (let i = at + 1; i < lines.length && isOfElement(lines[i][1]); i += 1) if (lines[i][1] === '@class') return stableClass(lines[i][2]);
  return '';
};
