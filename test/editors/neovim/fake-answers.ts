// Answers to insitu's own questions for a small shop, in the shapes of the protocol; A.java and B.java are the sources it has.
import type {
  CallHierarchyRow,
  Choices,
  EditorAnswers,
  EditorChange,
  EditorMethod,
  JvmsMessage,
  PictureAddress,
  Share,
  SlowerCallers,
  Verdict,
} from '../../../server/lsp/protocol.ts';
import { fakeOrigin } from '../../support/protocol/fake-origin.ts';
import type { FakeAnswers } from './fake-session.ts';

const samples = 226;

const OBJECTS: EditorAnswers['why']['objects'] = [
  {
    ...{ metric: 'lock', title: 'Monitors waited for, by class', amount: '1.2 s', weight: 1.2e9, count: 12 },
    ...{ total: 2, leftOut: 1 },
    rows: [
      {
        ...{ className: 'java.util.Hashtable', text: 'java.util.Hashtable · 1 s · last had by worker-# (80 %)' },
        ...{ share: '83 %', amount: '1 s', weight: 1e9, count: 10 },
        hadBefore: [{ thread: 'worker-#', weight: 8e8 }],
      },
    ],
  },
];

/** A share of 226 samples. */
export function share(part: number): Share {
  const count = Math.round(part * samples);
  return { share: part, count, of: samples, weight: count, text: `${Math.round(part * 100)}%`, interval: null };
}

/** Method time, self time and own time of the same whole. */
function times(total: number, ofMethod: number): Pick<EditorAnswers['top']['rows'][number], 'total' | 'self' | 'own'> {
  return { total: share(total), self: share(total * ofMethod), own: share(total * ofMethod) };
}

const origin = fakeOrigin({ samples, baseline: 'shop 1.3' });

function listed<Row>(rows: readonly Row[]) {
  return { origin, total: rows.length, leftOut: 0, rows };
}

/** A method of class `Shop` in a file of `folder`, or of the library without a source. */
export function method(folder: string, name: string, place: { file: string; line: number } | null): EditorMethod {
  const start = { line: (place?.line ?? 1) - 1, character: 7 };
  return {
    ...{ key: `Shop.${name}`, id: name },
    className: place === null ? 'java.util.HashMap' : 'com.acme.Shop',
    name,
    ...{ descriptor: null, place: place && { ...place, column: 8, certain: name !== 'unsure' } },
    label: place === null ? `HashMap.${name}(Object)` : `Shop.${name}(String)`,
    location:
      place === null
        ? null
        : { uri: `file://${folder}/${place.file}`, range: { start, end: { ...start, character: 9 } } },
    certain: name !== 'unsure',
  };
}

export function change(baseline: number, current: number, angle: number, verdict: Verdict): EditorChange {
  const strength = Math.round((Math.abs(angle) * 255) / 90);
  const colour = { red: angle < 0 ? strength : 0, green: angle > 0 ? strength : 0, blue: 255 - strength };
  const points = Math.round((current - baseline) * 100);
  const arrow = verdict === 'slower' ? '↗ ' : verdict === 'faster' ? '↘ ' : '';
  return { baseline, current, angle, colour, verdict, text: `${arrow}${points > 0 ? '+' : ''}${points}` };
}

const status = (text: string, more: object) => ({
  sources: [{ state: 'ready', problems: [], text, focus: [], baseline: null, ...more }],
  text,
});

const jvm = { javaVersion: '', refusal: null, recorded: false };

/** One that can be recorded, and an older one that cannot. */
const shopJvms: JvmsMessage = [
  { ...jvm, pid: 4712, name: 'Other', arguments: '', sinceMillis: 1_700_000_000_000, refusal: 'it is starting' },
  {
    ...jvm,
    pid: 4711,
    name: 'com.acme.Shop',
    arguments: `--port 80 ${'x'.repeat(99)}`,
    sinceMillis: 1_700_000_060_000,
  },
];

