// Tests the one door to numbers: another thread answers as this one does, can be told to stop, and its end is told.
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { AskFailed, answer, type Door, lookAt, type Subject } from '../../server/analysis/ask.ts';
import { QuestionThread } from '../../server/analysis/question-thread.ts';
import type { PictureWish } from '../../server/analysis/questions/picture.ts';
import type { Selection } from '../../server/analysis/selection.ts';
import type { SurroundingFact } from '../../server/analysis/surroundings-answer.ts';
import { Cancelled, noPause } from '../../server/base/pause.ts';
import { sharedInt32 } from '../../server/cct/shared-columns.ts';
import { methodKeys } from '../../server/metrics/method-keys.ts';
import { datasetOf, provenanceOf } from '../support/profiles/loaded.ts';
import { profileOfText } from '../support/profiles/profiles.ts';
import { timedProfile } from '../support/profiles/timed.ts';

const PICTURE = `
Shop.run | 20@1
  Shop.search :4 | 5@9/1
    Shop.search :9 | 7@9
      Cart.add :9 | 11@3
  Cart.add :5 | 2@3/1
Other.main | 1@1`;

const WHOLE_PICTURE: PictureWish = {
  direction: 'callees',
  of: null,
  root: [],
  recursion: false,
  library: true,
  own: null,
  isAggregated: false,
  window: [0, 1],
  rows: [0, 9],
  least: [0],
  form: 'metric',
  order: 'name',
  most: 99,
  search: 'run',
};

const TRACKS = { unfolded: [], rows: [0, 9], span: [0, 1], pixels: 99 } as const;

const FACTS: readonly SurroundingFact[] = [
  'callers',
  'callees',
  'calleeMethods',
  'lines',
  'threads',
  'effectiveSamples',
  'threadCount',
  'metrics',
];

/** Answers in this thread. */
const inlineDoor: Door = {
  ask: async (subject, name, parameters) => answer(lookAt(subject), name, parameters),
};

let thread: QuestionThread;

beforeEach(() => {
  thread = new QuestionThread();
});

afterEach(() => thread.close());

function subject(picture = PICTURE, selection: Selection = {}): Subject {
  return { dataset: datasetOf(profileOfText(picture), provenanceOf()), selection };
}

const TASKS = [
  { name: 'all', type: 'regex', value: '.' },
  { name: 'searches', type: 'query', value: '* ..Shop.search' },
] as const;

