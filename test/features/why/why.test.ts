// Tests that each way not to have a number is told apart, with its numbers and what to do.
import { describe, expect, test } from 'vitest';
import { inlineReach } from '../../../server/analysis/ask.ts';
import type { LoadedData } from '../../../server/analysis/loaded-data.ts';
import type { Selection } from '../../../server/analysis/selection.ts';
import { defaultSettings } from '../../../server/base/config.ts';
import { METHOD_FLAG } from '../../../server/cct/profile.ts';
import { listedMethod } from '../../../server/features/text/listed-method.ts';
import { whyOf } from '../../../server/features/why/why.ts';
import { classesCalled, subjectAtLine, subjectOfMethod } from '../../../server/features/why/why-subject.ts';
import { documentWithData } from '../../../server/workspace/document/document-view.ts';
import { loadedFrom, loadedFromText } from '../../support/profiles/loaded.ts';
import {
  ALLOCATION,
  CPU,
  type ProfileOptions,
  profileOfStacks,
  profileOfText,
} from '../../support/profiles/profiles.ts';

const PICTURE = `
com.acme.Main.main
  com.acme.Shop.run :7 | 10000@3 5@4/1
    com.acme.Queue.take(I) :3 | 2@9
    com.acme.Queue.take(J) :3 | 20@9
    com.acme.Card.pay :4 | 12@9
    com.acme.Shop.rare :5 | 11@20
    com.acme.Shop.once :5 | 1@21
[truncated]
  com.acme.Log.write | 15@9
    com.acme.Card.pay :10 | 3@9`;

const CONTEXT = { settings: defaultSettings(), reader: 'command line', reach: inlineReach } as const;

function why(data: LoadedData, className: string, name: string, text: string | null = null) {
  const document = text === null ? null : documentWithData(text, data);
  return whyOf(data, subjectOfMethod(data, className, name, document), CONTEXT);
}

function ofPicture(className: string, name: string, text: string | null = null, selection: Selection = {}) {
  return why(loadedFromText(PICTURE, {}, {}, selection), className, name, text);
}

/** A bridge with samples of its own between a caller and the method that it calls. */
function bridged(): LoadedData {
  const picture =
    'Main.main | 1@2\n  Match.apply(Ljava/lang/Object;) :3 | 12@1\n    Match.apply(Ljava/lang/String;) :1 | 20@9\n  Match.other(I) :4 | 11@3';
  const profile = profileOfText(picture);
  const { descriptor, strings } = profile.methods;
  const flags = Int32Array.from(descriptor, row =>
    (strings[row] ?? '').includes('Object') ? METHOD_FLAG.known | METHOD_FLAG.bridge : METHOD_FLAG.known,
  );
  return loadedFrom({ ...profile, methods: { ...profile.methods, flags } });
}

