// Every operator on methods of the JDK's own sources, spread over java.base: what no sample program thinks of.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { needs } from '../../support/needs.ts';
import { type Counts, expectRight, Subject, table } from './judge.ts';

/** Files of other sizes have nothing to change, or take too long to read some thirty times a method. */
const SIZES = { smallest: 4_000, largest: 60_000 };
const METHODS = 500;
const METHODS_OF_FILE = 3;

needs('jdk17', 'java.base of JDK 17', ({ sources }) => {
  test(`${METHODS} methods keep their states, calls and lines through every operator`, () => {
    const folder = join(sources ?? '', 'java.base');
    const files = globSync(['java/{util,io,net,time,text,security}/**/*.java', 'sun/**/*.java'], {
      cwd: folder,
    }).sort();
    const counts: Counts = new Map();
    let judged = 0;
    // A stride without a common factor visits every file once, in an order that mixes packages.
    for (let i = 0; i < files.length && judged < METHODS; i++) {
      const text = readFileSync(join(folder, files[(i * 7919) % files.length]!), 'utf8');
      if (text.length < SIZES.smallest || text.length > SIZES.largest) continue;
      const subject = new Subject(text);
      const { targets } = subject;
      for (let n = 0; n < METHODS_OF_FILE && n < targets.length; n++, judged++)
        subject.judge(targets[Math.floor((targets.length * (2 * n + 1)) / (2 * METHODS_OF_FILE))]!, counts, i * 10 + n);
    }
    console.log(`${judged} methods\n${table(counts)}`);
    expect(judged).toBeGreaterThanOrEqual(METHODS);
    expectRight(counts);
  });
});
