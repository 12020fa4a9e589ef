// Tests the texts of VS Code's views, status bar, choices, links and pictures, from answers as the server gives them.
import type {
  CallHierarchyRow,
  Choices,
  EditorMethod,
  HintData,
  JvmMessage,
  RecordingMessage,
  Share,
  SourceStatus,
  Status,
} from 'insitu/protocol';
import { describe, expect, test } from 'vitest';
import {
  baselineChoices,
  executionWish,
  importText,
  jvmChoices,
  noJvmText,
  programFor,
  recordingText,
  spanOf,
  threadChoices,
  threadRows,
  versionChoices,
} from '../../../clients/vscode/src/choices.ts';
import { graphicOf } from '../../../clients/vscode/src/graphic.ts';
import { commandLink, isCompared, linkLine } from '../../../clients/vscode/src/links.ts';
import { NO_DATA } from '../../../clients/vscode/src/no-data.ts';
import {
  callRowText,
  executionGroups,
  executionGroupText,
  hotMethodText,
  movedText,
  placeText,
  rowIds,
} from '../../../clients/vscode/src/rows.ts';
import { shownText, shownWithoutIcons } from '../../../clients/vscode/src/shown-text.ts';
import { shortened, statusText } from '../../../clients/vscode/src/status-text.ts';
import { fakeOrigin } from '../../support/protocol/fake-origin.ts';
import { source } from './shown-source.ts';

function share(part: number, text = `${part * 100}%`): Share {
  const count = Math.round(part * 200);
  return { share: part, count, of: 200, weight: count, text, interval: [part / 2, part] };
}

const at = {
  uri: 'file:///src/My%20Shop.java',
  range: { start: { line: 40, character: 4 }, end: { line: 40, character: 9 } },
};
const search: EditorMethod = {
  key: 'com.acme.Shop.search()',
  id: 'aaaaaaaa',
  className: 'com.acme.Shop',
  name: 'search',
  descriptor: '()V',
  place: null,
  label: 'Shop.search()',
  location: at,
  certain: true,
};

describe('rows', () => {
  test('write no share that is less than nothing, and no zero that is none', () => {
    const change = { angle: 0, colour: { red: 0, green: 0, blue: 0 }, verdict: 'notTested' } as const;
    const moved = (baseline: number, current: number, text: string) =>
      movedText({ method: search, change: { ...change, baseline, current, text } });
    expect(moved(0, 0.2, 'new')).toMatchObject({ label: 'new  Shop.search()', description: '20%' });
    expect(moved(0.2, 0, 'gone')).toMatchObject({ label: 'gone  Shop.search()', description: '20% → nothing' });
    expect(moved(0.00001, 0.2, '+20').description).toBe('< 0.01% → 20%');
    const few = { ...share(0.002, '0.20%'), interval: [0.0001, 0.008] as const };
    const row = { method: search, isPlatform: false, total: few, self: few, own: few, change: null };
    expect(hotMethodText(row).tooltip).toContain(' (less than 0.8 %, sampling error only)');
    const isNew = { ...change, baseline: 0, current: 0.002, text: 'new' };
    expect(hotMethodText({ ...row, change: isNew }).tooltip).toContain('\nnew against the baseline\n');
  });

  test('of hot methods', () => {
    const row = {
      method: search,
      isPlatform: false,
      total: share(0.5),
      self: share(0.02),
      own: share(0.1),
      change: null,
    };
    expect(hotMethodText(row, 'total')).toEqual({
      label: '50%  Shop.search()',
      description: 'self 2%',
      tooltip:
        'com.acme.Shop.search\n50% of everything: 100 of 200 samples (25.0 to 50.0 %, sampling error only)\nown 10% of everything: 20 samples, with the libraries that it calls\nself 2% of everything: 4 samples, 4.0% of its own time\nShop.search()\nMy Shop.java:41',
    });
  });

  test('of places that are not certain, or nowhere', () => {
    expect(placeText({ location: at, certain: false })).toBe('~ My Shop.java:41');
    expect(placeText({ location: null, certain: true })).toBe('no source in this workspace');
  });

  test('of calls: a share within the path, or that it was not seen running', () => {
    const item = {
      uri: at.uri,
      selectionRange: at.range,
      data: { uri: at.uri, direction: null, path: [], seen: true },
    };
    const row: CallHierarchyRow = {
      ...{ label: 'Shop.search()', kind: 'method', methods: [search], written: false, detail: '41 % · 82 samples' },
      ...{ share: share(0.41), location: at, certain: true, fromRanges: [], item, rows: null },
    };
    expect(callRowText(row)).toMatchObject({
      label: '41%  Shop.search()',
      tooltip: 'Shop.search()\n41 % · 82 samples\nMy Shop.java:41',
    });
    expect(callRowText({ ...row, share: null, written: true }).description).toBe('not seen running here');
  });
});

