// Decodes the stacks that samples refer to and grows the tree along them.
import { EMPTY_STACK_LINE, type ProfileBuilder, ROOT_NODE } from '../../cct/builder.ts';
import { FormatError } from './format-error.ts';
import { type Layout, untilLastMark, walk } from './layout.ts';
import { fieldOf, type JfrType } from './metadata.ts';
import type { Methods } from './methods.ts';
import type { ChunkContext } from './texts.ts';

/** Where each stack of a chunk ends in the tree, by stack number. */
export type PlacedStacks = {
  readonly node: Int32Array;
  /** Line being executed in the node's method. */
  readonly line: Int32Array;
  readonly truncated: Uint8Array;
  /** 1 where the stack is really there: its key leads to an entry that could be read. */
  readonly present: Uint8Array;
};

/** How stacks and frames are laid out in one chunk. */
export type StackLayout = {
  readonly stack: Layout;
  readonly frame: Layout;
  /** How many integers a frame is, when it is nothing else; 0 when the general way must be taken. */
  readonly integers: number;
  /** Which of them are the method and the line; −1 when there is no line. */
  readonly methodAt: number;
  readonly lineAt: number;
  readonly hasTruncated: boolean;
  /** Whether a stack is a byte, which says whether it was cut off, and the array of its frames. */
  readonly isUsual: boolean;
  readonly methodType: JfrType;
};

const TRUNCATED = 0;
const FRAMES = 1;
const METHOD = 0;
const LINE = 1;

/** The high bits of a word's bytes, of the last one, and of the first two: set in bytes that do not end an integer. */
const HIGH_BITS = 0x80808080 | 0;
const LAST_HIGH_BIT = 0x80000000 | 0;
const TWO_HIGH_BITS = 0x8080;

/** The line of native methods, which comes as an unsigned integer of 32 bits. */
const NO_LINE = -1;

const SEEN_BITS = 12;
const SEEN_SHIFT = 32 - SEEN_BITS;
/** Rows beyond these are not kept there. */
const ROW_BITS = 24;
const MOST_ROWS = 1 << ROW_BITS;
/** Any odd number spreads keys: keys that meet in one place are decoded again, no worse. */
const FACTOR = 0x9e3779b1 | 0;

/** The layout of stacks as the metadata has it; null when it is not one this reader can take. */
export function stackLayout(context: Omit<ChunkContext, 'pools'>, type: JfrType): StackLayout | null {
  return context.layouts.derived(`stacks ${type.id}`, () => makeStackLayout(context, type));
}

function makeStackLayout(context: Omit<ChunkContext, 'pools'>, type: JfrType): StackLayout | null {
  const { types, layouts, cursor } = context;
  const frames = fieldOf(type, 'frames');
  const frameType = types.of(frames);
  if (frames === undefined || frameType === undefined || !frames.array || frames.pooled) return null;
  const method = fieldOf(frameType, 'method');
  const methodType = types.of(method);
  const stack = layouts.wanted(type, ['truncated', 'frames']);
  const whole = layouts.whole(type);
  const frame = layouts.wanted(frameType, ['method', 'lineNumber']);
  if (stack === null || frame === null || methodType === undefined || !method?.pooled) return null;
  const simple = frameType.fields.every(field => field.pooled || types.of(field)?.fields.length === 0);
  const line = frameType.fields.findIndex(field => field.name === 'lineNumber');
  return {
    stack: untilLastMark(stack),
    frame,
    integers: cursor.compressed && simple ? frame.integers : 0,
    methodAt: frameType.fields.indexOf(method),
    lineAt: types.of(frameType.fields[line])?.name === 'int' ? line : -1,
    hasTruncated: types.of(fieldOf(type, 'truncated'))?.name === 'boolean',
    isUsual: whole !== null && whole.integersBehindFlag > 0 && type.fields[0]!.name === 'truncated',
    methodType,
  };
}

/** Frames of stacks of usual depth. */
const USUAL_FRAMES = 512;

/** The memory that placing needs beside the tree: one for all chunks, of which one is read at a time. */
const scratch = {
  /** The placer that uses it now, by its number. */
  owner: 0,
  frames: new Int32Array(2 * USUAL_FRAMES),
  before: new Int32Array(2 * USUAL_FRAMES),
  path: new Int32Array(USUAL_FRAMES),
  seen: new Int32Array(2 << SEEN_BITS),
};

let placers = 0;

