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

/** The ways to fill in a form before it is submitted; fields with listeners are left alone.
 * @param {any} form @param {Audience} audience @returns {[any, string][][]} */
const fillIn = (form, audience) => {
  const elements = dom.elements(form);
  /** @type {any[]} */
  const fields = newList();
  for (let i = 0; i < elements.length; i += 1) {
    const field = elements[i];
    const tag = dom.tag(field);
    if (CONTROLS[tag] !== 'field' && CONTROLS[tag] !== 'select') continue;
    if (tag === 'input' && !isWritten(dom.inputType(field))) continue;
    if (dom.matches(field, ':disabled') || dom.hasAttribute(field, 'readonly') || isListened(field, audience)) continue;
    append(fields, field);
  }
  return valueSets(form, fields);
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

/** The values in which one set differs from the others. @param {[any, string][][]} sets @param {number} k */
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
