// Checks the heaviest path against counts over raw stacks: every step, its own part, and where the path ends.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { answer, lookAt, type Subject } from '../../../server/analysis/ask.ts';
import type { MethodTable } from '../../../server/cct/profile.ts';
import { datasetOf, provenanceOf } from '../../support/profiles/loaded.ts';
import { profileOfStacks, profileOfText } from '../../support/profiles/profiles.ts';
import { amountOf, amountsBy, methodSets, rawSamples } from '../../support/profiles/stack-oracle.ts';

/** `Class.name` with its parameters where it has some, as raw frames name it. */
function nameOf({ strings, className, name, descriptor }: MethodTable, row: number): string {
  const own = descriptor[row]! < 0 ? '' : strings[descriptor[row]!]!.replace(/V$/, '');
  return `${strings[className[row]!]}.${strings[name[row]!]}${own}`;
}

const isNew = (name: string, at: number, all: readonly string[]): boolean => name !== all[at - 1];

test('each step is the heaviest call, in the contexts of the path, and the last one is spent in itself', () =>
  fc.assert(
    fc.property(rawSamples(), fc.option(methodSets()), (samples, start) => {
      const profile = profileOfStacks(samples);
      const names = Array.from({ length: profile.methods.length }, (_, row) => nameOf(profile.methods, row));
      const rows = start === null ? null : names.flatMap((name, row) => (start.includes(name) ? [row] : []));
      const first = names[rows?.[0] ?? -1] ?? '';
      /** From the start on, what calls itself once, and all methods of the start by one name. */
      const stackOf = (frames: readonly { method: string }[]): string[] => {
        const all = frames.map(({ method }) => (start?.includes(method) ? first : method));
        const from = start === null ? 0 : all.indexOf(first);
        return from < 0 ? [] : all.slice(from).filter(isNew);
      };
      const subject: Subject = { dataset: datasetOf(profile, provenanceOf()), selection: {} };
      const steps = answer(lookAt(subject), 'heaviestPath', { start: rows });
      const path = steps.map(({ method }) => names[method]!);
      const below = (depth: number): number[] => {
        const isOn = (stack: string[]) => path.slice(0, depth).every((name, at) => stack[at] === name);
        const next = amountsBy(samples, frames => {
          const stack = stackOf(frames);
          return isOn(stack) && stack.length > depth ? [stack[depth]!] : [];
        });
        return Object.values(next).map(({ weight }) => weight);
      };
      for (const [at, { total, self }] of steps.entries()) {
        const on = (stack: string[]) => path.slice(0, at + 1).every((name, i) => stack[i] === name);
        expect(total).toEqual(amountOf(samples, frames => on(stackOf(frames))));
        expect(self).toEqual(amountOf(samples, frames => on(stackOf(frames)) && stackOf(frames).length === at + 1));
        expect(total.weight).toBe(Math.max(...below(at)));
        const heaviestCall = Math.max(0, ...below(at + 1));
        if (at === steps.length - 1) expect(self.weight).toBeGreaterThanOrEqual(heaviestCall);
        else expect(self.weight).toBeLessThan(heaviestCall);
      }
      expect(steps.length > 0).toBe(below(0).length > 0);
    }),
  ));

test('under a focus the path begins there; it names the line of the heaviest call', () => {
  const picture = `
Shop.run | 20@1
  Shop.search :4 | 5@9
    Shop.best :9 | 7@9
    Shop.best :12 | 9@9
  Shop.take :5 | 2@3`;
  const dataset = datasetOf(profileOfText(picture), provenanceOf());
  const of = (selection: Subject['selection']) => {
    const data = lookAt({ dataset, selection });
    const { methods } = dataset.folded.profile;
    return answer(data, 'heaviestPath', { start: null }).map(
      ({ method, line, total }) => `${nameOf(methods, method)}:${line} ${total.count}`,
    );
  };
  expect(of({ focus: ['Shop.search'] })).toEqual(['Shop.search:0 21', 'Shop.best:12 16']);
  expect(of({})).toEqual(['Shop.run:0 43', 'Shop.search:4 21', 'Shop.best:12 16']);
});
