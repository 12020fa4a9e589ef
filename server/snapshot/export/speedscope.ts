// Writes a profile in speedscope's file format: JSON with shared frames and one list of weighted stacks a metric.
import { listedRows } from '../../cct/listed-metrics.ts';
import { type Cells, isWeighted, type Metric, type Profile } from '../../cct/profile.ts';
import type { FrameDetail } from './collapsed.ts';
import { eachFrame, methodName, PairNumbers } from './stack-walk.ts';

type SpeedscopeOptions = {
  readonly frames: FrameDetail;
  /** One list of stacks for each thread of a metric. */
  readonly threads: boolean;
  /** Id of the only metric to write; all of them when absent. */
  readonly metric?: string;
  /** Shown as the title. */
  readonly name: string;
};

const SCHEMA = 'https://www.speedscope.app/file-format-schema.json';
const SAMPLES_A_PART = 1000;

/**
 * The file in parts, to be written one after the other; valid against speedscope's published schema. Metrics of time and bytes
 * give weights in their unit, the others counts. Times and windows are left out.
 */
export function* toSpeedscope(profile: Profile, options: SpeedscopeOptions): Generator<string> {
  const frames = new PairNumbers();
  yield `{"$schema":${JSON.stringify(SCHEMA)},"exporter":"insitu","name":${JSON.stringify(options.name)},`;
  yield '"activeProfileIndex":0,"profiles":[';
  let separator = '';
  for (const row of listedRows(profile)) {
    const metric = profile.metrics[row]!;
    if (options.metric !== undefined && metric.id !== options.metric) continue;
    const cells = profile.cells[row]!;
    for (const { name, rows } of listsOf(profile, metric, cells, options.threads)) {
      yield separator;
      yield* sampled(metric, cells, rows, name, stackWriter(profile, options.frames, frames));
      separator = ',';
    }
  }
  yield '],"shared":{"frames":[';
  separator = '';
  for (const [method, line] of frames.pairs) {
    const text = JSON.stringify(methodName(profile, method, options.frames));
    yield `${separator}{"name":${text}${line > 0 ? `,"line":${line}` : ''}}`;
    separator = ',';
  }
  yield ']}}\n';
}

type List = { readonly name: string; readonly rows: readonly number[] | null };

/** The lists of stacks of a metric; null rows are all of its cells. */
function listsOf({ threads }: Profile, { id }: Metric, { length, thread }: Cells, apart: boolean): List[] {
  if (!apart) return [{ name: id, rows: null }];
  const byThread = new Map<number, number[]>();
  for (let i = 0; i < length; i++) {
    const rows = byThread.get(thread[i]!);
    if (rows === undefined) byThread.set(thread[i]!, [i]);
    else rows.push(i);
  }
  return [...byThread].map(([row, rows]) => ({ name: `${id}: ${threads.name[row] || '(unnamed)'}`, rows }));
}

function stackWriter(profile: Profile, detail: FrameDetail, frames: PairNumbers) {
  return (node: number, line: number): string => {
    const stack: number[] = [];
    eachFrame(profile, node, line, (method, at) => {
      stack.push(frames.of(method, detail === 'method' ? 0 : Math.max(0, at)));
    });
    return `[${stack.reverse().join(',')}]`;
  };
}

function* sampled(
  metric: Metric,
  cells: Cells,
  rows: readonly number[] | null,
  name: string,
  stackOf: (node: number, line: number) => string,
): Generator<string> {
  const weighted = isWeighted(metric);
  const values = weighted ? cells.weight : cells.count;
  const length = rows?.length ?? cells.length;
  const row = (i: number) => rows?.[i] ?? i;
  let sum = 0;
  for (let i = 0; i < length; i++) sum += values[row(i)]!;
  yield `{"type":"sampled","name":${JSON.stringify(name)},"unit":"${weighted ? metric.unit : 'none'}",`;
  yield `"startValue":0,"endValue":${sum},"samples":[`;
  for (let from = 0; from < length; from += SAMPLES_A_PART) {
    const part: string[] = [];
    for (let i = from; i < Math.min(length, from + SAMPLES_A_PART); i++) {
      part.push(stackOf(cells.node[row(i)]!, cells.line[row(i)]!));
    }
    yield `${from === 0 ? '' : ','}${part.join(',')}`;
  }
  yield '],"weights":[';
  for (let from = 0; from < length; from += SAMPLES_A_PART) {
    const part: number[] = [];
    for (let i = from; i < Math.min(length, from + SAMPLES_A_PART); i++) part.push(values[row(i)]!);
    yield `${from === 0 ? '' : ','}${part.join(',')}`;
  }
  yield ']}';
}
