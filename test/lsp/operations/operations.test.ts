// Every operation over the real server, by both doors: answers are what the types say, and the numbers are those of the profile.
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ANSWERS, SESSION_ANSWERS } from '../../../server/features/answers/answer-table.ts';
import { OPERATIONS } from '../../../server/lsp/operations/operation-table.ts';
import type { Choices, EditorAnswers, ImplementationsMessage, Status } from '../../../server/lsp/protocol.ts';
import { hintLines } from '../../support/insitu/lsp-client.ts';
import { type ShopServer, shopServer } from '../../support/insitu/shop-server.ts';
import { misfits } from '../../support/protocol/message-types.ts';
import { runs } from '../../support/runs.ts';

let shop: ShopServer;
beforeAll(async () => {
  shop = await shopServer();
});
afterAll(() => shop?.stop());

/** Type of each operation's answer. */
const TYPES: Readonly<Record<string, string>> = {
  status: 'Status',
  callHierarchy: 'CallHierarchy',
  implementations: 'ImplementationsMessage',
  choices: 'Choices',
  select: 'Status',
  selectExecution: 'Status',
  selectInstances: 'Status',
  selectWindows: 'Status',
  selectThreads: 'Status',
  selectMetric: 'Status',
  focus: 'Status',
  clearFocus: 'Status',
  assume: 'AssumeAnswer',
  iterations: 'IterationsAnswer',
  slowerCallers: 'SlowerCallers',
  compareWith: 'Status',
  importRecording: 'ImportAnswer',
  jvms: 'JvmsMessage',
  record: 'RecordAnswer',
  countCalls: 'CountCallsAnswer',
  stopRecording: 'StopRecordingAnswer',
  showPicture: 'PictureAddress',
  viewAddress: 'PictureAddress',
  viewStart: 'ViewStart',
  view: 'ViewAnswerMessage',
};

/** The parts that do not fit the type of an operation's answer, or the schema of an answer of the table. */
function flawsOf(operation: string, found: unknown): readonly unknown[] {
  const adapted = [...ANSWERS, ...SESSION_ANSWERS].find(({ name }) => name === operation);
  const type = TYPES[operation];
  expect(type ?? adapted).toBeDefined();
  return [
    ...(type === undefined ? [] : misfits(found, type)),
    ...(adapted === undefined ? [] : (v.safeParse(adapted.result, found).issues ?? [])),
  ];
}

const document = () => ({ textDocument: { uri: shop.uri } });
const onRun = () => ({ ...document(), position: { line: 3, character: 8 } });
const onTake = () => ({ ...document(), position: { line: 4, character: 11 } });

/** The answer, checked against its type. */
async function asked<T>(name: string, params: object = {}): Promise<T> {
  const answer = await shop.request(name, params);
  expect(flawsOf(name, answer)).toEqual([]);
  return answer as T;
}

const rowsOf = ({ rows }: EditorAnswers['callers']) =>
  rows.map(({ method, ofItsTime }) => `${ofItsTime.text} ${method.label}`);

