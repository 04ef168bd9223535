// @ts-check
// Forms: which control submits which form, and the values with which a form is submitted.

/** @param {any} element @param {string} tag */
const formOf = (element, tag) => (tag === 'input' ? dom.fieldForm(element) : tag === 'select' ? dom.selectForm(element) : dom.areaForm(element));

/** The form that a click on this element submits. @param {any} element @param {string} tag */
const submittedBy = (element, tag) => {
  if (tag === 'button') return dom.buttonType(element) === 'submit' ? dom.buttonForm(element) : null;
  if (tag !== 'input') return null;
  const type = dom.inputType(element);
  return type === 'submit' || type === 'image' ? dom.fieldForm(element) : null;
};

/** Whether the login steps used this control, in a form that is still in the page: they fired it, or the form that it submits.
 * @param {any} element @param {string} tag */
const isOfLogin = (element, tag) => {
  const form = submittedBy(element, tag);
  let isUsed = false;
  for (let i = 0; i < settings.login.length; i += 1) {
    const found = dom.findIn(document, settings.login[i][1]); // found as the step finds it
    if (!found && settings.login[i][0] === 'fill') return false;
    if (found === element || (found && form !== null && (found === form || (dom.tag(found) === 'input' && dom.fieldForm(found) === form)))) isUsed = true;
  }
  return isUsed;
};

/** One way to fill in a form: fields, each with a value. @typedef {[any, string][]} Filling */

const MOST_FILLINGS = 3; // of a form that only asks for something: typical, boundary, empty
const MARKED = '[required],[aria-required=true]';
const TICKED = 'on'; // the value that stands for a tick

/** The ways to fill in a form before it is submitted. A form that is sent by POST is filled in once, with typical values, as it may
 * store them, unless one only chooses from lists in it. What the page itself writes into a field stays there if it listens to that field.
 * @param {any} form @param {Audience} audience @param {any} button that submits it, or null @returns {Filling[]} */
const fillingsOf = (form, audience, button) => {
  const isGet = methodOf(form, button) === 'get';
  const fields = fieldsToFill(form, audience);
  if (isGet && dom.hasAttribute(form, 'action')) addBoundaries(fields);
  /** @type {Filling[]} */
  const fillings = newList();
  let most = 1;
  for (let i = 0; (isGet || !hasText(fields)) && i < fields.length; i += 1) if (fields[i].values.length > most) most = fields[i].values.length;
  for (let k = 0; k < most && k < MOST_FILLINGS; k += 1) append(fillings, fillingWith(fields, k));
  if (isGet && fillings.length < MOST_FILLINGS && hasText(fields)) {
    if (isSearch(form)) append(fillings, emptied(fields));
    else if (isChecked(form, fields, audience) && !(button && dom.matches(button, ':disabled'))) append(fillings, emptied(onlyText(fields)));
  }
  return fillings;
};

const LONGEST_TEXT = 200; // characters

/** Add the longest text to fields that limit it. @param {{field: any, values: string[]}[]} fields */
const addBoundaries = (fields) => {
  for (let i = 0; i < fields.length; i += 1) {
    const { field, values } = fields[i];
    const longest = +(dom.attribute(field, 'maxlength') || 0);
    if (values.length !== 1 || !isTyped(field) || longest <= values[0].length || longest > LONGEST_TEXT) continue;
    let text = values[0];
    while (text.length < longest) text += 'a';
    if (fits(field, dom.tag(field), text)) fields[i].values = withOne(withOne(NONE, values[0]), text);
  }
};

/** @param {any} form @param {any} button that submits it, or null */
const methodOf = (form, button) => native.lower((button && dom.attribute(button, 'formmethod')) || dom.attribute(form, 'method') || 'get');

/** @param {{field: any, values: string[]}[]} fields @param {number} k @returns {Filling} */
const fillingWith = (fields, k) => {
  /** @type {Filling} */
  const filling = newList();
  for (let i = 0; i < fields.length; i += 1) append(filling, /** @type {any} */ ([fields[i].field, fields[i].values[k % fields[i].values.length]]));
  return filling;
};

/** @param {{field: any}[]} fields */
const hasText = (fields) => {
  for (let i = 0; i < fields.length; i += 1) if (isTyped(fields[i].field)) return true;
  return false;
};

