// Checks the automaton of paths against looking at the end of every node's own path.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PathAutomaton } from '../../server/cct/path-automaton.ts';
import { runs } from '../support/runs.ts';

/** The state before any method. */
const START = 0;
const METHODS = 4;
/** Of methods but the root's, which is in no path. */
const path = fc.array(fc.integer({ min: 1, max: METHODS - 1 }), { minLength: 1, maxLength: 25, size: 'max' });

/** Adds paths and gives the state of each beginning of one, by its methods. */
function statesOf(automaton: PathAutomaton, paths: readonly (readonly number[])[]): Map<string, number> {
  const states = new Map<string, number>();
  for (const methods of paths) {
    let state = START;
    methods.forEach((method, i) => {
      state = automaton.add(state, method);
      states.set(methods.slice(0, i + 1).join(), state);
    });
  }
  return states;
}

test('a path ends at as many nodes as it is the end of', () => {
  fc.assert(
    fc.property(fc.array(path, { minLength: 1, maxLength: 8 }), fc.array(path, { maxLength: 4 }), (paths, branches) => {
      const automaton = new PathAutomaton(METHODS, paths.flat().length);
      const states = statesOf(automaton, paths);
      automaton.link();
      const ends: string[] = [];
      for (const methods of branches) {
        let state = START;
        methods.forEach((method, i) => {
          state = automaton.read(state, method);
          ends.push(`,${methods.slice(0, i + 1).join()}`);
          automaton.note(state, ends.length);
        });
      }
      automaton.spread();
      const found = [...states].map(([own, state]) => {
        const [count, place] = [automaton.count[state]!, automaton.place[state]!];
        return [own, count, count === 1 ? place : 0];
      });
      const expected = [...states.keys()].map(own => {
        const places = ends.flatMap((end, i) => (end.endsWith(`,${own}`) ? [i + 1] : []));
        return [own, places.length, places.length === 1 ? places[0] : 0];
      });
      expect(found).toEqual(expected);
    }),
    { numRuns: runs(200) },
  );
});

test('paths as deep as any, each the end of another one, are linked without a call a frame', () => {
  const depth = 50_000;
  const automaton = new PathAutomaton(3, 2 * depth);
  let state = automaton.add(START, 2);
  for (let i = 1; i < depth; i++) state = automaton.add(state, 1);
  let shorter = START;
  for (let i = 1; i < depth; i++) shorter = automaton.add(shorter, 1);
  automaton.link();
  automaton.note(state, 7);
  automaton.spread();
  expect([automaton.count[state], automaton.count[shorter], automaton.place[shorter]]).toEqual([1, 1, 7]);
});
