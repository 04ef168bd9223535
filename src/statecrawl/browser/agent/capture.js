// @ts-check
// Pointer capture: a page may send all events of a pressed pointer to one element. The browser grants that only to a real
// pointer, so during a drag of ours the page's requests are answered here.

/** The element that has captured our pointer, while a drag holds it down; null: none; undefined: no drag is going on. @type {any} */
kernel.captor = undefined;

/** Whether a page means our pointer. @param {any} id */
const isOurPointer = (id) => kernel.captor !== undefined && +id === pointerNumber();

/** The id of our pointer. */
const pointerNumber = () => (touching ? 1 + kernel.taps : 1);

const installCapture = () => {
  const set = Element.prototype.setPointerCapture;
  replace(Element.prototype, 'setPointerCapture', function (/** @type {any} */ id) {
    if (!isOurPointer(id)) return native.apply(set, this, [id]);
    kernel.captor = this;
    return undefined;
  });
  const release = Element.prototype.releasePointerCapture;
  replace(Element.prototype, 'releasePointerCapture', function (/** @type {any} */ id) {
    if (!isOurPointer(id)) return native.apply(release, this, [id]);
    if (kernel.captor === this) kernel.captor = null;
    return undefined;
  });
  const has = Element.prototype.hasPointerCapture;
  replace(Element.prototype, 'hasPointerCapture', function (/** @type {any} */ id) {
    return isOurPointer(id) ? kernel.captor === this : native.apply(has, this, [id]);
  });
};
