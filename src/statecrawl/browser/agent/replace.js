// @ts-check
// Replacing functions of the browser by our own, which look the same.

/** @type {WeakMap<any, any>} */
const disguises = new WeakMap(); // ours -> the native function that it replaces

/** Replace a native method. Returns the native one, to be called with `this` first.
 * @param {any} owner @param {string} name @param {any} ours */
const replace = (owner, name, ours) => {
  const present = native.describe(owner, name);
  const original = owner[name];
  if (typeof original !== 'function') return null; // this browser does not have it
  disguise(ours, original);
  native.define(owner, name, { value: ours, writable: true, configurable: true, enumerable: present ? present.enumerable : true });
  return uncurry(original);
};

/** Let a function of ours print like the native one that it replaces. @param {any} ours @param {any} original */
const disguise = (ours, original) => {
  native.weakSet(disguises, ours, original);
  native.define(ours, 'name', { value: original.name, configurable: true });
  native.define(ours, 'length', { value: original.length, configurable: true });
};

/** Some applications inspect the source of a function to find out whether it is native. */
const installDisguise = () => {
  const printed = function toString() {
    return native.sourceOf(native.weakGet(disguises, this) || this);
  };
  disguise(printed, Function.prototype.toString);
  native.define(Function.prototype, 'toString', { value: printed, writable: true, configurable: true, enumerable: false });
};