/** Two versions, two metrics, three threads in two groups, and two windows of a minute. */
const shopChoices: Choices = {
  project: 'shop',
  executions: ['1.4', '1.3'].map((version, index) => ({
    program: 'shop',
    version,
    instance: `web-${index}`,
    project: 'shop',
    from: new Date(1_700_000_000_000 + index * 3_600_000).toISOString(),
    to: new Date(1_700_000_600_000 + index * 3_600_000).toISOString(),
    snapshots: index + 1,
    bytes: 1000,
    shown: index === 0,
  })),
  metrics: [
    { id: 'cpu', unit: 'samples', shown: true },
    { id: 'alloc', unit: 'bytes', shown: false },
  ],
  threads: [
    { group: 'http', name: 'http-1', share: 0.7 },
    { group: 'http', name: 'http-2', share: 0.1 },
    { group: 'batch', name: 'batch-1', share: 0.2 },
  ],
  windows: [0, 60_000].map(from => ({ from: 1_700_000_000_000 + from, to: 1_700_000_060_000 + from })),
  tags: {},
};

function slowerOf(take: EditorMethod, get: EditorMethod): SlowerCallers {
  return {
    method: 'Shop.search',
    rows: [
      { method: take, text: '≈ +120 ms of 1.2 s', change: 120e6, measured: 1.2e9 },
      { method: get, text: '≈ +9 ms of 40 ms', change: 9e6, measured: 40e6 },
    ],
  };
}

function pathOf(search: EditorMethod, take: EditorMethod, get: EditorMethod): EditorAnswers['heaviestPath'] {
  return listed([
    { method: search, ofAll: share(0.62), self: share(0.04), line: 0 },
    { method: take, ofAll: share(0.4), self: share(0), line: 2 },
    { method: get, ofAll: share(0.3), self: share(0.25), line: 3 },
  ]);
}

/** One bucket with samples, and one whose samples all belong to the first. */
function aspects(): EditorAnswers['aspects'] {
  const bucket = (part: number, query: string) => ({
    ...{ share: share(part), amount: '1 s', overTime: [], threads: null, query },
  });
  const row = { value: '*', all: share(0.3), methods: 1, unmatched: [], note: null, alsoIn: [] };
  const types = [{ type: ':RUN', words: 'running', text: '75%', share: 0.75 }];
  return {
    ...listed([
      {
        ...{ ...row, ...bucket(0.3, '..logging'), name: 'logging' },
        ...{ alsoIn: [{ name: 'json', share: share(0.04) }], threads: { amount: '90 s', share: 1, types } },
      },
      {
        ...{ ...row, ...bucket(0, '..json and not ..logging'), name: 'json' },
        note: 'all of its samples belong to earlier aspects',
      },
    ]),
    ...{ counted: share(1), several: share(0.04), rest: bucket(0.7, 'not ..logging'), spans: [], example: [] },
    problems: [{ severity: 'error', text: 'aspects[2].value: a mistake' }],
  };
}

function overviewOf(search: EditorMethod, take: EditorMethod, get: EditorMethod): EditorAnswers['overview'] {
  const part = { metric: 'alloc', amount: '2 GiB', rate: '4 MiB a second' };
  return {
    ...listed([{ method: search, own: share(0.62), total: share(0.7), change: null, overTime: [] }]),
    sentence: '62 % of CPU is Shop.search.',
    spans: [],
    waiting: {
      amount: '90 s',
      types: [],
      classes: [],
      rows: [
        {
          ...{ words: 'waiting for a monitor', type: ':MONITOR', method: take, share: share(0.12), amount: '11 s' },
          ...{ atLeast: true, threads: 'http-#', holder: 'writer' },
        },
      ],
      aside: { amount: '5 s', threads: ['GC'] },
    },
    waits: [],
    allocation: { ...part, rows: [{ method: get, share: share(0.3), amount: '600 MiB' }] },
    exceptions: null,
    collections: {
      ...{ amount: '1.2 s', share: 0.02, text: '2.0 %', count: 60, mean: '20 ms' },
      kinds: [{ kind: 'G1New, G1 Evacuation Pause', amount: '1.2 s', count: 60 }],
    },
    processors: null,
    changes: {
      version: '1.3',
      shown: '1.3',
      text: 'slower',
      findings: [{ text: 'slower: Shop.search: +22', verdict: 'slower' }],
    },
    missing: [{ text: '1 JVM', remedy: 'record more', line: null }],
  };
}

