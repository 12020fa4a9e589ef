// Checks the page's questions, which come from outside: every field is looked at, and none is taken that is not known.
import { Refusal } from './refusal.ts';
import {
  type AskPicture,
  type AskVanished,
  type Look,
  type MethodKey,
  type Question,
  SCALINGS,
} from './view-messages.ts';

/** More characters or entries than these are no honest wish. */
const LONGEST_TEXT = 10_000;
const LONGEST_SEARCH = 1_000;
const MOST_ENTRIES = 1_000;
const MOST_STATES = 500;
const MOST_STEPS = 10_000;
const MOST_ROWS = 100_000;
const MOST_BOXES = 20_000;
/** The latest moment that a Date can hold. */
const LATEST_MILLIS = 8.64e15;

/** @throws Refusal that names what is wrong. */
export function readQuestion(given: unknown): Question {
  const fields = new Fields(given, 'the question');
  const name = fields.oneOf('ask', Object.keys(READERS) as Question['ask'][]);
  const source = fields.optional('source', () => fields.text('source', LONGEST_SEARCH));
  const question = READERS[name](fields);
  fields.end();
  return source === undefined ? question : { ...question, source };
}

const READERS: { readonly [Ask in Question['ask']]: (fields: Fields) => Extract<Question, { ask: Ask }> } = {
  state: fields => {
    const revision = fields.optional('revision', () => fields.text('revision', LONGEST_SEARCH));
    return { ask: 'state', ...(revision !== undefined && { revision }) };
  },
  picture: readPicture,
  answer: fields => {
    const parameters = fields.object('parameters');
    return { ask: 'answer', answer: fields.text('answer', LONGEST_SEARCH), parameters };
  },
  paths: fields => {
    const refine = fields.read('refine') === null ? null : fields.oneOf('refine', ['down', 'extended', 'up']);
    const view = fields.read('view') === null ? null : fields.oneOf('view', ['server']);
    const at = fields.read('at') === null ? null : fields.integer('at', 1, LONGEST_TEXT);
    const least = fields.integer('least', 0, Number.MAX_SAFE_INTEGER);
    const query = fields.text('query', LONGEST_TEXT);
    return { ask: 'paths', look: fields.look(), query, view, refine, at, least };
  },
  pathNames: fields => {
    const query = fields.read('query') === '' ? '' : fields.text('query', LONGEST_TEXT);
    return { ask: 'pathNames', look: fields.look(), query, at: fields.integer('at', 0, query.length) };
  },
  sources: fields => ({ ask: 'sources', of: fields.key('of') }),
  changes: () => ({ ask: 'changes' }),
  states: fields => {
    const of = fields.list('of', MOST_STATES, isKey, 'keys of methods');
    if (of.length === 0) throw wrong('of', 'a list that is not empty');
    return { ask: 'states', of };
  },
  vanished: fields => ({ ask: 'vanished', ...readSubject(fields) }),
  blueprint: fields => {
    const tree = fields.read('tree') === null ? null : fields.text('tree', LONGEST_SEARCH);
    const box = fields.integer('box', 0, 2 ** 31);
    const show = fields.oneOf('show', ['children', 'below', 'path', 'way', 'method', 'widest']);
    const of = fields.keyOrNull('of');
    if (tree === null && box !== 0) throw wrong('tree', 'the tree of the box');
    if (show === 'method' && of === null) throw wrong('of', 'the key of a method');
    const from = fields.integer('from', 0, Number.MAX_SAFE_INTEGER);
    return {
      ask: 'blueprint',
      look: fields.look(),
      scaling: fields.oneOf('scaling', SCALINGS),
      tree,
      box,
      show,
      of,
      from,
    };
  },
  hits: fields => ({ ask: 'hits', look: fields.look(), search: fields.search() }),
  export: fields => {
    const format = fields.oneOf('format', ['speedscope', 'pprof', 'collapsed']);
    return { ask: 'export', look: fields.look(), format };
  },
  open: fields => ({ ask: 'open', of: fields.key('of') }),
  use: fields => ({ ask: 'use', look: fields.look() }),
};

function readPicture(fields: Fields): AskPicture {
  const [from, to] = fields.pair('window', 0, 1);
  const [first, end] = fields.pair('rows', 0, MOST_ROWS);
  if (!Number.isInteger(first) || !Number.isInteger(end)) throw wrong('rows', 'two whole numbers');
  const order = fields.read('order');
  const kept = order === 'weight' || order === 'name' ? null : fields.inner('order');
  const picture: AskPicture = {
    ask: 'picture',
    ...readSubject(fields),
    form: fields.oneOf('form', ['metric', 'equal']),
    order: kept === null ? (order === 'name' ? 'name' : 'weight') : { kept: kept.text('kept', LONGEST_SEARCH) },
    window: [from, to],
    rows: [first, end],
    least: fields.list('least', MOST_ENTRIES, isShare, 'shares'),
    most: fields.integer('most', 1, MOST_BOXES),
    search: fields.searchOrNull(),
    baseline: fields.boolean('baseline'),
  };
  kept?.end();
  return picture;
}

