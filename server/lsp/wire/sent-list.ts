// Bytes of a long list that is sent again and again with little changed: they stay where they are, and only what changed is written anew.

/** Room for what stands before the list: header and beginning of a message. */
const ROOM = 256;
/** A list that grows a little needs no new memory, by this part of its length. */
const SLACK = 1 / 16;
const COMMA = 0x2c;

/** Bytes of a list, all with the commas, and of what stands around it. */
type Lengths = {
  readonly room: number;
  /** In common with the list before: at its beginning, and at its end. */
  readonly first: number;
  readonly last: number;
  readonly length: number;
  readonly more: number;
};

/**
 * Memory of a list that is as long as the file has hints counts with the engine as much as objects do: a new piece of it for every answer
 * has all objects looked through again and again, at the cost of the rest of the machine.
 */
export class SentList {
  #items: readonly string[] = [];
  /** Room, then each item with a comma behind it, the last one with what else came behind it. */
  #bytes = Buffer.alloc(0);
  #start = 0;
  #end = 0;

  /** A message with the list between two ASCII texts, header and body. The bytes are of no use any more when this is called again. */
  message(before: string, items: readonly string[], after: string): Buffer {
    const [front, back] = inCommon(this.#items, items, (one, other) => one === other);
    const end = items.length - back;
    const [first, last] = [lengthOf(items, 0, front), lengthOf(items, end, items.length)];
    const length = first + lengthOf(items, front, end) + last;
    // In place of the last comma.
    const inner = items.length > 0 ? length - 1 : 0;
    const head = headerOf(before.length + inner + after.length) + before;
    this.#move({ room: head.length, first, last, length, more: after.length });
    let at = this.#start + first;
    for (let i = front; i < end; i++) {
      at += this.#bytes.write(items[i]!, at, 'latin1');
      this.#bytes[at++] = COMMA;
    }
    this.#items = items;
    this.#bytes.write(head, this.#start - head.length, 'latin1');
    const stop = this.#start + inner;
    return this.#bytes.subarray(this.#start - head.length, stop + this.#bytes.write(after, stop, 'latin1'));
  }

  /** Puts what the lists have in common at both ends where the new one has it. */
  #move({ room, first, last, length, more }: Lengths): void {
    const [before, [start, stop]] = [this.#bytes, [this.#start, this.#end]];
    if (stop > start) before[stop - 1] = COMMA;
    const needed = length + more;
    const isRight = room <= start && needed <= before.length - start && before.length <= 2 * needed + 2 * ROOM;
    if (!isRight) {
      this.#start = Math.max(room, ROOM);
      this.#bytes = Buffer.allocUnsafeSlow(this.#start + needed + Math.ceil(SLACK * length));
      before.copy(this.#bytes, this.#start, start, start + first);
    }
    before.copy(this.#bytes, this.#start + length - last, stop - last, stop);
    this.#end = this.#start + length;
  }
}

/** What stands before a message of so many bytes. */
export function headerOf(length: number): string {
  return `Content-Length: ${length}\r\n\r\n`;
}

/** Bytes of some items with a comma behind each. */
export function lengthOf(items: readonly string[], from: number, to: number): number {
  let length = to - from;
  for (let i = from; i < to; i++) length += items[i]!.length;
  return length;
}

/** How many items two lists have in common at their beginning, and how many others at their end. */
export function inCommon<Item>(
  one: readonly Item[],
  other: readonly Item[],
  isSame: (one: Item, other: Item) => boolean,
): [front: number, back: number] {
  if (one === other) return [one.length, 0];
  const most = Math.min(one.length, other.length);
  let front = 0;
  while (front < most && isSame(one[front]!, other[front]!)) front++;
  let back = 0;
  while (back < most - front && isSame(one.at(-1 - back)!, other.at(-1 - back)!)) back++;
  return [front, back];
}