/** Callers two calls deep, one that is only written, none, and two methods of one name. */
function treeAnswers(
  folder: string,
  { search, take, unsure, get }: Readonly<Record<'search' | 'take' | 'unsure' | 'get', EditorMethod>>,
): FakeAnswers[string] {
  const row = (method: EditorMethod, part: number | null): CallHierarchyRow => {
    const { className, name, descriptor, label, location, certain } = method;
    const { uri, range: selectionRange } = location ?? search.location!;
    const data = { uri, direction: 'callers', path: [[{ className, name, descriptor }]], seen: true } as const;
    return {
      label,
      kind: 'method',
      methods: [{ className, name, descriptor }],
      share: part === null ? null : share(part),
      written: part === null,
      detail: part === null ? 'not seen running' : `${Math.round(part * 100)} %`,
      location,
      certain,
      fromRanges: [],
      item: { uri, selectionRange, data },
      rows: null,
    };
  };
  const written = { ...method(folder, 'log', null), label: 'Log.log' };
  const direction = 'incoming';
  const start = (rows: readonly CallHierarchyRow[]) => ({ direction, rows: [{ ...row(search, 0.62), rows }] });
  const both = [row(take, 0.7), row(get, 0.2), row(written, null)];
  return [
    { answer: start(both) },
    { name: 'search', answer: start(both) },
    { name: 'take', answer: { direction, rows: [row(unsure, 1)] } },
    { name: 'unsure', answer: { direction, rows: [row(take, 0.03)] } },
    { name: 'get', answer: { direction, rows: [] } },
    { name: 'log', answer: { direction, rows: [] } },
    { name: 'alone', answer: start([]) },
    {
      name: 'both',
      answer: {
        direction,
        rows: [
          { ...row(take, 0.7), rows: [row(get, 0.2)] },
          { ...row(unsure, 0.1), rows: [] },
        ],
      },
    },
  ];
}

function threadsOf(subject: EditorMethod): EditorAnswers['threads'] {
  const row = (name: string, group: string, names: number, part: number) => ({
    ...{ name, group, names, share: share(part), ofItsTime: share(part), threads: [] },
  });
  return {
    ...listed([
      row('http-#', 'http', 2, 0.5),
      row('https', 'http', 1, 0.25),
      row('unnamed virtual threads', '', 1, 0.25),
    ]),
    ...{ subject, subjectText: subject.label, ofAll: share(0.62) },
  };
}

const tasks: EditorAnswers['tasks'] = {
  ...listed([
    { name: 'checkout', definition: 'com.acme.Shop#take', share: share(0.7) },
    { name: 'search all', definition: 'com.acme.Shop#search', share: share(0.62) },
  ]),
  problems: [],
};

