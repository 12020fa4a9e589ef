// The header of a snapshot file: everything small, packed as MessagePack without extensions.
// Without the streams and the compiled accelerator that the main entry looks for at every start.
import { Packr } from 'msgpackr/pack';
import type { Problem } from '../base/problem.ts';
import { jvmsOf } from '../cct/jvms.ts';
import { compareWindows, type Losses, type Metric, type TimeWindow } from '../cct/profile.ts';
import { chunksIn } from './chunks.ts';
import { circumstancesIn } from './circumstances.ts';
import { Field } from './field.ts';
import { MAX_HEADER_BYTES, MOST_MEMORY_BYTES, MOST_ROWS, PREAMBLE_BYTES, type Section, VERSION } from './format.ts';
import { checkPlainMessage } from './plain-message.ts';
import { isKnownSection, isRequiredSection } from './sections.ts';
import type { SnapshotHeader } from './snapshot.ts';
import { MOST_SOURCE_BYTES, SOURCES } from './source-section.ts';
import { TIMES } from './times-section.ts';

/** Sums over the cells of one metric. `incomplete…` is the part in stacks that were cut off at the root end. */
export type MetricTotals = {
  readonly count: number;
  readonly weight: number;
  readonly incompleteCount: number;
  readonly incompleteWeight: number;
};

/** How one metric's cells are stored. */
type CellStorage = { readonly cells: number; readonly weighted: boolean };

/** Rows of each table. */
type TableSizes = {
  readonly nodes: number;
  readonly methods: number;
  readonly strings: number;
  readonly threads: number;
};

/** Everything in a file's header. */
export type FileHeader = {
  readonly snapshot: SnapshotHeader;
  readonly windows: readonly TimeWindow[];
  readonly metrics: readonly Metric[];
  readonly totals: readonly MetricTotals[];
  readonly losses: Losses;
  readonly sizes: TableSizes;
  readonly storage: readonly CellStorage[];
  readonly sections: readonly Section[];
};

// Records would make the bytes depend on what was packed before, and their reader trusts lengths.
const packr = new Packr({ useRecords: false, moreTypes: false, structuredClone: false });

/** The header's bytes. */
export function packHeader(header: FileHeader): Uint8Array {
  const { snapshot, windows, metrics, totals, losses, sizes, storage, sections } = header;
  const jvms = jvmsOf(windows);
  return packr.pack({
    execution: { ...snapshot.execution },
    startMillis: snapshot.startMillis,
    endMillis: snapshot.endMillis,
    recorder: snapshot.recorder,
    debugNonSafepoints: snapshot.debugNonSafepoints,
    problems: snapshot.problems.map(problem => JSON.parse(JSON.stringify(problem))),
    replaces: [...snapshot.replaces],
    ...(snapshot.madeOf === undefined ? {} : { madeOf: [...snapshot.madeOf] }),
    ...(snapshot.chunks === undefined
      ? {}
      : { chunks: snapshot.chunks.map(({ identity, bytes }) => [identity, bytes]) }),
    ...(snapshot.provisional === true ? { provisional: true } : {}),
    ...(snapshot.processors === undefined ? {} : { processors: snapshot.processors }),
    ...(snapshot.priorities === undefined ? {} : { priorities: snapshot.priorities }),
    ...(snapshot.benchmark === undefined ? {} : { benchmark: snapshot.benchmark }),
    ...(snapshot.fork === undefined ? {} : { fork: snapshot.fork }),
    ...(jvms.length === 0 ? {} : { jvms: [...jvms] }),
    windows: windows.map(({ startMillis, endMillis, jvm }) => [
      startMillis,
      endMillis,
      ...(jvm === undefined ? [] : [jvms.indexOf(jvm)]),
    ]),
    metrics: metrics.map((metric, i) => ({ ...metric, ...storage[i]!, ...totals[i]! })),
    losses: { ...losses },
    sizes: { ...sizes },
    sections: sections.map(({ required, ...section }) => ({ ...section, ...(required ? {} : { optional: true }) })),
  });
}

/**
 * Reads what packHeader wrote; throws FormatFlaw. Bounds of tables and sections are checked against each other.
 * @param fileBytes size of the whole file, or null when only its beginning is at hand
 * @param version of the format that the file has
 */
