// Writes a whole profile as JSON: the tables, the tree and the values as columns, as docs/formats.md describes them.
import { listedRows } from '../../cct/listed-metrics.ts';
import type { Cells, Metric, Profile } from '../../cct/profile.ts';
import { TIME_COLUMNS } from '../../cct/times.ts';

/** Version of the notation; a reader refuses one that it does not know. */
const JSON_VERSION = 1;
const NUMBERS_A_PART = 10_000;

/** The file in parts, to be written one after the other; only one metric's values when `metric` names one. */
export function* toJson(profile: Profile, metric?: string): Generator<string> {
  const { tree, methods, threads, windows, losses } = profile;
  const rows = listedRows(profile).filter(row => wanted(profile.metrics[row]!, metric));
  yield `{"format":"insitu-profile","version":${JSON_VERSION},\n`;
  yield `"metrics":${JSON.stringify(rows.map(row => profile.metrics[row]))},\n`;
  yield `"windows":${JSON.stringify(windows)},\n"losses":${JSON.stringify(losses)},\n`;
  yield* list('threads', threads.length, row =>
    JSON.stringify({ group: threads.group[row], name: threads.name[row], virtual: threads.virtual[row] === 1 }),
  );
  yield* list('methods', methods.length, row => {
    const descriptor = methods.descriptor[row]!;
    return JSON.stringify({
      class: methods.strings[methods.className[row]!],
      name: methods.strings[methods.name[row]!],
      ...(descriptor < 0 ? {} : { descriptor: methods.strings[descriptor] }),
      flags: methods.flags[row],
    });
  });
  yield '"nodes":{\n';
  yield* columns([
    ['parent', tree.parent],
    ['method', tree.method],
    ['callLine', tree.callLine],
  ]);
  yield '},\n"cells":[';
  for (const [place, row] of rows.entries()) {
    yield place === 0 ? '\n{' : ',\n{';
    yield* columns(cellColumns(profile.cells[row]!));
    yield '}';
  }
  yield ']';
  const { times } = profile;
  if (times !== undefined && (metric === undefined || metric === 'time')) {
    yield ',\n"times":{\n';
    yield* columns(TIME_COLUMNS.map((name): Column => [name, times[name]]));
    yield '},\n"sketches":{\n';
    yield* columns([
      ['offset', times.sketches.offset],
      ['bucket', times.sketches.bucket],
      ['count', times.sketches.count],
    ]);
    yield '}';
  }
  yield '}\n';
}

function wanted({ id }: Metric, metric: string | undefined): boolean {
  return metric === undefined || id === metric;
}

type Column = readonly [name: string, values: Int32Array | Float64Array];

/** Weights only where they are not the counts. */
function cellColumns({ node, thread, line, window, count, weight, weightSquares }: Cells): Column[] {
  const always: Column[] = [
    ['node', node],
    ['thread', thread],
    ['line', line],
    ['window', window],
    ['count', count],
  ];
  if (weightSquares === null) return always;
  return [...always, ['weight', weight], ['weightSquares', weightSquares]];
}

function* columns(all: readonly Column[]): Generator<string> {
  for (const [place, [name, values]] of all.entries()) {
    yield `${place === 0 ? '' : ',\n'}"${name}":[`;
    for (let from = 0; from < values.length; from += NUMBERS_A_PART)
      yield `${from === 0 ? '' : ','}${values.subarray(from, from + NUMBERS_A_PART).join(',')}`;
    yield ']';
  }
}

function* list(name: string, length: number, text: (row: number) => string): Generator<string> {
  yield `"${name}":[`;
  for (let row = 0; row < length; row++) yield `${row === 0 ? '\n' : ',\n'}${text(row)}`;
  yield '],\n';
}