/** Everything that the words of :Insitu ask for. */
export function shopAnswers(folder: string): FakeAnswers {
  const search = method(folder, 'search', { file: 'A.java', line: 2 });
  const take = method(folder, 'take', { file: 'B.java', line: 3 });
  const unsure = method(folder, 'unsure', { file: 'B.java', line: 4 });
  const get = method(folder, 'get', null);
  const callHierarchy = treeAnswers(folder, { search, take, unsure, get });
  const methods: EditorAnswers['top'] = {
    ...listed([
      { method: search, isPlatform: false, ...times(0.62, 0.04), change: null, times: null },
      { method: get, isPlatform: true, ...times(0.3, 1), change: change(0.2, 0.3, -45, 'slower'), times: null },
      { method: unsure, isPlatform: false, ...times(0.05, 0), change: null, times: null },
    ]),
    ...{ platform: null, unknown: null, withoutOwn: null, withoutOwnThreads: [], fromOutside: null, vanished: [] },
  };
  const moved: EditorAnswers['moved'] = {
    ...listed([
      { method: search, vanished: false, ...times(0.62, 0.04), change: change(0.4, 0.62, -49, 'slower') },
      { method: get, vanished: false, ...times(0.2, 1), change: change(0.4, 0.2, 90, 'faster') },
      { method: take, vanished: false, ...times(0.21, 0), change: change(0.2, 0.21, -4, 'notTested') },
    ]),
    ...{ problems: [], unmoved: 0 },
  };
  const why: EditorAnswers['why'] = {
    origin,
    verdict: 'below',
    subject: 'Shop.search(String)',
    ...{ methods: [search.key], recordedAs: '', state: null, stateText: '', claims: '' },
    ...{ ofAll: share(0.62), self: share(0.04) },
    explanation: `${'It was seen in fewer samples than a hint needs. '.repeat(3)}`.trim(),
    remedy: 'The command insitu.clearFocus shows everything.',
    nearest: ['com.acme.Shop#searchAll'],
    calledBy: [{ method: take, ofItsTime: share(1) }],
    spentIn: [
      { method: get, ofItsTime: share(0.5) },
      { method: search, ofItsTime: share(0.05) },
    ],
    objects: OBJECTS,
  };
  const one = (answer: unknown) => [{ answer }];
  return {
    callHierarchy,
    threads: one(threadsOf(search)),
    top: one(methods),
    heaviestPath: one(pathOf(search, take, get)),
    slowerCallers: one(slowerOf(take, get)),
    aspects: one(aspects()),
    overview: one(overviewOf(search, take, get)),
    viewAddress: one({ address: 'http://127.0.0.1:41503/#code=1', ssh: null } satisfies PictureAddress),
    moved: one(moved),
    compare: one(comparison(search)),
    comparedSource: one(bothSources(search)),
    why: one(why),
    tasks: one(tasks),
    choices: one(shopChoices),
    status: one(status('shop 1.4 · cpu', { project: 'shop', program: 'shop' })),
    select: one(status('shop 1.3 · alloc', {})),
    focus: one(status('shop 1.4 · cpu of Shop.search', { focus: ['Shop.search'] })),
    clearFocus: one(status('shop 1.4 · cpu', {})),
    compareWith: one(status('shop 1.4 · cpu against 1.3', { baseline: '1.3' })),
    jvms: one(shopJvms),
    record: one({ recording: { text: 'JVM 4711 (com.acme.Shop) is recorded as shop 1.4' }, problems: [] }),
    stopRecording: one({ stopped: 1, problems: ['the store is full'] }),
    importRecording: one({
      imported: 2,
      program: 'shop',
      version: '1.5',
      problems: ['bad.jfr: not a recording (record anew)'],
    }),
  };
}

/** One thing got slower. */
function comparison(method: EditorMethod) {
  const names = { className: 'com.acme.Shop', method: 'search', descriptor: '(Ljava/lang/String;)V' };
  const commit = { hash: 'de3214dbf3b0c9a88b8a4c1a9e1d0c9b7a6f5e4d', author: '', dateMillis: 0, subject: 'Sort twice' };
  const sentence = 'slower: Shop.search, changed in de3214d: +22 (40% → 62%)';
  return {
    origin: { ...fakeOrigin(), baseline: 'shop 1.3' },
    ...{ jvms: { before: 8, now: 9 }, tested: { methods: 40, contexts: 90 }, sentence },
    reports: [
      {
        ...{ verdict: 'slower', text: 'Shop.search, changed in de3214d', sentence, method, cause: 'changed' },
        ...{ before: 0.4, now: 0.62, change: 0.22 },
        ...{ context: { ...names, state: 'kept', above: [] }, source: null, commit },
        methods: [{ ...names, before: 0.4, now: 0.62, change: 0.22, margin: 0.03, p: 0.001, source: null }],
      },
    ],
  };
}

function bothSources({ id }: EditorMethod): EditorAnswers['comparedSource'] {
  const side = (version: string, ...lines: readonly string[]) => ({
    ...{ missing: null, file: 'A.java', version, firstLine: 2, lines },
  });
  return {
    ...{ origin: { ...fakeOrigin(), baseline: 'shop 1.3' }, id },
    before: side('1.3', 'void search(String text) {', '  sort(text);', '}'),
    now: side('1.4', 'void search(String text) {', '  sort(text);', '  sort(text);', '}'),
    pairs: [],
  };
}
