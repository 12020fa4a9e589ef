// Every question that VS Code's commands and views ask, with a Java file that was looked at, is one that the server understands.
import { globSync, readFileSync } from 'node:fs';
import type { CallHierarchyRow, EditorMethod, Share } from 'insitu/protocol';
import { beforeEach, expect, test, vi } from 'vitest';
import { aboutFile } from '../../../clients/vscode/src/about.ts';
import type { Ask } from '../../../clients/vscode/src/calls.ts';
import { OPERATIONS } from '../../../server/lsp/operations/operation-table.ts';
import type { Session } from '../../../server/lsp/session.ts';
import { source } from './shown-source.ts';

const window = vi.hoisted(() => ({
  // Takes the first of what is offered, or all where several may be taken.
  showQuickPick: async (rows: readonly unknown[], { canPickMany = false }: { canPickMany?: boolean }) =>
    canPickMany ? rows : rows[0],
  showInputBox: async ({ value = '' }: { value?: string }) => value,
  showOpenDialog: async () => [{ fsPath: '/recordings/new.jfr' }],
  showInformationMessage: async () => undefined,
  showWarningMessage: async () => undefined,
  createTreeView: () => ({ dispose: () => {} }),
  createQuickPick: () => {
    const list = {
      ...{ title: '', matchOnDescription: false, dispose: () => {}, hide: () => {} },
      ...{ items: [] as object[], activeItems: [] as object[], selectedItems: [] as object[] },
      value: '',
      accept: () => {},
      onDidAccept: (accept: () => void) => {
        list.accept = accept;
      },
      onDidHide: (hide: () => void) => {
        list.hide = hide;
      },
      onDidChangeValue: () => {},
      show: () => {
        list.selectedItems = list.activeItems;
        list.accept();
      },
    };
    return list;
  },
  activeTextEditor: undefined as unknown,
}));

const clipboard = vi.hoisted(() => ({
  text: '',
  writeText: async (text: string) => {
    clipboard.text = text;
  },
}));

vi.mock('vscode', () => ({
  window,
  env: { clipboard, uriScheme: 'vscode' },
  commands: { executeCommand: async () => undefined },
  workspace: { textDocuments: [] },
  CancellationTokenSource: class {
    token = { isCancellationRequested: false };
    cancel = () => {};
  },
  EventEmitter: class {
    event = () => {};
    fire = () => {};
  },
  TreeItem: class {},
  ThemeIcon: class {},
  ThemeColor: class {},
  TreeItemCollapsibleState: { None: 0, Collapsed: 1, Expanded: 2 },
}));

vi.mock('vscode-languageclient/node', () => ({ LanguageClient: class {} }));

const { askingCommands } = await import('../../../clients/vscode/src/commands.ts');
const { openShared } = await import('../../../clients/vscode/src/open-shared.ts');
const { CallsView, ExecutionsView, HotMethodsView, TasksView } = await import('../../../clients/vscode/src/views.ts');

const uri = 'file:///src/Shop.java';
const textDocument = { uri };
const share: Share = { share: 0.5, count: 10, of: 20, weight: 10, text: '50%', interval: null };
const name = { className: 'com.acme.Shop', name: 'search', descriptor: '()V' };
const method: EditorMethod = {
  ...{ ...name, key: 'com.acme.Shop.search()', id: 'search', place: null },
  ...{ label: 'Shop.search()', location: null, certain: true },
};
const start = { line: 3, character: 8 };
const item = {
  ...{ uri, selectionRange: { start, end: start } },
  data: { uri, direction: null, path: [[name]], seen: true },
};
const numbers: { share: Share } & Omit<CallHierarchyRow, 'share'> = {
  ...{ label: 'Shop.search()', kind: 'method', methods: [name], share, written: false, detail: '', location: null },
  ...{ certain: true, fromRanges: [], item, rows: null },
};
const jvm = {
  pid: 4711,
  name: 'Shop',
  arguments: '',
  sinceMillis: 0,
  javaVersion: '17',
  refusal: null,
  recorded: false,
};
const change = { text: '+1', baseline: 0.1, current: 0.2 };