test('rows of a view have names of their own, below each parent, however often they are called the same', () => {
  const names = [['a', null], ['b'], ['a', null]];
  const ids = [...rowIds(names, ''), ...rowIds(names, '/["a"]'), ...rowIds([['a', 'null']], '')];
  expect(new Set(ids).size).toBe(ids.length);
  expect(rowIds(names, '')).toEqual(ids.slice(0, 3));
});

const executions: Choices = {
  project: 'shop',
  executions: ['1.3', '1.4', '1.4'].map((version, index) => ({
    ...{
      program: 'shop',
      version,
      instance: `node-${index}`,
      project: 'shop',
      from: new Date(index * 60_000).toISOString(),
      to: new Date(index * 60_000 + 50_000).toISOString(),
    },
    ...{ snapshots: 1, bytes: 1, shown: version === '1.4' },
  })),
  metrics: [],
  threads: [
    { group: 'main', name: 'http-#', share: 0.1 },
    { group: 'main', name: 'main', share: 0.5 },
    { group: 'other', name: 'http-#', share: 0.2 },
  ],
  windows: [0, 1, 2].map(index => ({ from: index * 10, to: index * 10 + 10 })),
  tags: {},
};

describe('choices', () => {
  test('versions stand once, and the default can be had back', () => {
    expect(versionChoices(executions).map(({ label, value }) => [label, value])).toEqual([
      ['shop 1.3', executionWish('shop', '1.3')],
      ['shop 1.4', executionWish('shop', '1.4')],
      ['What fits the commit checked out', executionWish(null, null)],
    ]);
    // Choices of another version mean nothing in this one.
    expect(executionWish('shop', '1.3')).toEqual({
      ...{ program: 'shop', version: '1.3', instances: null, from: null, to: null },
    });
    expect(executionGroupText(executionGroups(executions)[1]!)).toMatchObject({
      label: 'shop 1.4',
      description: 'shown · 2 instances',
    });
  });

  test('versions that are commits are called by their tags', () => {
    const hash = 'de3214dbf3b0c9a88b8a4c1a9e1d0c9b7a6f5e4d';
    const of = executions.executions.map(each => (each.version === '1.3' ? { ...each, version: hash } : each));
    const tagged = { ...executions, executions: of, tags: { [hash]: 'v1.3' } };
    expect(versionChoices(tagged)[0]).toMatchObject({ label: 'shop v1.3', value: { version: hash } });
    expect(versionChoices({ ...tagged, tags: {} })[0]).toMatchObject({ label: 'shop de3214d' });
    expect(baselineChoices(tagged)[0]).toMatchObject({ label: 'v1.3', value: { version: hash } });
    const group = executionGroupText(executionGroups(tagged)[0]!);
    expect(group).toMatchObject({ label: 'shop v1.3', tooltip: expect.stringContaining(hash) });
    const status = { sources: [{ ...source, baseline: `version ${hash}`, tags: tagged.tags }], text: '' } as never;
    expect(statusText({ server: 'running', status, hints: null, enabled: true }).text).toBe('$(flame) insitu: vs v1.3');
  });

  test('a baseline is another version, a time of this one, a file, or nothing', () => {
    const values = baselineChoices(executions).map(({ value }) => value);
    expect(values).toHaveLength(1 + 3 + 2);
    expect(values[0]).toEqual({ version: '1.3' });
    expect(values.slice(-2)).toEqual(['file', {}]);
    expect(baselineChoices({ ...executions, windows: executions.windows.slice(1, 2) })).toHaveLength(3);
  });

  test('threads of several groups are one row, busiest first', () => {
    expect(threadChoices(executions).map(({ label, description }) => [label, description])).toEqual([
      ['main', '50.0 %'],
      ['http-#', '30.0 %'],
    ]);
  });

  test('behind a group stand its single threads', () => {
    const single = (name: string, of: number) => ({ name, share: of });
    const threads = [
      { group: 'main', name: 'http-#', share: 0.3, threads: [single('http-1', 0.2), single('http-2', 0.1)] },
      { group: 'other', name: 'http-#', share: 0.3, threads: [single('http-2', 0.25), single('http-3', 0.05)] },
    ];
    expect(threadChoices({ ...executions, threads }).map(({ value, description }) => [value, description])).toEqual([
      ['http-#', '60.0 %'],
      ['http-2', '35.0 % · of http-#'],
      ['http-1', '20.0 % · of http-#'],
      ['http-3', '5.0 % · of http-#'],
    ]);
  });

  test('classes of threads stand before their threads, each with its part of the method', () => {
    const origin = fakeOrigin({ samples: 200, weight: 200 });
    const single = { name: 'main', group: 'main', names: 1, threads: [] };
    const pool = { name: 'http-#', group: 'pool', names: 3, threads: [{ name: 'http-1', share: share(0.2) }] };
    const rows = [
      { ...single, share: share(0.25), ofItsTime: share(0.5) },
      { ...pool, share: share(0.2), ofItsTime: share(0.4) },
    ];
    const subject = { subject: search, subjectText: 'Shop.search()', ofAll: share(0.5) };
    const answer = { origin, total: 2, leftOut: 0, rows, ...subject };
    expect(threadRows(answer).map(({ label, description }) => `${label} | ${description}`)).toEqual([
      '50%  main | 50 samples',
      '40%  http-# | 40 samples · 3 threads · group pool',
      '\u00a0\u00a0http-1 | 40 samples',
    ]);
  });

  test('a recording is of the program that is shown, else of the one that is set, else it is called after the project', () => {
    const status = (program: string | null): Status => ({
      sources: [
        { ...source, project: 'other', program: 'wrong' },
        { ...source, program },
      ],
      ...{ configurationProblems: [], documentProblems: [], recordings: [], searchLimits: [], text: '' },
    });
    const empty = { ...executions, executions: [] };
    expect(programFor(executions, status('set'))).toBe('shop');
    expect(programFor(empty, status('set'))).toBe('set');
    expect(programFor({ ...empty, project: 'shop' }, status(null))).toBe('shop');
    expect(importText({ imported: 2, program: 'shop', version: '1.4', problems: ['a.jfr: empty'] })).toBe(
      'imported 2 recordings as shop 1.4. a.jfr: empty',
    );
    expect(importText({ imported: 0, program: 'shop', version: '1.4', problems: [] })).toBe('imported 0 recordings.');
  });

  test('several windows make one span; none or all take the wish back', () => {
    const { windows } = executions;
    expect(spanOf(windows.slice(1), 3)).toEqual({ from: 10, to: 30 });
    expect(spanOf([], 3)).toBeNull();
    expect(spanOf(windows, 3)).toBeNull();
  });

  test('JVMs that can be recorded are offered, the youngest first; where there is none, why', () => {
    const jvm = (pid: number, more: Partial<JvmMessage> = {}): JvmMessage => ({
      ...{ pid, name: 'com.acme.Shop', arguments: '--port 80', sinceMillis: pid * 1000, javaVersion: '17.0.15' },
      ...{ refusal: null, recorded: false, ...more },
    });
    const other = jvm(4, { refusal: 'it belongs to another user' });
    const choices = jvmChoices([jvm(1), jvm(2), jvm(3, { recorded: true }), other]);
    expect(choices.map(({ value }) => value)).toEqual([2, 1]);
    expect(choices[0]).toMatchObject({
      label: 'com.acme.Shop',
      description: expect.stringMatching(/^2 · since .*1970.* · --port 80$/),
    });
    expect(noJvmText([other])).toBe('No JVM can be recorded; com.acme.Shop (4): it belongs to another user.');
    expect(noJvmText([])).toMatch(/^No JVM can be seen/);
  });

  test('recordings are counted in the status bar, and there is nothing where there are none', () => {
    const recording = { text: 'JVM 1 is recorded' } as RecordingMessage;
    expect(recordingText([])).toBeNull();
    expect(recordingText([recording])).toEqual({ text: '$(record) rec', tooltip: 'JVM 1 is recorded\nClick to end.' });
    expect(recordingText([recording, recording])?.text).toBe('$(record) rec 2');
  });
});

