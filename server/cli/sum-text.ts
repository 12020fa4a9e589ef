// The amount of a metric in an imported recording, in words.
import { amountText } from '../features/hover/amount-text.ts';
import { groupDigits } from '../features/text/format-share.ts';
import type { ImportedMetric } from '../workspace/import/import-recording.ts';

/** `226 samples of cpu`, `1.5 s of lock`, `12 MiB of alloc`, `5 calls`. */
export function sumText({ id, unit, samples, weight }: ImportedMetric): string {
  // Collapsed stacks do not say what their second number counts.
  if (id === 'weight' && unit === 'samples') return `${groupDigits(weight)} of weight`;
  if (unit === 'samples') return `${groupDigits(samples)} samples of ${id}`;
  if (unit === 'invocations')
    return id === 'calls' ? `${groupDigits(weight)} calls` : `${groupDigits(weight)} of ${id}`;
  return `${amountText(weight, { unit })} of ${id}`;
}
