// The decoder of LZMA as LZMA2 uses it: a range coder over adaptive bits, and a window of what came before.

const PROBABILITY_BITS = 11;
const HALF = 1 << (PROBABILITY_BITS - 1);
const MOVE_BITS = 5;
const TOP = 1 << 24;
const STATES = 12;
const MOST_POSITION_STATES = 16;
const LITERAL_CODER = 0x300;
const LENGTH_STATES = 4;
const MATCH_LEAST = 2;
/** Distances of this slot and above have bits that are equally likely. */
const FIRST_MODELLED = 4;
const FIRST_DIRECT = 14;

/** Where each group of probabilities begins. */
const LENGTH_CODER = 2 + 2 * MOST_POSITION_STATES * 8 + 256;
const At = (() => {
  let at = 0;
  const take = (count: number) => {
    at += count;
    return at - count;
  };
  return {
    isMatch: take(STATES * MOST_POSITION_STATES),
    isRep: take(STATES),
    isRepG0: take(STATES),
    isRepG1: take(STATES),
    isRepG2: take(STATES),
    isRep0Long: take(STATES * MOST_POSITION_STATES),
    slot: take(LENGTH_STATES * 64),
    special: take(128),
    align: take(16),
    matchLength: take(LENGTH_CODER),
    repLength: take(LENGTH_CODER),
    literal: take(0),
  };
})();

/** Decodes the chunks of one block, one after the other. */
export class Lzma {
  readonly #window: Uint8Array;
  /** Bytes in the window so far, and where the next goes. */
  #filled = 0;
  #at = 0;
  #probabilities = new Uint16Array(0);
  #lc = 0;
  #literalPositions = 0;
  #positions = 0;
  #state = 0;
  readonly #reps = new Uint32Array(4);
  /** Bytes since the window was forgotten. */
  #count = 0;
  #isReady = false;
  // The range coder.
  #input = new Uint8Array(0);
  #next = 0;
  #range = 0;
  #code = 0;

  constructor(window: number) {
    this.#window = new Uint8Array(window);
  }

  /** Bytes of the window. */
  get window(): number {
    return this.#window.length;
  }

  /** Another block begins. */
  forget(): void {
    this.forgetWindow();
    this.#isReady = false;
  }

  /** What came before is not referred to any more. */
  forgetWindow(): void {
    this.#filled = 0;
    this.#count = 0;
  }