describe('status bar', () => {
  const said = (
    change: Partial<SourceStatus>,
    hints: { count: number; changed: number } | null,
    enabled = true,
  ): string => {
    const status: Status = {
      sources: [{ ...source, ...change }],
      configurationProblems: [],
      recordings: [],
      documentProblems: [],
      searchLimits: [],
      text: 'all',
    };
    return statusText({ server: 'running', status, hints, enabled }).text;
  };

  test('counts hints, and says of what and against what', () => {
    expect(said({}, { count: 1, changed: 0 })).toBe('$(flame) insitu: 1 hint');
    expect(said({}, { count: 14, changed: 2 })).toBe('$(flame) insitu: 14 hints, 2 at changed code');
    expect(said({ focus: ['com.acme.Shop.search'], baseline: 'version 1.3' }, { count: 14, changed: 0 })).toBe(
      '$(flame) insitu: 14 hints of Shop.search vs 1.3',
    );
    expect(said({}, null)).toBe('$(flame) insitu: 1.4');
    expect(said({}, { count: 3, changed: 0 }, false)).toBe('$(flame) insitu: hints off');
    expect(said({ state: 'none' }, null)).toBe('$(flame) insitu: no data');
    const part = 'focus com.acme.Shop.take · threads idle-*';
    for (const state of ['none', 'ready'] as const)
      expect(said({ state, samples: 0, part }, { count: 0, changed: 0 })).toBe(
        '$(flame) insitu: nothing with focus Shop.take · threa…',
      );
    expect(said({ state: 'loading' }, null)).toBe('$(flame) insitu: loading');
  });

  test('alarms where no server can run, and says why', () => {
    expect(statusText({ server: { problem: 'too old' }, status: null, hints: null, enabled: true })).toEqual({
      text: '$(warning) insitu',
      tooltip: 'too old',
      alarming: true,
      isEmpty: false,
    });
  });

  test('without data it says so in the words of the editor, and offers the ways to get some', () => {
    const nothing = 'there are no recordings of this project yet (insitu.importRecording imports one)';
    const status = (problems: string[]): Status => ({
      ...{ configurationProblems: [], recordings: [], documentProblems: [], searchLimits: [] },
      sources: [{ ...source, state: 'none', problems }],
      text: 'shop: nothing to show',
    });
    const said = (problems: string[]) =>
      statusText({ server: 'running', status: status(problems), hints: null, enabled: true });
    expect(said([nothing])).toMatchObject({ tooltip: `insitu: ${NO_DATA}`, isEmpty: true });
    expect(said([nothing, 'broken.cct: is damaged (insitu.refresh reads again)']).tooltip).toBe(
      `insitu: ${NO_DATA}; broken.cct: is damaged (“insitu: Read everything again” reads again)`,
    );
    expect(said(['/data: the store cannot be read']).tooltip).toBe('insitu: /data: the store cannot be read');
    const ready = { ...status([]), sources: [source], text: 'shop f46688a0123456789 of 2' };
    const shown = { ...ready, sources: [{ ...source, tags: { f46688a0123456789: 'v2.2.224' } }] };
    expect(statusText({ server: 'running', status: shown, hints: null, enabled: true })).toMatchObject({
      tooltip: 'insitu: shop v2.2.224 of 2',
      isEmpty: false,
    });
  });

  test('long names are cut, and lose their packages', () => {
    expect(shortened('com.acme.shop.Shop.search')).toBe('Shop.search');
    expect(shortened('x'.repeat(40))).toHaveLength(24);
  });
});