/** Decodes stacks of one chunk; frames come leaf first and go into the tree root first. */
export class StackPlacer {
  readonly #context: ChunkContext;
  readonly #layout: StackLayout;
  readonly #methods: Methods;
  readonly #builder: ProfileBuilder;
  /** Tells it from others, who write into the scratch between. */
  readonly #number = ++placers;
  /** (method row, line) of the frames of the stack at hand, leaf first. */
  #frames = scratch.frames;
  /** The frames of the stack before, and its nodes, root first: many stacks begin as the one before did. */
  #before = scratch.before;
  #path = scratch.path;
  #pathLength = 0;
  /** The node that the stack before began below. */
  #pathStart = ROOT_NODE;
  /** At places that follow from the key of a method: the first four bytes of it, and its row + 1 with its fifth byte above. */
  readonly #seen = scratch.seen;
  readonly #slots = new Int32Array(2);

  constructor(context: ChunkContext, layout: StackLayout, methods: Methods, builder: ProfileBuilder) {
    this.#context = context;
    this.#layout = layout;
    this.#methods = methods;
    this.#builder = builder;
  }

  /**
   * Places the stacks at `offsets` in addition to the stacks of `before`, and takes them out of `offsets`.
   * @param all whether stacks are placed as well whose methods have not all come
   */
  placeNew(offsets: Int32Array, before: PlacedStacks, all: boolean): PlacedStacks {
    this.#begin();
    const placed = withRoom(before, offsets.length);
    for (let number = 0; number < offsets.length; number++) {
      if (offsets[number]! < 0) continue;
      const { missing } = this.#methods;
      try {
        if (placed.present[number] === 0) this.#placeOne(placed, number, offsets[number]!);
      } catch (error) {
        if (!(error instanceof FormatError)) throw error;
      }
      if (this.#methods.missing > missing) {
        this.forget();
        if (!all) {
          placed.present[number] = 0;
          continue;
        }
      }
      offsets[number] = -1;
    }
    return placed;
  }

  /** Places the stacks that stand at `offsets` (−1: nowhere). */
  place(offsets: Int32Array): PlacedStacks {
    this.#begin();
    const placed = emptyPlaces(offsets.length);
    for (let number = 0; number < offsets.length; number++) {
      if (offsets[number]! < 0) continue;
      try {
        this.#placeOne(placed, number, offsets[number]!);
      } catch (error) {
        if (!(error instanceof FormatError)) throw error;
      }
    }
    return placed;
  }

  #begin(): void {
    if (scratch.owner !== this.#number) this.forget();
    scratch.owner = this.#number;
  }

  /** Forgets rows and nodes of the stacks before, as when nodes have got other numbers. */
  forget(): void {
    this.#seen.fill(0);
    this.#pathLength = 0;
  }