/** Of a server that has everything once. */
const hot = { verdict: 'hot', subject: 'search', ofAll: share };

const EXECUTION = {
  ...{ project: 'shop', program: 'shop', from: '1970-01-01T00:00:00.000Z', to: '1970-01-01T00:00:09.000Z' },
  ...{ snapshots: 1, bytes: 1 },
};

const bucket = { share, amount: '1 s', overTime: [], threads: null, alsoIn: [], note: null };

const ANSWERS: Readonly<Record<string, unknown>> = {
  aspects: {
    rows: [
      {
        ...{ ...bucket, name: 'logging', query: '..logging', alsoIn: [{ name: 'json', share }] },
        threads: { amount: '90 s', share: 1, types: [{ type: ':RUN', words: 'running', text: '75%', share: 0.75 }] },
      },
      { ...bucket, name: 'json', query: null, note: 'no method that ran belongs to it' },
    ],
    rest: { ...bucket, query: 'not ..logging' },
    example: [],
    problems: [],
  },
  choices: {
    project: 'shop',
    executions: [
      { ...EXECUTION, version: '1.4', instance: 'a', shown: true },
      { ...EXECUTION, version: '1.3\u202e$(x)', instance: 'b', shown: false },
    ],
    metrics: [{ id: 'cpu', unit: 'samples', shown: true }],
    threads: [{ group: 'main', name: 'main', share: 1 }],
    windows: [0, 10].map(from => ({ from: from, to: from + 10 })),
    tags: {},
  },
  status: { sources: [], recordings: [] },
  completePath: { from: 0, to: 0, names: [] },
  implementations: [],
  heaviestPath: { rows: [{ method, ofAll: share, self: share, line: 0 }] },
  callers: { subject: method, ofAll: share, rows: [] },
  callees: { subject: method, ofAll: share, rows: [] },
  top: { rows: [{ method, isPlatform: false, total: share, self: share, own: share, change: null }] },
  tasks: { rows: [{ name: 'pay', definition: 'payments', share }] },
  callHierarchy: { direction: 'outgoing', rows: [numbers] },
  threads: { subjectText: 'search', ofAll: share, rows: [] },
  why: { ...hot, explanation: '', remedy: '', nearest: [], calledBy: [], spentIn: [], objects: [] },
  moved: {
    origin: { baseline: 'version 1.3' },
    problems: [],
    rows: [{ method, vanished: false, total: share, self: share, change }],
  },
  compare: {
    ...{ origin: { baseline: 'version 1.3' }, jvms: { before: 8, now: 9 }, sentence: '' },
    reports: [{ sentence: 'slower: Shop.search: +22 (40% → 62%)', method, commit: null }],
  },
  comparedSource: {
    before: { version: '1.3', lines: [], missing: null },
    now: { version: '1.4', lines: [], missing: null },
  },
  slowerCallers: {
    method: 'Shop.search',
    rows: [{ method, text: '≈ +12 ms of 1.2 s', change: 12e6, measured: 1.2e9 }],
  },
  importRecording: { imported: 1, program: 'shop', version: '1.4', problems: [] },
  jvms: [jvm],
  record: { recording: null, problems: [] },
  stopRecording: { stopped: 1, problems: [] },
  viewStart: { of: null },
};

/** The server would do something from here on: it has understood. */
const session = new Proxy({} as Session, {
  get: () => {
    throw new Error('the server began to answer');
  },
});

/** The server's message about parameters that it does not understand; null where it understands them. */
async function flawOf(operation: string, parameters: object): Promise<string | null> {
  const own = OPERATIONS.find(({ name: each }) => each === operation);
  if (own === undefined) return `there is no ${operation}`;
  const cancelled = { isCancellationRequested: true, onCancellationRequested: () => ({ dispose: () => {} }) };
  const said = await own.run(session, parameters, 'request', cancelled).then(
    () => '',
    ({ message }: Error) => message,
  );
  return said.startsWith(`insitu/${operation}: `) ? said : null;
}

