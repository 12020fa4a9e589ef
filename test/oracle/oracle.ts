// Runs the Java oracles for tests: collapsed stacks and expected hints as computed without any of the project's own code.
import { spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { delimiter, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installedEngine } from '../support/engines/engines.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const here = join(root, 'test', 'oracle');
const cache = join(root, '.cache', 'oracle');
const OUTPUT_LIMIT = 1 << 28;

/** One sample recording: what ran, on which JDK. */
export type SampleRecording = {
  readonly name: string;
  /** Absolute path. */
  readonly path: string;
  readonly version: 'v1' | 'v2';
  readonly jdk: 17 | 25;
};

/** All recordings in samples/recordings, by name. */
export const sampleRecordings: readonly SampleRecording[] = globSync('samples/recordings/*.jfr', { cwd: root })
  .sort()
  .map(file => {
    const [, name, version, jdk] = /([^/\\]*-(v[12])-jdk(17|25)[^/\\]*)\.jfr$/.exec(file) ?? [];
    if (name === undefined) throw new Error(`${file}: the name does not tell version and JDK`);
    return { name, path: join(root, file), version: version === 'v1' ? 'v1' : 'v2', jdk: jdk === '17' ? 17 : 25 };
  });

/** The whole folder of one version of the sample program. `samples/shop/v2` holds only what differs from v1: the whole second version is made in the cache, once for each state of both. */
export function sampleFolder(version: 'v1' | 'v2'): string {
  const first = join(root, 'samples', 'shop', 'v1');
  if (version === 'v1') return first;
  const layers = [first, join(root, 'samples', 'shop', version)];
  const files = layers.flatMap(layer =>
    globSync('**/*', { cwd: layer, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name))
      .sort(),
  );
  const names = files.map(file => relative(root, file));
  const folder = join(root, '.cache', 'shop', `${version}-whole-${hashOf(names, files)}`);
  if (existsSync(folder)) return folder;
  const making = `${folder}.${randomUUID()}`;
  for (const layer of layers) cpSync(layer, making, { recursive: true });
  return settle(making, folder);
}

/** The source root of one version of the sample program. */
export function sampleSources(version: 'v1' | 'v2'): string {
  return join(sampleFolder(version), 'src', 'main', 'java');
}

/** A line that must carry a hint. */
export type ExpectedHint = {
  /** Path from the source root, with `/`. */
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  readonly kind: 'method' | 'lambda' | 'initializer' | 'call' | 'line';
  /** `Class.name(descriptor)` of the declaration that it is about or that calls; several when one block runs in several methods. */
  readonly method: string;
  readonly text: string;
  /** The share at its beginning, without anything else. */
  readonly share: string;
  /** How many others have no place beside it: the number in ` +2`. */
  readonly others: number;
  /** The part of all selected samples, as a fraction. */
  readonly heat: number;
  /** Samples behind it. */
  readonly count: number;
  /** Their weight in the event's unit; equals `count` for plain samples. */
  readonly weight: number;
  /** Weight of what the share is taken of. */
  readonly of: number;
  /** null without a baseline, and for what has none. */
  readonly change: ExpectedChange | null;
};

/** How a share moved; as in the server's own messages. */
export type ExpectedChange = {
  readonly baseline: number;
  readonly current: number;
  readonly angle: number;
  readonly colour: { readonly red: number; readonly green: number; readonly blue: number };
  readonly verdict: 'notTested';
  readonly text: string;
};

/** A file of the source root and the lines that must carry no hint, as inclusive, disjoint, ascending pairs. */
export type ExpectedFile = {
  readonly file: string;
  readonly lines: number;
  readonly empty: readonly (readonly [first: number, last: number])[];
};

export type ExpectedTotals = {
  readonly samples: number;
  /** Samples with a stack that was cut off and whose place is not certain; they are in no other number. */
  readonly truncated: number;
  readonly weight: number;
  /** Lines whose two heaviest hints weigh the same. */
  readonly ties: number;
  readonly hints: Readonly<Partial<Record<ExpectedHint['kind'], number>>>;
};

export type ExpectedHints = {
  readonly hints: readonly ExpectedHint[];
  readonly files: readonly ExpectedFile[];
  readonly totals: ExpectedTotals;
};

/** JAVA_HOME of a JDK: the fetched engine, else JAVA_HOME, else the one on the path, if it has that version. Throws when there is none. */
export function jdkHome(version: 17 | 25): string {
  const engine = installedEngine(version === 17 ? 'jdk17' : 'jdk25');
  if (engine !== undefined) return engine.home;
  const homes = [process.env.JAVA_HOME, ...(process.env.PATH ?? '').split(delimiter).map(folder => join(folder, '..'))];
  const home = homes.find(each => each && existsSync(join(each, 'bin', 'javac')) && versionOf(each) === version);
  if (home === undefined) throw new Error(`no JDK ${version}: fetch the engine jdk${version} or set JAVA_HOME`);
  return home;
}

/**
 * Collapsed stacks of a recording by the JDK's own reader, each chunk alone: lines `thread;[truncated];Class.method(descriptor):line;… count`,
 * sorted by code units, each ending in a line break. `weights` adds the sum of the event's weight: nanoseconds, bytes, or the count.
 */
export function jfrStacks(
  recording: string,
  events: readonly string[],
  options: { readonly weights?: boolean } = {},
): string {
  const args = [...(options.weights === true ? ['--weights'] : []), recording, ...events];
  return stacksBy(args, recording);
}

/** The stacks of each event by its type, with weights, by one run of the JDK's reader; events that were not recorded are absent. */
export function jfrStacksOfEach(recording: string, events: readonly string[]): Map<string, string> {
  const parts = stacksBy(['--each', recording, ...events], recording)
    .split(/^-- (.*)\n/m)
    .slice(1);
  return new Map(parts.flatMap((type, i) => (i % 2 === 0 ? [[type, parts[i + 1]!] as const] : [])));
}

function stacksBy(args: readonly string[], recording: string): string {
  const file = answerFile('JfrStacks', args, [recording]);
  if (!existsSync(file)) keep(runOracle('JfrStacks', args), file);
  return readFileSync(file, 'utf8');
}

/** One version of the sample as it was compiled and recorded. */
export type Recorded = {
  readonly version: 'v1' | 'v2';
  readonly jdk: 17 | 25;
  /** Paths. */
  readonly recordings: readonly string[];
};

/** The part of the data that is looked at, and the form of hints. */
export type Asked = Recorded & {
  /** Types of the events that count; execution samples when absent. */
  readonly events?: readonly string[];
  /** Patterns with `*` for names of threads with `#` for digits. */
  readonly threads?: readonly string[];
  /** `Class.method`, without a descriptor. */
  readonly focus?: string;
  /** `default`, `ascii`, `verbose`, or a template. */
  readonly format?: string;
  /** Most characters of a hint on every line; as by default when absent. */
  readonly longest?: number;
  /** `unknown` where no commit tells that the text on disk is what ran; `recorded` when absent. */
  readonly text?: 'recorded' | 'unknown';
  readonly before?: Recorded;
  /** `Class.method` of methods that had another name, or stood in another class: what they are, and what they were. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** `Class.name(descriptor)` of the method whose paths are wanted. */
  readonly root?: string;
  /** Tasks: regular expressions of `Class.method`, and names with `${group}`. */
  readonly tasks?: Readonly<Record<string, string>>;
};

/** A share and the counts behind it. */
export type ExpectedShare = {
  readonly count: number;
  readonly of: number;
  readonly weight: number;
  readonly share: number;
  readonly text: string;
};

/** A runtime method and its surroundings; methods of the Java platform have none. */
export type ExpectedMethod = {
  /** `Class.name(descriptor)`. */
  readonly method: string;
  /** Where it is declared; null and 0 without a source. */
  readonly file: string | null;
  readonly line: number;
  readonly total: ExpectedShare;
  /** Of everything, as `total`. */
  readonly self: ExpectedShare;
  readonly selfOfMethod: ExpectedShare;
  readonly callers: readonly ExpectedBeside[];
  readonly callees: readonly ExpectedBeside[];
  readonly threads: readonly {
    readonly group: string;
    readonly name: string;
    readonly virtual: boolean;
    readonly amount: ExpectedShare;
  }[];
  readonly change: ExpectedChange | null;
};

/** `line` is that of the call in the method, 0 for callers. */
export type ExpectedBeside = { readonly method: string; readonly line: number; readonly amount: ExpectedShare };

export type ExpectedNumbers = {
  /** By `Class.name(descriptor)`. */
  readonly methods: ReadonlyMap<string, ExpectedMethod>;
  /** Paths of one and two calls from the root of the question, nearest first; shares are of the root. */
  readonly paths: readonly {
    readonly path: readonly string[];
    readonly direction: 'incoming' | 'outgoing';
    readonly amount: ExpectedShare;
  }[];
  readonly tasks: readonly { readonly task: string; readonly amount: ExpectedShare }[];
  readonly samples: number;
};

/** The hints that docs/hints.md asks for, for each question. */
export function expectedHints(...asked: readonly Asked[]): ExpectedHints[] {
  return answersOf(asked, 'hints').map(lines => {
    const hints: ExpectedHint[] = [];
    const files: ExpectedFile[] = [];
    let totals: ExpectedTotals | null = null;
    for (const line of lines) {
      const row: ExpectedHint | ExpectedFile | ExpectedTotals = JSON.parse(line);
      if ('empty' in row) files.push(row);
      else if ('text' in row) hints.push(row);
      else totals = row;
    }
    if (totals === null) throw new Error('the oracle ended without its totals');
    return { hints, files, totals };
  });
}

/** Callers, callees, threads, changes, paths and tasks, for each question. */
export function expectedNumbers(...asked: readonly Asked[]): ExpectedNumbers[] {
  return answersOf(asked, 'numbers').map(lines => {
    const methods = new Map<string, ExpectedMethod>();
    const paths: ExpectedNumbers['paths'][number][] = [];
    const tasks: ExpectedNumbers['tasks'][number][] = [];
    let samples = -1;
    for (const line of lines) {
      const row: ExpectedMethod | (typeof paths)[number] | (typeof tasks)[number] | { samples: number } =
        JSON.parse(line);
      if ('method' in row) methods.set(row.method, row);
      else if ('path' in row) paths.push(row);
      else if ('task' in row) tasks.push(row);
      else samples = row.samples;
    }
    if (samples < 0) throw new Error('the oracle ended without its totals');
    return { methods, paths, tasks, samples };
  });
}

/** The lines of JSON that answer each question, by one run of the oracle for questions that were not asked before. */
function answersOf(asked: readonly Asked[], print: 'hints' | 'numbers'): string[][] {
  const questions = asked.map(each => {
    const args = [`print=${print}`, ...argsOf(each)];
    return { args, file: answerFile('ExpectedHints', args, [...each.recordings, ...(each.before?.recordings ?? [])]) };
  });
  const open = questions.filter(({ file }) => !existsSync(file));
  if (open.length > 0) {
    const output = runOracle(
      'ExpectedHints',
      open.flatMap(({ args }, i) => (i > 0 ? ['--', ...args] : args)),
    );
    for (const [i, answer] of output.split(/^--\n/m).entries()) keep(answer, open[i]!.file);
  }
  return questions.map(({ file }) => readFileSync(file, 'utf8').trim().split('\n'));
}

function argsOf(asked: Asked): string[] {
  const { events = [], threads = [], focus, format, longest, text, before, renamed = {}, root, tasks = {} } = asked;
  return [
    ...recordedArgs('', asked),
    ...(before === undefined ? [] : recordedArgs('before.', before)),
    ...events.map(event => `event=${event}`),
    ...threads.map(thread => `thread=${thread}`),
    ...(focus === undefined ? [] : [`focus=${focus}`]),
    ...(format === undefined ? [] : [`format=${format}`]),
    ...(longest === undefined ? [] : [`longest=${longest}`]),
    ...(text === undefined ? [] : [`text=${text}`]),
    ...(root === undefined ? [] : [`root=${root}`]),
    ...Object.entries(renamed).map(([now, then]) => `renamed=${now}:${then}`),
    ...Object.entries(tasks).map(([expression, name]) => `task=${expression}=>${name}`),
  ];
}

function recordedArgs(prefix: string, { version, jdk, recordings }: Recorded): string[] {
  return [
    `${prefix}classes=${compileSample(version, jdk)}`,
    `${prefix}sources=${sampleSources(version)}`,
    ...recordings.map(recording => `${prefix}recording=${recording}`),
  ];
}

/** Compiles a version of the sample with the JDK's own compiler, once for each state of the sources; the folder of classes. */
export function compileSample(version: 'v1' | 'v2', jdk: 17 | 25): string {
  const home = jdkHome(jdk);
  const from = sampleSources(version);
  const sources = globSync('**/*.java', { cwd: from })
    .sort()
    .map(file => join(from, file));
  const folder = join(root, '.cache', 'shop', `${version}-jdk${jdk}-${hashOf([releaseOf(home)], sources)}`);
  if (existsSync(folder)) return folder;
  const making = `${folder}.${randomUUID()}`;
  mkdirSync(making, { recursive: true });
  run(join(home, 'bin', 'javac'), ['-g', '-nowarn', '-encoding', 'UTF-8', '-d', making, ...sources]);
  return settle(making, folder);
}

/** The oracles' own sources. */
function oracleSources(): string[] {
  return globSync('*.java', { cwd: here })
    .sort()
    .map(file => join(here, file));
}

/** Where the answer to a question stands in the cache, for as long as nothing that the oracle reads has changed. */
function answerFile(program: string, args: readonly string[], inputs: readonly string[]): string {
  // Class folders are named by the hash of their sources, so that their names stand for what is in them.
  const named = args.map(arg => (inputs.some(input => arg.endsWith(input)) ? 'input' : arg));
  const hash = hashOf([releaseOf(jdkHome(25)), ...named], [...oracleSources(), ...inputs]);
  return join(cache, `${program}-${hash}.txt`);
}

function keep(answer: string, file: string): void {
  mkdirSync(cache, { recursive: true });
  const making = `${file}.${randomUUID()}`;
  writeFileSync(making, answer);
  settle(making, file);
}

/** Runs a program of this folder on JDK 25. */
function runOracle(program: string, args: readonly string[]): string {
  const home = jdkHome(25);
  // The JVM lives for a few seconds: its second compiler and threads that collect garbage cost more than they save.
  return run(join(home, 'bin', 'java'), [
    '-XX:TieredStopAtLevel=1',
    '-XX:+UseSerialGC',
    '-cp',
    compiledOracles(home),
    program,
    ...args,
  ]);
}

/** The classes of the oracles, compiled once for each state of their sources. */
function compiledOracles(home: string): string {
  const sources = oracleSources();
  const folder = join(cache, `classes-${hashOf([releaseOf(home)], sources)}`);
  if (existsSync(folder)) return folder;
  const making = `${folder}.${randomUUID()}`;
  mkdirSync(making, { recursive: true });
  run(join(home, 'bin', 'javac'), ['-nowarn', '-encoding', 'UTF-8', '-d', making, ...sources]);
  return settle(making, folder);
}

/** Gives a finished file or folder its name; another process may have been faster. */
function settle(making: string, name: string): string {
  try {
    renameSync(making, name);
  } catch (error) {
    if (!existsSync(name)) throw error;
  }
  return name;
}

function run(program: string, args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: OUTPUT_LIMIT });
  if (status !== 0) throw new Error(`${program} ${args[0]} failed: ${error?.message ?? stderr}`);
  return stdout;
}

function hashOf(texts: readonly string[], files: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(texts));
  for (const file of files) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 24);
}

function releaseOf(home: string): string {
  const file = join(home, 'release');
  return existsSync(file) ? readFileSync(file, 'utf8') : home;
}

function versionOf(home: string): number {
  return Number(/JAVA_VERSION="(\d+)/.exec(releaseOf(home))?.[1] ?? 0);
}
