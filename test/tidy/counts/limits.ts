// The counts that keep the code simple, with what they may be today and what they are to come to.
import { countCircles } from './circles.ts';
import type { Counted, Project } from './count.ts';
import { countTestOnlyExports, countUnusedExports } from './exports.ts';
import { countTimeGenerators } from './generators.ts';
import { countTables } from './tables.ts';

export type Limited = {
  readonly name: string;
  /** The counted things, for people. */
  readonly what: string;
  /** The fast suite and `npm run check` fail beyond it. It only goes down: where a count has become less, its limit follows. */
  readonly limit: number;
  readonly goal: number;
  count(project: Project): Counted | Promise<Counted>;
};

export const LIMITS: readonly Limited[] = [
  {
    name: 'tables',
    what: 'tables that remember beside the values: WeakMap, WeakSet, changing collections of modules',
    limit: 15,
    goal: 15,
    count: ({ files }) => countTables(files),
  },
  {
    name: 'generators',
    what: 'generators that yield nothing but time',
    limit: 5,
    goal: 5,
    count: ({ files }) => countTimeGenerators(files),
  },
  {
    name: 'circles',
    what: 'circles of files that import each other, types included',
    limit: 0,
    goal: 0,
    count: ({ files }) => countCircles(files),
  },
  {
    name: 'unused-exports',
    what: 'exports that no other file imports',
    limit: 0,
    goal: 0,
    count: countUnusedExports,
  },
  {
    name: 'test-exports',
    what: 'exports that only tests import',
    limit: 6,
    goal: 6,
    count: countTestOnlyExports,
  },
];