export function unpackHeader(bytes: Uint8Array, fileBytes: number | null, version = VERSION): FileHeader {
  if (bytes.length > MAX_HEADER_BYTES) new Field(null, 'header').fail('is too large');
  checkPlainMessage(bytes);
  const root = new Field(packr.unpack(bytes), 'header');
  const metrics = root.at('metrics').items();
  const sizes = root.at('sizes');
  const header: FileHeader = {
    snapshot: snapshotHeader(root),
    windows: windowsOf(root),
    metrics: metrics.map(metricOf),
    totals: metrics.map(metric => ({
      count: metric.at('count').number(0),
      weight: metric.at('weight').number(0),
      incompleteCount: metric.at('incompleteCount').number(0),
      incompleteWeight: metric.at('incompleteWeight').number(0),
    })),
    losses: {
      truncatedStacks: root.at('losses').at('truncatedStacks').number(0),
      withoutStack: root.at('losses').at('withoutStack').number(0),
      lostSamples: root.at('losses').at('lostSamples').number(0),
    },
    sizes: {
      nodes: sizes.at('nodes').whole(1, MOST_ROWS),
      methods: sizes.at('methods').whole(2, MOST_ROWS),
      strings: sizes.at('strings').whole(0, MOST_ROWS),
      threads: sizes.at('threads').whole(0, MOST_ROWS),
    },
    storage: metrics.map(metric => ({
      cells: metric.at('cells').whole(0, MOST_ROWS),
      weighted: metric.at('weighted').flag(),
    })),
    sections: sectionsOf(root.at('sections'), version),
  };
  if (fileBytes !== null) checkSizes(header, bytes.length, fileBytes, root);
  return header;
}

function snapshotHeader(root: Field): SnapshotHeader {
  const execution = root.at('execution');
  return {
    execution: {
      project: execution.at('project').text(),
      program: execution.at('program').text(),
      version: execution.at('version').text(),
      instance: execution.at('instance').text(),
    },
    startMillis: root.at('startMillis').moment(),
    endMillis: root.at('endMillis').moment(),
    recorder: root.at('recorder').text(),
    debugNonSafepoints: root.at('debugNonSafepoints').flagOrNull(),
    problems: root.at('problems').items().map(problemOf),
    replaces: textsOf(root.at('replaces')),
    ...(root.at('madeOf').isAbsent ? {} : { madeOf: textsOf(root.at('madeOf')) }),
    ...(root.at('chunks').isAbsent ? {} : { chunks: chunksIn(root.at('chunks')) }),
    ...(root.at('provisional').optionalFlag() === true ? { provisional: true as const } : {}),
    ...circumstancesIn(root),
  };
}

function textsOf(field: Field): string[] {
  return field.items().map(item => item.text());
}

function problemOf(field: Field): Problem {
  const optional = (name: 'file' | 'place' | 'remedy') => {
    const text = field.at(name).optionalText();
    return text === undefined ? {} : { [name]: text };
  };
  return {
    severity: field.at('severity').oneOf(['error', 'warning', 'info']),
    message: field.at('message').text(),
    ...optional('file'),
    ...optional('place'),
    ...optional('remedy'),
  };
}

/** Windows name their JVM by its place in the header's list; the list and the place are absent where it is not known. */
function windowsOf(root: Field): TimeWindow[] {
  const listed = root.at('jvms');
  const jvms = listed.isAbsent ? [] : textsOf(listed);
  if (jvms.includes('')) listed.fail('holds an empty name');
  let before: TimeWindow | null = null;
  return root
    .at('windows')
    .items()
    .map(item => {
      const fields = item.items();
      if (fields.length !== 2 && fields.length !== 3) item.fail('is no pair of times, with or without a JVM');
      const times = { startMillis: fields[0]!.moment(), endMillis: fields[1]!.moment() };
      const jvm = fields[2] === undefined ? {} : { jvm: jvms[fields[2].whole(0, jvms.length - 1)]! };
      const window: TimeWindow = { ...times, ...jvm };
      if (window.endMillis < window.startMillis) item.fail('ends before it starts');
      if (before !== null && compareWindows(before, window) >= 0) item.fail('is not in order');
      before = window;
      return window;
    });
}

function metricOf(field: Field): Metric {
  const [thresholdNanos, rateLimit] = [field.at('thresholdNanos'), field.at('rateLimit')];
  return {
    id: field.at('id').text(),
    unit: field.at('unit').oneOf(['samples', 'nanoseconds', 'bytes', 'invocations']),
    kind: field.at('kind').oneOf(['sampled', 'measured', 'exact']),
    events: textsOf(field.at('events')),
    periodNanos: field.at('periodNanos').number(0),
    ...(thresholdNanos.isAbsent ? {} : { thresholdNanos: thresholdNanos.number(0) }),
    ...(rateLimit.isAbsent ? {} : { rateLimit: rateLimit.number(0) }),
    ...(!field.at('uncounted').isAbsent && { uncounted: true }),
    ...(!field.at('estimated').isAbsent && { estimated: true }),
  };
}

