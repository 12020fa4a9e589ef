// Says in a sentence what a part of a picture is: for the status line, which is spoken too.
import type { MethodInfo, Verdict, ViewAmount } from 'insitu/views';
import { BOX_FLAG } from 'insitu/views';
import { partText, percentText, plural, pointsText, samplesText, shareText } from './amount-words.ts';
import { siblingsOf } from './box-walker.ts';
import type { Frame } from './frame-decoder.ts';
import { cellName, nameWithParameters } from './name-trimming.ts';
import { VERDICT_WORDS, verdictOf } from './verdicts.ts';

const ORDINALS = new Intl.PluralRules('en', { type: 'ordinal' });
const ENDINGS: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd' };

function ordinal(value: number): string {
  return `${value}${ENDINGS[ORDINALS.select(value)] ?? 'th'}`;
}

export function nameOfBox(frame: Frame, box: number): string {
  return namesOfBox(frame, box, nameWithParameters);
}

export function shortNameOfBox(frame: Frame, box: number): string {
  return namesOfBox(frame, box, cellName);
}

/** Of a folded chain its first and last call, and how many it has. */
function namesOfBox(frame: Frame, box: number, nameOf: (method: MethodInfo) => string): string {
  const names = callsOfBox(frame, box).map(method => (method === null ? 'everything' : nameOf(method)));
  return names.length < 2 ? (names[0] ?? '') : `${names[0]} → ${names.at(-1)} · ${names.length}`;
}

/** The methods of the calls that a box stands for: several of a folded chain, else one; null is everything. */
export function callsOfBox({ boxes, chains, header }: Frame, box: number): (MethodInfo | null)[] {
  const calls = chains?.members[box] ?? [];
  const methods = chains === null ? [boxes.method[box]] : calls.map(call => chains.calls.boxes.method[call]);
  return methods.map(method => header.methods[method ?? -1] ?? null);
}

/** `com.acme.OrderService.place, 12 % of the selection, 420 samples, 3rd of 9 parts of its caller; 2 narrower parts, 0.2 %`. */
export function describeBox(frame: Frame | null, box: number): string {
  if (frame === null || box < 0) return '';
  const { boxes, header, cutOf, baseline, chains } = frame;
  const amount = { weight: boxes.weight[box] ?? 0, count: boxes.count[box] ?? 0 };
  const words = [nameOfBox(frame, box), `${shareText(amount, header.whole)} of all`, samplesText(amount.count)];
  const own = percentText(boxes.self[box] ?? 0, amount.weight);
  if (own !== null) words.push(`${own} of it its own`);
  const siblings = siblingsOf(frame, box);
  if (siblings.length > 1) words.push(`${ordinal(siblings.indexOf(box) + 1)} of ${siblings.length} beside each other`);
  const flags = boxes.flags[box] ?? 0;
  if ((chains?.members[box]?.length ?? 1) > 1) words.push('a folded chain of calls');
  if ((flags & BOX_FLAG.folded) !== 0) words.push('calls within libraries folded');
  if ((flags & BOX_FLAG.deeper) !== 0) words.push('goes deeper');
  if ((flags & BOX_FLAG.hit) !== 0) words.push('a hit of the search');
  if ((flags & BOX_FLAG.added) !== 0) words.push('not in the baseline');
  else if (baseline !== null) words.push(changeOfBox(frame, box));
  const cut = cutOf[box] ?? -1;
  if (cut >= 0) words.push(describeCut(frame, cut));
  return words.join(', ');
}

/** The self amount of a box. Counts of own samples are not sent: they are in proportion. */
export function ownOfBox({ boxes }: Frame, box: number): ViewAmount {
  const weight = boxes.self[box] ?? 0;
  return { weight, count: Math.round(((boxes.count[box] ?? 0) * weight) / (boxes.weight[box] || 1)) };
}

/** `30 % before, +12 points, not tested`. */
export function changeOfBox(frame: Frame, box: number): string {
  const { boxes, header, baseline } = frame;
  const before = baseline?.share[box] ?? 0;
  const now = header.whole.weight > 0 ? (boxes.weight[box] ?? 0) / header.whole.weight : 0;
  return changeText(before, now, verdictOf(frame, box));
}

export function changeText(before: number, now: number, verdict: Verdict): string {
  return `${partText(before, 1)} before, ${pointsText(now - before)} points, ${VERDICT_WORDS[verdict]}`;
}

/** `214 narrower parts, 3.1 %`. */
export function describeCut({ cuts, header }: Frame, cut: number): string {
  const amount = { weight: cuts.weight[cut] ?? 0, count: cuts.count[cut] ?? 0 };
  const hits = cuts.hits[cut] ?? 0;
  const found = hits > 0 ? `, ${plural(hits, 'hit')} among them` : '';
  return `${plural(cuts.parts[cut] ?? 0, 'narrower part')}, ${shareText(amount, header.whole)}${found}`;
}

/** Where all the root's weight is: drawn and left out together are the whole. */
export function describeSums({ header, chains }: Frame): string {
  const { sums, root } = header;
  const share = (weight: number): string => partText(weight, root.total.weight);
  const words = [`drawn ${share(sums.self)}`];
  for (const [name, weight] of [
    ['left on the way', chains?.left ?? 0],
    ['too narrow', sums.cut],
    ['deeper', sums.below],
    ['outside', sums.outside],
  ] as const)
    if (weight > 0) words.push(`${name} ${share(weight)}`);
  return words.join(' + ');
}

/** `com.acme.Shop.search, 12 % of all, 420 samples, 3 % its own`. */
export function describeMethod(method: MethodInfo, total: ViewAmount, self: ViewAmount, whole: ViewAmount): string {
  const own = self.weight > 0 ? `, ${shareText(self, whole)} its own` : '';
  return `${nameWithParameters(method)}, ${shareText(total, whole)} of all, ${samplesText(total.count)}${own}`;
}
