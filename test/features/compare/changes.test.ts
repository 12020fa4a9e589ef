// Tests how shares of methods and hints moved against a baseline, over two pictures of profiles.
import { describe, expect, test } from 'vitest';
import { inlineReach } from '../../../server/analysis/ask.ts';
import type { LoadedData } from '../../../server/analysis/loaded-data.ts';
import { Pairing, pairKey } from '../../../server/analysis/pairing.ts';
import { type ComparedShare, changeText } from '../../../server/capabilities/compare/words.ts';
import { hintChanges } from '../../../server/features/hints/hint-changes.ts';
import { hintsOf } from '../../../server/features/hints/hints.ts';
import { listedMethod, listedText } from '../../../server/features/text/listed-method.ts';
import { goneOf, type TopRow, topOf } from '../../../server/features/top.ts';
import { documentWithData } from '../../../server/workspace/document/document-view.ts';
import { comparedByName, loadedFromText } from '../../support/profiles/loaded.ts';

function change(baseline: number, current: number, angle: number, isTested = true): ComparedShare {
  const verdict = !isTested ? 'notTested' : current > baseline ? 'slower' : 'faster';
  return { baseline, current, angle, red: 0, green: 0, blue: 0, verdict, presence: 'both', jvms: null };
}

describe('as text', () => {
  test.each([
    [change(0.2, 0.29, -40), '↗ +9'],
    [change(0.29, 0.2, 40), '↘ −9'],
    [change(0.2, 0.6, -90), '↑ +40'],
    [change(0.6, 0.2, 90), '↓ −40'],
    [change(0.5, 0.52, -3), '+2'],
    [change(0.2, 0.6, -90, false), '+40'],
    [change(0.0101, 0.0155, -48), '↗ +0.5'],
    [change(0.0001, 0.0006, -90), '↑ +0.05'],
    [change(0.1, 0.1, 0), '±0'],
    [change(0.10001, 0.1, 0), '±0'],
    [{ ...change(0, 0.12, -45), presence: 'new' } as const, 'new'],
    [{ ...change(0.12, 0, 45), presence: 'gone' } as const, 'gone'],
  ])('%j is %s', (each, text) => expect(changeText(each)).toBe(text));
});

const BEFORE = loadedFromText(`
Shop.run(I) :1 | 100@5
  Queue.take :3 | 300@9
  Log.log :4 | 100@9
  Log.log :6 | 10@9
Shop.gone | 490@1`);
const before = (data: LoadedData) => comparedByName(data, BEFORE);
const NOW = `
Shop.run(J) :1 | 100@5
  Queue.take :13 | 700@9
  Log.log :14 | 101@9
Shop.fresh | 99@1`;

function textOf({ profile: { methods } }: LoadedData, { method, change }: TopRow): string {
  return `${listedText({ ...listedMethod(methods, method), descriptor: null })} ${changeText(change!)}`;
}

test('methods by name, those whose parameters changed too; new ones come from nothing', async () => {
  const data = loadedFromText(NOW);
  const { rows } = await topOf(
    data,
    { limit: 9, by: 'total', platform: false, baseline: before(data) },
    inlineReach.ask,
  );
  expect(rows.map(row => textOf(data, row))).toEqual([
    'Shop.run +39',
    'Queue.take +40',
    'Log.log −0.9',
    'Shop.fresh new',
  ]);
});

test('by self time the change is that of the self time, of methods that vanished too', async () => {
  const now = loadedFromText(NOW);
  const self = { limit: 9, by: 'self', platform: false } as const;
  const { rows } = await topOf(now, { ...self, baseline: before(now) }, inlineReach.ask);
  expect(rows.map(row => textOf(now, row))).toEqual([
    'Queue.take +40',
    'Log.log −0.9',
    'Shop.run ±0',
    'Shop.fresh new',
  ]);
  const later = loadedFromText('Shop.run | 100@1');
  const earlier = loadedFromText('Shop.run | 90@1\n  Shop.gone :2 | 10@3\n    Queue.take :4 | 100@1');
  const compared = comparedByName(later, earlier);
  const gone = await goneOf(later, { ...self, baseline: compared }, inlineReach);
  expect(gone.map(row => textOf(earlier, row))).toEqual(['Queue.take gone', 'Shop.gone gone']);
});

