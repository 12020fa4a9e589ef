// Answers that are JSON already: long lists of which most was written before.
import type { Position } from 'vscode-languageserver/node';
import { inCommon, lengthOf, SentList } from './sent-list.ts';

/** A list as the JSON of its items, in ASCII, which every encoding of a message has the same bytes for. */
export class JsonText<T> {
  readonly items: readonly string[];
  /** What was sent last of lists that have much in common with this one. */
  readonly #sent: SentList;

  constructor(items: readonly string[], sent: SentList = new SentList()) {
    this.items = items;
    this.#sent = sent;
  }

  /** The same list with more items behind it. */
  with(more: readonly string[]): JsonText<T> {
    return more.length === 0 ? this : new JsonText([...this.items, ...more], this.#sent);
  }

  /** For code that encodes it as any other value. */
  toJSON(): T {
    return JSON.parse(`[${this.items.join(',')}]`) as T;
  }

  /** A message with the list between two texts, header and body; the bytes stand until a list that has much in common with it is asked for. */
  message(before: string, after: string): Buffer {
    return this.#sent.message(before, this.items, after);
  }
}

/** A list as it was written last. */
type KeptList<Item> = {
  readonly items: readonly Item[];
  readonly texts: readonly string[];
  /** Of all texts. */
  readonly characters: number;
  readonly sent: SentList;
};

const NO_LIST = { items: [], texts: [], characters: 0 };

/** Of so many lists, as of files side by side, what was written last is kept. */
const MOST_LISTS = 4;
/** So many characters are kept of them; the latest list is kept however long it is. */
const MOST_CHARACTERS = 8 << 20;

/** Writes lists one after another of which most items are the same: only texts of the others are made. */
export class ListWriter<Item extends object> {
  readonly #isSame: (one: Item, other: Item) => boolean;
  /** By key, the latest last. */
  readonly #lists = new Map<string, KeptList<Item>>();

  /** @param isSame whether two items of a list have the same text. */
  constructor(isSame: (one: Item, other: Item) => boolean) {
    this.#isSame = isSame;
  }

  /** @param key everything beside the items that their texts follow from. */
  write<T>(key: string, items: readonly Item[], textOf: (item: Item) => string): JsonText<T> {
    const before: KeptList<Item> = this.#lists.get(key) ?? { ...NO_LIST, sent: new SentList() };
    const [front, back] = inCommon(before.items, items, this.#isSame);
    const isSame = front === items.length && front === before.items.length;
    const list = isSame ? before : listAfter(before, items, [front, back], textOf);
    this.#lists.delete(key);
    this.#lists.set(key, list);
    this.#forget();
    return new JsonText<T>(list.texts, list.sent);
  }

  #forget(): void {
    let [lists, characters] = [0, 0];
    for (const [key, list] of [...this.#lists].reverse()) {
      characters += list.characters;
      if (++lists > 1 && (lists > MOST_LISTS || characters > MOST_CHARACTERS)) this.#lists.delete(key);
    }
  }
}

/** Texts of what the lists have in common at both ends are those of the earlier one. */
function listAfter<Item>(
  before: KeptList<Item>,
  items: readonly Item[],
  [front, back]: readonly [number, number],
  textOf: (item: Item) => string,
): KeptList<Item> {
  const by = before.items.length - items.length;
  const texts = items.map((item, i) => {
    if (i < front) return before.texts[i]!;
    return i >= items.length - back ? before.texts[i + by]! : textOf(item);
  });
  return { items, texts, characters: lengthOf(texts, 0, texts.length), sent: before.sent };
}

/** JSON of a value with everything beyond ASCII escaped. */
export function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** JSON of a place in a document; both 0-based. */
export function positionText({ line, character }: Position): string {
  return `{"line":${line},"character":${character}}`;
}

/** JSON of what commands about a place are given; `uri` is JSON already. */
export function placeText(uri: string, position: Position): string {
  return `{"textDocument":{"uri":${uri}},"position":${positionText(position)}}`;
}