/** The addresses of pages of pictures that were opened. */
const pictures: string[] = [];
let asked: { operation: string; sent: object }[];
beforeEach(() => {
  asked = [];
  pictures.length = 0;
});

const ask: Ask = async <Answer>(operation: string, parameters: object) => {
  const sent = aboutFile(operation, parameters, uri);
  asked.push({ operation, sent });
  expect(await flawOf(operation, sent)).toBeNull();
  return structuredClone(ANSWERS[operation] ?? ANSWERS.status) as Answer;
};

const calls = new CallsView('insitu.calls', ask, ask);
const surroundings: Parameters<typeof askingCommands>[0] = {
  ask,
  askQuietly: ask,
  calls,
  took: () => {},
  page: async () => {},
  picture: address => pictures.push(address),
  sources: async () => {},
};
const commands = askingCommands(surroundings);
const place = { textDocument, position: start };
const givens = {
  nothing: undefined,
  'a link': place,
  'a method': { method },
  'a row of calls': { methods: [name] },
  'a path': { path: 'Shop.run ..Card.pay' },
  'a version': { program: 'shop', version: '1.3' },
};

/** Asks nothing: the page does so itself. */
const SILENT = ['insitu.showWholePicture', 'insitu.showWholeBlueprint'];

test.each(Object.keys(commands).filter(command => !SILENT.includes(command)))(
  '%s asks what the server understands, whatever it is about',
  async command => {
    for (const [about, given] of Object.entries(givens)) {
      window.activeTextEditor = {
        document: { languageId: 'java', uri },
        selection: { active: { ...start, isBefore: true } },
      };
      await commands[command]!(given);
      // Views ask when they are shown.
      if (/call/.test(command)) await calls.getChildren();
      expect(asked.length, about).toBeGreaterThan(0);
    }
  },
);

test('rows to pick from show names without what turns the direction of writing or draws icons, and mean them', async () => {
  const pick = vi.spyOn(window, 'showQuickPick');
  try {
    pick.mockImplementationOnce(async rows => rows[1]);
    await commands['insitu.selectExecution']!();
    expect(pick.mock.calls[0]![0][1]).toMatchObject({ label: 'shop 1.3\\u202e\\$(x)' });
    expect(asked.at(-1)?.sent).toMatchObject({ version: '1.3\u202e$(x)' });
  } finally {
    pick.mockRestore();
  }
});

test('aspects lists the buckets with their remarks; a choice filters by one, or says why it cannot', async () => {
  const pick = vi.spyOn(window, 'showQuickPick');
  const told = vi.spyOn(window, 'showInformationMessage');
  try {
    await commands['insitu.aspects']!();
    const rows = (pick.mock.calls[0] as readonly unknown[])[0] as { label: string; description: string }[];
    expect(rows.map(({ label, description }) => [label, description])).toEqual([
      ['50%  logging', 'also in json 50% · 90 s of threads, 75% running'],
      ['50%  json', 'no method that ran belongs to it'],
      ['50%  no aspect', ''],
      ['Over time', 'as a picture of everything'],
    ]);
    expect(asked.at(-1)).toEqual({ operation: 'select', sent: { textDocument, path: '..logging' } });
    asked = [];
    pick.mockImplementationOnce(async each => each[1]);
    await commands['insitu.aspects']!();
    expect(asked.map(({ operation }) => operation)).toEqual(['aspects']);
    expect(told).toHaveBeenCalledWith('insitu: 50%  json: no method that ran belongs to it.');
    pick.mockImplementationOnce(async each => each[3]);
    await commands['insitu.aspects']!();
    expect(pictures).toEqual(['view=aspects']);
  } finally {
    pick.mockRestore();
    told.mockRestore();
  }
});