test('a method that only called others before is not new, by self time either', async () => {
  const earlier = loadedFromText('Shop.run | 0@5\n  Queue.take :3 | 100@9');
  const now = loadedFromText('Shop.run | 50@5\n  Queue.take :3 | 50@9');
  const options = {
    limit: 9,
    by: 'self',
    platform: true,
    baseline: comparedByName(now, earlier),
  } as const;
  const { rows } = await topOf(now, options, inlineReach.ask);
  expect(rows.map(row => textOf(now, row))).toEqual(['Shop.run +50', 'Queue.take −50']);
  const later = loadedFromText('Shop.run | 0@5\n  Queue.take :3 | 50@9');
  const [row] = (await topOf(later, { ...options, limit: 1, baseline: comparedByName(later, now) }, inlineReach.ask))
    .rows;
  expect([textOf(later, row!), row!.change!.presence]).toEqual(['Queue.take +50', 'both']);
});

test('a difference is not tested, whatever the samples', async () => {
  const few = loadedFromText('Shop.run(I) | 7@1\nOther.go | 3@1');
  const [row] = (await topOf(few, { limit: 1, by: 'total', platform: false, baseline: before(few) }, inlineReach.ask))
    .rows;
  expect(row!.change).toMatchObject({ verdict: 'notTested', baseline: 0.51, current: 0.7 });
  expect(changeText(row!.change!)).toBe('+19');
});

test('hints: methods, and calls where the method has as many lines with them', () => {
  const text = `class Shop {
  void run(long x) {
${'\n'.repeat(9)}
    queue.take();
    log.log();
  }
}`;
  const lines = text.split('\n');
  expect([lines[12], lines[13]]).toEqual(['    queue.take();', '    log.log();']);
  const picture = NOW.replace('100@5', '100@13');
  const data = loadedFromText(picture);
  const document = documentWithData(text, data);
  const hints = hintsOf(document);
  const changes = hintChanges(document, hints, before(data));
  const shown = hints.map(
    hint => `${hint.line} ${hint.text} ${changes.has(hint) ? changeText(changes.get(hint)!) : '-'}`,
  );
  // Of 510 samples of run 300 called take, and on two lines together 110 log.
  expect(shown).toEqual(['2 90% · self 10% +39', '13 78% → Queue +19', '14 11% → Log -']);
});

describe('a call', () => {
  const text = 'class Shop {\n  void run() {\n    first();\n    second();\n  }\n}';
  const named = (name: string) => ({ className: 'Shop', name, descriptor: null });
  /** Names of `Shop.run`'s calls in lines 3 and 4, now and in the baseline, and which of them have been which. */
  function changes(now: readonly string[], then: readonly string[], renames: Readonly<Record<string, string | null>>) {
    const picture = ([one, other]: readonly string[], counts: readonly number[]) =>
      loadedFromText(`Shop.run\n  Shop.${one} :3 | ${counts[0]}@9\n  Shop.${other} :4 | ${counts[1]}@9`);
    const data = picture(now, [600, 400]);
    const pairs = Object.entries(renames).map(
      ([name, was]) => [pairKey(named(name)), was === null ? [] : [named(was)]] as const,
    );
    const before = picture(then, [500, 500]);
    const pairing = Pairing.pending(data, before).with({ renames: new Map(pairs), files: new Map() });
    const document = documentWithData(text.replace('first', now[0]!).replace('second', now[1]!), data);
    const hints = hintsOf(document);
    const found = hintChanges(document, hints, { data: before, pairing });
    return hints.flatMap(hint => (hint.kind === 'call' ? [changeText(found.get(hint)!)] : []));
  }

  test('of a renamed method is compared with the call of its old name', () =>
    expect(changes(['found', 'paid'], ['find', 'pay'], { found: 'find', paid: 'pay' })).toEqual(['+10', '−10']));

  test('of a name that another method had is compared with what it was itself', () =>
    expect(changes(['pay', 'find'], ['find', 'pay'], { pay: 'find', find: 'pay' })).toEqual(['+10', '−10']));

  test('of a new method with the old name of another is compared with nothing', () =>
    expect(changes(['find', 'found'], ['find', 'pay'], { find: null, found: 'find' })).toEqual(['new', '−10']));

  test('of a method that no text tells of is compared by its name', () =>
    expect(changes(['find', 'pay'], ['find', 'pay'], {})).toEqual(['+10', '−10']));
});