/** What of the tree is looked at, and how. */
function readSubject(fields: Fields): Omit<AskVanished, 'ask'> {
  const operations = fields.inner('operations');
  const subject = {
    look: fields.look(),
    direction: fields.oneOf('direction', ['down', 'up']),
    of: fields.keyOrNull('of'),
    root: fields.list('root', MOST_STEPS, isStep, 'keys of methods'),
    operations: {
      recursion: operations.boolean('recursion'),
      aggregate: operations.boolean('aggregate'),
      library: operations.boolean('library'),
    },
  };
  operations.end();
  return subject;
}

/** The fields of one object, each read once by its name. */
class Fields {
  readonly #values: ReadonlyMap<string, unknown>;
  readonly #read = new Set<string>();

  constructor(given: unknown, name: string) {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) throw wrong(name, 'an object');
    this.#values = new Map(Object.entries(given));
  }

  /** Refuses fields that nothing has read. */
  end(): void {
    for (const key of this.#values.keys())
      if (!this.#read.has(key)) throw new Refusal(`unknown field "${key.slice(0, 100)}"`, 'leave it out');
  }

  read(key: string): unknown {
    this.#read.add(key);
    return this.#values.get(key);
  }

  optional<T>(key: string, read: () => T): T | undefined {
    return this.read(key) === undefined ? undefined : read();
  }

  /** One whose fields are checked elsewhere. */
  object(key: string): Readonly<Record<string, unknown>> {
    const value = this.read(key);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(key, 'an object');
    return { ...value };
  }

  inner(key: string): Fields {
    return new Fields(this.read(key), `"${key}"`);
  }

  boolean(key: string): boolean {
    const value = this.read(key);
    if (typeof value !== 'boolean') throw wrong(key, 'true or false');
    return value;
  }

  text(key: string, longest: number): string {
    const value = this.read(key);
    if (!isText(value, longest)) throw wrong(key, `a text of 1 to ${longest} characters`);
    return value;
  }

  oneOf<T extends string>(key: string, values: readonly T[]): T {
    const given = this.read(key);
    const found = values.find(value => value === given);
    if (found === undefined) throw wrong(key, `one of ${values.join(', ')}`);
    return found;
  }

  integer(key: string, least: number, most: number): number {
    const value = this.read(key);
    if (!isNumber(value, least, most) || !Number.isInteger(value))
      throw wrong(key, `a whole number from ${least} to ${most}`);
    return value;
  }

  /** Two numbers, the first below the second. */
  pair(key: string, least: number, most: number): readonly [number, number] {
    const [from, to, ...more] = this.list(key, 2, value => isNumber(value, least, most), 'numbers') as number[];
    if (from === undefined || to === undefined || more.length > 0 || from >= to)
      throw wrong(key, `two numbers from ${least} to ${most}, the first below the second`);
    return [from, to];
  }

  list<T>(key: string, most: number, fits: (value: unknown) => value is T, what: string): readonly T[] {
    const value = this.read(key);
    if (!Array.isArray(value) || value.length > most || !value.every(fits))
      throw wrong(key, `a list of at most ${most} ${what}`);
    return value;
  }

  key(key: string): MethodKey {
    const value = this.read(key);
    if (!isKey(value)) throw wrong(key, 'the key of a method');
    return value;
  }

  keyOrNull(key: string): MethodKey | null {
    return this.read(key) === null ? null : this.key(key);
  }

  search(): string {
    return this.text('search', LONGEST_SEARCH);
  }

  searchOrNull(): string | null {
    return this.read('search') === null ? null : this.search();
  }

  look(): Look {
    const fields = this.inner('look');
    const isName = (value: unknown): value is string => isText(value, LONGEST_TEXT);
    const metric = fields.optional('metric', () => fields.text('metric', LONGEST_TEXT));
    const threads = fields.optional('threads', () => fields.list('threads', MOST_ENTRIES, isName, 'texts'));
    const focus = fields.optional('focus', () => fields.list('focus', MOST_ENTRIES, isName, 'texts'));
    const path = fields.optional('path', () => fields.text('path', LONGEST_TEXT));
    const from = fields.optional('from', () => fields.integer('from', -LATEST_MILLIS, LATEST_MILLIS));
    const to = fields.optional('to', () => fields.integer('to', -LATEST_MILLIS, LATEST_MILLIS));
    if (from !== undefined && to !== undefined && from >= to) throw wrong('from', 'below "to"');
    fields.end();
    return {
      ...(metric !== undefined && { metric }),
      ...(threads !== undefined && threads.length > 0 && { threads }),
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
      ...(focus !== undefined && focus.length > 0 && { focus }),
      ...(path !== undefined && { path }),
    };
  }
}

function wrong(key: string, expected: string): Refusal {
  return new Refusal(`"${key}" must be ${expected}`, 'load the page again');
}

function isText(value: unknown, longest: number): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= longest;
}

function isNumber(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && value >= least && value <= most;
}

function isShare(value: unknown): value is number {
  return isNumber(value, 0, 1);
}

/** A key, or the anchor of a call path. */
function isStep(value: unknown): value is MethodKey {
  return isKey(value) || (typeof value === 'string' && /^@[\da-z]{1,11}$/.test(value));
}

function isKey(value: unknown): value is MethodKey {
  return typeof value === 'string' && /^[\w-]{8}$/.test(value);
}
