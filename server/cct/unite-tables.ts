// Unites the tables of several profiles by content, with the way from each profile's rows to the common ones.
import { sharedUint8 } from './columns.ts';
import { MethodTableBuilder } from './method-table.ts';
import type { MethodTable, Metric, Profile, ThreadTable, TimeWindow } from './profile.ts';

const MAX_RAW_NAMES = 1000;

/** A common table, and for each profile the common row of each of its rows. */
export type United<T> = { readonly table: T; readonly rows: readonly Int32Array[] };

/** Methods of the same class, name and descriptor are one; flags are united. Rows 0 and 1 keep their meaning. */
export function uniteMethods(tables: readonly MethodTable[]): United<MethodTable> {
  const builder = new MethodTableBuilder();
  const rows = tables.map(table => {
    const strings = Int32Array.from(table.strings, text => builder.string(text));
    const map = new Int32Array(table.length);
    for (let i = 0; i < table.length; i++) {
      const descriptor = table.descriptor[i]!;
      // Rows 0 and 1 are what they are by number, whatever a format calls them.
      map[i] =
        i < 2
          ? i
          : builder.methodOfRows(
              strings[table.className[i]!]!,
              strings[table.name[i]!]!,
              descriptor < 0 ? -1 : strings[descriptor]!,
              table.flags[i]!,
            );
    }
    return map;
  });
  return { table: builder.finish(), rows };
}

/** Threads of the same group, name and virtuality are one; raw names are kept up to 1,000 in all. */
export function uniteThreads(tables: readonly ThreadTable[]): United<ThreadTable> {
  const known = new Map<string, number>();
  const group: string[] = [];
  const name: string[] = [];
  const virtual: number[] = [];
  const rawNames: Set<string>[] = [];
  let kept = 0;
  const rows = tables.map(table => {
    const map = new Int32Array(table.length);
    for (let i = 0; i < table.length; i++) {
      const key = JSON.stringify([table.group[i], table.name[i], table.virtual[i]]);
      let row = known.get(key);
      if (row === undefined) {
        row = name.push(table.name[i]!) - 1;
        group.push(table.group[i]!);
        virtual.push(table.virtual[i]!);
        rawNames.push(new Set());
        known.set(key, row);
      }
      const names = rawNames[row]!;
      for (const raw of table.rawNames[i]!) {
        if (kept >= MAX_RAW_NAMES) break;
        if (names.has(raw)) continue;
        names.add(raw);
        kept++;
      }
      map[i] = row;
    }
    return map;
  });
  const flags = sharedUint8(virtual.length);
  flags.set(virtual);
  return {
    table: { length: name.length, group, name, virtual: flags, rawNames: rawNames.map(names => [...names]) },
    rows,
  };
}

/** Windows of the same start and end are one; sorted by (start, end). */
export function uniteWindows(lists: readonly (readonly TimeWindow[])[]): United<readonly TimeWindow[]> {
  const byKey = new Map<string, TimeWindow>();
  const keyOf = (window: TimeWindow) => `${window.startMillis} ${window.endMillis}`;
  for (const list of lists) for (const window of list) byKey.set(keyOf(window), window);
  const table = [...byKey.values()].sort((a, b) => a.startMillis - b.startMillis || a.endMillis - b.endMillis);
  const rowOf = new Map(table.map((window, row) => [keyOf(window), row]));
  return { table, rows: lists.map(list => Int32Array.from(list, window => rowOf.get(keyOf(window))!)) };
}

/** Metrics of the same id, unit and kind are one; their events are united and the larger period is kept. */
export function uniteMetrics(lists: readonly Profile['metrics'][]): United<readonly Metric[]> {
  const table: Metric[] = [];
  const rowOf = new Map<string, number>();
  const rows = lists.map(list =>
    Int32Array.from(list, metric => {
      const key = JSON.stringify([metric.id, metric.unit, metric.kind]);
      const known = rowOf.get(key);
      if (known === undefined) {
        rowOf.set(key, table.length);
        return table.push(metric) - 1;
      }
      const old = table[known]!;
      const events = [...new Set([...old.events, ...metric.events])].sort();
      table[known] = { ...old, events, periodNanos: Math.max(old.periodNanos, metric.periodNanos) };
      return known;
    }),
  );
  return { table, rows };
}