/** @param {{field: any, values: string[]}[]} fields */
const onlyText = (fields) => {
  /** @type {{field: any, values: string[]}[]} */
  const texts = newList();
  for (let i = 0; i < fields.length; i += 1) if (isTyped(fields[i].field)) append(texts, fields[i]);
  return texts;
};

/** Whether a form may also be sent without text: the browser sends it, and nothing is required. @param {any} form */
const isSearch = (form) => dom.hasAttribute(form, 'action') && dom.find(form, MARKED) === null;

/** Whether the page itself decides about empty fields, so that it may show an error: a script handles the form and listens to its
 * fields, and the browser does not stop it first, or the page listens for that. @param {any} form @param {{field: any}[]} fields @param {Audience} audience */
const isChecked = (form, fields, audience) => {
  if (dom.hasAttribute(form, 'action')) return false;
  if (dom.find(form, MARKED) !== null && !dom.hasAttribute(form, 'novalidate') && !anyListener(INVALID)) return false;
  for (let i = 0; i < fields.length; i += 1) if (isTyped(fields[i].field) && isListened(fields[i].field, audience)) return true;
  return false;
};
const INVALID = ['invalid'];

/** Whether a filling leaves its text fields empty. @param {Filling} filling */
const isEmpty = (filling) => {
  let any = false;
  for (let i = 0; i < filling.length; i += 1) {
    if (!isTyped(filling[i][0])) continue;
    if (filling[i][1] !== '') return false;
    any = true;
  }
  return any;
};

/** The same fields without text. @param {any[]} fields @returns {Filling} */
const emptied = (fields) => {
  const filling = fillingWith(fields, 0);
  for (let i = 0; i < filling.length; i += 1) if (isTyped(filling[i][0])) filling[i][1] = '';
  return filling;
};

/** The fields that are filled in, with their values. @param {any} form @param {Audience} audience */
const fieldsToFill = (form, audience) => {
  const elements = dom.elements(form);
  const marked = dom.find(form, MARKED) !== null;
  /** @type {{field: any, values: string[]}[]} */
  const fields = newList();
  for (let i = 0; i < elements.length; i += 1) {
    const field = elements[i];
    const tag = dom.tag(field);
    if ((CONTROLS[tag] !== 'field' && CONTROLS[tag] !== 'select') || dom.matches(field, ':disabled') || dom.hasAttribute(field, 'readonly')) continue;
    const values = isListened(field, audience) ? listenedValues(field, tag, marked) : tag === 'input' && !isWritten(dom.inputType(field)) ? tickOf(field) : fillingValues(field, tag);
    if (values.length > 0) append(fields, { field, values });
  }
  return fields;
};

/** The values of a field that the page does not listen to. @param {any} field @param {string} tag */
const fillingValues = (field, tag) => {
  if (tag !== 'select') return knownValues(field, tag);
  const names = optionNames(field);
  const chosen = withoutEmpty(names);
  if (chosen.length < names.length && !dom.matches(field, MARKED)) append(chosen, ''); // a placeholder is no typical choice
  return chosen;
};

/** The value of a field that the page listens to, as long as it is empty: a field without a purpose may stay so where others are required.
 * @param {any} field @param {string} tag @param {boolean} marked whether a field of the form is required @returns {string[]} */
const listenedValues = (field, tag, marked) => {
  const needed = dom.matches(field, MARKED);
  if (tag === 'select') return needed && !hasChoice(field) ? firstOf(withoutEmpty(optionNames(field))) : NONE;
  if (tag === 'input' && !isWritten(dom.inputType(field))) return tickOf(field);
  if (textOf(field) !== '' || !dom.visible(field, VISIBLE)) return NONE;
  return !marked || needed || hasPurpose(field, tag) ? firstOf(knownValues(field, tag)) : NONE;
};

/** Tick a box that must be ticked, or one of several. @param {any} field @returns {string[]} */
const tickOf = (field) => {
  const type = dom.inputType(field);
  if ((type !== 'checkbox' && type !== 'radio') || !dom.matches(field, MARKED) || dom.checked(field)) return NONE;
  if (type === 'radio' && (!dom.matches(field, ':invalid') || isLaterChoice(field))) return NONE;
  return withOne(NONE, TICKED);
};