describe('the thread that answers', () => {
  test('gives what this thread gives under a path filter, and of paths', async () => {
    const { dataset } = subject();
    for (const selection of [{}, { path: '* ..Shop.search' }, { path: '* ..Shop.search', threads: ['pool-*'] }]) {
      const of = { dataset, selection };
      const both = async (ask: (door: typeof inlineDoor) => Promise<unknown>) =>
        expect(await ask(thread)).toEqual(await ask(inlineDoor));
      await both(door => door.ask(of, 'hottest', { limit: 9, by: 'total', platform: true }));
      await both(door => door.ask(of, 'look', null));
      for (const rows of [null, [3], [2, 3]]) {
        await both(door => door.ask(of, 'threadList', { methods: rows }));
        await both(door => door.ask(of, 'timeline', { methods: rows, hottest: 2 }));
        await both(door => door.ask(of, 'tracks', { methods: rows, own: null, ...TRACKS }));
      }
      const refine = { kind: 'extended' } as const;
      const saved = [{ name: 'search', value: 'Shop.search' }];
      await both(door => door.ask(of, 'aspects', { given: [], saved, names: null, spans: 9 }));
      await both(door => door.ask(of, 'paths', { query: '*', aspects: [], view: null, refine, least: 0, most: 9 }));
    }
  });

  test('gives what this thread gives of response times', async () => {
    const calls = [1, 2, 2].map((method, i) => ({ method, caller: i, window: i, nanos: 10 ** (i + 3) }));
    const dataset = datasetOf(timedProfile(calls), provenanceOf());
    const { profile } = dataset.folded;
    const sets = Array.from({ length: profile.methods.length }, (_, row) => [row]);
    for (const selection of [{}, { from: profile.windows[1]!.startMillis }] as Selection[]) {
      const of = { dataset, selection };
      const found = await thread.ask(of, 'responseTimes', { sets });
      expect(found).toEqual(await inlineDoor.ask(of, 'responseTimes', { sets }));
      expect(JSON.stringify(found)).toContain('"mean":');
      const around = { sets, facts: ['responseTimes'] as const };
      expect(await thread.ask(of, 'surroundings', around)).toEqual(await inlineDoor.ask(of, 'surroundings', around));
    }
  });

  test('gives what this thread gives, for every question and selection', async () => {
    const { dataset } = subject();
    const { methods } = dataset.folded.profile;
    for (const selection of [{}, { focus: ['Shop.search'] }, { threads: ['pool-*'] }]) {
      const of = { dataset, selection };
      const both = async (ask: (door: typeof inlineDoor) => Promise<unknown>) =>
        expect(await ask(thread)).toEqual(await ask(inlineDoor));
      await both(door => door.ask(of, 'hottest', { limit: 9, by: 'total', platform: true }));
      await both(door => door.ask(of, 'hottest', { limit: 9, by: 'self', platform: false, within: 'com.acme' }));
      for (const by of ['class', 'package', 'thread'] as const)
        await both(door => door.ask(of, 'groups', { by, limit: 9, sort: 'total', platform: true }));
      await both(door => door.ask(of, 'threads', null));
      const { keyOf } = methodKeys(methods);
      for (const key of [keyOf(3), 'unknown_']) {
        await both(door => door.ask(of, 'lineTimes', { of: key }));
        for (const kind of ['methods', 'callers', 'callees'] as const)
          for (const [sort, search] of [
            ['total', null],
            ['self', 'SEARCH'],
            ['name', '/^Sh/'],
            ['name', '/(/'],
          ] as const)
            await both(door => door.ask(of, 'methodList', { kind, of: [3], sort, search, from: 0, most: 2 }));
      }
      for (let row = 0; row < methods.length; row++)
        await both(door => door.ask(of, 'surroundings', { sets: [[row]], facts: FACTS }));
      const rows = Array.from({ length: methods.length }, (_, row) => [row]);
      await both(door => door.ask(of, 'surroundings', { sets: [...rows, ...rows, [2, 3, 4]], facts: FACTS }));
      await both(door =>
        door.ask(of, 'numbers', { sets: [{ methods: [2, 3, 4] }, { methods: [3], onlyLines: [[9, 9]] }] }),
      );
      for (const set of [{ methods: [3] }, { methods: [2, 3], onlyLines: [[9, 9]] as const }])
        await both(door => door.ask(of, 'beyond', set));
      for (const direction of ['callees', 'callers'] as const) {
        await both(door => door.ask(of, 'along', { way: { direction, steps: [[3]] } }));
        const way = { direction, steps: [[2], [3, 4]] };
        await both(door => door.ask(of, 'along', { way, groups: new Map([[4, 3]]) }));
      }
      for (const among of ['methods', 'classes'] as const)
        await both(door => door.ask(of, 'nearest', { wanted: 'Shop.serach', among, besides: ['Shop.reach'], most: 3 }));
      for (const specs of [['Shop.run', 'regex:Shop'], ['Shop.gone']])
        await both(door => door.ask(of, 'focusFits', { specs, saved: [], aspects: [] }));
      await both(door => door.ask(of, 'tasks', { definitions: TASKS, aspects: [] }));
      for (const direction of ['callees', 'callers'] as const)
        for (const recursion of [false, true])
          await both(door => door.ask(of, 'picture', { ...WHOLE_PICTURE, direction, recursion }));
      await both(door => door.ask(of, 'hits', { search: 'search', most: 9 }));
      await both(door => door.ask(of, 'look', null));
      for (const start of [null, [2], [3, 4]]) await both(door => door.ask(of, 'heaviestPath', { start }));
      await both(door => door.ask(of, 'stacks', null));
      const compared = { became: Int32Array.from(methods.className, (_, row) => row), work: null, code: null };
      for (const scaling of ['share', 'perSecond', 'absolute', 'anchored'] as const) {
        const wish = { ...compared, scaling };
        const baseline = { dataset, selection: {} };
        const boxes = { ...wish, show: 'below', box: 0, label: -1, from: 0, most: 9 } as const;
        expect(await thread.ask(of, 'comparedBoxes', boxes, { baseline })).toEqual(
          answer(lookAt(of), 'comparedBoxes', boxes, noPause, lookAt(baseline)),
        );
        expect(await thread.ask(of, 'responsible', { ...wish, most: 9 }, { baseline })).toEqual(
          answer(lookAt(of), 'responsible', { ...wish, most: 9 }, noPause, lookAt(baseline)),
        );
      }
      for (const wish of [
        { direction: 'callees', methods: null },
        { direction: 'callees', methods: [3] },
        { direction: 'callers', methods: [3, 4] },
      ] as const)
        await both(door => door.ask(of, 'tree', { ...wish, depth: 9, least: 0, rows: 99 }));
    }
  });

  test('says why a selection means nothing, as this thread does', async () => {
    const of = subject(PICTURE, { threads: ['none'] });
    for (const door of [thread, inlineDoor]) {
      const failure = await door.ask(of, 'threads', null).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(AskFailed);
      expect((failure as AskFailed).problems).toMatchObject([{ message: 'no thread fits "none"' }]);
    }
  });

  test('does not answer what was cancelled before or meanwhile', async () => {
    const of = subject();
    const [before, meanwhile] = [AbortSignal.abort(), new AbortController()];
    await expect(thread.ask(of, 'threads', null, { signal: before })).rejects.toBeInstanceOf(Cancelled);
    const first = thread.ask(of, 'threads', null);
    const second = thread.ask(of, 'threads', null, { signal: meanwhile.signal });
    meanwhile.abort();
    await expect(second).rejects.toBeInstanceOf(Cancelled);
    expect(await first).toHaveLength(2);
  });

  test('answers an urgent question before questions that were asked earlier', async () => {
    const picture = profileOfText(PICTURE);
    const subtreeEnd = sharedInt32(picture.tree.length);
    subtreeEnd.set(picture.tree.subtreeEnd);
    const of: Subject = {
      dataset: datasetOf({ ...picture, tree: { ...picture.tree, subtreeEnd } }, provenanceOf()),
      selection: {},
    };
    const { tree } = of.dataset.folded.profile;
    expect(tree.subtreeEnd.buffer).toBeInstanceOf(SharedArrayBuffer);
    const order: string[] = [];
    const ask = (name: string, urgent: boolean) =>
      thread.ask(of, 'threads', null, { urgent }).then(() => void order.push(name));
    await thread.ask(of, 'threads', null);
    // The thread walks in a circle from node 2 to itself, over memory that it shares with this one, until all questions are posted.
    const end = tree.subtreeEnd[2]!;
    tree.subtreeEnd[2] = 2;
    const sets = [[tree.method[1]!, tree.method[4]!]];
    const busy = thread.ask(of, 'surroundings', { sets, facts: ['callees'] });
    const all = [ask('a', false), ask('b', false), ask('urgent', true)];
    tree.subtreeEnd[2] = end;
    await Promise.all([busy, ...all]);
    expect(order).toEqual(['urgent', 'a', 'b']);
  });

  test('lets go of data that are not on screen, and takes them again', async () => {
    const subjects = ['A.a | 1@1', 'B.b | 2@1', 'C.c | 3@1'].map(text => subject(text));
    const names = async ({ dataset, selection }: Subject) => {
      const {
        rows: [hot],
      } = await thread.ask({ dataset, selection }, 'hottest', { limit: 1, by: 'total', platform: true });
      return hot?.total.count;
    };
    thread.pin([subjects[0]!.dataset]);
    for (const round of [0, 1])
      for (const [i, of] of subjects.entries()) expect([round, await names(of)]).toEqual([round, i + 1]);
  });

  test('answers what was asked although its data were let go of right after', async () => {
    const texts = Array.from({ length: 6 }, (_, i) => `A.a | ${i + 1}@1`);
    const asked = texts.map(text => thread.ask(subject(text), 'hottest', { limit: 1, by: 'total', platform: true }));
    const counts = (await Promise.all(asked)).map(({ rows: [hot] }) => hot?.total.count);
    expect(counts).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test('that dies fails what was asked with a way out, and is replaced', async () => {
    const of = subject();
    const posts = vi.spyOn(Worker.prototype, 'postMessage');
    const asked = thread.ask(of, 'threads', null);
    const [worker] = posts.mock.contexts as Worker[];
    posts.mockRestore();
    void worker?.terminate();
    const failure = await asked.catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(AskFailed);
    expect((failure as AskFailed).problems[0]?.remedy).toBe('ask again; it is started anew');
    expect(await thread.ask(of, 'threads', null)).toHaveLength(2);
  });

  test('that does not come to an end is replaced: what was asked ends with a problem, the next question is answered', async () => {
    const impatient = new QuestionThread(6_000);
    try {
      await impatient.ask(subject(), 'threads', null);
      const endless = subject();
      // The sibling behind a called node is the node itself: a walk over calls goes on for ever. Calls of one method alone are in a table.
      const { tree } = endless.dataset.folded.profile;
      tree.subtreeEnd[2] = 2;
      const sets = [[tree.method[1]!, tree.method[4]!]];
      const taken = new AbortController();
      const signal = taken.signal;
      const cancelled = impatient.ask(endless, 'surroundings', { sets, facts: ['callees'] }, { signal });
      await new Promise(resolve => setTimeout(resolve, 100));
      const behind = impatient.ask(subject(), 'threads', null);
      taken.abort();
      await expect(cancelled).rejects.toBeInstanceOf(Cancelled);
      const failure = await behind.catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(AskFailed);
      expect((failure as AskFailed).problems[0]?.message).toMatch(/no answer within 6 s$/);
      expect(await impatient.ask(subject(), 'threads', null)).toHaveLength(2);
    } finally {
      impatient.close();
    }
  });

  test('that is closed counts what was asked as cancelled', async () => {
    const asked = thread.ask(subject(), 'threads', null);
    thread.close();
    await expect(asked).rejects.toBeInstanceOf(Cancelled);
  });

  test('that is closed does not begin again', async () => {
    thread.close();
    const posts = vi.spyOn(Worker.prototype, 'postMessage');
    const of = subject();
    thread.pin([of.dataset]);
    await expect(thread.ask(of, 'threads', null)).rejects.toBeInstanceOf(Cancelled);
    expect(posts).not.toHaveBeenCalled();
    posts.mockRestore();
  });
});

test('a focus of thousands of steps that run nowhere in a row names the first one that is missing', () => {
  const focus = [`Shop.run;Shop.search${';Cart.add;Shop.run'.repeat(3_000)}`];
  expect(() => lookAt(subject(PICTURE, { focus }))).toThrow(AskFailed);
});

test('data are looked at under the selection that is asked for', () => {
  expect(lookAt(subject(PICTURE, { focus: ['Cart.add'] })).analysis.whole.count).toBe(13);
});
