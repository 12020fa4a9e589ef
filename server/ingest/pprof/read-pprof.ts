// Reads pprof profiles (profile.proto) in two walks, tables then samples, without holding the file.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { EMPTY_STACK_LINE, ProfileBuilder, ROOT_NODE } from '../../cct/builder.ts';
import { isWeighted, type Metric } from '../../cct/profile.ts';
import type { ByteSource } from '../byte-source.ts';
import { type Frame, parseFrames } from '../frame-grammar.ts';
import { FrameCounts, MethodSink, TOO_LARGE } from '../frame-names.ts';
import type { Ingested, IngestOptions } from '../ingest.ts';
import { sayLimits } from '../limit-problems.ts';
import { ProblemList } from '../problem-list.ts';
import { startAsText } from '../text-lines.ts';
import { Unread } from '../unread.ts';
import { type Column, columnsOf } from './column-metrics.ts';
import { LabelRows, Labels } from './labels.ts';
import { type Id, PROFILE, readTables, type Tables } from './profile-tables.ts';
import { Fields, TopFields, WireError } from './wire.ts';

const SAMPLE = { location: 1, value: 2, label: 3 } as const;
/** Samples between two turns of other work. */
const TURN = 20_000;
const MAX_DEPTH = 100_000;
/** Frames of all samples together for each byte of the file: a sample takes a byte or more for each, save for those inlined. */
const FRAMES_A_BYTE = 16;

/** Whether a file begins with fields as a profile has them, of the right types, and none that it has not. */
export function isPprof(start: Uint8Array): boolean {
  const fields = new Fields(start, 0, start.length, 0);
  let known = 0;
  let typical = false;
  let strings = 0;
  try {
    while (known < 20 && fields.next()) {
      const { field, isBytes } = fields;
      const message = (field >= 1 && field <= 6) || field === 11;
      const number = (field >= 7 && field <= 10) || field === 12 || (field >= 14 && field <= 15);
      if (!(message && isBytes) && !(number && !isBytes) && field !== 13) return false;
      if (field !== 6 && field !== 13 && isBytes && !isMessage(fields.message())) return false;
      // The first string of a profile is empty, and a type is two rows of strings: messages of OTLP are neither.
      if ((field === 1 || field === 11) && isBytes && !isValueType(fields.message())) return false;
      if (field === 6 && isBytes && ++strings === 1 && fields.message().next()) return false;
      typical ||= field <= 2;
      known++;
    }
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    // The first bytes of a file end in the middle of a field, which may be the very first.
    const cutOff = start.length >= 4096 && startAsText(start) === null;
    return typical || (cutOff && (known > 0 || start[0] === 0x12));
  }
  return typical;
}

function isMessage(fields: Fields): boolean {
  while (fields.next()) if (fields.field > 20) return false;
  return true;
}

function isValueType(fields: Fields): boolean {
  while (fields.next()) if (fields.isBytes || fields.field > 2) return false;
  return true;
}

/** Reads a whole profile. Every column of values becomes a metric, labels that name threads become threads. */
export async function readPprof(source: ByteSource, options: IngestOptions): Promise<Ingested> {
  const problems = new ProblemList(source.name);
  const tables = readTables(source, problems);
  const fold = new PprofFold(tables, options);
  await fold.read(source, options, problems);
  const { startMillis, endMillis } = tables.span;
  if (fold.negative > 0)
    problems.add('warning', `${fold.negative} values below 0 were left out, as differences of two profiles have them`);
  if (fold.nameless > 0)
    problems.addPart(
      `${fold.nameless} samples were left out: the file does not hold the locations, functions or names of their frames`,
    );
  fold.symbols.say(problems, 'have no function: their frames count without a name');
  fold.names.say(problems);
  if (fold.tooDeep > 0) problems.addPart(`${fold.tooDeep} samples have more than ${MAX_DEPTH} frames`);
  for (const id of fold.uncounted())
    problems.add(
      'info',
      `nothing says how many samples the values of ${id} sum up: shares have no counts and no intervals`,
    );
  if (fold.samples === 0 && fold.nameless > 0)
    problems.say('error', 'no sample of the profile has the names of its frames', undefined, 'copy or take it again');
  else if (fold.samples === 0 || tables.sampleTypes.length === 0)
    problems.add('error', 'the profile holds no samples', undefined, 'take the profile again');
  return {
    profile: fold.samples === 0 || tables.sampleTypes.length === 0 ? null : fold.profile(problems),
    format: 'pprof',
    startMillis,
    endMillis,
    recorder: 'pprof',
    debugNonSafepoints: null,
    problems: problems.list(),
  };
}

/** A row of methods, and the line that the function's name holds; 0 where it holds none. */
type Method = { readonly row: number; readonly line: number };
type Frames = {
  readonly methods: readonly number[];
  readonly lines: readonly number[];
  /** Whether the file holds all entries that the samples refer to. */
  readonly isWhole: boolean;
};

