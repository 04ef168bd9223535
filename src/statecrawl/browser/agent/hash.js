// @ts-check
// A 96-bit hash, fed character by character so that no string has to be joined first.
//
// It need not withstand an attacker: a page that makes two of its own states collide only hides one of them. It uses four lanes
// of 32 bits, each multiplied by its own odd constant and mixed with its neighbour.

class Hash {
  constructor() {
    this.a = 1779033703;
    this.b = 3144134277;
    this.c = 1013904242;
    this.d = 2773480762;
  }

  /** @param {number} code */
  code(code) {
    this.a = this.b ^ native.imul(this.a ^ code, 597399067);
    this.b = this.c ^ native.imul(this.b ^ code, 2869860233);
    this.c = this.d ^ native.imul(this.c ^ code, 951274213);
    this.d = this.a ^ native.imul(this.d ^ code, 2716044179);
  }

  /** @param {string} text */
  text(text) {
    let { a, b, c, d } = this;
    const length = text.length;
    for (let i = 0; i < length; i += 1) {
      const code = native.charCodeAt(text, i);
      a = b ^ native.imul(a ^ code, 597399067);
      b = c ^ native.imul(b ^ code, 2869860233);
      c = d ^ native.imul(c ^ code, 951274213);
      d = a ^ native.imul(d ^ code, 2716044179);
    }
    this.a = a;
    this.b = b;
    this.c = c;
    this.d = d;
  }

  /** Hash the words of a text, with one space between two of them, after a code of their own. Whether there are any.
   * @param {number} first @param {string} text */
  words(first, text) {
    let { a, b, c, d } = this;
    let some = false;
    let blank = false;
    const length = text.length;
    for (let i = 0; i < length; i += 1) {
      let code = native.charCodeAt(text, i);
      if (isBlank(code)) {
        blank = true;
        continue;
      }
      if (!some || blank) {
        i -= 1; // hash what precedes this character, then the character again
        code = some ? 32 : first;
        some = true;
        blank = false;
      }
      a = b ^ native.imul(a ^ code, 597399067);
      b = c ^ native.imul(b ^ code, 2869860233);
      c = d ^ native.imul(c ^ code, 951274213);
      d = a ^ native.imul(d ^ code, 2716044179);
    }
    this.a = a;
    this.b = b;
    this.c = c;
    this.d = d;
    return some;
  }

  /** The first 96 bits as 24 hexadecimal digits. */
  digest() {
    const lanes = [
      native.imul(this.c ^ (this.a >>> 18), 597399067),
      native.imul(this.d ^ (this.b >>> 22), 2869860233),
      native.imul(this.a ^ (this.c >>> 17), 951274213),
      native.imul(this.b ^ (this.d >>> 19), 2716044179),
    ];
    const all = lanes[0] ^ lanes[1] ^ lanes[2] ^ lanes[3];
    return hex(lanes[0] ^ all) + hex(lanes[1] ^ all) + hex(lanes[2] ^ all);
  }
}
detach(Hash);

const DIGITS = '0123456789abcdef';

/** @param {number} lane */
const hex = (lane) => {
  let digits = '';
  for (let shift = 28; shift >= 0; shift -= 4) digits += DIGITS[(lane >>> shift) & 15];
  return digits;
};

/** A short text as one number, used as a seed. @param {string} text */
const numberOf = (text) => {
  const hash = new Hash();
  hash.text(text);
  return hash.a ^ hash.c;
};
