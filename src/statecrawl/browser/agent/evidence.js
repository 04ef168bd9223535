// @ts-check
// Evidence about the element of an event before it is fired: its words, its target, its form, its heading. The driver decides
// with it which events a crawl leaves alone; see politeness/control.py. It is collected when a state is described, and never
// while events are fired.

/** The extra of a click on a link without a listener: there is nothing to fill in. @type {any[]} */
const PLAIN = newList();

const LONGEST_WORDS = 120; // characters of one label
const LONGEST_URL = 500;
const MOST_FIELDS = 60; // of one form
const MOST_CHOSEN = 10; // options of one form
const FARTHEST = 8; // elements around a button without a form
const MOST_SECRETS = 40; // password fields of one page that are considered

/** @type {any} types of fields that take no input */
const UNFILLED = { __proto__: null, hidden: 1, submit: 1, button: 1, image: 1, reset: 1 };
const SECRETS = 'input[type=password],input[autocomplete$="-password"],input[autocomplete^="cc-"]';
const DIALOGS = 'dialog,[role=dialog],[role=alertdialog],[aria-modal=true]';
const HEADINGS = 'h1,h2,h3,h4,h5,h6,legend,[role=heading]';
const SECTIONS = 'form,fieldset,section,article';
const OPENERS = 'nav,[role=navigation],[role=menubar],[aria-haspopup=true i],[aria-haspopup=menu i],[aria-haspopup=listbox i],[aria-haspopup=tree i],[aria-haspopup=grid i],[aria-haspopup=dialog i]'; // these open something, and do not submit a form around or beside them
const PICTURES = 'svg,i,use,img,span';
const ICON_ATTRIBUTES = ['class', 'data-icon', 'data-testid', 'href', 'xlink:href', 'src'];
const NAME_ATTRIBUTES = ['id', 'name', 'data-action', 'data-testid'];
const LABEL_ATTRIBUTES = ['aria-label', 'title', 'alt', 'value'];
/** @type {string[][]} attributes by which libraries turn a link or a button into a request */
const REQUEST_ATTRIBUTES = [['hx-delete', 'delete'], ['hx-post', 'post'], ['hx-put', 'put'], ['hx-patch', 'patch']];
const LETTER = /\p{L}/u;

class Evidence {
  constructor() {
    /** @type {any} */ this.forms = new Map(); // form -> its fields and chosen options
    /** @type {any} */ this.headings = new Map(); // dialog, section or document -> its heading
    /** @type {any} */ this.secrets = dom.findAllIn(document, SECRETS);
  }

  /** @param {Found} found */
  of(found) {
    const { kind, element, extra } = found;
    /** @type {any} */
    const control = { __proto__: null, kind };
    if (element === null) return control;
    const tag = dom.tag(element);
    control.tag = tag;
    if (DENIED.length > 0) control.matches = deniedFor(element);
    if (kind === 'drag') dropped(control, extra);
    if (!KINDS[kind].acts || kind === 'drag') return control;
    if (kind === 'key') control.key = extra;
    if (kind === 'select') control.options = [chosenText(dom.options(element)[extra]), dom.optionValue(dom.options(element)[extra])];
    const type = tag === 'input' ? dom.inputType(element) : tag === 'button' ? dom.buttonType(element) : '';
    const isField = tag === 'select' || tag === 'textarea' || (tag === 'input' && UNFILLED[type] !== 1);
    const form = kind === 'submit' ? element : kind === 'key' && isField ? formOf(element, tag) : submittedBy(element, tag);
    if (kind !== 'submit') {
      addTo(control, 'type', type);
      addTo(control, 'role', dom.attribute(element, 'role'));
      control.words = isField && kind === 'key' ? wordsOfDefault(form) : allWords(element, tag, type);
    }
    addTo(control, 'names', attributesOf(element, NAME_ATTRIBUTES));
    if (!hasLetters(control.words)) addTo(control, 'icon', iconOf(element));
    if (form) this.submission(control, form, element, kind === 'submit' ? extra[0][extra[1]] : kind === 'click' ? extra : null);
    else this.request(control, element, tag, extra);
    if (form || control.method !== 'get') addTo(control, 'heading', this.heading(element)); // a link's target says enough
    return control;
  }

