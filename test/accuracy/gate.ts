// What every body of sources must reach in `npm test`: shares of right answers may rise above these floors but never fall below them.
import { expect } from 'vitest';
import type { Measured } from './measure.ts';
import { EXPLAINED_MAX, formatMeasured, shareFound } from './table.ts';

/** Floors in percent, just under what was measured, and how many answers may be wrong. */
export function checkGate(measured: Measured, linesFloor = 99.98): void {
  console.log(formatMeasured(measured));
  const { methods, calls, valid, edits } = measured;
  const floors = [
    { tally: methods.types, floor: 99.96, wrong: 2 },
    { tally: methods.byDescriptor, floor: 99.98, wrong: 0 },
    { tally: methods.byDescriptorAndLine, floor: linesFloor, wrong: 2 },
    { tally: methods.byLine, floor: linesFloor, wrong: 2 },
    { tally: methods.lambdasByLine, floor: 100, wrong: 0 },
    { tally: methods.lambdasByName, floor: 99.1, wrong: 0 },
    { tally: methods.synthetic, floor: 100, wrong: 0 },
    { tally: methods.bridges, floor: 99.6, wrong: 0 },
    { tally: methods.unknown, floor: 99.9, wrong: 0 },
    { tally: calls.calls, floor: 99.75, wrong: 0 },
    { tally: valid, floor: 100, wrong: 0 },
    { tally: edits, floor: 99.3, wrong: 0 },
  ];
  for (const { tally, floor, wrong } of floors) {
    expect(tally.rightShare * 100, `${tally.question}: right`).toBeGreaterThanOrEqual(floor);
    expect(tally.counts.wrong, `${tally.question}: wrong`).toBeLessThanOrEqual(wrong);
  }
  expect(shareFound(calls, 'explained'), 'invocations without any call site').toBeLessThanOrEqual(EXPLAINED_MAX);
}
