// @ts-check
// Seeded randomness: Math.random and crypto return the same numbers whenever the same event is fired in the same state.
//
// The generator restarts at each event: otherwise the effect of an event would depend on the path before it.

class Chance {
  /** @param {string} start */
  constructor(start) {
    this.start = start;
    this.state = 0;
    this.restart('');
  }

  /** @param {string} place */
  restart(place) {
    this.state = numberOf(this.start + ' ' + place);
  }

  /** A 32-bit unsigned integer. */
  next() {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = native.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + native.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }
}
detach(Chance);

if (kernel.chance === null) kernel.chance = new Chance(String(settings.seed));
/** @type {Chance} */
const chance = kernel.chance;

const installChance = () => {
  replace(Math, 'random', function random() {
    return chance.next() / 4294967296;
  });
  const byteOffset = getterOf(Object.getPrototypeOf(Uint8Array.prototype), 'byteOffset');
  const byteLength = getterOf(Object.getPrototypeOf(Uint8Array.prototype), 'byteLength');
  const buffer = getterOf(Object.getPrototypeOf(Uint8Array.prototype), 'buffer');
  const Bytes = Uint8Array;
  const real = uncurry(Crypto.prototype.getRandomValues);
  replace(Crypto.prototype, 'getRandomValues', function getRandomValues(/** @type {any} */ array) {
    real(this, array); // for its errors
    const bytes = new Bytes(buffer(array), byteOffset(array), byteLength(array));
    for (let i = 0; i < bytes.length; i += 1) bytes[i] = chance.next() & 255;
    return array;
  });
  if (typeof Crypto.prototype.randomUUID === 'function') {
    replace(Crypto.prototype, 'randomUUID', function randomUUID() {
      const digits = hex(chance.next()) + hex(chance.next()) + hex(chance.next()) + hex(chance.next());
      const cut = /** @param {number} from @param {number} to */ (from, to) => native.slice(digits, from, to);
      return cut(0, 8) + '-' + cut(8, 12) + '-4' + cut(13, 16) + '-8' + cut(17, 20) + '-' + cut(20, 32);
    });
  }
};