  /** Evidence about submitting a form. @param {any} control @param {any} form @param {any} element that sends it @param {[any, string][] | null} given to its fields first */
  submission(control, form, element, given) {
    const action = dom.attribute(element, 'formaction') || dom.attribute(form, 'action') || '';
    control.target = native.slice(absolute(action || location.href), 0, LONGEST_URL);
    control.method = native.lower(dom.attribute(element, 'formmethod') || dom.attribute(form, 'method') || 'get');
    const known = this.known(form, dom.elements(form));
    control.fields = known.fields;
    if (control.options === undefined) control.options = optionsGiven(known.options, given);
  }

  /** Evidence about a link, or a button that submits no form. @param {any} control @param {any} element @param {string} tag @param {any} extra */
  request(control, element, tag, extra) {
    if (extra === PLAIN) control.is_plain = true;
    const isTab = dom.attribute(element, 'role') === 'tab' && dom.hasAttribute(element, 'aria-controls');
    if (tag === 'summary' || isTab || dom.hasAttribute(element, 'aria-expanded')) control.unfolds = true;
    const href = tag === 'a' || tag === 'area' ? dom.attribute(element, 'href') : null;
    if (href !== null && native.indexOf(href, 'javascript:') !== 0) {
      control.target = native.slice(absolute(href), 0, LONGEST_URL);
      const stated = dom.attribute(element, 'data-method') || dom.attribute(element, 'data-turbo-method');
      control.method = stated ? native.lower(stated) : href === '' || href[0] === '#' ? '' : 'get';
    }
    for (let i = 0; i < REQUEST_ATTRIBUTES.length; i += 1) {
      const url = dom.attribute(element, REQUEST_ATTRIBUTES[i][0]);
      if (url === null) continue;
      control.target = native.slice(absolute(url), 0, LONGEST_URL);
      control.method = REQUEST_ATTRIBUTES[i][1];
    }
    if (control.method === 'get' || tag === 'select') return;
    const around = this.around(element, control.key);
    if (around) control.fields = this.known(around, dom.findAll(around, 'input,select,textarea')).fields;
  }

  /** The form around a control that submits it by a script, or a substitute for it. @param {any} element @param {string | undefined} key that is pressed */
  around(element, key) {
    if (this.secrets.length === 0) return null;
    const form = closestHtml(element, 'form');
    const opener = dom.closest(element, OPENERS);
    if (form && (!opener || !containsNode(form, opener))) return form;
    if (opener) return null;
    if (key !== 'Enter' && element === dom.body(dom.owner(element))) return null; // of the keys that the whole page listens for, only Enter submits anything
    let around = dom.parent(element);
    for (let up = 0; around && dom.type(around) === 1 && up < FARTHEST; up += 1, around = dom.parent(around)) {
      for (let i = 0; i < this.secrets.length && i < MOST_SECRETS; i += 1) if (containsNode(around, this.secrets[i])) return around;
    }
    return null;
  }

  /** The heading of an element: of its dialog, else of its form or section, else of the page. @param {any} element */
  heading(element) {
    const dialog = dom.closest(element, DIALOGS);
    const around = dialog || dom.closest(element, SECTIONS) || dom.owner(element);
    let known = native.mapGet(this.headings, around);
    if (known === undefined) native.mapSet(this.headings, around, (known = headingOf(around, dialog !== null)));
    return known;
  }

  /** @param {any} owner @param {any} elements */
  known(owner, elements) {
    let known = native.mapGet(this.forms, owner);
    if (known === undefined) native.mapSet(this.forms, owner, (known = fieldsIn(elements)));
    return known;
  }
}
detach(Evidence);

const LONGEST_ZONE = 60; // characters of the text of a drop target that names what dropping does; a list has more