/** Whether another radio button of the same group comes first. @param {any} field */
const isLaterChoice = (field) => {
  const elements = dom.elements(dom.fieldForm(field));
  for (let i = 0; i < elements.length && elements[i] !== field; i += 1) {
    if (dom.tag(elements[i]) === 'input' && dom.inputType(elements[i]) === 'radio' && dom.attribute(elements[i], 'name') === dom.attribute(field, 'name')) return true;
  }
  return false;
};

/** Whether something other than an empty option is chosen in a list. @param {any} select */
const hasChoice = (select) => {
  const options = dom.options(select);
  for (let i = 0; i < options.length; i += 1) if (dom.selected(options[i]) && dom.optionValue(options[i]) !== '') return true;
  return false;
};

/** @param {string[]} values */
const withoutEmpty = (values) => {
  /** @type {string[]} */
  const others = newList();
  for (let i = 0; i < values.length; i += 1) if (values[i] !== '') append(others, values[i]);
  return others;
};

/** @param {string[]} values @returns {string[]} */
const firstOf = (values) => (values.length > 0 ? withOne(NONE, values[0]) : NONE);

/** The form that is submitted as a whole, of a field with a listener; null if there is none. @param {any} field @param {string} tag */
const submittedWith = (field, tag) => {
  const form = formOf(field, tag);
  return form && findHtml(form, 'button:not([type]),[type=submit],[type=image]') !== null ? form : null;
};

/** Whether filling in a form may enable its button: the page listens to a field that would be filled in. @param {any} form @param {Audience} audience */
const isEnabledByFilling = (form, audience) => {
  const fields = fieldsToFill(form, audience);
  for (let i = 0; i < fields.length; i += 1) if (isListened(fields[i].field, audience)) return true;
  return false;
};

const TYPED_ATTRIBUTES = ['oninput', 'onchange', 'onkeydown', 'onkeyup', 'onkeypress'];

/** @param {any} field @param {Audience} audience */
const isListened = (field, audience) => {
  const own = native.weakGet(registry, field);
  if (own !== undefined) for (const type in own) if (own[type].length && (KIND_OF_TYPE[type] === 'input' || KIND_OF_TYPE[type] === 'key')) return true;
  if (audience.selectors && audience.selectors.input && dom.matches(field, audience.selectors.input)) return true;
  for (let i = 0; i < TYPED_ATTRIBUTES.length; i += 1) if (dom.hasAttribute(field, TYPED_ATTRIBUTES[i])) return true;
  let framed = false;
  if (reactKey !== '' || svelte || solid) eachFrameworkHandler(field, (kind) => { if (kind === 'input' || kind === 'key') framed = true; });
  return framed;
};

/** The end of an event's name that tells its filling, as far as there are several. @param {Filling[]} fillings @param {number} k */
const fillingName = (fillings, k) => {
  const last = fillings.length - 1;
  const hasEmpty = last > 0 && isEmpty(fillings[last]);
  if (hasEmpty && k === last) return ' = (empty)';
  return last - (hasEmpty ? 1 : 0) > 0 ? ' = ' + setName(fillings, k) : '';
};

/** The values in which one filling differs from the others. @param {Filling[]} sets @param {number} k */
const setName = (sets, k) => {
  let name = '';
  for (let i = 0; i < sets[k].length; i += 1) {
    const field = sets[k][i][0];
    const value = sets[k][i][1];
    let differs = false;
    for (let j = 0; j < sets.length; j += 1) if (sets[j][i][1] !== value) differs = true;
    if (differs) name += (name ? ', ' : '') + (dom.tag(field) === 'input' && dom.inputType(field) === 'password' ? '…' + (k + 1) : tidy(value, LONGEST_VALUE));
  }
  return name;
};

const valuesOfFields = new WeakMap();

/** @param {any} field @param {string} tag @returns {string[]} */
const knownValues = (field, tag) => {
  let values = native.weakGet(valuesOfFields, field);
  if (values === undefined) native.weakSet(valuesOfFields, field, (values = valuesFor(field, tag)));
  return values;
};