  #placeOne(placed: PlacedStacks, number: number, offset: number): void {
    const { cursor } = this.#context;
    const slots = this.#slots;
    slots[TRUNCATED] = offset;
    slots[FRAMES] = offset + 1;
    if (!this.#layout.isUsual) {
      cursor.pos = offset;
      walk(cursor, this.#layout.stack, slots);
    }
    const truncated = this.#layout.hasTruncated && cursor.bytes[slots[TRUNCATED]!] !== 0;
    cursor.pos = slots[FRAMES]!;
    const count = cursor.count('frame', this.#layout.frame.minimum);
    if (count * 2 > this.#frames.length) {
      this.#frames = new Int32Array(count * 4);
      this.#before = new Int32Array(count * 4);
      this.#path = new Int32Array(count * 2);
      this.#pathLength = 0;
    }
    const { integers, methodAt, lineAt } = this.#layout;
    if (integers >= 3 && methodAt === 0 && lineAt === 1) this.#readUsualFrames(count);
    else if (integers > 0) for (let i = 0; i < count; i++) this.#readPlainFrame(i);
    else this.#readFrames(count);
    placed.line[number] = count === 0 ? EMPTY_STACK_LINE : this.#frames[1]!;
    placed.node[number] = this.#insert(truncated ? this.#builder.partialRoot() : ROOT_NODE, count);
    placed.truncated[number] = truncated ? 1 : 0;
    placed.present[number] = 1;
  }

  /** Grows the tree below `start` along the frames at hand; returns the leaf. */
  #insert(start: number, count: number): number {
    const frames = this.#frames;
    const before = this.#before;
    const path = this.#path;
    const builder = this.#builder;
    let depth = 0;
    let at = (2 * count - 2) | 0;
    let node = start | 0;
    let line = 0;
    if (start === this.#pathStart) {
      const most = Math.min(count, this.#pathLength);
      let old = (2 * this.#pathLength - 2) | 0;
      while (depth < most && frames[at] === before[old] && frames[at + 1] === before[old + 1]) {
        depth++;
        at -= 2;
        old -= 2;
      }
      if (depth > 0) {
        node = path[depth - 1]!;
        line = frames[at + 3]!;
      }
    }
    for (; depth < count; depth++, at -= 2) {
      node = builder.child(node, frames[at]!, line);
      line = frames[at + 1]!;
      path[depth] = node;
    }
    this.#frames = before;
    this.#before = frames;
    this.#pathStart = start;
    this.#pathLength = count;
    return node;
  }

  /** Frames that begin with the method's key, the line and one more integer, all of usual size: the case of every recorder known. */
  #readUsualFrames(count: number): void {
    const { cursor } = this.#context;
    const { bytes, view, end } = cursor;
    const more = this.#layout.integers - 3;
    const frames = this.#frames;
    const seen = this.#seen;
    let pos = cursor.pos | 0;
    for (let i = 0; i < count; i++) {
      const start = pos;
      if (start >= end) throw new FormatError('a stack runs past its end', start);
      // The key as it is written, up to five bytes of it, finds the row without being decoded.
      let word = view.getInt32(pos, true);
      let fifth = 0;
      const ends = ~word & HIGH_BITS;
      if (ends === 0) {
        fifth = bytes[pos + 4]!;
        pos = (pos + 5) | 0;
      } else if (ends === LAST_HIGH_BIT) {
        pos = (pos + 4) | 0;
      } else {
        const bits = 32 - Math.clz32(ends & -ends);
        word &= (1 << bits) - 1;
        pos = (pos + (bits >>> 3)) | 0;
      }
      const slot = (Math.imul(word, FACTOR) >>> SEEN_SHIFT) * 2;
      const row = seen[slot + 1]! ^ (fifth << ROW_BITS);
      const known = seen[slot] === word && row >>> ROW_BITS === 0 ? row : 0;
      // Line and index have one or two bytes each, at random: they are taken apart without branches.
      let pair = view.getInt32(pos, true);
      let line = NO_LINE;
      if (pair === -1 && bytes[pos + 4] === 15) {
        pos = (pos + 5) | 0;
        pair = view.getInt32(pos, true) << 8;
      } else {
        line = (pair & 0x7f) | ((pair >>> 1) & 0x3f80 & -((pair >>> 7) & 1));
        pos = (pos + 1 + ((pair >>> 7) & 1)) | 0;
      }
      const index = pair >>> (8 + (((pair >>> 7) & 1) << 3));
      pos = (pos + 1 + ((index >>> 7) & 1)) | 0;
      let rare = known === 0 || (pair & TWO_HIGH_BITS) === TWO_HIGH_BITS || (index & TWO_HIGH_BITS) === TWO_HIGH_BITS;
      // One more is the usual number, for which no loop begins.
      if (more > 0 && bytes[pos++]! >= 0x80) rare = true;
      for (let left = more; left > 1; left--) if (bytes[pos++]! >= 0x80) rare = true;
      if (rare) {
        cursor.pos = start;
        this.#readPlainFrame(i);
        pos = cursor.pos | 0;
        const found = frames[2 * i]! + 1;
        if (fifth >= 0x80 || found >= MOST_ROWS) continue;
        seen[slot] = word;
        seen[slot + 1] = found | (fifth << ROW_BITS);
        continue;
      }
      frames[2 * i] = known - 1;
      frames[2 * i + 1] = line;
    }
    cursor.pos = pos;
  }

  /** A frame of a fixed number of LEB128 integers. */
  #readPlainFrame(i: number): void {
    const { cursor } = this.#context;
    const { integers, methodAt, lineAt } = this.#layout;
    let row = 0;
    let line = 0;
    for (let field = 0; field < integers; field++) {
      if (field === methodAt) row = this.#methods.row(cursor.key());
      else if (field === lineAt) line = cursor.int();
      else cursor.skip();
    }
    this.#frames[2 * i] = row;
    this.#frames[2 * i + 1] = line;
  }

  #readFrames(count: number): void {
    const { cursor } = this.#context;
    const slots = this.#slots;
    for (let i = 0; i < count; i++) {
      walk(cursor, this.#layout.frame, slots);
      const next = cursor.pos;
      cursor.pos = slots[METHOD]!;
      const row = this.#methods.row(cursor.key());
      let line = 0;
      if (this.#layout.lineAt >= 0) {
        cursor.pos = slots[LINE]!;
        line = cursor.int();
      }
      this.#frames[2 * i] = row;
      this.#frames[2 * i + 1] = line;
      cursor.pos = next;
    }
  }
}

/** Places for `length` stacks, none of them present: what a chunk without a usable stack type gives. */
export function emptyPlaces(length: number): PlacedStacks {
  return {
    node: new Int32Array(length),
    line: new Int32Array(length),
    truncated: new Uint8Array(length),
    present: new Uint8Array(length),
  };
}

/** The same places with room for at least `length`. */
function withRoom(places: PlacedStacks, length: number): PlacedStacks {
  if (places.node.length >= length) return places;
  const larger = emptyPlaces(Math.max(64, 2 * length));
  larger.node.set(places.node);
  larger.line.set(places.line);
  larger.truncated.set(places.truncated);
  larger.present.set(places.present);
  return larger;
}
