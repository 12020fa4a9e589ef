// The corpus, compiled in every way, is answered exactly as written here: a count that changes is looked at, never adjusted blindly.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { needs } from '../support/engines/needs.ts';
import { rowsOf } from './accuracy-table.ts';
import { type Compilation, measureCorpus } from './corpus.ts';
import type { Measured } from './measure.ts';

/** `right/asked`, followed by what was not right. */
function counts(measured: Measured): Record<string, string> {
  const { methods } = measured;
  const tallies = [
    methods.types,
    methods.byDescriptor,
    methods.byDescriptorAndLine,
    methods.byLine,
    methods.lambdasByLine,
    methods.lambdasByName,
    methods.synthetic,
    methods.bridges,
    methods.unknown,
    measured.calls.calls,
  ];
  return Object.fromEntries(
    tallies.map(({ question, counts: { right, wrong, ambiguous, missing }, total }) => {
      const rest = [`${wrong} wrong`, `${ambiguous} ambiguous`, `${missing} missing`].filter(
        text => !text.startsWith('0 '),
      );
      return [question, [`${right}/${total}`, ...rest].join(', ')];
    }),
  );
}

type Expected = {
  readonly title: string;
  readonly compile: (jdk17: string, jdk25: string) => Compilation;
  readonly counts: Record<string, string>;
};

/** Both compilers write the same. */
const RECORDS_AND_SEALED_TYPES: Record<string, string> = {
  'class name → type': '10/10',
  'class, name, descriptor': '48/48',
  'class, name, descriptor, line': '64/64',
  'class, name, line': '64/64',
  'lambda: name, line': '2/2',
  'lambda: name alone': '2/2',
  'synthetic methods → target or header': '2/2',
  'bridges → target, where it is written': '1/1',
  'truth not known': '51/51',
  'invocation → call site': '32/32',
};

const EXPECTED: readonly Expected[] = [
  {
    title: 'Java 8 class files by javac 17',
    compile: javac => ({ sources: 'java8', javac, options: ['--release', '8'] }),
    counts: {
      'class name → type': '57/57',
      'class, name, descriptor': '182/183, 1 ambiguous',
      'class, name, descriptor, line': '354/357, 3 ambiguous',
      'class, name, line': '354/357, 3 ambiguous',
      'lambda: name, line': '55/55',
      'lambda: name alone': '43/47, 3 wrong, 1 ambiguous',
      'synthetic methods → target or header': '26/26',
      'bridges → target, where it is written': '12/13, 1 ambiguous',
      'truth not known': '242/242',
      'invocation → call site': '298/298',
    },
  },
  {
    title: 'Java 17 class files by javac 17',
    compile: javac => ({ sources: 'java8', javac, options: [] }),
    counts: {
      'class name → type': '57/57',
      'class, name, descriptor': '182/183, 1 ambiguous',
      'class, name, descriptor, line': '354/357, 3 ambiguous',
      'class, name, line': '354/357, 3 ambiguous',
      'lambda: name, line': '55/55',
      'lambda: name alone': '43/47, 3 wrong, 1 ambiguous',
      'synthetic methods → target or header': '18/18',
      'bridges → target, where it is written': '12/13, 1 ambiguous',
      'truth not known': '242/242',
      'invocation → call site': '278/278',
    },
  },
  {
    title: 'Java 25 class files by javac 25',
    compile: (_, javac) => ({ sources: 'java8', javac, options: [] }),
    counts: {
      'class name → type': '57/57',
      'class, name, descriptor': '182/183, 1 ambiguous',
      'class, name, descriptor, line': '354/357, 3 ambiguous',
      'class, name, line': '354/357, 3 ambiguous',
      'lambda: name, line': '55/55',
      'lambda: name alone': '43/47, 3 wrong, 1 ambiguous',
      'synthetic methods → target or header': '18/18',
      'bridges → target, where it is written': '12/13, 1 ambiguous',
      'truth not known': '242/242',
      'invocation → call site': '281/281',
    },
  },
  {
    title: 'records and sealed types by javac 17',
    compile: javac => ({ sources: 'java17', javac, options: [] }),
    counts: RECORDS_AND_SEALED_TYPES,
  },
  {
    title: 'records and sealed types by javac 25',
    compile: (_, javac) => ({ sources: 'java17', javac, options: [] }),
    counts: RECORDS_AND_SEALED_TYPES,
  },
  {
    title: 'what came after Java 17',
    compile: (_, javac) => ({ sources: 'java25', javac, options: [] }),
    counts: {
      'class name → type': '7/7',
      'class, name, descriptor': '25/25',
      'class, name, descriptor, line': '49/49',
      'class, name, line': '49/49',
      'lambda: name, line': '10/10',
      'lambda: name alone': '8/8',
      'synthetic methods → target or header': '0/0',
      'bridges → target, where it is written': '0/0',
      'truth not known': '33/33',
      'invocation → call site': '46/46',
    },
  },
  {
    title: 'compact source files',
    compile: (_, javac) => ({ sources: 'compact', javac, options: [] }),
    counts: {
      'class name → type': '13/13',
      'class, name, descriptor': '44/44',
      'class, name, descriptor, line': '77/77',
      'class, name, line': '77/77',
      'lambda: name, line': '8/8',
      'lambda: name alone': '6/6',
      'synthetic methods → target or header': '2/2',
      'bridges → target, where it is written': '1/1',
      'truth not known': '52/52',
      'invocation → call site': '65/65',
    },
  },
];

needs('jdk17', 'the corpus', jdk17 => {
  needs('jdk25', 'read with JDK 25', jdk25 => {
    describe.each(EXPECTED)('$title', ({ compile, counts: expected }) => {
      test('is answered as counted', async () => {
        const folder = mkdtempSync(join(tmpdir(), 'insitu-corpus-'));
        try {
          const measured = await measureCorpus(
            compile(jdk17.program('javac'), jdk25.program('javac')),
            jdk25.program('java'),
            folder,
          );
          expect(counts(measured)).toEqual(expected);
          expect(rowsOf(measured).find(row => row.tally === measured.valid)?.tally.counts.wrong).toBe(0);
        } finally {
          rmSync(folder, { recursive: true });
        }
      });
    });
  });
});