/** Evidence about a drag: only its target tells what it does. @param {any} control @param {Goal} goal */
const dropped = (control, { to, share }) => {
  if (to === null) return;
  if (DENIED.length > 0) addWords(control.matches, deniedFor(to)[0] || null);
  if (share > 0) return;
  const text = tidy(dom.text(to) || '', LONGEST_ZONE + 1);
  control.role = 'button'; // it says what it does, as a button does
  control.words = text.length > LONGEST_ZONE ? NONE : allWords(to, dom.tag(to), '');
  addTo(control, 'names', attributesOf(to, NAME_ATTRIBUTES));
};

/** Add a value unless it is empty. @param {any} control @param {string} name @param {string | null} value */
const addTo = (control, name, value) => {
  if (value) control[name] = value;
};

/** The visible fields, and the options chosen in lists. @param {any} elements */
const fieldsIn = (elements) => {
  /** @type {string[]} */
  const fields = newList();
  /** @type {string[]} */
  const options = newList();
  for (let i = 0; i < elements.length && fields.length < MOST_FIELDS; i += 1) {
    const field = elements[i];
    const tag = dom.tag(field);
    const type = tag === 'input' ? dom.inputType(field) : tag;
    if (CONTROLS[tag] !== 'field' && CONTROLS[tag] !== 'select') continue;
    if (UNFILLED[type] === 1 || dom.hasAttribute(field, 'readonly') || !dom.visible(field, VISIBLE)) continue;
    append(fields, tidy(type + ' ' + (dom.attribute(field, 'name') || dom.id(field)) + ' ' + (dom.attribute(field, 'autocomplete') || ''), LONGEST_WORDS));
    if (options.length < MOST_CHOSEN) addChosen(options, field, tag, type);
  }
  return { __proto__: null, fields, options };
};

/** @param {string[]} options @param {any} field @param {string} tag @param {string} type */
const addChosen = (options, field, tag, type) => {
  if (type === 'radio' && dom.checked(field)) append(options, tidy(dom.value(field), LONGEST_WORDS));
  if (tag !== 'select') return;
  const listed = dom.options(field);
  for (let i = 0; i < listed.length; i += 1) {
    if (!dom.selected(listed[i])) continue;
    append(options, chosenText(listed[i]));
    append(options, tidy(dom.optionValue(listed[i]), LONGEST_WORDS));
    return;
  }
};

/** The options chosen when the form is submitted: some lists are set before that. @param {string[]} chosen @param {[any, string][] | null} given */
const optionsGiven = (chosen, given) => {
  /** @type {string[]} */
  const options = newList();
  let lists = false;
  for (let i = 0; given && i < given.length && options.length < MOST_CHOSEN; i += 1) {
    if (dom.tag(given[i][0]) !== 'select') continue;
    lists = true;
    const listed = dom.options(given[i][0]);
    append(options, tidy(given[i][1], LONGEST_WORDS));
    for (let j = 0; j < listed.length; j += 1) if (dom.optionValue(listed[j]) === given[i][1]) append(options, chosenText(listed[j]));
  }
  for (let i = 0; !lists && i < chosen.length; i += 1) append(options, chosen[i]);
  return options;
};

/** @param {any} option */
const chosenText = (option) => tidy(dom.text(option) || '', LONGEST_WORDS);

/** All labels of an element, without duplicates. @param {any} element @param {string} tag @param {string} type */
const allWords = (element, tag, type) => {
  /** @type {string[]} */
  const words = newList();
  const isField = tag === 'input' || tag === 'select' || tag === 'textarea';
  if (!isField) addWords(words, dom.text(element));
  else if (type === 'checkbox' || type === 'radio') {
    const labels = quietly(() => dom.labels(element));
    for (let i = 0; labels && i < labels.length; i += 1) addWords(words, dom.text(labels[i]));
  }
  for (let i = 0; i < LABEL_ATTRIBUTES.length; i += 1) {
    if (LABEL_ATTRIBUTES[i] !== 'value' || !isField || UNFILLED[type] === 1) addWords(words, dom.attribute(element, LABEL_ATTRIBUTES[i]));
  }
  addWords(words, labelledBy(element));
  const picture = words.length === 0 ? dom.find(element, 'img[alt],svg title') : null;
  if (picture) addWords(words, dom.attribute(picture, 'alt') || dom.text(picture));
  return words;
};