describe('methods that were seen', () => {
  test('hot: share, counts, self', async () => {
    expect(await ofPicture('com.acme.Shop', 'run')).toEqual({
      verdict: 'hot',
      methods: ['com.acme.Shop.run'],
      total: { weight: 10051, count: 10051 },
      self: { weight: 10005, count: 10005 },
      ways: {
        into: [
          { method: expect.any(Number), part: { weight: 10051, count: 10051 }, whole: { weight: 10051, count: 10051 } },
        ],
        on: [],
      },
      nearest: [],
      explanation:
        '100 % · 10,051 of 10,051 samples of cpu, itself running in 100 % (10,005 samples), 100 % of its own time.',
      remedy: '',
    });
  });

  test('hot: the heaviest way into it, and on to where the time goes', async () => {
    const data = loadedFromText(`
Main.main | 0@1
  Pool.run :1 | 0@1
    Shop.run :1 | 10@5
      Queue.take :3 | 5@9
        Lock.park :9 | 60@9
      Log.write :4 | 20@9
  Other.go :2 | 0@1
    Shop.run :1 | 5@5`);
    const { ways } = await why(data, 'Shop', 'run');
    const text = ({ method, part, whole }: NonNullable<typeof ways>['into'][number]) =>
      `${listedMethod(data.profile.methods, method).className} ${part.weight} of ${whole.weight}`;
    expect(ways?.into.map(text)).toEqual(['Pool 95 of 100', 'Main 95 of 100']);
    expect(ways?.on.map(text)).toEqual(['Queue 65 of 100', 'Lock 60 of 100']);
  });

  test('few samples', async () => {
    const { verdict, explanation, remedy } = await ofPicture('com.acme.Shop', 'once');
    expect(verdict).toBe('few samples');
    expect(explanation).toBe('1 of 10,051 samples of cpu, fewer than the 10 from which on hints are shown.');
    expect(remedy).toContain('hints.minimumSamples');
    const verdicts = [9, 10].map(async count => (await why(loadedFromText(`A.run | ${count}@1`), 'A', 'run')).verdict);
    expect(await Promise.all(verdicts)).toEqual(['few samples', 'hot']);
  });

  test('below the threshold, by a hair', async () => {
    const context = { ...CONTEXT, settings: { ...defaultSettings(), 'hints.methods.threshold': 0.0011 } };
    const data = loadedFromText(PICTURE);
    const at = (name: string) => whyOf(data, subjectOfMethod(data, 'com.acme.Shop', name, null), context);
    expect(await at('rare')).toMatchObject({
      verdict: 'below threshold',
      explanation: '0.11 % · 11 of 10,051 samples of cpu, less than the 0.11 % from which on hints are shown.',
    });
    expect((await ofPicture('com.acme.Shop', 'rare')).verdict).toBe('hot');
  });

  test('only in partial stacks, unless it is in others too', async () => {
    const { verdict, explanation, remedy } = await ofPicture('com.acme.Log', 'write');
    expect(verdict).toBe('only in partial stacks');
    expect(explanation).toMatch(/^18 samples of cpu, all in stacks that the recorder cut off/);
    expect(remedy).toContain('stackdepth');
    expect(await ofPicture('com.acme.Card', 'pay')).toMatchObject({ verdict: 'hot', total: { count: 12 } });
  });

  test('filtered out: by the focus, or by the threads', async () => {
    const focused = await ofPicture('com.acme.Card', 'pay', null, { focus: ['com.acme.Queue.take'] });
    expect(focused).toMatchObject({
      verdict: 'filtered out',
      explanation: '12 samples of cpu in all, none of them in what is looked at: focus com.acme.Queue.take.',
      remedy: 'Leave out --focus.',
    });
    const onThread = await ofPicture('com.acme.Card', 'pay', null, {
      threads: ['pool-*'],
      focus: ['com.acme.Shop.run'],
    });
    expect(onThread).toMatchObject({ verdict: 'filtered out', remedy: 'Leave out --threads, --from and --to.' });
    expect(onThread.explanation).toContain('threads pool-*');
    expect((await ofPicture('com.acme.Shop', 'run', null, { threads: ['pool-*'] })).verdict).toBe('few samples');
  });

  test('in another metric alone: which, and how often', async () => {
    const frames = (name: string) => [{ method: name, line: 1 }];
    const options: ProfileOptions = { metrics: [CPU, ALLOCATION] };
    const samples = [
      { frames: frames('A.run'), count: 90 },
      { frames: frames('A.make'), metric: 1, count: 30, weight: 4000 },
    ];
    const found = await why(loadedFrom(profileOfStacks(samples, options)), 'A', 'make');
    expect(found).toMatchObject({ verdict: 'loaded but never sampled', remedy: 'Look at alloc: --metric alloc.' });
    expect(found.explanation).toMatch(/^It is in no sample of cpu, only in 30 of alloc\. /);
  });

  test('overloads are one, unless parameters are given', async () => {
    expect(await ofPicture('com.acme.Queue', 'take')).toMatchObject({
      methods: ['com.acme.Queue.take(int)', 'com.acme.Queue.take(long)'],
      total: { count: 22 },
    });
    expect(await ofPicture('com.acme.Queue', 'take(int)')).toMatchObject({
      total: { count: 2 },
      verdict: 'few samples',
    });
    expect(await ofPicture('com.acme.Queue', 'take(J)')).toMatchObject({ total: { count: 20 } });
  });
});

