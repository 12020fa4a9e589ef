// Writes shares, counts and intervals the way docs/hints.md says: classes by the exact share, rounding half up, never `0.00%`.
import type { Amount } from '../../metrics/analysis.ts';

/** A part of a whole in the unit of one metric, with the number of samples that stand behind the part. */
export type PartOfWhole = {
  readonly part: number;
  readonly whole: number;
  readonly samples: number;
};

export function partOf(part: Amount, whole: Pick<Amount, 'weight'>): PartOfWhole {
  return { part: part.weight, whole: whole.weight, samples: part.count };
}

/** Thresholds such as 0.001 have no exact binary form; 1 of 1,000 must reach it nevertheless. */
const ROUNDING_SLACK = 1e-12;

/** Thousandths of the whole below which a share is too small for a percentage. */
const SMALLEST_PERCENTAGE = 1;

/** `62%`, `3.4%`, `0.25%`, or `140 samples`: for hints, where width counts. */
export function shareInHint(share: PartOfWhole): string {
  return formatPercent(share.part, share.whole, '') ?? (isKnown(share.samples) ? samplesText(share.samples) : '<0.1%');
}

/** `62 %`, `3.4 %`, `0.25 %`, or `140 samples`: for prose. */
export function shareInProse(share: PartOfWhole): string {
  return (
    formatPercent(share.part, share.whole, ' ') ?? (isKnown(share.samples) ? samplesText(share.samples) : '< 0.1 %')
  );
}

/**
 * `62 % · 140 of 226`: share and the counts it was made of; the counts alone where the share is too small.
 * @param amounts `1.2 s of 2 s`, which stand between; empty for none
 */
export function shareWithCounts(share: PartOfWhole, samplesOfWhole: number, amounts = ''): string {
  const counts = `${amounts === '' ? '' : `${amounts} · `}${groupDigits(share.samples)} of ${groupDigits(samplesOfWhole)}`;
  const percent = formatPercent(share.part, share.whole, ' ');
  return percent === null ? counts : `${percent} · ${counts}`;
}

/** `75 % of this method · 90 of 120 samples`: a part of a method; the counts alone where the share is too small. */
export function shareOfMethod(share: PartOfWhole, samplesOfWhole: number, method: string): string {
  const counts = countsText(share.samples, samplesOfWhole);
  const percent = formatPercent(share.part, share.whole, ' ');
  return percent === null ? `${counts} of ${method}` : `${percent} of ${method} · ${counts}`;
}

/** `itself running in 2.5 % (1,240 samples), 4 % of its own time`: self time of everything, and of the method's own samples. */
export function selfText(self: Amount, total: Amount, whole: Amount): string {
  if (self.count === 0) return 'never itself running';
  const samples = samplesText(self.count);
  const [share, part] = [shareInProse(partOf(self, whole)), shareInProse(partOf(self, total))];
  const ofAll = share === samples ? samples : `${share} (${samples})`;
  return `itself running in ${ofAll}${part === samples ? '' : `, ${part} of its own time`}`;
}

/** `58–66 %`: an interval of fractions of 1, both ends written to the precision of the smaller one; `< 3.1 %` where that is next to nothing, `> 99.8 %` next to everything. */
export function intervalInProse(low: number, high: number): string {
  if (low < SMALLEST_PERCENTAGE / 1000) {
    const shown = Math.max(high, SMALLEST_PERCENTAGE / 1000);
    return `< ${(100 * shown).toFixed(shown >= 0.1 ? 0 : shown >= 0.01 ? 1 : 2)} %`;
  }
  const digits = low >= 0.1 ? 0 : low >= 0.01 ? 1 : 2;
  const [from, to] = [(100 * low).toFixed(digits), (100 * high).toFixed(digits)];
  if (from !== to) return `${from}–${to} %`;
  return from === '100' ? `> ${(Math.floor(1000 * low) / 10).toFixed(1)} %` : `${from} %`;
}

/** Fewer samples make no share. */
export const FEW_SAMPLES = 10;

/** `few samples (7)`. */
export function fewSamplesText(samples: number): string {
  return `few samples (${samples})`;
}

const UNKNOWN = 'an unknown number of samples';

/** Where the recording does not tell how many samples there are, counts of them are infinite. */
function isKnown(samples: number | null): samples is number {
  return samples !== null && samples < Number.POSITIVE_INFINITY;
}

/** null for one that is not known. */
export function knownCount(samples: number): number | null {
  return isKnown(samples) ? samples : null;
}

/** `90 of 120 samples`. */
export function countsText(samples: number | null, samplesOfWhole: number | null): string {
  return isKnown(samplesOfWhole) ? `${groupDigits(samples)} of ${samplesText(samplesOfWhole)}` : UNKNOWN;
}

/** `1 sample`, `1,234 samples`. */
export function samplesText(samples: number | null): string {
  if (!isKnown(samples)) return UNKNOWN;
  return plural(samples, 'sample');
}

/** `1 call`, `1,234 calls`. */
export function plural(count: number, noun: string): string {
  return `${groupDigits(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Whole number with commas between groups of three digits, whatever the locale of the process; `?` for a count that is not known. */
export function groupDigits(value: number | null): string {
  if (!isKnown(value)) return '?';
  if (value < 1000) return `${Math.round(value)}`;
  return Math.round(value)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Whether `part` is at least `threshold` (a fraction of 1) of `whole`; false for an empty whole. */
export function reaches(part: number, whole: number, threshold: number): boolean {
  return whole > 0 && part >= threshold * whole * (1 - ROUNDING_SLACK);
}

/** null where the share is under 0.1 % or there is no whole. */
function formatPercent(part: number, whole: number, space: string): string | null {
  if (!(whole > 0) || !(part > 0) || compareToThousandths(part, whole, SMALLEST_PERCENTAGE) < 0) return null;
  const digits = compareToThousandths(part, whole, 100) >= 0 ? 0 : compareToThousandths(part, whole, 10) >= 0 ? 1 : 2;
  const scaled = roundHalfUp(part, whole, 100 * 10 ** digits);
  const text =
    digits === 0 ? `${scaled}` : `${Math.trunc(scaled / 10 ** digits)}.${fraction(scaled % 10 ** digits, digits)}`;
  return `${text}${space}%`;
}

function fraction(value: number, digits: number): string {
  return value.toString().padStart(digits, '0');
}

/** Sign of part/whole − thousandths/1000, exact for whole numbers. */
function compareToThousandths(part: number, whole: number, thousandths: number): number {
  const [left, right] = [part * 1000, whole * thousandths];
  if (isExact(part, left) && isExact(whole, right)) return Math.sign(left - right);
  const difference = BigInt(Math.round(part)) * 1000n - BigInt(Math.round(whole)) * BigInt(thousandths);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** floor(part/whole · scale + 1/2), exact for whole numbers of any size. */
function roundHalfUp(part: number, whole: number, scale: number): number {
  const [numerator, denominator] = [2 * part * scale + whole, 2 * whole];
  if (isExact(part, numerator) && isExact(whole, denominator))
    return Math.round((numerator - (numerator % denominator)) / denominator);
  const [exactPart, exactWhole] = [BigInt(Math.round(part)), BigInt(Math.round(whole))];
  return Number((2n * exactPart * BigInt(scale) + exactWhole) / (2n * exactWhole));
}

/** Fractional inputs are computed as they are; whole ones only while the product is still exact. */
function isExact(input: number, product: number): boolean {
  return !Number.isInteger(input) || Math.abs(product) <= Number.MAX_SAFE_INTEGER;
}