test('links run only their command, with an argument that no text can break out of', () => {
  const subject = { textDocument: { uri: 'file:///a(b)[c].java' }, position: { line: 1, character: 2 } };
  const link = commandLink('insitu.callers', subject);
  expect(link).not.toMatch(/[()[\]\s]/);
  expect(JSON.parse(decodeURIComponent(link.slice(link.indexOf('?') + 1)))).toEqual([subject]);
  expect(linkLine(subject, {})).not.toMatch(/clearFocus|showBlueprint/);
  expect(linkLine(subject, { compared: true })).toMatch(/\[Blueprint\]\(command:insitu\.showBlueprint\?/);
  expect(['|  | version 1 | version 2 | change |', 'a change of 3 points'].map(isCompared)).toEqual([true, false]);
  expect(linkLine(subject, { focused: true })).toMatch(/\[Clear focus\]\(command:insitu\.clearFocus\)$/);
});

describe('the word-sized graphic', () => {
  const data: HintData = {
    ...{ heat: 0.5, kind: 'method', self: share(0.125), selfOfMethod: share(0.25) },
    callers: { count: 2, largest: [0.9, 0.05] },
    callees: { count: 3, largest: [0.5, 0.3, 0.1] },
    threads: {
      count: 4,
      groups: [
        { group: 'a', share: 0.6 },
        { group: 'b', share: 0.4 },
        { group: 'c', share: 0.01 },
      ],
    },
  };
  const svg = (change: Partial<HintData>): string =>
    graphicOf({ ...data, ...change }, false, 'root', 'dark')?.svg ?? '';

  test('has a bar as long as the share, its full part the self time, and a mark for each caller, callee and group that counts', () => {
    expect([...svg({}).matchAll(/<rect [^>]*y="2" width="([\d.]+)"/g)].map(([, width]) => Number(width))).toEqual([
      48, 24, 6,
    ]);
    expect(svg({}).match(/<path /g)).toHaveLength(1 + 3);
    expect(svg({}).match(/width="5"/g)).toHaveLength(2);
  });

  test('turns its arrow by the angle of the change; what no test confirms has none', () => {
    const change = {
      baseline: 0.4,
      current: 0.5,
      angle: -22,
      colour: { red: 62, green: 0, blue: 193 },
      verdict: 'slower' as const,
      text: '↗ +10',
    };
    expect(svg({ change })).toContain('rotate(-22 ');
    for (const level of [{ verdict: 'notTested' as const }, { angle: 9 }])
      expect(svg({ change: { ...change, ...level } })).not.toContain('rotate(');
  });

  test('is not drawn for what does not know its surroundings', () => {
    const { selfOfMethod: _, ...call } = data;
    expect(graphicOf(call, false, 'root', 'dark')).toBeNull();
  });

  test('stays within its size', () => {
    const many = {
      heat: 1,
      selfOfMethod: share(1),
      callers: { count: 9, largest: [1, 1, 1] },
      threads: { count: 9, groups: Array(6).fill({ group: 'x', share: 0.2 }) },
    };
    const { width, svg: text } = graphicOf({ ...data, ...many }, true, 'root', 'light')!;
    const right = [...text.matchAll(/<rect x="([\d.]+)"[^>]*? width="([\d.]+)"/g)].map(
      ([, x, w]) => Number(x) + Number(w),
    );
    expect(Math.max(...right)).toBeLessThanOrEqual(width);
  });
});

describe('names from outside', () => {
  const name = `$(warning) a\u202e\u001b[2J\n${'x'.repeat(200_000)}`;

  test('turn no direction, forge no line, draw no icon and fill no screen', () => {
    expect(shownText('Grüße 漢字 \u202e\n')).toBe('Grüße 漢字 \\u202e\\u000a');
    const shown = shownWithoutIcons(name);
    expect(shown).toMatch(/^\\\$\(warning\) a\\u202e\\u001b\[2J\\u000ax+…x+$/);
    expect(shown.length).toBeLessThan(310);
  });

  test('in sentences, the status bar and tooltips', () => {
    const said = [importText({ imported: 1, program: name, version: name, problems: [] }), shortened(name)];
    for (const text of said) {
      expect(text).not.toMatch(/\u202e|\n/);
      expect(text.length).toBeLessThan(700);
    }
    expect(shortened(name)).toMatch(/^\\\$\(warning\) a/);
  });
});
