// The test of rows for a change from some place on, against slow oracles: a regression with a mean for each round, and all relabellings within the rounds.
import { expect, test } from 'vitest';
import { differenceAt, testPlaces, toldPlaces } from '../../../server/capabilities/compare/change-places.ts';
import { randomFrom } from '../../fuzz/grammar-random.ts';
import { runs } from '../../support/runs.ts';

function normalFrom(random: () => number): () => number {
  return () => Array.from({ length: 12 }, random).reduce((sum, each) => sum + each, -6);
}

/** JVMs of versions in rounds, the values of which hold a round's own height. */
function made(seed: number, rows: number, versions: number, perVersion: number): Parameters<typeof testPlaces>[0] {
  const random = randomFrom(seed);
  const normal = normalFrom(random);
  const jvms = versions * perVersion;
  const rounds = Array.from({ length: jvms }, (_, jvm) => jvm % perVersion);
  const heights = Array.from({ length: perVersion }, () => 3 * normal());
  const values = Float64Array.from({ length: rows * jvms }, (_, i) => heights[rounds[i % jvms]!]! + normal());
  const places = Array.from({ length: versions - 1 }, (_, version) => (version + 1) * perVersion);
  return { values, rows, rounds, places };
}

/** The difference and its error by least squares: unknowns are the mean of each round and the difference. */
function byLeastSquares(values: readonly number[], rounds: readonly number[], place: number) {
  const kinds = [...new Set(rounds)];
  const design = values.map((_, jvm) => [...kinds.map(kind => Number(rounds[jvm] === kind)), Number(jvm >= place)]);
  const size = kinds.length + 1;
  const normal = Array.from({ length: size }, (_, a) => [
    ...Array.from({ length: size }, (_, b) => design.reduce((sum, row) => sum + row[a]! * row[b]!, 0)),
    ...Array.from({ length: size }, (_, b) => Number(a === b)),
  ]);
  for (let at = 0; at < size; at++) {
    const pivot = normal[at]![at]!;
    normal[at] = normal[at]!.map(each => each / pivot);
    for (let other = 0; other < size; other++) {
      const factor = normal[other]![at]!;
      if (other !== at) normal[other] = normal[other]!.map((each, i) => each - factor * normal[at]![i]!);
    }
  }
  const inverse = normal.map(row => row.slice(size));
  const sums = Array.from({ length: size }, (_, a) =>
    design.reduce((sum, row, jvm) => sum + row[a]! * values[jvm]!, 0),
  );
  const found = inverse.map(row => row.reduce((sum, each, i) => sum + each * sums[i]!, 0));
  const squares = values.reduce((sum, value, jvm) => {
    const told = design[jvm]!.reduce((sum, each, i) => sum + each * found[i]!, 0);
    return sum + (value - told) ** 2;
  }, 0);
  const error = Math.sqrt((squares / (values.length - size)) * inverse[size - 1]![size - 1]!);
  return { difference: found[size - 1]!, error };
}

test('differences and errors are those of a regression with a mean for each round, also where rounds have gaps', () => {
  for (let seed = 1; seed <= runs(20); seed++) {
    const whole = made(seed, 3, 5, 3);
    const random = randomFrom(seed + 1000);
    // Some JVMs are missing, but none of the first and the last version.
    const kept = [...whole.rounds.keys()].filter(jvm => jvm < 3 || jvm >= 12 || random() < 0.7);
    const jvms = whole.rounds.length;
    const rounds = kept.map(jvm => whole.rounds[jvm]!);
    const values = Float64Array.from({ length: 3 * kept.length }, (_, i) => {
      return whole.values[Math.floor(i / kept.length) * jvms + kept[i % kept.length]!]!;
    });
    const places = [3, kept.length - 3];
    const { tested } = testPlaces({ values, rows: 3, rounds, places });
    const oracle = tested.map(({ row, place }) => {
      const own = [...values.subarray(row * kept.length, (row + 1) * kept.length)];
      return { ...byLeastSquares(own, rounds, places[place]!), own, place };
    });
    const s0 = oracle.map(({ error }) => error).sort((a, b) => a - b)[oracle.length >> 1]!;
    for (const [i, { difference, error, own, place }] of oracle.entries()) {
      expect(tested[i]!.difference).toBeCloseTo(difference, 9);
      expect(tested[i]!.error).toBeCloseTo(error + s0, 9);
      const alone = differenceAt(own, rounds, places[place]!)!;
      expect(alone.difference).toBeCloseTo(difference, 9);
      // Student's t at 97.5 % lies between 1.96 and 4.31 from two free values on.
      expect(alone.margin / error).toBeGreaterThan(1.95);
      expect(alone.margin / error).toBeLessThan(4.31);
    }
  }
});

test('p is the part of all relabellings within the rounds', () => {
  const given = made(5, 2, 4, 2);
  given.values.set([...given.values.subarray(0, 8)].map((value, jvm) => value + (jvm >= 4 ? 2 : 0)));
  const { tested } = testPlaces(given);
  const s0 = tested[0]!.error - byLeastSquares([...given.values.subarray(0, 8)], given.rounds, given.places[0]!).error;
  const orders = permutations([0, 2, 4, 6]).flatMap(even => permutations([1, 3, 5, 7]).map(odd => [even, odd]));
  const maxima = orders.map(([even, odd]) => {
    const order = given.rounds.map((_, jvm) => (jvm % 2 === 0 ? even! : odd!)[jvm >> 1]!);
    return Math.max(
      ...[0, 1].flatMap(row =>
        given.places.map(place => {
          const own = order.map(jvm => given.values[row * 8 + jvm]!);
          const { difference, error } = byLeastSquares(own, given.rounds, place);
          return Math.abs(difference) / (error + s0);
        }),
      ),
    );
  });
  for (const { statistic, p } of tested) {
    const exact = maxima.filter(most => most >= statistic * (1 - 1e-9)).length / maxima.length;
    // The drawn ones are 2,000.
    expect(Math.abs(p - exact)).toBeLessThan(4 * Math.sqrt((exact * (1 - exact)) / 2000) + 0.002);
  }
});

function permutations(items: readonly number[]): number[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map(rest => [item, ...rest]));
}

test('of JVMs without a change some row at some place is found in one history of twenty at most', () => {
  const histories = runs(200);
  let found = 0;
  for (let seed = 1; seed <= histories; seed++)
    if (testPlaces(made(seed * 13, 20, 8, 2)).tested.some(({ p }) => p <= 0.05)) found++;
  expect(found / histories).toBeLessThanOrEqual(0.05 + 2.33 * Math.sqrt((0.05 * 0.95) / histories));
});

test('rounds that have JVMs on one side alone tell nothing', () => {
  const rounds = [0, 0, 0, 1, 1, 1];
  expect(toldPlaces(rounds, [2, 3, 4])).toEqual([2, 4]);
  expect(differenceAt([1, 2, 3, 11, 12, 13], rounds, 3)).toBe(null);
});
