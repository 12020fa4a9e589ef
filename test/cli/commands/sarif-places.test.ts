// Results of recordings that are given as files stand at their places in the checkout, as those of versions in the store do.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { placesInCheckout } from '../../../server/cli/places-in-checkout.ts';
import { placedMethods } from '../../../server/cli/report-place.ts';
import type { ListedMethod } from '../../../server/features/text/listed-method.ts';
import { ScratchRepository } from '../../support/git/scratch-repository.ts';
import { insitu } from '../../support/insitu/command-line.ts';

const WORK = `package com.acme;

public class Work {
    public static void main(String[] args) {
        new Work().outer(args.length);
    }

    int outer(int n) {
        return inner(n, "x");
    }

    int inner(int n, String text) {
        return n + text.length();
    }
}
`;
const PATH = 'a b/c#/src/main/java/com/acme/Work.java';
const FORKS = [253, 256, 252, 255, 251];

let scratch: ScratchRepository;
beforeEach(() => {
  scratch = new ScratchRepository();
  vi.spyOn(process, 'cwd').mockReturnValue(scratch.root);
});
afterEach(() => {
  vi.restoreAllMocks();
  scratch.remove();
});

/** Compares five forks a side, of which the later ones have 200 samples more of one stack; where the results stand. */
async function places(stack: string): Promise<unknown[]> {
  const sides = ['base', 'head'].map((side, at) =>
    FORKS.map((count, fork) => {
      const file = join(scratch.home, `${side}-${fork}.txt`);
      const own = `com.acme.Work.main:5;com.acme.Work.outer:9 ${500 + count}\n`;
      writeFileSync(file, `com.acme.Work.main:5;com.acme.Work.outer:9;${stack} ${count + at * 200}\n${own}`);
      return file;
    }),
  );
  const given = ['--before', ...sides[0]!, '--after', ...sides[1]!, '--format', 'sarif'];
  const { out, err } = await insitu('compare', ...given);
  expect(err).toBe('');
  const { results } = JSON.parse(out).runs[0];
  expect(results.length).toBeGreaterThan(0);
  return results.map(
    ({ locations }: { locations: { physicalLocation?: { artifactLocation: object; region: object } }[] }) => {
      const { artifactLocation, region } = locations[0]!.physicalLocation ?? {};
      return { ...artifactLocation, ...region };
    },
  );
}

const at = (startLine: number, endLine: number) => ({
  uri: 'a%20b/c%23/src/main/java/com/acme/Work.java',
  uriBaseId: '%SRCROOT%',
  startLine,
  endLine,
});

test('a result stands at the method that explains the change, in the checkout and not in a worktree inside of it', async () => {
  scratch.commit({ [PATH]: WORK });
  scratch.git('worktree', 'add', '--quiet', 'Base', '-b', 'base');
  expect(await places('com.acme.Work.inner:13')).toEqual([at(12, 14)]);
});

test('a method that is not written stands at its class, an overload by its descriptor, others nowhere', async () => {
  scratch.write(PATH, WORK.replace('    int inner', '    int inner() { return 0; }\n\n    int inner'));
  const listed = (className: string, method: string, descriptor: string | null = null) => ({
    className,
    method,
    descriptor,
  });
  const placeOf = (method: ListedMethod) =>
    placesInCheckout([method], { repository: scratch.root, root: scratch.home }).then(found => found(method));
  expect(await placeOf(listed('com.acme.Work', 'inner', '(ILjava/lang/String;)I'))).toMatchObject({
    path: PATH,
    line: 14,
  });
  expect(await placeOf(listed('com.acme.Work', 'gone'))).toEqual({ path: PATH, line: 3, endLine: 3 });
  expect(await placeOf(listed('com.acme.Work$1', 'run'))).toEqual({ path: PATH, line: 3, endLine: 17 });
  expect(await placeOf(listed('java.util.HashMap', 'get'))).toBe(null);
});

test('a result about a library stands at the nearest caller that the checkout has', () => {
  const [library, caller, main] = ['java.util.HashMap', 'com.acme.Work', 'com.acme.Main'].map(className => ({
    ...{ className, method: 'run', descriptor: null },
  }));
  const numbers = { before: 0, now: 1, change: 1, margin: 0, p: 0, source: null };
  const report = {
    ...{ verdict: 'slower' as const, text: 'HashMap.run', cause: 'unknown' as const, source: null, commit: null },
    ...{ before: 0, now: 1, change: 1, sentence: 'slower: HashMap.run: +100 (- → 100%)' },
    method: {
      key: 'java.util.HashMap.run',
      id: '',
      className: 'java.util.HashMap',
      name: 'run',
      descriptor: null,
      place: null,
    },
    context: { ...library!, state: 'kept' as const, above: [main!, caller!] },
    methods: [{ ...library!, ...numbers }],
  };
  expect(placedMethods(report).map(({ className }) => className)).toEqual([
    'java.util.HashMap',
    'com.acme.Work',
    'com.acme.Main',
    'java.util.HashMap',
  ]);
  const source = { change: 'same' as const, path: 'A.java', line: 1, endLine: 1, caller: null };
  expect(placedMethods({ ...report, source })).toEqual([]);
});