test('no text from outside becomes a link of a notice', async () => {
  const told = vi.spyOn(window, 'showInformationMessage');
  const link = 'aspects[0].name: [Show the fix](command:workbench.action.reloadWindow)';
  const flawed: unknown = { rows: [], rest: bucket, example: [], problems: [{ text: link }] };
  const askFlawed: Ask = async <Answer>() => flawed as Answer;
  await askingCommands({ ...surroundings, ask: askFlawed })['insitu.aspects']!();
  expect(told.mock.calls.flat()).toEqual([
    'insitu: aspects[0].name: [Show the fix] (command:workbench.action.reloadWindow)',
  ]);
  told.mockRestore();
  const sources = globSync('clients/vscode/src/**/*.ts').filter(file =>
    /window\.show\w+Message\(/.test(readFileSync(file, 'utf8')),
  );
  expect(sources).toEqual(['clients/vscode/src/notices.ts']);
});

test('without aspects an example made of the program can be copied', async () => {
  const told = vi.spyOn(window, 'showInformationMessage').mockResolvedValueOnce('Copy an example' as never);
  const example = [{ name: 'shop', value: 'com.acme.shop.*' }];
  const none: unknown = { rows: [], rest: bucket, example, problems: [] };
  const askNone: Ask = async <Answer>() => none as Answer;
  await askingCommands({ ...surroundings, ask: askNone })['insitu.aspects']!();
  expect(JSON.parse(`{${clipboard.text}}`)).toEqual({ aspects: example });
  expect((told.mock.calls[0] as readonly unknown[])[0]).toContain('there are no aspects');
  told.mockRestore();
});

test('what the server does not understand would be seen', async () => {
  expect(await flawOf('jvms', { textDocument })).toContain('textDocument: there is no such parameter');
  expect(await flawOf('nothing', {})).toContain('no nothing');
});

test('a focus without a cursor in Java is on one of the hottest methods', async () => {
  window.activeTextEditor = undefined;
  await commands['insitu.focus']!();
  expect(asked.map(({ operation }) => operation)).toEqual(['top', 'focus']);
});

test('what an import is about is asked for and sent, with the shown program as it stands', async () => {
  await commands['insitu.importRecording']!();
  const wish = { textDocument, files: ['/recordings/new.jfr'], program: 'shop' };
  expect(asked.find(({ operation }) => operation === 'importRecording')?.sent).toEqual(wish);
});

test('what was imported is shown, or compared with, by a button', async () => {
  const told = vi.spyOn(window, 'showInformationMessage');
  for (const [button, operation, sent] of [
    ['Show', 'select', { program: 'shop', version: '1.4' }],
    ['Compare with it', 'compareWith', { version: '1.4' }],
  ] as const) {
    told.mockResolvedValue(button as never);
    asked = [];
    await commands['insitu.importRecording']!();
    expect(asked).toContainEqual({ operation, sent: { textDocument, ...sent } });
  }
  expect(told).toHaveBeenCalledWith('insitu: imported 1 recording as shop 1.4.', 'Show', 'Compare with it');
  told.mockRestore();
});

test('the dialog of an import shows recordings, and everything else where that is wished', async () => {
  const opened = vi.spyOn(window, 'showOpenDialog');
  await commands['insitu.importRecording']!();
  const { filters } = (opened.mock.calls[0] as readonly unknown[])[0] as { filters: Record<string, string[]> };
  expect(filters.Recordings).toEqual(expect.arrayContaining(['jfr', 'cct', 'pprof', 'collapsed', 'gz', 'zst', 'zip']));
  expect(filters['All files']).toEqual(['*']);
});

test('everything is shown again without any choice', async () => {
  asked = [];
  await commands['insitu.clearAll']!();
  expect(asked.map(({ operation }) => operation)).toEqual(['select', 'compareWith', 'clearFocus']);
  const { textDocument: _, ...cleared } = asked[0]!.sent as Record<string, unknown>;
  const names = ['program', 'version', 'instances', 'metric', 'threads', 'from', 'to', 'path'];
  expect(cleared).toEqual(Object.fromEntries(names.map(name => [name, null])));
});

test('views ask what the server understands, and rows keep their identity while their numbers change', async () => {
  await calls.show({ method: name }, 'incoming');
  const views = [
    calls,
    new HotMethodsView('insitu.methods', ask, () => null),
    new ExecutionsView('insitu.executions', ask),
    new TasksView('insitu.tasks', ask),
  ];
  for (const view of views as {
    getChildren(row?: object): Promise<object[]>;
    getTreeItem(row: object): { id?: string };
  }[]) {
    const [row] = await view.getChildren();
    const below = await view.getChildren(row);
    const ids = [row!, ...below].map(each => view.getTreeItem(each).id);
    expect(ids).not.toContain(undefined);
    expect(new Set(ids).size).toBe(ids.length);
  }
  const first = calls.getTreeItem((await calls.getChildren())[0]!);
  numbers.share = { ...share, text: '70%' };
  const second = calls.getTreeItem((await calls.getChildren())[0]!);
  expect(second.id).toBe(first.id);
});

test('methods in the order of their change tell it', async () => {
  const view = new HotMethodsView('insitu.methods', ask, () => ({ ...source, baseline: 'version 1.3' }));
  view.orderBy('change');
  const row = (await view.getChildren()).at(-1)!;
  expect(view.getTreeItem(row)).toMatchObject({ description: '10% → 20%' });
});

test('findings come first where something is compared with, and without any it is said why', async () => {
  const [picked, told] = [vi.spyOn(window, 'showQuickPick'), vi.spyOn(window, 'showInformationMessage')];
  const compared = ANSWERS.compare as { reports: object[]; sentence: string };
  try {
    asked = [];
    await commands['insitu.compareWith']!({ version: '1.3' });
    expect(asked.map(({ operation }) => operation)).toEqual(['compareWith', 'status', 'compare', 'comparedSource']);
    expect(picked.mock.calls.map(([rows]) => (rows as { label: string }[]).map(({ label }) => label))).toEqual([
      ['slower: Shop.search: +22 (40% → 62%)'],
      ['Open the source of both versions', 'Open the blueprint', 'Why it has its number'],
    ]);
    const reports = compared.reports.splice(0);
    compared.sentence = 'no method got slower or faster beyond doubt (8 JVMs before, 9 now)';
    await commands['insitu.compareWith']!({ version: '1.3' });
    expect(told.mock.calls.at(-1)?.[0 as never]).toBe(`insitu: ${compared.sentence}.`);
    compared.reports.push(...reports);
  } finally {
    picked.mockRestore();
    told.mockRestore();
  }
});

test('a link shows what it names where this project has it, and nothing else', async () => {
  const told = vi.spyOn(window, 'showWarningMessage');
  const open = async (query: string): Promise<string[]> => {
    asked = [];
    told.mockClear();
    await openShared({ ask, took: () => {} }, { path: '/show', query });
    return asked
      .filter(({ operation }) => /select|focus/i.test(operation))
      .map(({ operation, sent }) => {
        const { textDocument: _, ...rest } = sent as Record<string, unknown>;
        return `${operation} ${JSON.stringify(rest)}`;
      });
  };
  const whole = '"instances":null,"from":null,"to":null';
  expect(await open('program=shop&version=1.4&metric=cpu&focus=com.acme.Shop#search')).toEqual([
    `select {"program":"shop","version":"1.4",${whole},"metric":null}`,
    'select {"metric":"cpu"}',
    'focus {"focus":["com.acme.Shop#search"]}',
  ]);
  expect(told).not.toHaveBeenCalled();
  expect(await open('focus=pay')).toContain('focus {"focus":["pay"]}');
  for (const query of [
    'version=9.9',
    'program=other',
    'focus=regex:(a+)+b',
    'focus=nonsense',
    'store=/etc',
    'version=1.4&version=1.3',
    'version=a\u202eb',
    `version=${'1'.repeat(3000)}`,
  ]) {
    expect(await open(query), query).toEqual([]);
    expect(told, query).toHaveBeenCalledTimes(1);
  }
  told.mockRestore();
});

test('a method is copied as Markdown with its heaviest stack and a link', async () => {
  await commands['insitu.copyMarkdown']!({ method });
  expect(clipboard.text).toContain(
    '**`com.acme.Shop.search`**: 50% of all (10 of 20 samples), 100% of that in its own code',
  );
  expect(clipboard.text).toMatch(/```\n.* {5}50% {2}Shop\.search\(\)\n```/s);
});
