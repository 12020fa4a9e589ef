// Unites the tables of several profiles by content, one after the other, with the way from each profile's rows to the common ones.

import { MethodTableBuilder } from './method-table.ts';
import { compareWindows, type MethodTable, type Metric, type ThreadTable, type TimeWindow } from './profile.ts';
import { sharedUint8 } from './shared-columns.ts';
import { uniteMetric } from './unite-metrics.ts';

const MAX_RAW_NAMES = 1000;

/** Strings of a table are looked for at so many rows behind the one before: tables of one program are much alike. */
const LOOK_AHEAD = 4;

/** Methods of the same class, name and descriptor are one; flags are united. Rows 0 and 1 keep their meaning. */
export class MethodUnion {
  readonly #builder = new MethodTableBuilder();
  #last: { readonly table: MethodTable; readonly rows: Int32Array } | null = null;

  /** Number of methods so far. */
  get length(): number {
    return this.#builder.length;
  }

  /** For each row of the table its row among the common ones. */
  add(table: MethodTable): Int32Array {
    if (this.#last?.table === table) return this.#last.rows;
    const builder = this.#builder;
    const strings = this.#strings(table.strings);
    const rows = new Int32Array(table.length);
    for (let i = 0; i < table.length; i++) {
      const descriptor = table.descriptor[i]!;
      // Rows 0 and 1 are what they are by number, whatever a format calls them.
      rows[i] =
        i < 2
          ? i
          : builder.methodOfRows(
              strings[table.className[i]!]!,
              strings[table.name[i]!]!,
              descriptor < 0 ? -1 : strings[descriptor]!,
              table.flags[i]!,
            );
    }
    this.#last = { table, rows };
    return rows;
  }

  #strings(texts: readonly string[]): Int32Array {
    const builder = this.#builder;
    const common = builder.strings;
    const rows = new Int32Array(texts.length);
    for (let i = 0, before = -1; i < texts.length; i++) {
      const text = texts[i]!;
      let row = before + 1;
      const end = Math.min(row + LOOK_AHEAD, common.length);
      while (row < end && common[row] !== text) row++;
      before = row < end ? row : builder.string(text);
      rows[i] = before;
    }
    return rows;
  }

  finish(): MethodTable {
    return this.#builder.finish();
  }
}

/** Threads of the same group, name and virtuality are one; raw names are kept up to 1,000 in all. */
export class ThreadUnion {
  readonly #known = new Map<string, number>();
  readonly #group: string[] = [];
  readonly #name: string[] = [];
  readonly #virtual: number[] = [];
  readonly #rawNames: Set<string>[] = [];
  #kept = 0;

  /** For each row of the table its row among the common ones. */
  add(table: ThreadTable): Int32Array {
    const rows = new Int32Array(table.length);
    for (let i = 0; i < table.length; i++) {
      const row = this.#rowOf(table.group[i]!, table.name[i]!, table.virtual[i]!);
      const names = this.#rawNames[row]!;
      for (const raw of table.rawNames[i]!) {
        if (this.#kept >= MAX_RAW_NAMES) break;
        if (names.has(raw)) continue;
        names.add(raw);
        this.#kept++;
      }
      rows[i] = row;
    }
    return rows;
  }

  #rowOf(group: string, name: string, virtual: number): number {
    const key = JSON.stringify([group, name, virtual]);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const row = this.#name.push(name) - 1;
    this.#group.push(group);
    this.#virtual.push(virtual);
    this.#rawNames.push(new Set());
    this.#known.set(key, row);
    return row;
  }

  finish(): ThreadTable {
    const length = this.#name.length;
    const virtual = sharedUint8(length);
    virtual.set(this.#virtual);
    const rawNames = this.#rawNames.map(names => [...names]);
    return { length, group: this.#group.slice(), name: this.#name.slice(), virtual, rawNames };
  }
}

/** Windows of the same start, end and JVM are one; sorted in the end. */
export class WindowUnion {
  readonly #rowOf = new Map<string, number>();
  readonly #windows: TimeWindow[] = [];

  /** For each window its number for now. */
  add(windows: readonly TimeWindow[]): Int32Array {
    return Int32Array.from(windows, window => {
      const key = `${window.startMillis} ${window.endMillis} ${window.jvm ?? ''}`;
      const known = this.#rowOf.get(key);
      if (known !== undefined) return known;
      this.#rowOf.set(key, this.#windows.length);
      return this.#windows.push(window) - 1;
    });
  }

  /** The table, and for each number its row. */
  finish(): { readonly table: readonly TimeWindow[]; readonly rows: Int32Array } {
    const windows = this.#windows;
    const order = [...windows.keys()].sort((a, b) => compareWindows(windows[a]!, windows[b]!));
    const rows = new Int32Array(windows.length);
    for (const [row, number] of order.entries()) rows[number] = row;
    return { table: order.map(number => windows[number]!), rows };
  }
}

/** Metrics of the same id, unit and kind are one; their events are united and the larger period is kept. */
export class MetricUnion {
  readonly #table: Metric[] = [];
  readonly #rowOf = new Map<string, number>();

  /** For each metric its row among the common ones. */
  add(metrics: readonly Metric[]): Int32Array {
    return Int32Array.from(metrics, metric => {
      const key = JSON.stringify([metric.id, metric.unit, metric.kind]);
      const known = this.#rowOf.get(key);
      if (known === undefined) {
        this.#rowOf.set(key, this.#table.length);
        return this.#table.push(metric) - 1;
      }
      this.#table[known] = uniteMetric(this.#table[known]!, metric);
      return known;
    });
  }

  finish(): readonly Metric[] {
    return this.#table.slice();
  }
}