describe('answers', () => {
  test('a request without parameters is one with none set', async () => {
    const bare = await shop.client.connection.sendRequest('insitu/status');
    expect(misfits(bare, 'Status')).toEqual([]);
  });

  test('metrics have every number of the document', async () => {
    const { version, metric, declarations } = await asked<EditorAnswers['metrics']>('metrics', document());
    expect({ version, metric }).toEqual({ version: 1, metric: { id: 'cpu', unit: 'samples' } });
    const [run, ...others] = declarations;
    expect(others).toEqual([]);
    expect(run).toMatchObject({
      range: { start: { line: 3, character: 7 }, end: { line: 3, character: 10 } },
      kind: 'method',
      title: 'run',
      methods: [{ className: 'acme.Shop', name: 'run', descriptor: null }],
      total: { share: 100 / 120, count: 100, of: 120, text: '83%' },
      self: { share: 20 / 120, count: 20, of: 120, text: '17%' },
      selfOfMethod: { share: 0.2, count: 20, of: 100, text: '20%' },
      change: null,
      callers: { count: 1, largest: [1] },
      callees: { count: 3, largest: [0.5, 0.2, 0.1] },
      threads: { count: 1, groups: [{ group: 'main', share: 1 }] },
      calls: [
        { line: 4, target: 'LockedQueue', share: { share: 0.5 } },
        { line: 5, target: 'CardPayment +1', share: { share: 0.3 } },
      ],
      lines: [
        { line: 4, share: { share: 0.7 } },
        { line: 5, share: { share: 0.3 } },
      ],
    });
    const elsewhere = { start: { line: 7, character: 0 }, end: { line: 8, character: 0 } };
    expect(await asked<EditorAnswers['metrics']>('metrics', { ...document(), range: elsewhere })).toMatchObject({
      declarations: [],
    });
    expect(await shop.request('metrics', { textDocument: { uri: shop.place.uri('acme/Other.java') } })).toBeNull();
  });

  test('around a method without code: what ran behind it, all together and named as such', async () => {
    const files = {
      'acme/Queue.java': 'package acme;\n\ninterface Queue {\n  void take();\n  void idle();\n}\n',
      'acme/LockedQueue.java':
        'package acme;\n\nclass LockedQueue implements Queue {\n  public void take() {\n  }\n}\n',
    };
    const server = await shopServer({}, files);
    try {
      const uri = server.uri.replace('Shop.java', 'Queue.java');
      await server.client.open(uri, files['acme/Queue.java']);
      const at = (line: number) => ({ textDocument: { uri }, position: { line, character: 8 } });
      await expect
        .poll(async () => ((await server.request('callers', at(3))) as EditorAnswers['callers'] | null)?.subjectText, {
          timeout: 15_000,
        })
        .toBe('what ran behind Queue.take()');
      const callers = (await server.request('callers', at(3))) as EditorAnswers['callers'];
      expect([...rowsOf(callers), callers.ofAll.text]).toEqual(['100% Shop.run', '42%']);
      expect(await server.request('callers', at(4))).toBeNull();
      const ran = (await server.request('implementations', at(3))) as ImplementationsMessage;
      expect(misfits(ran, 'ImplementationsMessage')).toEqual([]);
      expect(ran.map(({ label, share, location }) => [label, share.text, share.of, location.range.start.line])).toEqual(
        [['LockedQueue.take', '42%', 120, 3]],
      );
      expect(await server.request('implementations', at(4))).toEqual([]);
      expect(await server.request('why', at(3))).toMatchObject({
        explanation: expect.stringContaining('no code of its own'),
      });
    } finally {
      await server.stop();
    }
  });

  test('callers, callees and threads stand around what is at a position, with places in files that are not open', async () => {
    const callers = await asked<EditorAnswers['callers']>('callers', onRun());
    expect(rowsOf(callers)).toEqual(['100% Main.main']);
    expect(callers.rows[0]?.lines).toEqual([5]);
    expect(callers.ofAll).toMatchObject({ count: 100, of: 120 });
    const start = { line: 3, character: 21 };
    await expect
      .poll(async () => (await asked<EditorAnswers['callers']>('callers', onRun())).rows[0]?.method.location)
      .toEqual({ uri: shop.place.uri('acme/Main.java'), range: { start, end: start } });
    const callees = await asked<EditorAnswers['callers']>('callees', onRun());
    expect(rowsOf(callees)).toEqual(['50% LockedQueue.take', '20% CardPayment.pay', '10% CashPayment.pay']);
    expect(callees.rows.map(({ lines }) => lines)).toEqual([[5], [6], [6]]);
    expect(await asked('threads', onRun())).toMatchObject({
      subjectText: 'Shop.run',
      ofAll: { count: 100, of: 120 },
      rows: [{ group: 'main', name: 'main', names: 1, ofItsTime: { count: 100, of: 100 }, threads: [] }],
    });
    expect((await asked<EditorAnswers['callers']>('callers', onTake())).subjectText).toBe('LockedQueue.take');
    const method = { className: 'acme.CardPayment', name: 'pay', descriptor: null };
    expect(rowsOf(await asked<EditorAnswers['callers']>('callers', { method }))).toEqual(['100% Shop.run']);
    expect(await shop.request('callers', { ...document(), position: { line: 0, character: 0 } })).toBeNull();
    // Before the name, on its line, the method is meant.
    expect(
      rowsOf(
        (await shop.request('callers', {
          ...document(),
          position: { line: 3, character: 0 },
        })) as EditorAnswers['callers'],
      ),
    ).toEqual(['100% Main.main']);
    await expect(shop.request('callers', { method: { ...method, name: 'nothing' } })).rejects.toThrow(
      'no method that ran is called "acme.CardPayment.nothing"',
    );
  });

  test('a place in a file is a method too, on a line or at a column of it', async () => {
    const file = fileURLToPath(shop.uri);
    const byLine = await asked<EditorAnswers['callers']>('callees', { method: `${file}:5` });
    expect(byLine.subjectText).toBe('Shop.run');
    const byColumn = await asked<EditorAnswers['callers']>('callers', { method: `${file}:5:12` });
    expect(byColumn.subjectText).toBe('LockedQueue.take');
    // Behind the end of a line is its end, not the next line.
    const behind = await asked<EditorAnswers['callers']>('callers', { method: `${file}:4:9999` });
    expect(behind.subjectText).toBe('Shop.run');
    await expect(shop.request('callers', { method: `${file}:1` })).rejects.toThrow('nothing that ran stands at');
  });

  test('hot methods by time and by self time', async () => {
    const byTotal = await asked<EditorAnswers['top']>('top', { limit: 2, sort: 'total' });
    expect(byTotal.rows.map(({ method, total }) => `${total.text} ${method.label}`)).toEqual([
      '100% Main.main',
      '83% Shop.run',
    ]);
    const bySelf = await asked<EditorAnswers['top']>('top', { limit: 1, sort: 'self' });
    expect(bySelf.rows.map(({ method, self }) => `${self.count} ${method.label}`)).toEqual(['50 LockedQueue.take']);
  });

  test('the heaviest path leads from everything, or a method, to where the time is spent', async () => {
    const written = ({ rows }: EditorAnswers['heaviestPath']) =>
      rows.map(({ method, ofAll, self }) => `${ofAll.text} ${self.count} ${method.label}`);
    const all = await asked<EditorAnswers['heaviestPath']>('heaviestPath');
    expect(written(all)).toEqual(['100% 20 Main.main', '83% 20 Shop.run', '42% 50 LockedQueue.take']);
    expect(written(await asked<EditorAnswers['heaviestPath']>('heaviestPath', onRun()))).toEqual(written(all).slice(1));
    expect(all.rows.map(({ line }) => line)).toEqual([5, 5, 0]);
    expect(all.rows[1]?.method.location?.range.start).toEqual({ line: 3, character: 7 });
  });

  test('beside a name the next call of the line is meant, without one the method around', async () => {
    const inLine = (character: number) => ({ ...document(), position: { line: 4, character } });
    const take = await asked('callers', onTake());
    for (const character of [0, 4, 17]) expect(await asked('callers', inLine(character))).toEqual(take);
    const inBody = { ...document(), position: { line: 6, character: 2 } };
    expect(await asked('callers', inBody)).toEqual(await asked('callers', onRun()));
  });

  test('why says the same as the command line, with remedies for an editor', async () => {
    const hot = await asked<EditorAnswers['why']>('why', onRun());
    expect(hot).toMatchObject({ verdict: 'hot', subject: 'acme.Shop.run' });
    const said = (rows: readonly EditorAnswers['why']['calledBy'][number][]) =>
      rows.map(({ method, ofItsTime }) => `${ofItsTime.text} ${method.label}`);
    expect(said(hot.calledBy)).toEqual(['100% Main.main']);
    expect(said(hot.spentIn)).toEqual(['50% LockedQueue.take']);
    expect(hot.calledBy[0]).toMatchObject({
      method: { location: { uri: shop.uri.replace('Shop.java', 'Main.java') }, certain: true },
      ofItsTime: { count: 100, of: 100 },
    });
    const method = { className: 'acme.Shop', name: 'rum', descriptor: null };
    expect(await asked<EditorAnswers['why']>('why', { method })).toMatchObject({
      verdict: 'no such method',
      ofAll: null,
      calledBy: [],
      nearest: expect.arrayContaining(['acme.Shop.run']),
    });
  });

  test('choices and tasks list what can be chosen', async () => {
    const { project, executions, metrics, threads, windows, tags } = await asked<Choices>('choices');
    expect(project).toBe('acme');
    expect(executions.map(({ version, shown, snapshots }) => [version, shown, snapshots])).toEqual([
      ['1.0', true, 1],
      ['0.9', false, 1],
    ]);
    const listed = await asked<EditorAnswers['executions']>('executions');
    expect(executions.map(({ shown: _shown, ...row }) => row)).toEqual(listed.rows);
    expect(metrics).toEqual([{ id: 'cpu', unit: 'samples', shown: true }]);
    expect(threads).toEqual([{ group: 'main', name: 'main', share: 1 }]);
    expect(windows).toHaveLength(1);
    expect(tags).toEqual({});
    const tasks = await asked<EditorAnswers['tasks']>('tasks');
    expect(tasks.rows.map(({ name, definition, share }) => [name, definition, share.count])).toEqual([
      ['pay by Card', 'payments', 20],
      ['pay by Cash', 'payments', 10],
    ]);
  });
});

