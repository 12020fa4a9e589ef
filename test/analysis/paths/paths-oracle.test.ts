// Checks queries by call paths and their refinements against the definition, tried over raw stacks: recursion, overlapping aspects, folds, weights.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answer } from '../../../server/analysis/ask.ts';
import type { LoadedData } from '../../../server/analysis/loaded-data.ts';
import type { AnswerTo, ParametersOf } from '../../../server/analysis/questions/question-table.ts';
import type { Selection } from '../../../server/analysis/selection.ts';
import { methodNames } from '../../../server/metrics/task.ts';
import { loadedFrom } from '../../support/profiles/loaded.ts';
import { type OracleElement, type OraclePath, satisfiesPath } from '../../support/profiles/path-oracle.ts';
import { ALLOCATION, CPU, profileOfStacks, type RawSample } from '../../support/profiles/profiles.ts';
import { runs } from '../../support/runs.ts';

type PathWish = ParametersOf<'paths'>;
type PathAnswer = Extract<AnswerTo<'paths'>, { kind: 'answer' }>['answer'];

const START = 'java.lang.Thread.run';
/** Folded away. */
const HOP = 'A.access$000';
const NAMES = ['A.run', 'A.go', 'B.run', 'B.go', 'C.hop'];
const FRAMES = ['A.run', 'A.go', 'B.run', 'B.go(I)', 'B.go(J)', 'C.hop', START, HOP];
const SETS: Record<string, readonly string[]> = {
  all: ['A.run', 'A.go', 'B.run', 'B.go', 'C.hop'],
  runs: ['A.run', 'B.run'],
  a: ['A.run', 'A.go'],
};
const ASPECTS = [
  { name: 'all', value: 'A.* | B | C.hop' },
  { name: 'runs', value: 'A.run | B.r*' },
  { name: 'a', value: 'A' },
];
const THREADS = ['main', 'pool-#', 'gc'];

type Written = { readonly path: OraclePath; readonly text: string };
type Condition = { readonly holds: (sample: Plain) => boolean; readonly text: string };
type Plain = { readonly stack: readonly string[]; readonly sample: RawSample };

const samples = fc.array(
  fc
    .record({
      methods: fc.array(fc.constantFrom(...FRAMES), { maxLength: 9, size: 'max' }),
      metric: fc.nat(1),
      thread: fc.nat(2),
      count: fc.integer({ min: 1, max: 4 }),
      weight: fc.integer({ min: 1, max: 1000 }),
      truncated: fc.integer({ min: 0, max: 9 }),
    })
    .map(({ methods, metric, thread, count, weight, truncated }): RawSample => {
      const frames = methods.map((method, at) => ({ method, line: at % 2 }));
      const isCut = truncated === 0 && frames.length > 0 && frames.length < 4;
      return { frames, metric, thread, count, weight: metric === 0 ? count : weight, truncated: isCut };
    }),
  { minLength: 1, maxLength: 30 },
);

const element = fc
  .record({ name: fc.constantFrom(...NAMES, ...Object.keys(SETS)), isExtended: fc.boolean() })
  .map(({ name, isExtended }) => elementOf(name, isExtended));

type NamedElement = OracleElement & { readonly name: string };

function elementOf(name: string, isExtended: boolean): NamedElement {
  return { name, isExtended, methods: SETS[name] ?? [name], isSet: name in SETS };
}

/** Calls that the language refuses. */
function isRefused(above: OracleElement | undefined, { isExtended, isSet, methods }: OracleElement): boolean {
  if (above?.isSet !== true || isExtended) return false;
  return isSet || methods.every(method => !above.methods.includes(method));
}

const path = fc
  .record({
    thread: fc.constantFrom('', '', '*', 'thread:pool-*', 'thread:main'),
    elements: fc.array(element, { minLength: 1, maxLength: 4 }),
    isAlone: fc.integer({ min: 0, max: 9 }),
  })
  .map(({ thread, elements, isAlone }) => {
    const kept = elements.map((each, at) => (isRefused(elements[at - 1], each) ? { ...each, isExtended: true } : each));
    return written(thread, thread !== '' && isAlone === 0 ? [] : kept);
  });

function written(
  thread: string,
  elements: readonly NamedElement[],
): Written & { thread: string; elements: readonly NamedElement[] } {
  const threads = thread === 'thread:pool-*' ? [1] : thread === 'thread:main' ? [0] : undefined;
  const words = elements.map(({ name, isExtended }) => `${isExtended ? '..' : ''}${name}`);
  const text = [...(thread === '' ? [] : [thread]), ...words].join(' ');
  return { thread, elements, text, path: { fromThread: thread !== '', elements, ...(threads && { threads }) } };
}