/** The words of the button that Enter presses in a form. @param {any} form */
const wordsOfDefault = (form) => {
  const button = form ? findHtml(form, 'button:not([type]),[type=submit],[type=image]') : null;
  return button ? allWords(button, dom.tag(button), dom.tag(button) === 'input' ? 'submit' : '') : NONE;
};

/** @param {string[]} words @param {string | null} text */
const addWords = (words, text) => {
  const label = tidy(text || '', LONGEST_WORDS);
  for (let i = 0; i < words.length; i += 1) if (words[i] === label) return;
  if (label) append(words, label);
};

/** The text that aria-labelledby refers to. @param {any} element */
const labelledBy = (element) => {
  const id = dom.attribute(element, 'aria-labelledby');
  const label = id ? quietly(() => dom.findIn(dom.owner(element), '#' + native.escape(tidy(id, LONGEST_WORDS)))) : null;
  return label ? dom.text(label) : '';
};

/** @param {string[] | undefined} words */
const hasLetters = (words) => {
  for (let i = 0; words && i < words.length; i += 1) if (native.exec(LETTER, words[i]) !== null) return true;
  return false;
};

/** @param {any} element @param {string[]} names */
const attributesOf = (element, names) => {
  let text = '';
  for (let i = 0; i < names.length; i += 1) text += ' ' + (dom.attribute(element, names[i]) || '');
  return tidy(text, LONGEST_WORDS);
};

/** The names of the icon on a control without words. @param {any} element */
const iconOf = (element) => {
  const picture = dom.find(element, PICTURES);
  return picture ? attributesOf(picture, ICON_ATTRIBUTES) : '';
};

/** The heading of a dialog, a section or a document. @param {any} around @param {boolean} isDialog */
const headingOf = (around, isDialog) => {
  if (isDialog) return tidy(dom.attribute(around, 'aria-label') || labelledBy(around) || headingIn(around), LONGEST_WORDS);
  const isDocument = dom.type(around) === 9;
  const near = isDocument ? '' : headingIn(around);
  const first = near ? null : dom.findIn(isDocument ? around : dom.owner(around), 'h1');
  return tidy(near || (first && dom.text(first)) || '', LONGEST_WORDS);
};

/** @param {any} around */
const headingIn = (around) => {
  const heading = dom.find(around, HEADINGS);
  return (heading && dom.text(heading)) || '';
};

/** @type {string[]} selectors of elements that the user excludes */
const DENIED = settings.denied;

/** Those that match this element or one around it, across shadow roots. @param {any} element */
const deniedFor = (element) => {
  /** @type {string[]} */
  const matching = newList();
  for (let i = 0; i < DENIED.length; i += 1) {
    for (let inner = element; inner; inner = hostOf(inner)) {
      if (dom.closest(inner, DENIED[i]) === null) continue;
      append(matching, DENIED[i]);
      break;
    }
  }
  return matching;
};

/** The element to whose shadow tree an element belongs. @param {any} element */
const hostOf = (element) => {
  const root = rootOf(element);
  return dom.type(root) === 11 ? quietly(() => shadowHost(root)) || null : null;
};
const rootOf = uncurry(Node.prototype.getRootNode);
const shadowHost = getterOf(ShadowRoot.prototype, 'host');

/** All words of a link in one text. @param {any} link */
const joinedWords = (link) => {
  const words = allWords(link, dom.tag(link), '');
  let text = '';
  for (let i = 0; i < words.length; i += 1) text += (i ? ' | ' : '') + words[i];
  return text;
};

/** Links that are opened by their URL, and that the user excludes. @param {Walk} walk */
const deniedAddresses = (walk) => {
  /** @type {any[]} */
  const pairs = newList();
  if (!settings.site || DENIED.length === 0) return pairs;
  eachLink(walk, (link) => {
    const matching = deniedFor(link);
    for (let i = 0; i < matching.length; i += 1) append(pairs, [addressOfLink(link), matching[i]]);
  });
  return pairs;
};