  /** Begins with other parameters; ones that are not allowed make all that follows broken. */
  setProperties(byte: number): void {
    const lc = byte % 9;
    const lp = Math.floor(byte / 9) % 5;
    const pb = Math.floor(byte / 45);
    this.#isReady = pb <= 4 && lc + lp <= 4;
    if (!this.#isReady) return;
    this.#lc = lc;
    this.#literalPositions = (1 << lp) - 1;
    this.#positions = (1 << pb) - 1;
    this.#probabilities = new Uint16Array(At.literal + (LITERAL_CODER << (lc + lp)));
    this.forgetState();
  }

  /** Begins anew with the same parameters. */
  forgetState(): void {
    this.#probabilities.fill(HALF);
    this.#state = 0;
    this.#reps.fill(0);
  }

  /** A chunk that is not compressed, as part of the window. */
  copy(bytes: Uint8Array): Uint8Array {
    const copy = Uint8Array.from(bytes);
    for (const byte of copy) this.#put(byte);
    return copy;
  }

  /** The `size` bytes of a chunk; null where it is broken. */
  decode(input: Uint8Array, size: number): Uint8Array | null {
    if (!this.#isReady || input.length < 5) return null;
    this.#input = Uint8Array.from(input);
    this.#next = 5;
    this.#range = 0xffffffff;
    this.#code = new DataView(this.#input.buffer).getUint32(1);
    const out = new Uint8Array(size);
    for (let done = 0; done < size; ) {
      const length = this.#symbol(out, done, size);
      if (length === 0 || this.#next > this.#input.length) return null;
      done += length;
    }
    return out;
  }

  #put(byte: number): void {
    this.#window[this.#at++] = byte;
    if (this.#at === this.#window.length) this.#at = 0;
    if (this.#filled < this.#window.length) this.#filled++;
    this.#count++;
  }

  /** The byte that came `distance` + 1 bytes ago. */
  #back(distance: number): number {
    const at = this.#at - distance - 1;
    return this.#window[at < 0 ? at + this.#window.length : at]!;
  }

  /** Decodes a literal or a match into `out`; how many bytes that were, 0 where it is broken. */
  #symbol(out: Uint8Array, done: number, size: number): number {
    const position = this.#count & this.#positions;
    const state = this.#state;
    if (this.#bit(At.isMatch + state * MOST_POSITION_STATES + position) === 0) {
      const byte = this.#literal();
      out[done] = byte;
      this.#put(byte);
      return 1;
    }
    const length = this.#bit(At.isRep + state) === 0 ? this.#match(position) : this.#repeated(position);
    const distance = this.#reps[0]!;
    if (distance >= this.#filled || done + length > size) return 0;
    for (let i = 0; i < length; i++) {
      const byte = this.#back(distance);
      out[done + i] = byte;
      this.#put(byte);
    }
    return length;
  }

  #literal(): number {
    const before = this.#filled === 0 ? 0 : this.#back(0);
    const coder = ((this.#count & this.#literalPositions) << this.#lc) + (before >> (8 - this.#lc));
    const at = At.literal + LITERAL_CODER * coder;
    let symbol = 1;
    if (this.#state >= 7 && this.#reps[0]! < this.#filled) {
      let match = this.#back(this.#reps[0]!) << 1;
      for (let offset = 0x100; symbol < 0x100; ) {
        const bit = this.#bit(at + offset + (match & offset) + symbol);
        symbol = (symbol << 1) | bit;
        offset &= bit === 1 ? match : ~match;
        match <<= 1;
      }
    } else while (symbol < 0x100) symbol = (symbol << 1) | this.#bit(at + symbol);
    this.#state = this.#state < 4 ? 0 : this.#state < 10 ? this.#state - 3 : this.#state - 6;
    return symbol & 0xff;
  }

  #match(position: number): number {
    const reps = this.#reps;
    reps.copyWithin(1, 0, 3);
    this.#state = this.#state < 7 ? 7 : 10;
    const length = this.#length(At.matchLength, position);
    reps[0] = this.#distance(Math.min(length - MATCH_LEAST, LENGTH_STATES - 1));
    return length;
  }

  #repeated(position: number): number {
    const state = this.#state;
    const reps = this.#reps;
    if (this.#bit(At.isRepG0 + state) === 0) {
      if (this.#bit(At.isRep0Long + state * MOST_POSITION_STATES + position) === 0) {
        this.#state = state < 7 ? 9 : 11;
        return 1;
      }
    } else {
      const which = this.#bit(At.isRepG1 + state) === 0 ? 1 : this.#bit(At.isRepG2 + state) === 0 ? 2 : 3;
      const distance = reps[which]!;
      reps.copyWithin(1, 0, which);
      reps[0] = distance;
    }
    this.#state = state < 7 ? 8 : 11;
    return this.#length(At.repLength, position);
  }

  #length(coder: number, position: number): number {
    if (this.#bit(coder) === 0) return MATCH_LEAST + this.#tree(coder + 2 + position * 8, 3);
    if (this.#bit(coder + 1) === 0)
      return MATCH_LEAST + 8 + this.#tree(coder + 2 + (MOST_POSITION_STATES + position) * 8, 3);
    return MATCH_LEAST + 16 + this.#tree(coder + 2 + 2 * MOST_POSITION_STATES * 8, 8);
  }

  #distance(state: number): number {
    const slot = this.#tree(At.slot + state * 64, 6);
    if (slot < FIRST_MODELLED) return slot;
    const bits = (slot >> 1) - 1;
    const base = (2 | (slot & 1)) << bits;
    if (slot < FIRST_DIRECT) return base + this.#reversed(At.special + base - slot, bits);
    const direct = this.#direct(bits - 4) * 16;
    return (base >>> 0) + direct + this.#reversed(At.align, 4);
  }

  /** Bits from the highest on, each with a probability of its own. */
  #tree(at: number, bits: number): number {
    let symbol = 1;
    for (let i = 0; i < bits; i++) symbol = (symbol << 1) | this.#bit(at + symbol);
    return symbol - (1 << bits);
  }

  /** Bits from the lowest on. */
  #reversed(at: number, bits: number): number {
    let symbol = 1;
    let value = 0;
    for (let i = 0; i < bits; i++) {
      const bit = this.#bit(at + symbol);
      symbol = (symbol << 1) | bit;
      value |= bit << i;
    }
    return value;
  }

  #direct(bits: number): number {
    let value = 0;
    for (let i = 0; i < bits; i++) {
      this.#range >>>= 1;
      const bit = this.#code >>> 0 >= this.#range ? 1 : 0;
      if (bit === 1) this.#code = (this.#code - this.#range) >>> 0;
      value = value * 2 + bit;
      this.#normalise();
    }
    return value;
  }

  #bit(at: number): 0 | 1 {
    const probability = this.#probabilities[at]!;
    const bound = (this.#range >>> PROBABILITY_BITS) * probability;
    const bit = this.#code >>> 0 < bound ? 0 : 1;
    if (bit === 0) {
      this.#range = bound;
      this.#probabilities[at] = probability + (((1 << PROBABILITY_BITS) - probability) >> MOVE_BITS);
    } else {
      this.#range = (this.#range - bound) >>> 0;
      this.#code = (this.#code - bound) >>> 0;
      this.#probabilities[at] = probability - (probability >> MOVE_BITS);
    }
    this.#normalise();
    return bit;
  }

  #normalise(): void {
    if (this.#range >= TOP) return;
    this.#range = (this.#range << 8) >>> 0;
    this.#code = ((this.#code << 8) | (this.#input[this.#next++] ?? 0)) >>> 0;
  }
}