const condition: fc.Memo<Condition> = fc.memo(depth => {
  const single = path.map(({ path: own, text }) => ({ text, holds: (each: Plain) => satisfies(each, own) }));
  if (depth < 2) return single;
  const pair = (word: string, join: (a: boolean, b: boolean) => boolean) =>
    fc.tuple(condition(depth - 1), condition(depth - 1)).map(([a, b]) => ({
      text: `(${a.text}) ${word} (${b.text})`,
      holds: (each: Plain) => join(a.holds(each), b.holds(each)),
    }));
  const not = condition(depth - 1).map(a => ({ text: `not (${a.text})`, holds: (each: Plain) => !a.holds(each) }));
  return fc.oneof(
    single,
    pair('and', (a, b) => a && b),
    pair('or', (a, b) => a || b),
    not,
  );
});

const STARTS = new Set([START]);

function satisfies({ stack, sample }: Plain, own: OraclePath): boolean {
  return satisfiesPath(stack, sample.thread ?? 0, own, STARTS);
}

/** Stacks that count, folded and without descriptors. */
function plain(all: readonly RawSample[], metric: number): Plain[] {
  return all
    .filter(sample => sample.metric === metric && sample.truncated !== true)
    .map(sample => ({
      sample,
      stack: sample.frames.map(({ method }) => method.replace(/\(.*/, '')).filter(method => method !== HOP),
    }));
}

function sum(all: readonly Plain[], holds: (each: Plain) => boolean) {
  const chosen = all.filter(holds).map(({ sample }) => sample);
  return {
    weight: chosen.reduce((total, { weight }) => total + weight!, 0),
    count: chosen.reduce((total, { count }) => total + count!, 0),
  };
}

/** Data in which every name is known, whatever was drawn. */
function loaded(all: readonly RawSample[], metric: number, selection: Selection = {}): LoadedData {
  const known = FRAMES.map(method => ({ frames: [{ method, line: 0 }], metric: 0, count: 0, weight: 0 }));
  const profile = profileOfStacks([...all, ...known, ...known.map(each => ({ ...each, metric: 1 }))], {
    metrics: [CPU, ALLOCATION],
    threads: THREADS,
  });
  return loadedFrom(profile, {}, { metric: metric === 0 ? 'cpu' : 'alloc', aspects: ASPECTS, ...selection });
}

function ask(data: LoadedData, query: string, wish: Partial<PathWish> = {}): PathAnswer {
  const found = answer(data, 'paths', {
    ...{ query, aspects: ASPECTS, view: null, refine: null, least: 0, most: 999, ...wish },
  });
  if (found.kind !== 'answer') throw new Error(`${query}: ${JSON.stringify(found)}`);
  return found.answer;
}

describe('against the definition over raw stacks', () => {
  test('the cost of any query, in both views', () => {
    fc.assert(
      fc.property(
        samples,
        fc.nat(1),
        condition(3),
        fc.option(condition(2)),
        fc.constantFrom(null, 'main'),
        (all, metric, asked, where, view) => {
          const query = where === null ? asked.text : `${asked.text} where ${where.text}`;
          const found = ask(loaded(all, metric), query, { view: view === null ? null : [view] });
          const counted = plain(all, metric)
            .filter(({ sample }) => view === null || sample.thread === 0)
            .filter(each => where === null || where.holds(each));
          expect(found.whole).toEqual(sum(counted, () => true));
          expect(found.amount).toEqual(sum(counted, asked.holds));
          expect(found.missing === null).toBe(found.amount.count > 0);
        },
      ),
      { numRuns: runs(150) },
    );
  });

  test('a filter by any query keeps whole stacks and the whole', () => {
    fc.assert(
      fc.property(samples, fc.nat(1), condition(3), fc.option(condition(2)), (all, metric, asked, where) => {
        const query = where === null ? asked.text : `${asked.text} where ${where.text}`;
        const data = loaded(all, metric, { path: query });
        const counted = plain(all, metric).filter(each => where === null || where.holds(each));
        expect(data.analysis.whole).toEqual(sum(counted, () => true));
        expect(data.analysis.onPath).toEqual(sum(counted, asked.holds));
        const names = methodNames(data.profile.methods);
        const sets = NAMES.map(name => ({ methods: names.flatMap((each, row) => (each === name ? [row] : [])) }));
        const numbers = answer(data, 'numbers', { sets });
        const surroundings = answer(data, 'surroundings', {
          sets: sets.map(({ methods }) => methods),
          facts: ['callers', 'threads', 'metrics'],
        });
        for (const [at, name] of NAMES.entries()) {
          const runs = (each: Plain) => asked.holds(each) && each.stack.includes(name);
          expect(numbers[at]!.total, name).toEqual(sum(counted, runs));
          expect(numbers[at]!.self, name).toEqual(
            sum(counted, each => asked.holds(each) && each.stack.at(-1) === name),
          );
          const { callers, threads, metrics } = surroundings[at]!;
          const rowOf = ({ method }: { method: number }) => names[method];
          for (const caller of NAMES) {
            const isCaller = ({ stack }: Plain) => stack.some((own, i) => own === name && stack[i - 1] === caller);
            const weights = callers!.filter(row => rowOf(row) === caller).map(({ amount }) => amount.count);
            const wanted = sum(counted, each => runs(each) && isCaller(each)).count;
            // Overloads stand in rows of their own, which a stack may have in common.
            if (caller !== 'B.go')
              expect(
                weights.reduce((total, own) => total + own, 0),
                caller,
              ).toBe(wanted);
          }
          for (const { thread, amount } of threads!)
            expect(amount).toEqual(sum(counted, each => runs(each) && each.sample.thread === thread));
          const others = plain(all, 1 - metric).filter(each => where === null || where.holds(each));
          for (const other of metrics!) {
            expect(other.total).toEqual(sum(others, runs));
            expect(other.whole).toMatchObject(sum(others, () => true));
          }
        }
      }),
      { numRuns: runs(100) },
    );
  });

  test('a focus on a query is what lies below its last element', () => {
    fc.assert(
      fc.property(samples, fc.nat(1), path, (all, metric, asked) => {
        const wanted = sum(plain(all, metric), each => satisfies(each, asked.path));
        const isRead = asked.path.threads === undefined && asked.elements.length > 0;
        const focused = () => loaded(all, metric, { focus: [`query:${asked.text}`] }).analysis.whole;
        if (isRead && wanted.count > 0) expect(focused()).toEqual(wanted);
        if (!isRead) expect(focused).toThrow('does not end with a method');
      }),
      { numRuns: runs(100) },
    );
  });

  const refined = (kind: 'down' | 'extended' | 'up') =>
    fc.property(samples, fc.nat(1), path, fc.option(condition(2)), fc.nat(3), (all, metric, asked, where, from) => {
      const data = loaded(all, metric);
      const query = where === null ? asked.text : `${asked.text} where ${where.text}`;
      const { splits } = ask(data, query);
      if (kind === 'up' && splits.length === 0) return;
      const { at } = splits[from % splits.length] ?? { at: 0 };
      const { rows } = ask(data, query, { refine: kind === 'up' ? { kind, at } : { kind } });
      const counted = plain(all, metric).filter(each => where === null || where.holds(each));
      const wanted: Record<string, unknown> = {};
      for (const name of [...NAMES, START, ...Object.keys(SETS)]) {
        const elements = refinedElements(kind, asked.elements, name, at - 1 - (asked.thread === '' ? 0 : 1));
        if (elements === null) continue;
        const amount = sum(counted, each => satisfies(each, written(asked.thread, elements).path));
        if (amount.count > 0) wanted[name] = amount;
      }
      expect(Object.fromEntries(rows!.map(({ name, amount }) => [name, amount]))).toEqual(wanted);
      for (const row of rows!) expect(ask(data, row.query).amount, row.query).toEqual(row.amount);
      const weights = rows!.map(({ amount }) => amount.weight);
      expect(weights).toEqual(weights.toSorted((x, y) => y - x));
    });

  test('immediate refinements downwards', () => {
    fc.assert(refined('down'), { numRuns: runs(100) });
  });

  test('extended refinements downwards', () => {
    fc.assert(refined('extended'), { numRuns: runs(100) });
  });

  test('splits upwards, at any extended call', () => {
    fc.assert(refined('up'), { numRuns: runs(150) });
  });
});

/** The elements of `P x`, `P ..x` or `P1 ..x P2`; null where the language refuses them. */
function refinedElements(
  kind: 'down' | 'extended' | 'up',
  elements: readonly NamedElement[],
  name: string,
  at: number,
): readonly NamedElement[] | null {
  const x = elementOf(name, kind !== 'down');
  if (kind !== 'up') return isRefused(elements.at(-1), x) ? null : [...elements, x];
  const below = { ...elements[at]!, isExtended: false };
  return isRefused(x, below) ? null : [...elements.slice(0, at), x, below, ...elements.slice(at + 1)];
}