describe('what is looked at', () => {
  afterEach(async () => {
    await shop.request('select', {
      version: null,
      metric: null,
      instances: null,
      from: null,
      to: null,
      threads: null,
    });
    await shop.request('clearFocus');
    await shop.request('compareWith', {});
  });

  const hints = async () => hintLines(await shop.client.hints(shop.uri));

  test('follows a focus by name, by task, by position, and its end', async () => {
    expect(await hints()).toContain('4 83% · self 17%');
    const focused = await asked<Status>('focus', { focus: ['acme.Shop.run'] });
    expect(focused.sources[0]).toMatchObject({ focus: ['acme.Shop.run'], part: 'focus acme.Shop.run', samples: 100 });
    expect(await hints()).toContain('4 100% · self 20%');
    expect((await asked<Status>('focus', { focus: ['pay by Card', 'pay by Cash'] })).sources[0]?.samples).toBe(30);
    await shop.request('clearFocus');
    // The one method that is called so may be named without its package.
    for (const short of ['Shop.run', 'Shop#run'])
      expect((await asked<Status>('focus', { focus: [short] })).sources[0]?.focus).toEqual(['acme.Shop.run']);
    expect((await asked<Status>('focus', onTake())).sources[0]).toMatchObject({
      focus: ['acme.LockedQueue.take'],
      samples: 50,
    });
    expect((await asked<Status>('clearFocus')).sources[0]).toMatchObject({ focus: [], part: '', samples: 120 });
    await expect(shop.request('focus', { focus: ['acme.Shop.rum'] })).rejects.toThrow(/did you mean acme\.Shop\.run/);
  });

  test('the status says what was chosen, as it is given to select again', async () => {
    const wish = { threads: ['main'], metric: 'cpu', from: 1_000 };
    const [source] = (await asked<Status>('select', wish)).sources;
    // The metric that is shown without a choice is none.
    expect(source?.chosen).toEqual({ threads: ['main'], from: 1_000 });
    const [back] = (await asked<Status>('select', { threads: null, metric: null, from: null })).sources;
    expect(back!.chosen).toEqual({});
  });

  test('a path filter keeps the whole, and the hover has both percentages', async () => {
    const path = 'Main.main ..LockedQueue.take';
    const [source] = (await asked<Status>('select', { path })).sources;
    expect(source).toMatchObject({ samples: 120, part: `path ${path}`, chosen: { path } });
    const { rows } = await asked<EditorAnswers['top']>('top', { sort: 'total' });
    expect(rows.map(({ method, total }) => [method.label, total.count, total.of])).toContainEqual([
      'Shop.run',
      50,
      120,
    ]);
    const hover = await shop.client.connection.sendRequest('textDocument/hover', onRun());
    const { value } = Object(hover).contents;
    expect(value).toContain('42 % of cpu');
    expect(value).toContain(`100 % of the path \`${path}\` · 50 of 50 samples`);
    await expect(shop.request('select', { path: 'Main.main ..LockedQueue.tke' })).rejects.toMatchObject({
      message: expect.stringMatching(/"path", column 13: .*did you mean/),
    });
    // The shown path stays.
    expect((await asked<Status>('status')).sources[0]?.chosen.path).toBe(path);
    expect((await asked<Status>('select', { path: null })).sources[0]).toMatchObject({
      part: '',
      chosen: {},
    });
  });

  test('a focus is replaced by one on what runs outside of it, and why says the way out', async () => {
    const outside = { className: 'acme.Shop', name: 'run', descriptor: null };
    const focused = async () => (await asked<Status>('status')).sources[0];
    const filtered = {
      verdict: 'filtered out',
      remedy: 'The command insitu.clearFocus shows everything again.',
    };
    await asked<Status>('focus', { focus: ['acme.Bank.book'] });
    expect(await focused()).toMatchObject({ focus: ['acme.Bank.book'], samples: 5 });
    expect(await asked<EditorAnswers['why']>('why', { method: outside })).toMatchObject(filtered);
    expect(await asked<EditorAnswers['why']>('why', onRun())).toMatchObject({ ...filtered, subject: 'acme.Shop.run' });
    expect(await asked<EditorAnswers['why']>('why', onTake())).toMatchObject({
      ...filtered,
      subject: 'LockedQueue.take',
    });
    // Shares are of everything, so that the other tasks can be chosen too.
    const { rows } = await asked<EditorAnswers['tasks']>('tasks', { focus: [] });
    expect(rows.map(({ name, share }) => `${name} ${share.text}`)).toEqual(['pay by Card 17%', 'pay by Cash 8.3%']);
    await asked<Status>('focus', onTake());
    expect(await focused()).toMatchObject({ focus: ['acme.LockedQueue.take'], samples: 50 });
    await asked<Status>('focus', onRun());
    expect(await focused()).toMatchObject({ focus: ['acme.Shop.run'], samples: 100 });
    await asked<Status>('focus', { focus: ['acme.Main.main'] });
    expect(await focused()).toMatchObject({ focus: ['acme.Main.main'], samples: 120 });
  });

  test('an expression that never ends is refused, and the focus stays', async () => {
    const endless = String.raw`regex:^(((\w|\.)+)+)+!$`;
    await asked<Status>('focus', { focus: ['acme.Shop.run'] });
    await expect(shop.request('focus', { focus: [endless] })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('the expression takes too long'),
    });
    expect((await asked<Status>('status')).sources[0]).toMatchObject({ focus: ['acme.Shop.run'], samples: 100 });
  });

  test('follows a version, and a version that is not there is said and taken back', async () => {
    expect((await asked<Status>('select', { version: '0.9' })).sources[0]).toMatchObject({
      versions: ['0.9'],
      samples: 120,
    });
    const missing = await asked<Status>('select', { version: '7' });
    expect(missing.text).toContain('version 7 was chosen and is not there any more');
    expect((await asked<Status>('status')).sources[0]).toMatchObject({ state: 'ready', versions: ['1.0'] });
  });

  test('is compared with another version', async () => {
    await expect(shop.request('moved')).rejects.toThrow('insitu.compareWith');
    expect((await asked<Status>('compareWith', { version: '0.9' })).sources[0]?.baseline).toBe('version 0.9');
    const { origin, rows } = await asked<EditorAnswers['moved']>('moved');
    expect(origin.baseline).toContain('0.9');
    expect(rows.map(({ method, change }) => `${change.text} ${method.label}`)).toEqual([
      '−46 CardPayment.pay',
      '+38 LockedQueue.take',
      'new CashPayment.pay',
      'new Bank.book',
    ]);
    const [run] = (await asked<EditorAnswers['metrics']>('metrics', document())).declarations;
    expect(run?.change?.text).toBe('±0');
    expect(run?.calls.map(({ change }) => change?.text)).toEqual(['+45', '−45']);
    expect((await asked<EditorAnswers['top']>('top', { limit: 1 })).rows[0]?.change?.verdict).toBe('notTested');
    expect((await asked<Status>('compareWith')).sources[0]?.baseline).toBeNull();
  });
});