describe('methods that were not seen', () => {
  const SHOP = 'package com.acme; class Shop { void run() {} void idle() {} abstract void pay(); Shop() {} }';

  test('of a class that ran, and in its source: how much can be missed', async () => {
    const { verdict, explanation } = await ofPicture('com.acme.Shop', 'idle', SHOP);
    expect(verdict).toBe('loaded but never sampled');
    expect(explanation).toBe(
      'Its class ran (3 other methods were seen), com.acme.Shop.idle itself is on no stack of any metric. What is never seen in 10,051 samples has less than 0.038 %, with 95 % certainty.',
    );
    expect((await ofPicture('com.acme.Shop', 'new', SHOP)).verdict).toBe('loaded but never sampled');
    expect((await ofPicture('com.acme.Shop', 'Shop', SHOP)).verdict).toBe('loaded but never sampled');
  });

  test('that do not exist: the nearest names, of the source too', async () => {
    expect(await ofPicture('com.acme.Shop', 'idel', SHOP)).toMatchObject({
      verdict: 'no such method',
      nearest: ['com.acme.Shop.idle'],
      remedy: 'Did you mean com.acme.Shop.idle?',
    });
    expect(await ofPicture('com.acme.Shop', 'rnu')).toMatchObject({
      verdict: 'no such method',
      explanation: 'com.acme.Shop ran, but nothing of this name.',
    });
    expect((await ofPicture('com.acme.Shop', 'xyzzy', SHOP)).remedy).toBe(
      'Seen of its class: com.acme.Shop.run, com.acme.Shop.rare, com.acme.Shop.once.',
    );
  });

  test('without a body: what ran of its name', async () => {
    expect(await ofPicture('com.acme.Shop', 'pay', SHOP)).toMatchObject({
      verdict: 'no such method',
      nearest: ['com.acme.Card.pay'],
      remedy: 'Of its name, these ran: com.acme.Card.pay.',
    });
  });

  test('that are a class: its methods are named', async () => {
    const found = await ofPicture('com.acme', 'Shop');
    expect(found).toMatchObject({ verdict: 'no such method', explanation: 'com.acme.Shop is a class.' });
    expect(found.remedy).toBe('Name a method: com.acme.Shop#run, com.acme.Shop#rare, com.acme.Shop#once.');
  });

  test('that the compiler made: what they call has their samples', async () => {
    const data = loadedFromText('Main.main\n  And.access$100 :3\n    Match.run :1 | 20@9\n  Base.count :3 | 9@9');
    const found = await why(data, 'And', 'access$100');
    expect(found).toMatchObject({ verdict: 'no such method', nearest: [], remedy: 'Nothing of its name ran.' });
    expect(found.explanation).toBe(
      'The compiler made it to call another method (a bridge or an accessor): samples below it count for that method.',
    );
    const own = loadedFromText('Main.main\n  And.access$100 :3 | 4@1\n    Match.run :1 | 20@9\n  Base.count :3 | 9@9');
    expect((await why(own, 'And', 'access$100')).explanation).toMatch(
      / count for that method, 4 samples in which it ran itself count for what called it\.$/,
    );
  });

  test('the method behind a bridge says where the samples of the bridge count', async () => {
    const data = bridged();
    const found = await why(data, 'Match', 'apply');
    expect(found.explanation).toMatch(/ 12 samples in which its bridge ran itself count for what called it\.$/);
    expect(found.total).toMatchObject({ count: 20 });
    expect(data.values.self.count[0]).toBe(0);
    expect((await why(data, 'Match', 'other')).explanation).not.toContain('bridge');
  });

  test('of a class that was never seen: the nearest classes', async () => {
    const found = await ofPicture('com.acme.Shpo', 'run');
    expect(found).toMatchObject({ verdict: 'class never seen', nearest: ['com.acme.Shop'] });
    expect(found.explanation).toBe('No method of com.acme.Shpo is on any stack of shop 1.0 (6 classes are).');
    const text = 'package com.acme; class Idle { void run() {} }';
    expect(await ofPicture('com.acme.Idle', 'run', text)).toMatchObject({ verdict: 'class never seen', nearest: [] });
  });
});

test('a class may be called by the end of its name', async () => {
  const data = loadedFromText('a.Shop.run | 1@1\nb.Shop.run | 1@1\nb.Shop$Cart.add | 1@1');
  expect(classesCalled(data, 'Shop')).toEqual(['a.Shop', 'b.Shop']);
  expect(classesCalled(data, 'b.Shop')).toEqual(['b.Shop']);
  expect(classesCalled(data, 'Cart')).toEqual(['b.Shop$Cart']);
  expect(classesCalled(data, 'hop')).toEqual([]);
  const printed = loadedFromText('app//p.Shop.run | 1@1\np.Shop.run | 1@1');
  expect(classesCalled(printed, 'Shop')).toEqual(['p.Shop']);
});

describe('a line', () => {
  const TEXT = `class Shop {
  int plain;
  int made = Math.max(1, 2);
  static { load(); }
  Shop() { }
  void run() {
    list.forEach(x -> use(x));
    list.forEach(x -> {
      use(x);
    });
  }
  abstract void pay();
}`;
  const data = loadedFromText(`
Shop.run :1 | 50@7
  Shop.lambda$run$0 :7 | 20@7
  Shop.lambda$run$1 :8 | 30@9
Shop.<clinit> | 40@4`);
  const at = async (line: number) => {
    const subject = subjectAtLine(documentWithData(TEXT, data), line);
    return subject === null ? null : { subject: subject.title, ...(await whyOf(data, subject, CONTEXT)) };
  };

  test.each([
    [1, null, null],
    [2, null, null],
    [3, 'Shop.made', 'loaded but never sampled'],
    [4, 'static initialiser of Shop', 'hot'],
    [5, 'new Shop', 'loaded but never sampled'],
    [6, 'Shop.run', 'hot'],
    [7, 'Shop.run', 'hot'],
    [9, 'lambda in Shop.run', 'hot'],
    [11, 'Shop.run', 'hot'],
    [12, 'Shop.pay', 'no such method'],
    [99, null, null],
  ])('%i is %s: %s', async (line, subject, verdict) => {
    const found = await at(line);
    expect([found?.subject ?? null, found?.verdict ?? null]).toEqual([subject, verdict]);
  });

  test('of a lambda has the numbers of that lambda', async () => {
    expect(await at(9)).toMatchObject({ methods: ['Shop.lambda$run$1'], total: { count: 30 } });
  });
});
