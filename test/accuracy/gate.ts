// The gate for every body of sources in `npm test`: as many right answers as were counted in the same files, and floors in any other release of them.
import { expect } from 'vitest';
import { EXPLAINED_MAX, formatMeasured, rowsOf, shareFound } from './accuracy-table.ts';
import type { Measured } from './measure.ts';

/**
 * Answers that were not right in the releases that were measured, by body with its size, in the order of `rowsOf`: a count may fall
 * and is then written down here, but never rises.
 */
const COUNTED: ReadonlyMap<string, readonly number[]> = new Map([
  ['JDK 17, java.base: 3031 files, 6431 classes', [0, 0, 24, 24, 0, 6, 0, 74, 0, 298, 9, 13]],
  ['JDK 17, jdk.compiler: 400 files, 1651 classes', [0, 0, 12, 12, 0, 0, 0, 69, 0, 24, 0, 6]],
  ['JDK 17, java.xml: 1827 files, 2220 classes', [0, 0, 14, 14, 0, 0, 0, 79, 0, 120, 0, 0]],
  ['JDK 25, java.base: 3329 files, 7379 classes', [0, 1, 29, 29, 0, 6, 0, 59, 0, 198, 9, 21]],
  ['JDK 25, jdk.compiler: 362 files, 1596 classes', [0, 0, 8, 8, 0, 0, 0, 76, 0, 112, 0, 9]],
  ['JDK 25, java.xml: 1825 files, 2209 classes', [0, 0, 13, 13, 0, 0, 0, 79, 0, 98, 0, 0]],
  ['commons-lang3: 215 files, 362 classes', [0, 0, 0, 0, 0, 0, 0, 7, 0, 19, 0, 0]],
  ['commons-collections4: 304 files, 521 classes', [0, 0, 4, 4, 0, 0, 0, 0, 0, 18, 0, 0]],
  ['guava: 621 files, 2038 classes', [0, 0, 0, 0, 0, 0, 0, 3, 0, 78, 0, 4]],
  ['jackson-core: 140 files, 163 classes', [0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 2]],
  ['jackson-databind: 464 files, 769 classes', [0, 0, 1, 1, 0, 0, 0, 1, 0, 51, 0, 3]],
  ['netty: 992 files, 1862 classes', [0, 0, 6, 6, 0, 0, 0, 3, 0, 42, 8, 0]],
]);

/** Floors in percent of right answers, just under the lowest that was measured in any body. No answer may be wrong. */
export function checkGate(measured: Measured, linesFloor = 99.98): void {
  console.log(formatMeasured(measured));
  const { methods, calls, valid, edits } = measured;
  const floors = [
    { tally: methods.types, floor: 99.96 },
    { tally: methods.byDescriptor, floor: 99.98 },
    { tally: methods.byDescriptorAndLine, floor: linesFloor },
    { tally: methods.byLine, floor: linesFloor },
    { tally: methods.lambdasByLine, floor: 100 },
    { tally: methods.lambdasByName, floor: 99.1 },
    { tally: methods.synthetic, floor: 100 },
    { tally: methods.bridges, floor: 99.6 },
    { tally: methods.unknown, floor: 99.9 },
    { tally: calls.calls, floor: 99.75 },
    { tally: valid, floor: 100 },
    { tally: edits, floor: 99.3 },
  ];
  for (const { tally, floor } of floors) {
    expect(tally.rightShare * 100, `${tally.question}: right`).toBeGreaterThanOrEqual(floor);
    expect(tally.counts.wrong, `${tally.question}: wrong`).toBe(0);
  }
  checkCounts(measured);
  expect(shareFound(calls, 'explained'), 'invocations without any call site').toBeLessThanOrEqual(EXPLAINED_MAX);
}

function checkCounts(measured: Measured): void {
  const body = `${measured.name}: ${measured.files} files, ${measured.classes} classes`;
  const counted = COUNTED.get(body);
  if (counted === undefined) console.log(`${body}: another release than the counts are of; the floors alone hold`);
  for (const [row, { tally }] of rowsOf(measured).entries()) {
    const most = counted?.[row] ?? tally.total;
    expect(tally.total - tally.counts.right, `${tally.question}: not right`).toBeLessThanOrEqual(most);
  }
}
