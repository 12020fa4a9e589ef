// The overview that the fake server gives: of the hottest methods by total time, as it does not know whose own code they are.
import type { Answers } from 'insitu/views';

type Window = { readonly from: number; readonly to: number };

export function overviewOf({ origin, rows }: Answers['top'], windows: readonly Window[]): Answers['overview'] {
  const spans = windows.map(({ from, to }) => ({ from: new Date(from).toISOString(), to: new Date(to).toISOString() }));
  const [first] = rows;
  return {
    ...{ origin, total: rows.length, leftOut: 0, spans },
    sentence:
      first === undefined ? 'No sample of CPU was taken.' : `${first.total.text} of it is ${first.method.name}.`,
    rows: rows.map(({ method, total }) => ({
      ...{ method, own: total, total, change: null },
      overTime: spans.map(() => 0.5),
    })),
    waiting: null,
    waits: [],
    ...{ allocation: null, exceptions: null, collections: null, processors: null, changes: null },
    missing: [{ text: 'no JVM', remedy: 'record one', line: 'insitu record' }],
  };
}
