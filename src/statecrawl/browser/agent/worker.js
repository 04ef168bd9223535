// @ts-check
// In a worker, randomness and time are the same on every load; its timers stay real. `SEED` and `EPOCH` are defined in front.

let state = SEED | 0;

/** A number from 0 up to 1. */
const draw = () => {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
};
Math.random = draw;

const realValues = Crypto.prototype.getRandomValues;
/** @type {any} */ (Crypto.prototype).getRandomValues = function (/** @type {any} */ array) {
  realValues.call(this, array); // for its errors
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  for (let i = 0; i < bytes.length; i += 1) bytes[i] = draw() * 256;
  return array;
};
/** @type {any} */ (Crypto.prototype).randomUUID = () => '10000000-1000-4000-8000-100000000000'.replace(/[01]/g, () => ((draw() * 16) | 0).toString(16));

const RealDate = Date;
/** @type {any} */
const StillDate = function Date(/** @type {any[]} */ ...values) {
  if (!new.target) return String(new RealDate(EPOCH));
  return Reflect.construct(RealDate, values.length ? values : [EPOCH]);
};
StillDate.prototype = RealDate.prototype;
StillDate.now = () => EPOCH;
StillDate.UTC = RealDate.UTC;
StillDate.parse = RealDate.parse;
self.Date = StillDate;
