// The labels of pprof samples: the thread, and the window of time in profiles that `insitu export` wrote.
import { compareWindows, type TimeWindow } from '../../cct/profile.ts';
import type { ThreadTableBuilder } from '../../cct/thread-table.ts';
import type { Tables } from './profile-tables.ts';
import type { Fields } from './wire.ts';

/** Keys of labels that `insitu export` writes. */
export const LABEL = {
  thread: 'thread',
  group: 'thread_group',
  virtual: 'thread_virtual',
  windowStart: 'window_start',
  windowEnd: 'window_end',
  jvm: 'jvm',
} as const;

const THREAD_NAME = /^thread(?:[ _-]?name)?$/i;
const THREAD_ID = /^(?:tid|thread[ _-]?id)$/i;
const SAMPLE_LABEL = 3;
const MAX_WINDOWS = 10_000;

type Role = 'name' | 'id' | 'group' | 'virtual' | 'start' | 'end' | 'jvm';

function roleOf(key: string): Role | null {
  if (key === LABEL.group) return 'group';
  if (key === LABEL.virtual) return 'virtual';
  if (key === LABEL.windowStart) return 'start';
  if (key === LABEL.windowEnd) return 'end';
  if (key === LABEL.jvm) return 'jvm';
  return THREAD_NAME.test(key) ? 'name' : THREAD_ID.test(key) ? 'id' : null;
}

/** The meanings of rows of strings as keys of labels. */
export class LabelRows {
  readonly roles = new Map<number, Role>();
  /** Whether samples may carry windows of their own. */
  readonly hasWindows: boolean;

  constructor(tables: Tables) {
    for (const [row, text] of tables.rowsOf(key => roleOf(key) !== null)) this.roles.set(row, roleOf(text)!);
    const roles = [...this.roles.values()];
    this.hasWindows = roles.includes('start') && roles.includes('end');
  }
}

/** The labels of one sample after the other. */
export class Labels {
  readonly #tables: Tables;
  readonly #rows: LabelRows;
  readonly #threads: ThreadTableBuilder;
  readonly #keep: (text: string) => string;
  readonly #known = new Map<string, number>();
  readonly #windows = new Map<string, TimeWindow>();
  #windowRows = new Map<string, number>();
  #name = 0;
  #group = 0;
  #virtual = false;
  #id = '';
  #start = Number.NaN;
  #end = Number.NaN;
  #jvm = 0;

  constructor(tables: Tables, rows: LabelRows, threads: ThreadTableBuilder, keep: (text: string) => string) {
    this.#tables = tables;
    this.#rows = rows;
    this.#threads = threads;
    this.#keep = keep;
  }

  clear(): void {
    this.#name = 0;
    this.#group = 0;
    this.#virtual = false;
    this.#id = '';
    this.#start = Number.NaN;
    this.#end = Number.NaN;
    this.#jvm = 0;
  }

  add(label: Fields): void {
    let key = 0;
    let text = 0;
    let number = 0;
    let id: number | bigint = 0;
    while (label.next()) {
      if (label.isBytes) continue;
      if (label.field === 1) key = label.int;
      else if (label.field === 2) text = label.int;
      else if (label.field === 3) {
        number = label.int;
        id = label.id;
      }
    }
    const role = this.#rows.roles.get(key);
    if (role === 'name') this.#name = text;
    else if (role === 'id') this.#id = text === 0 ? `thread ${id}` : this.#tables.string(text);
    else if (role === 'group') this.#group = text;
    else if (role === 'virtual') this.#virtual = true;
    else if (role === 'start') this.#start = number;
    else if (role === 'end') this.#end = number;
    else if (role === 'jvm') this.#jvm = text;
  }

  /** Row of the sample's thread. */
  thread(): number {
    const key = `${this.#name} ${this.#group} ${this.#virtual} ${this.#id}`;
    let row = this.#known.get(key);
    if (row === undefined) {
      const name = this.#keep(this.#threadName());
      row = this.#threads.thread(this.#keep(this.#tables.string(this.#group)), name, this.#virtual);
      this.#known.set(key, row);
    }
    return row;
  }

  #threadName(): string {
    if (this.#name !== 0) return this.#tables.string(this.#name);
    if (this.#virtual) return '';
    return this.#id || '-';
  }

  /** Remembers the window of a sample, before any is added. */
  noteWindow(sample: Fields): void {
    this.clear();
    while (sample.next()) if (sample.field === SAMPLE_LABEL && sample.isBytes) this.add(sample.message());
    const valid = Number.isFinite(this.#start) && this.#end >= this.#start;
    if (!valid || this.#windows.size >= MAX_WINDOWS) return;
    const jvm = this.#tables.string(this.#jvm);
    const window = { startMillis: this.#start, endMillis: this.#end, ...(jvm !== '' && { jvm }) };
    this.#windows.set(this.#windowKey(), window);
  }

  /** Equal for samples of one window. */
  #windowKey(): string {
    return `${this.#start} ${this.#end} ${this.#tables.string(this.#jvm)}`;
  }

  /** Gives the windows their rows, when all are known. */
  sortWindows(): void {
    const inOrder = [...this.#windows].sort(([, a], [, b]) => compareWindows(a, b));
    this.#windowRows = new Map(inOrder.map(([key], row) => [key, row]));
  }

  /** Row of the sample's window; 0 where it has none of its own. */
  window(): number {
    if (this.#windowRows.size === 0) return 0;
    return this.#windowRows.get(this.#windowKey()) ?? 0;
  }

  /** All windows in order; the span of the whole profile where samples have none. */
  windows(): TimeWindow[] {
    if (this.#windows.size > 0) return [...this.#windows.values()].sort(compareWindows);
    return [this.#tables.span];
  }
}
