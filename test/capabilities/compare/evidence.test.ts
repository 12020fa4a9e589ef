// Tests what several JVMs of both sides tell: which methods and contexts got slower, and which only look so.
import { describe, expect, test } from 'vitest';
import { answer } from '../../../server/analysis/ask.ts';
import { Pairing } from '../../../server/analysis/pairing.ts';
import { noPause } from '../../../server/base/pause.ts';
import type { MethodEvidence } from '../../../server/capabilities/compare/questions/evidence.ts';
import type { Scaling } from '../../../server/capabilities/compare/scaling.ts';
import { mergeProfiles } from '../../../server/cct/merge.ts';
import { loadedFrom } from '../../support/profiles/loaded.ts';
import { methodText, profileOfText } from '../../support/profiles/profiles.ts';
import { normals } from './normals.ts';

/** Samples of each method under its caller; a JVM differs from these numbers at random. */
type Load = Readonly<Record<string, number>>;

const LOAD: Load = { find: 3000, pack: 3000, price: 2000, ship: 2000 };

/** A side: one picture a JVM, each with its own number of samples, merged. */
function side(jvms: number, seed: number, picture: (amount: (samples: number) => number) => string) {
  const random = normals(seed);
  const profiles = Array.from({ length: jvms }, (_, jvm) => {
    const length = 0.5 + jvm / jvms;
    const amount = (samples: number) => Math.max(0, Math.round(samples * length * (1 + 0.02 * random())));
    return profileOfText(picture(amount), { startMillis: 100_000 * (jvm + 1) });
  });
  const merged = mergeProfiles(profiles);
  const windows = merged.windows.map(window => ({ ...window, jvm: `jvm-${Math.floor(window.startMillis / 100_000)}` }));
  return loadedFrom({ ...merged, windows });
}

const plain = (load: Load) => (amount: (samples: number) => number) =>
  [
    'Main.main | 10@1',
    ...Object.entries(load).map(([name, samples]) => `  Shop.${name} :5 | ${amount(samples)}@9`),
  ].join('\n');

type Sides = readonly [before: ReturnType<typeof side>, now: ReturnType<typeof side>];

function evidenceOf([before, now]: Sides, scaling: Scaling = 'share', limit: number | null = null): MethodEvidence {
  const wish = {
    became: Pairing.pending(now, before).with().becameRows(),
    scaling,
    work: null,
    code: null,
    check: limit === null ? null : { limit, isPlanned: false },
  };
  return answer(now, 'evidence', wish, noPause, before);
}

/** `[method, which time, verdict]` of all methods with a direction. */
function directed(sides: Sides, scaling?: Scaling): string[][] {
  const { methods } = evidenceOf(sides, scaling);
  const told = methods.filter(({ verdict }) => verdict === 'slower' || verdict === 'faster');
  return told.map(({ method, of, verdict }) => [methodText(sides[1].profile, method), of, verdict]).sort();
}

describe('several JVMs of each side', () => {
  test('equal code: nothing has a direction, and a check passes', () => {
    const sides = [side(5, 1, plain(LOAD)), side(5, 2, plain(LOAD))] as const;
    expect(directed(sides)).toEqual([]);
    const { jvms, methods, gate } = evidenceOf(sides, 'share', 0.05);
    expect(jvms).toEqual([5, 5]);
    expect(new Set(methods.map(({ verdict }) => verdict))).toEqual(new Set(['same']));
    expect(gate).toEqual({ end: 'passed', rows: [] });
  });

  test('a method that got slower; its neighbours, whose shares shrink, did not get faster', () => {
    const sides = [side(4, 3, plain(LOAD)), side(4, 4, plain({ ...LOAD, find: 6000 }))] as const;
    expect(directed(sides)).toEqual([
      ['Shop.find', 'self', 'slower'],
      ['Shop.find', 'total', 'slower'],
    ]);
    expect(directed([sides[1], sides[0]])).toEqual([
      ['Shop.find', 'self', 'faster'],
      ['Shop.find', 'total', 'faster'],
    ]);
  });

  test('a check names the method, and needs more evidence than a verdict', () => {
    const slower = plain({ ...LOAD, find: 6000 });
    const gateOf = (jvms: number) => evidenceOf([side(jvms, 5, plain(LOAD)), side(jvms, 6, slower)], 'share', 0.05);
    const { gate, methods } = gateOf(5);
    expect(gate?.end).toBe('failed');
    expect(methods[gate!.rows[0]!.row]).toMatchObject({ of: 'total', verdict: 'slower' });
    expect(gateOf(4).gate?.end).toBe('undecided');
  });

  test('code that moved into a method of its own is not slower, nor is its caller faster', () => {
    const extracted = (amount: (samples: number) => number) =>
      plain({ pack: 3000, price: 2000, ship: 2000 })(amount) +
      `\n  Shop.find :5 | ${amount(300)}@9\n    Shop.match :9 | ${amount(2700)}@20`;
    const sides = [side(5, 7, plain(LOAD)), side(5, 8, extracted)] as const;
    expect(directed(sides)).toEqual([]);
    expect(evidenceOf(sides, 'share', 0.05).gate?.end).toBe('passed');
  });

  test('a difference between two JVMs of one side hides one between the sides', () => {
    const noisy = (seed: number) => {
      const random = normals(seed);
      return side(5, seed, amount => plain({ ...LOAD, find: 3000 * (1 + 0.5 * random()) })(amount));
    };
    const { methods } = evidenceOf([noisy(9), noisy(10)]);
    const find = methods.find(({ of, p }) => of === 'total' && p < 1)!;
    expect(methods.every(({ verdict }) => verdict !== 'slower' && verdict !== 'faster')).toBe(true);
    expect(find.margin).toBeGreaterThan(0.01);
  });

  test('under shares a check fails nothing that grew because others shrank', () => {
    const sides = [side(8, 11, plain(LOAD)), side(8, 12, plain({ ...LOAD, pack: 300 }))] as const;
    const { gate } = evidenceOf(sides, 'share', 0.05);
    expect(gate?.end).not.toBe('failed');
  });

  test('too few JVMs: nothing is tested', () => {
    const { jvms, methods, gate } = evidenceOf(
      [side(3, 1, plain(LOAD)), side(3, 2, plain({ find: 9000 }))],
      'share',
      0.05,
    );
    expect({ jvms, methods, gate }).toEqual({ jvms: [3, 3], methods: [], gate: null });
  });

  test('of a fixed amount of work, everything can get slower', () => {
    const same = (jvms: number, seed: number, factor: number) => {
      const random = normals(seed);
      const profiles = Array.from({ length: jvms }, (_, jvm) => {
        const amount = (samples: number) => Math.round(samples * factor * (1 + 0.01 * random()));
        return profileOfText(plain(LOAD)(amount), { startMillis: 100_000 * (jvm + 1) });
      });
      const merged = mergeProfiles(profiles);
      return loadedFrom({
        ...merged,
        windows: merged.windows.map(each => ({ ...each, jvm: String(each.startMillis) })),
      });
    };
    const sides = [same(4, 1, 1), same(4, 2, 1.5)] as const;
    expect(directed(sides)).toEqual([]);
    const all = evidenceOf(sides, 'absolute').methods.filter(({ verdict }) => verdict === 'slower');
    expect(all.map(({ method, of }) => [methodText(sides[1].profile, method), of])).toContainEqual([
      'Main.main',
      'total',
    ]);
  });
});