describe('the two doors', () => {
  test('give the same answer', async () => {
    for (const { name, commandOnly } of OPERATIONS) {
      // JVMs of this machine come and go between two questions; no loop here is predicted of.
      if (commandOnly || ['refresh', 'importRecording', 'jvms', 'record', 'iterations', 'countCalls'].includes(name))
        continue;
      if (ANSWERS.some(answer => answer.name === name)) continue;
      // Each address has a code of its own.
      if (['showPicture', 'viewAddress'].includes(name)) continue;
      const params = ['metrics', 'callHierarchy', 'implementations', 'slowerCallers'].includes(name)
        ? onRun()
        : name === 'view'
          ? { question: { ask: 'state' } }
          : name === 'assume'
            ? { method: 'Shop.run', time: '5 ms' }
            : name === 'ask'
              ? { answer: 'callers', parameters: { method: 'Shop.run' } }
              : {};
      const given = name === 'metrics' ? document() : params;
      expect(await shop.client.command(`insitu.${name}`, { ...given, quiet: true }), name).toEqual(
        await shop.request(name, given),
      );
    }
    expect(await shop.client.command('insitu.refresh')).toBeNull();
  });

  test.each<[string, unknown, string]>([
    ['why', { method: { className: 'A' } }, 'name: this parameter is missing'],
    ['callHierarchy', {}, 'textDocument: this parameter is missing'],
    ['implementations', { textDocument: 'file:///a' }, 'textDocument: "file:///a" is not allowed (allowed: an object)'],
    ['metrics', {}, 'textDocument: this parameter is missing'],
    ['select', { instances: 'i-1' }, 'instances: "i-1" is not allowed (allowed: a list)'],
    ['select', { from: 5, to: 5 }, '"from" is not before "to"'],
    ['select', { metric: 'nonsense' }, '"metric" must be one of cpu'],
    ['select', { threads: ['nobody*'] }, '"threads" fits none; some are main'],
    ['focus', { position: { line: 0, character: 0 } }, '"position" needs a "textDocument"'],
    ['compareWith', { version: '1', file: 'x' }, 'exclude each other'],
    ['importRecording', {}, 'files: this parameter is missing'],
    ['importRecording', { files: [''] }, 'files.0: "" is not allowed (allowed: a length of 1 or more)'],
    ['assume', { method: 'Shop.run', time: 'soon' }, '"time" must be a time such as "5 ms"'],
    ['assume', { time: '5 ms' }, 'method: this parameter is missing'],
    ['iterations', { textDocument: { uri: 'file:///a' } }, 'position: this parameter is missing'],
    ['slowerCallers', { textDocument: { uri: 'file:///a' } }, 'position: this parameter is missing'],
    ['record', { quiet: true }, '"pid" is missing'],
    ['countCalls', { textDocument: { uri: 'file:///a' } }, 'position: this parameter is missing'],
    ['record', { pid: '1' }, 'pid: "1" is not allowed (allowed: a number)'],
    ['record', { pid: 0 }, 'pid: 0 is not allowed (allowed: 1 or more)'],
    ['record', { pid: 1, tier: 'all' }, 'tier: "all" is not allowed (allowed: "base" | "standard" | "full")'],
    ['record', { pid: 4_194_304 }, '"pid" 4194304 is no JVM of this machine, or has ended'],
    ['stopRecording', { pid: 1 }, '"pid" 1 is not being recorded from here'],
    ['status', 7, 'the parameters must be an object'],
    ['status', [], 'the parameters must be an object'],
  ])('%s %j names what is wrong', async (name, params, message) => {
    const wrong = { code: -32602, message: expect.stringContaining(message) };
    await expect(shop.client.command(`insitu.${name}`, params)).rejects.toMatchObject(wrong);
    if (Array.isArray(params)) return;
    await expect(shop.request(name, params)).rejects.toMatchObject(wrong);
  });

  test('whatever they are given, there is an answer, and what is none names the reason', async () => {
    const key = fc.constantFrom(
      ...'textDocument position method limit by platform program version metric instances threads path focus window file files range'.split(
        ' ',
      ),
    );
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constant({ uri: shop.uri }),
      fc.constant({ line: 3, character: 8 }),
      fc.constant(null),
    );
    const params = fc.dictionary(key, value, { maxKeys: 2 });
    const name = fc.constantFrom(...OPERATIONS.map(operation => operation.name));
    await fc.assert(
      fc.asyncProperty(name, params, async (operation, given) => {
        const answer = await shop.client.command(`insitu.${operation}`, { ...given, quiet: true }).then(
          found => ({ found }),
          (error: { code: number; message: string }) => ({ error }),
        );
        if ('error' in answer) {
          expect(answer.error.code).toBe(-32602);
          expect(answer.error.message.length).toBeGreaterThan(10);
        } else if (answer.found !== null) expect(flawsOf(operation, answer.found)).toEqual([]);
      }),
      { numRuns: runs(400) },
    );
    const errors = shop.client.received.filter(({ params: said }) =>
      /failed|internal error/.test(JSON.stringify(said)),
    );
    expect(errors).toEqual([]);
  });
});
