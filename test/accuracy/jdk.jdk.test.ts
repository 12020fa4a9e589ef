// The gate on the JDK's own sources: shares of right answers may rise above these floors but never fall below them.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { needs } from '../support/needs.ts';
import { readClassFiles } from './class-files.ts';
import { type Measured, measure } from './measure.ts';
import { EXPLAINED_MAX, formatMeasured, shareFound } from './table.ts';

/** Floors in percent, just under what was measured, and how many answers may be wrong. */
function check(measured: Measured): void {
  console.log(formatMeasured(measured));
  const { methods, calls, valid, edits } = measured;
  const floors = [
    { tally: methods.types, floor: 99.96, wrong: 2 },
    { tally: methods.byDescriptor, floor: 99.98, wrong: 0 },
    { tally: methods.byDescriptorAndLine, floor: 99.98, wrong: 2 },
    { tally: methods.byLine, floor: 99.98, wrong: 2 },
    { tally: methods.lambdasByLine, floor: 100, wrong: 0 },
    { tally: methods.lambdasByName, floor: 99.1, wrong: 0 },
    { tally: methods.synthetic, floor: 99.93, wrong: 2 },
    { tally: methods.bridges, floor: 99.6, wrong: 0 },
    { tally: methods.unknown, floor: 99.9, wrong: 0 },
    { tally: calls.calls, floor: 99.75, wrong: 0 },
    { tally: valid, floor: 100, wrong: 0 },
    { tally: edits, floor: 97.5, wrong: 0 },
  ];
  for (const { tally, floor, wrong } of floors) {
    expect(tally.rightShare * 100, `${tally.question}: right`).toBeGreaterThanOrEqual(floor);
    expect(tally.counts.wrong, `${tally.question}: wrong`).toBeLessThanOrEqual(wrong);
  }
  expect(shareFound(calls, 'explained'), 'invocations without any call site').toBeLessThanOrEqual(EXPLAINED_MAX);
}

needs('jdk17', 'JDK 17', jdk17 => {
  needs('jdk25', 'JDK 25', jdk25 => {
    for (const { engine, home, sources } of [
      { engine: 'JDK 17', home: jdk17.home, sources: jdk17.sources },
      { engine: 'JDK 25', home: jdk25.home, sources: jdk25.sources },
    ]) {
      for (const module of ['java.base', 'jdk.compiler', 'java.xml']) {
        const folder = join(sources ?? '', module);
        // Which modules come with sources is the engine's business; java.base of JDK 17 always does.
        if (sources === undefined || !existsSync(folder)) continue;
        test(`${module} of ${engine}`, async () => {
          check(
            measure(`${engine}, ${module}`, await readClassFiles(jdk25.program('java'), [`${home}=${module}`]), folder),
          );
        });
      }
    }
    test('java.base of JDK 17 was among them', () => {
      expect(existsSync(join(jdk17.sources ?? '', 'java.base'))).toBe(true);
    });
  });
});
