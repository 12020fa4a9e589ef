// Reads collapsed stacks, one line a stack with how often it was seen, as flame graph tools and `insitu export` write them.
import { EMPTY_STACK_LINE, ProfileBuilder, ROOT_NODE } from '../../cct/builder.ts';
import type { Metric } from '../../cct/profile.ts';
import type { ByteSource } from '../byte-source.ts';
import { parseFrames } from '../frame-grammar.ts';
import { FrameCounts, MethodSink, TOO_LARGE } from '../frame-names.ts';
import type { Ingested, IngestOptions } from '../ingest.ts';
import { sayLimits } from '../limit-problems.ts';
import { ProblemList } from '../problem-list.ts';
import { ownCopy, readLines, startAsText } from '../text-lines.ts';
import { AllocatedClasses } from './allocated-classes.ts';
import {
  type Dialect,
  isStackLine,
  NO_STACK,
  parseLine,
  SNIFFED,
  splitStack,
  TRUNCATED,
  tellDialect,
  tidName,
  withWholeThread,
} from './dialect.ts';
import { SECOND_COLUMN, twoColumnsText } from './two-columns.ts';

/** Characters of frames that need not be taken apart again. */
const MAX_CACHED = 1 << 24;
/** A stack deeper than this is no stack. */
const MAX_DEPTH = 100_000;

