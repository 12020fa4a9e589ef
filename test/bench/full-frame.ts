// Makes pictures that fill a screen with boxes, more than trees of real programs do, for the page to draw.
import { frameBytes } from '../../server/views/picture-frame.ts';
import type { AskPicture, MethodInfo } from '../../server/views/view-messages.ts';

/** Narrower boxes are not drawn, see clients/web/src/least-widths.ts. */
const LEAST_PIXELS = 0.5;
/** Every fourth box is wide enough for a name. */
const PIXELS = [4, 4, 4, 36];
const METHODS = 500;
const METRIC = 'cpu';

const METHOD_INFOS: readonly MethodInfo[] = Array.from({ length: METHODS }, (_, at) => ({
  key: String(at).padStart(8, 'A'),
  className: `com.acme.shop.part${at % 97}.Type${at}`,
  name: `step${at}`,
  parameters: 'int, String',
  library: at % 3 === 0,
}));

/** As many boxes of always the same widths as there is room for in the rows and the window that are asked for. */
export function fullFrame({ rows: [from, to], least: [least = 1] }: AskPicture): Uint8Array {
  const pixels = LEAST_PIXELS / least;
  const ends = [0];
  while (ends.at(-1)! < pixels) ends.push(ends.at(-1)! + PIXELS[ends.length % PIXELS.length]!);
  const across = ends.length - 1;
  const boxes = across * (to - from);
  const column = (amountOf: (box: number) => number) => Float64Array.from({ length: boxes }, (_, box) => amountOf(box));
  const rowOf = (box: number) => from + Math.floor(box / across);
  const end = column(box => Math.min(1, ends[(box % across) + 1]! / pixels));
  const start = column(box => Math.min(1, ends[box % across]! / pixels));
  const weight = column(box => 1_000 * (end[box]! - start[box]!));
  const columns = {
    ...{ start, end, weight, count: weight, self: weight.map(() => 0) },
    id: Int32Array.from({ length: 2 * boxes }, (_, at) => (at % 2 === 0 ? (at >> 1) % across : rowOf(at >> 1))),
    parent: Int32Array.from(start, (_, box) => box - across).map(above => Math.max(-1, above)),
    method: Int32Array.from(start, (_, box) => (box * 7 + rowOf(box)) % METHODS),
    row: Int32Array.from(start, (_, box) => rowOf(box)),
    flags: new Uint8Array(boxes),
    cuts: {
      ...{ start: new Float64Array(), end: new Float64Array(), weight: new Float64Array(), count: new Float64Array() },
      ...{ parent: new Int32Array(), parts: new Int32Array(), hits: new Int32Array() },
    },
  };
  const whole = { weight: 1_000, count: 1_000 };
  const header = {
    ...{ revision: 'full', metric: METRIC, unit: 'samples', whole, boxes, cuts: 0, methods: METHOD_INFOS },
    ...{ root: { steps: [], method: null, total: whole, missing: null }, deepest: to, coarser: 1, baseline: false },
    ...{ sums: { self: 0, cut: 0, below: 1_000, outside: 0 }, millis: 1, problems: [] },
  };
  return frameBytes(header, columns, null);
}