class PprofFold {
  readonly #tables: Tables;
  readonly #builder: ProfileBuilder;
  readonly #methods: MethodSink;
  readonly #columns: readonly (Column | null)[];
  readonly #metrics: readonly number[];
  readonly #labelRows: LabelRows;
  readonly #labels: Labels;
  readonly #framesOf = new Map<Id, Frames>();
  readonly #functionRows = new Map<Id, readonly Method[]>();
  #truncated = 0;
  #withoutStack = 0;
  readonly #truncatedMethod: number;
  readonly #noStackMethod: number;
  #walkedFrames = 0;
  samples = 0;
  negative = 0;
  /** Samples that refer to entries that the file does not hold. */
  nameless = 0;
  tooDeep = 0;
  readonly symbols = new Unread('locations');
  readonly names = new FrameCounts('functions');
  /** Per column: values, and values that do not tell how many samples they sum up. */
  readonly #counted: { all: number; not: number }[];

  constructor(tables: Tables, options: IngestOptions) {
    this.#tables = tables;
    this.#builder = new ProfileBuilder(options.names);
    this.#methods = new MethodSink(this.#builder, options.names);
    this.#columns = columnsOf(tables);
    this.#metrics = this.#columns.map(column => (column === null ? -1 : this.#builder.metric(column.metric)));
    this.#counted = this.#columns.map(() => ({ all: 0, not: 0 }));
    this.#labelRows = new LabelRows(tables);
    this.#labels = new Labels(tables, this.#labelRows, this.#builder.threads, text => this.#methods.keep(text));
    // Frames of this name stand for what is missing; numbers below 0 cannot be those of methods.
    this.#truncatedMethod = -1;
    this.#noStackMethod = -2;
  }

  /** Adds all samples; windows are gathered first, where samples have them. */
  async read(source: ByteSource, options: IngestOptions, problems: ProblemList): Promise<void> {
    if (this.#labelRows.hasWindows) {
      await this.#walk(source, {}, new ProblemList(source.name), sample => this.#labels.noteWindow(sample));
      this.#labels.sortWindows();
    }
    await this.#walk(source, options, problems, sample => this.#add(sample));
  }