function sectionsOf(field: Field, version: number): Section[] {
  const names = new Set<string>();
  return field.items().map(item => {
    const section = sectionOf(item, version);
    if (names.has(section.name)) item.fail('has the name of another section');
    names.add(section.name);
    return section;
  });
}

function sectionOf(field: Field, version: number): Section {
  const name = field.at('name').text();
  return {
    name,
    packed: field.at('packed').whole(0, MOST_ROWS),
    unpacked: field.at('unpacked').whole(0, MOST_ROWS),
    // Readers of version 1 skipped whatever they did not know.
    required:
      version === 1 ? isKnownSection(name) && isRequiredSection(name) : field.at('optional').optionalFlag() !== true,
    checksum: field.at('checksum').whole(0, 2 ** 32 - 1),
  };
}

/**
 * Bytes that the columns take in memory: six of 4 bytes a node, and while it is read three numbers for each level of the open path, twice
 * while that grows, of which a chain has one a node; four of 4 and up to three of 8 a cell.
 */
const NODE_BYTES = 48;
const CELL_BYTES = 40;
/** Bytes that the columns of *times* take for one byte of the section: 52 for a row of at least 8, 12 for a bucket of at least 2. */
const TIMES_FACTOR = 7;
/** Bytes of the largest varint, as of a double. */
const LONGEST_VARINT = 8;

/** Bytes of a section that do not grow with its rows: what kinds of numbers follow, how many exceptions there are. */
const SECTION_SLACK = 64;

/** Sections with their rows, and how many bytes a row takes at least and at most: checked before memory is taken for either. */
function rowsOfSections({ sizes, storage }: FileHeader): [name: string, rows: number, least: number, most: number][] {
  return [
    ['strings', sizes.strings, 1, MOST_ROWS],
    ['methods', sizes.methods - 2, 4, 4 * LONGEST_VARINT],
    ['threads', sizes.threads, 4, MOST_ROWS],
    ['steps', sizes.nodes - 1, 1, 5],
    ['ranks', sizes.nodes - 1, 1, 5],
    ...storage.map(({ cells }, i): [string, number, number, number] => [`cells.${i}`, cells, 5, 8 * LONGEST_VARINT]),
  ];
}

function checkSizes(header: FileHeader, headerBytes: number, fileBytes: number, root: Field): void {
  const { sizes, storage, sections } = header;
  const packed = sections.reduce((sum, section) => sum + section.packed, PREAMBLE_BYTES + headerBytes);
  if (packed !== fileBytes) {
    root.at('sections').fail(`needs ${packed} bytes, the file has ${fileBytes}: it was cut or something was added`);
  }
  for (const [name, rows, least, most] of rowsOfSections(header)) {
    const bytes = sections.find(section => section.name === name)?.unpacked ?? 0;
    const fits = bytes >= rows * least && bytes <= SECTION_SLACK + rows * most;
    if (!fits) root.at('sizes').fail(`section ${name} claims ${bytes} bytes for ${rows} rows`);
  }
  const sources = sections.find(({ name }) => name === SOURCES)?.unpacked ?? 0;
  if (sources > MOST_SOURCE_BYTES) root.at('sections').fail(`section ${SOURCES} claims ${sources} bytes`);
  // A section that is skipped takes no memory.
  const unpacked = sections.reduce((sum, { name, unpacked }) => sum + (isKnownSection(name) ? unpacked : 0), 0);
  const columns = sizes.nodes * NODE_BYTES + storage.reduce((sum, each) => sum + each.cells * CELL_BYTES, 0);
  const tables = (sizes.methods + sizes.strings + sizes.threads) * 16;
  const times = (sections.find(({ name }) => name === TIMES)?.unpacked ?? 0) * TIMES_FACTOR;
  const mebibytes = Math.ceil((unpacked + columns + tables + times) / 2 ** 20);
  if (unpacked + columns + tables + times > MOST_MEMORY_BYTES) {
    root.at('sizes').fail(`it takes ${mebibytes} MiB in memory, more than ${MOST_MEMORY_BYTES / 2 ** 20}`);
  }
}