/** Whether a file begins with collapsed stacks: most lines there end in a number and some have several frames or a class. */
export function isCollapsed(start: Uint8Array): boolean {
  const text = startAsText(start);
  if (text === null) return false;
  const lines = text.split('\n');
  // A stack that is longer than what is seen of the file.
  if (lines.length === 1 && text.length > 2000) return /^[^{<;]+(?:;[^;]+){4}/.test(text);
  if (tellDialect(lines).told === true) return true;
  const whole = lines.length > 1 ? lines.slice(0, -1) : lines;
  const written = whole.filter(line => line.trim() !== '' && !line.startsWith('#'));
  const stacks = written.filter(isStackLine).length;
  // A thread or function without a stack below it tells nothing alone.
  const open = written.filter(line => /^[^;\d\s]\S* \d+\s*$/.test(line) && !isStackLine(line)).length;
  return stacks > 0 && (stacks + open) * 2 > written.length;
}

/**
 * Reads a whole file. Values carry no unit, so each column of numbers is a metric that counts: `cpu`, and `weight` for a second
 * column. There are no times either: everything lies in one window of no length, when the file was written last.
 */
export async function readCollapsed(source: ByteSource, options: IngestOptions): Promise<Ingested> {
  const problems = new ProblemList(source.name);
  const atMillis = source.modifiedMillis ?? 0;
  const dialect = sniff(source);
  const fold = new CollapsedFold(options, dialect, await endsInClasses(source, options, dialect));
  let wrong = 0;
  await readLines(source, options, problems, (line, number) => {
    if (line.trim() === '') return true;
    if (fold.full) {
      problems.addPart(TOO_LARGE, `line ${number}`);
      return false;
    }
    if (!fold.add(line) && !line.startsWith('#')) {
      wrong++;
      problems.addPart('this is no collapsed stack with a number behind it', `line ${number}`);
    }
    return true;
  });
  if (fold.dialect.first === 'thread' && !fold.dialect.told)
    problems.add('info', "the first frame of each stack was taken for the thread's name");
  fold.names.say(problems);
  const columns = twoColumnsText(fold.metrics);
  if (columns !== null && fold.stacks > 0)
    problems.say('info', columns, undefined, `--metric ${SECOND_COLUMN} shows the second`);
  if (fold.stacks === 0) problems.add('error', 'no line of this file is a collapsed stack', undefined, REMEDY);
  else if (wrong > 0)
    problems.add('info', `${fold.stacks} stacks were read, ${wrong === 1 ? '1 line was' : `${wrong} lines were`} not`);
  return {
    profile: fold.stacks === 0 ? null : fold.profile(atMillis, problems),
    format: 'collapsed',
    startMillis: atMillis,
    endMillis: atMillis,
    recorder: 'collapsed stacks',
    debugNonSafepoints: null,
    problems: problems.list(),
  };
}

/** Whether the last frame of every stack in the file is an allocated class. */
async function endsInClasses(source: ByteSource, { signal }: IngestOptions, dialect: Dialect): Promise<boolean> {
  const classes = new AllocatedClasses();
  const options = signal === undefined ? {} : { signal };
  await readLines(source, options, new ProblemList(source.name), line => {
    const parsed = parseLine(line, dialect.columns);
    return parsed === null || classes.note(splitStack(parsed.stack));
  });
  return classes.found;
}

const REMEDY = 'each line must be frames parted by ";", a space and a number';

function sniff(source: ByteSource): Dialect {
  const start = new Uint8Array(Math.min(SNIFFED, source.size));
  const filled = source.read(0, start);
  const lines = (startAsText(start.subarray(0, filled)) ?? '').split(/\r?\n/);
  return tellDialect(lines.length > 1 && source.size > filled ? lines.slice(0, -1) : lines);
}

type Frame = { readonly method: number; readonly line: number };

class CollapsedFold {
  readonly dialect: Dialect;
  readonly #builder: ProfileBuilder;
  readonly #methods: MethodSink;
  readonly #frames = new Map<string, readonly Frame[]>();
  #cached = 0;
  readonly #threads = new Map<string, number>();
  /** A metric for each column of numbers. */
  readonly metrics: readonly Metric[];
  readonly #metrics: readonly number[];
  #truncated = 0;
  #withoutStack = 0;
  stacks = 0;
  readonly names = new FrameCounts('different frames');
  readonly #allocations: boolean;

  /** `allocations`: the last frame of each stack is an allocated class, no method. */
  constructor(options: IngestOptions, dialect: Dialect, allocations: boolean) {
    this.dialect = dialect;
    this.#allocations = allocations;
    this.#builder = new ProfileBuilder(options.names);
    this.#methods = new MethodSink(this.#builder, options.names);
    const first = allocations ? 'alloc' : 'cpu';
    const ids = dialect.columns === 2 ? [first, SECOND_COLUMN] : [first];
    this.metrics = ids.map(id => ({ id, unit: 'samples', kind: 'sampled', events: [], periodNanos: 0 }));
    this.#metrics = this.metrics.map(metric => this.#builder.metric(metric));
  }

  get full(): boolean {
    return this.#methods.full;
  }

  /** Adds a line; false when it is none. */
  add(text: string): boolean {
    const parsed = parseLine(text, this.dialect.columns);
    if (parsed === null) return false;
    const all = splitStack(parsed.stack);
    if (this.#allocations) all.pop();
    const frames = this.dialect.first === 'thread' ? withWholeThread(all) : all;
    if (frames.length > MAX_DEPTH) return false;
    const thread = this.#thread(frames);
    let from = this.#threadIsFirst(frames) ? 1 : 0;
    let node = ROOT_NODE;
    let line = EMPTY_STACK_LINE;
    const count = parsed.values[0]!;
    if (frames[from] === TRUNCATED) {
      node = this.#builder.partialRoot();
      this.#truncated += count;
      from++;
    } else if (frames[from] === NO_STACK && frames.length === from + 1) {
      line = 0;
      this.#withoutStack += count;
      from++;
    }
    let callLine = 0;
    for (let i = from; i < frames.length; i++) {
      if (frames[i] === '') continue;
      for (const frame of this.#framesIn(frames[i]!)) {
        node = this.#builder.child(node, frame.method, callLine);
        callLine = frame.line;
        line = frame.line;
      }
    }
    this.#metrics.forEach((metric, column) => {
      const value = parsed.values[column]!;
      if (value > 0) this.#builder.add(metric, node, thread, line, 0, value);
    });
    this.stacks++;
    return true;
  }

  #threadIsFirst(frames: readonly string[]): boolean {
    if (this.dialect.first === 'tid') return frames[0] !== undefined && tidName(frames[0]) !== null;
    return this.dialect.first === 'thread';
  }

  #thread(frames: readonly string[]): number {
    const first = this.#threadIsFirst(frames) ? (frames[0] ?? '') : '';
    let row = this.#threads.get(first);
    if (row === undefined) {
      const text = this.#methods.keep(first);
      const name = this.dialect.first === 'tid' ? tidName(text) : text;
      row = this.#builder.threads.thread('', name || '-', false);
      this.#threads.set(text, row);
    }
    return row;
  }

  /** The frames in one name, the caller first. */
  #framesIn(text: string): readonly Frame[] {
    const known = this.#frames.get(text);
    if (known !== undefined) return known;
    const parsed = parseFrames(text);
    this.names.note(parsed, text);
    const frames = parsed.map(each => ({ method: this.#methods.row(each), line: each.line }));
    this.#cached += text.length;
    if (this.#cached > MAX_CACHED) {
      this.#frames.clear();
      this.#cached = 0;
    }
    this.#frames.set(ownCopy(text), frames);
    return frames;
  }

  profile(atMillis: number, problems: ProblemList) {
    sayLimits(this.#builder, problems);
    const losses = { truncatedStacks: this.#truncated, withoutStack: this.#withoutStack };
    return this.#builder.finish([{ startMillis: atMillis, endMillis: atMillis }], losses);
  }
}