  async #walk(
    source: ByteSource,
    { signal, onProgress }: Pick<IngestOptions, 'signal' | 'onProgress'>,
    problems: ProblemList,
    visit: (sample: Fields) => void,
  ): Promise<void> {
    const fields = new TopFields(source);
    let walked = 0;
    let at: ReturnType<TopFields['at']> = null;
    for (let position = 0; position < this.#tables.end; position = at.next) {
      at = fields.at(position);
      if (at === null) return;
      if (this.#walkedFrames > FRAMES_A_BYTE * (source.size + TURN))
        return problems.addPart('the samples have more frames than such a file can hold', `byte ${position}`);
      walked += 1 + (at.field.content === null ? 0 : (at.field.content.to - at.field.content.from) >> 6);
      if (walked >= TURN) {
        walked = 0;
        onProgress?.(position, source.size);
        await nextTurn();
        if (signal?.aborted) return problems.addPart('reading was cancelled here', `byte ${position}`);
        if (this.#methods.full) return problems.addPart(TOO_LARGE, `byte ${position}`);
      }
      const { field, content } = at.field;
      if (field !== PROFILE.sample || content === null) continue;
      try {
        visit(content);
      } catch (error) {
        if (!(error instanceof WireError)) throw error;
        problems.addPart(`a sample is broken: ${error.message}`, `byte ${error.offset}`);
      }
    }
    onProgress?.(source.size, source.size);
  }

  #add(sample: Fields): void {
    const locations: Id[] = [];
    const values: number[] = [];
    this.#labels.clear();
    while (sample.next()) {
      if (sample.field === SAMPLE.location) sample.eachNumber(() => void locations.push(sample.id));
      else if (sample.field === SAMPLE.value) sample.eachNumber(() => void values.push(sample.int));
      else if (sample.field === SAMPLE.label && sample.isBytes) this.#labels.add(sample.message());
    }
    const stack = locations.map(location => this.#frames(location));
    if (stack.some(({ isWhole }) => !isWhole)) {
      this.nameless++;
      return;
    }
    const depth = stack.reduce((sum, { methods }) => sum + methods.length, 0);
    if (depth > MAX_DEPTH) {
      this.tooDeep++;
      return;
    }
    this.samples++;
    const place = this.#place(stack);
    const thread = this.#labels.thread();
    const window = this.#labels.window();
    let most = 0;
    for (let i = 0; i < this.#columns.length; i++) {
      const column = this.#columns[i];
      const value = values[i] ?? 0;
      if (column === null || column === undefined) continue;
      const weight = value * column.scale;
      const count = countOf(column, value, values);
      if (value > 0) this.#counted[i]!.all++;
      if (value > 0 && isUncounted(column, value)) this.#counted[i]!.not++;
      if (value < 0 || count < 0) this.negative++;
      if (value < 0 || count < 0 || (value === 0 && count === 0)) continue;
      this.#builder.add(this.#metrics[i]!, place.node, thread, place.line, window, count, weight);
      most = Math.max(most, count);
    }
    if (place.truncated) this.#truncated += most;
    if (place.withoutStack) this.#withoutStack += most;
  }

  /** Walks down from the root: locations and the frames of each stand innermost first. */
  #place(stack: readonly Frames[]) {
    let node = ROOT_NODE;
    let line = EMPTY_STACK_LINE;
    let callLine = 0;
    let truncated = false;
    let withoutStack = false;
    for (let i = stack.length - 1; i >= 0; i--) {
      const { methods, lines } = stack[i]!;
      this.#walkedFrames += methods.length;
      for (let f = methods.length - 1; f >= 0; f--) {
        const method = methods[f]!;
        if (method < 0) {
          if (method === this.#truncatedMethod && node === ROOT_NODE) {
            node = this.#builder.partialRoot();
            truncated = true;
          } else if (method === this.#noStackMethod && stack.length === 1) {
            line = 0;
            withoutStack = true;
          }
          continue;
        }
        node = this.#builder.child(node, method, callLine);
        callLine = lines[f]!;
        line = callLine;
      }
    }
    return { node, line, truncated, withoutStack };
  }

  #frames(id: Id): Frames {
    const known = this.#framesOf.get(id);
    if (known !== undefined) return known;
    const { locations, locationFrames, frameFunction, frameLine } = this.#tables;
    const methods: number[] = [];
    const lines: number[] = [];
    const at = locations.get(id);
    let isWhole = at !== undefined;
    if (at !== undefined) this.symbols.note(locationFrames[at]! < locationFrames[at + 1]!, `${id}`);
    for (let f = at === undefined ? 0 : locationFrames[at]!; at !== undefined && f < locationFrames[at + 1]!; f++) {
      // A line belongs to the innermost of the methods in one name.
      isWhole &&= this.#isNamed(frameFunction[f]!);
      for (const [i, method] of isWhole ? this.#methodsIn(frameFunction[f]!).entries() : []) {
        methods.push(method.row);
        lines.push((i === 0 && frameLine[f]!) || method.line);
      }
    }
    // A location without symbols, or none at all: a frame without a name keeps the depth right.
    if (methods.length === 0) {
      methods.push(this.#methods.row({ className: '', name: '[no method]', descriptor: null, flags: 0 }));
      lines.push(0);
    }
    const frames = { methods, lines, isWhole };
    this.#framesOf.set(id, frames);
    return frames;
  }

  /** Whether the file holds a function and its name. Id 0 says that there is no function. */
  #isNamed(id: Id): boolean {
    const { functions, strings } = this.#tables;
    const entry = functions.get(id);
    return entry === undefined ? Number(id) === 0 : entry.name < strings && entry.systemName < strings;
  }

  /** The methods in the name of a function, the innermost first. */
  #methodsIn(id: Id): readonly Method[] {
    let methods = this.#functionRows.get(id);
    if (methods === undefined) {
      methods = this.#decode(id);
      this.#functionRows.set(id, methods);
    }
    return methods;
  }

  #decode(id: Id): readonly Method[] {
    const entry = this.#tables.functions.get(id);
    const name = entry === undefined ? '' : this.#tables.string(entry.name);
    const system = entry === undefined ? '' : this.#tables.string(entry.systemName);
    if (name === '[truncated]') return [{ row: this.#truncatedMethod, line: 0 }];
    if (name === '[no stack]') return [{ row: this.#noStackMethod, line: 0 }];
    const parsed = parseFrames(name || system || '[no method]');
    // The system's name is the one with the descriptor, where the producer knows it.
    const fuller = system !== name && system.startsWith(name) ? parseFrames(system) : null;
    const best: readonly Frame[] = fuller?.some(({ descriptor }) => descriptor !== null) ? fuller : parsed;
    this.names.note(best, name || system);
    return best.map(frame => ({ row: this.#methods.row(frame), line: frame.line })).reverse();
  }

  /** Metrics of which most counts are not known. */
  uncounted(): string[] {
    return this.#uncountedMetrics().map(({ id }) => id);
  }

  #uncountedMetrics(): Metric[] {
    return this.#columns.flatMap((column, i) => {
      const { all, not } = this.#counted[i]!;
      return column !== null && not > 0 && 2 * not >= all ? [column.metric] : [];
    });
  }

  profile(problems: ProblemList) {
    for (const metric of this.#uncountedMetrics()) this.#builder.metric({ ...metric, uncounted: true });
    sayLimits(this.#builder, problems);
    const losses = { truncatedStacks: this.#truncated, withoutStack: this.#withoutStack };
    return this.#builder.finish(this.#labels.windows(), losses);
  }
}

function isUncounted({ metric, countColumn, period }: Column, value: number): boolean {
  return isWeighted(metric) && countColumn < 0 && (period === 0 || period > value);
}

/** How many samples a value sums up. */
function countOf(column: Column, value: number, values: readonly number[]): number {
  if (column.metric.unit === 'samples' || column.metric.unit === 'invocations') return value;
  if (column.countColumn >= 0) return values[column.countColumn] ?? 0;
  if (value === 0) return 0;
  return column.period > 0 ? Math.max(1, Math.round(value / column.period)) : 1;
}
