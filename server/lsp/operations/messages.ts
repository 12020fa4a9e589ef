// Turns what features found into the shapes of the protocol: shares with their texts and intervals, methods with their places.

import type { LoadedData } from '../../analysis/loaded-data.ts';
import { hasSamplingError } from '../../cct/profile.ts';
import { type Change, changeText } from '../../features/facts/compare.ts';
import { descriptorOf, labelOf } from '../../features/facts/subject.ts';
import { groupDigits, knownCount, type Share, shareInHint } from '../../features/text/format-share.ts';
import { classNameOf, methodNameOf } from '../../features/text/runtime-names.ts';
import type { Amount } from '../../metrics/analysis.ts';
import { wilsonInterval } from '../../metrics/interval.ts';
import type { ChangeMessage, Location, MethodMessage, MethodName, ShareMessage } from '../protocol.ts';

/** @param samples how many equally weighted samples the whole has, for the interval. */
export function shareMessage(data: LoadedData, part: Amount, whole: Amount, samples: number): ShareMessage {
  const share = whole.weight > 0 ? Math.min(1, part.weight / whole.weight) : 0;
  const hasInterval = hasSamplingError(data.metric) && whole.weight > 0;
  const { low, high } = wilsonInterval(share, samples);
  return {
    share,
    count: knownCount(part.count),
    of: knownCount(whole.count),
    weight: part.weight,
    text: shareInHint({ part: part.weight, whole: whole.weight, samples: part.count }),
    interval: hasInterval ? [low, high] : null,
  };
}

/** The same within a path: how many equally weighted samples a path has is known only where all weigh the same. */
export function shareInPath(data: LoadedData, part: Amount, whole: Amount): ShareMessage {
  const share = shareMessage(data, part, whole, whole.count);
  const weighsTheSame = data.profile.cells[data.analysis.selection.metric]!.weightSquares === null;
  return weighsTheSame ? share : { ...share, interval: null };
}

/** The same from a share as lists give it. */
export function shareOfRow(data: LoadedData, share: Share, of: number, samples: number): ShareMessage {
  return shareMessage(data, { weight: share.part, count: share.samples }, { weight: share.whole, count: of }, samples);
}

export function changeMessage(change: Change): ChangeMessage {
  const { baseline, current, angle, red, green, blue, verdict } = change;
  return { baseline, current, angle, colour: { red, green, blue }, verdict, text: changeText(change) };
}

export function methodName(data: LoadedData, row: number): MethodName {
  const { methods } = data.profile;
  return {
    className: classNameOf(methods, row),
    name: methodNameOf(methods, row),
    descriptor: descriptorOf(data, row),
  };
}

/** Where a runtime method stands now; null where no source of the workspace has it. */
export type Locator = (row: number) => { readonly location: Location; readonly certain: boolean } | null;

export function methodMessage(data: LoadedData, row: number, locate: Locator, label?: string): MethodMessage {
  const found = locate(row);
  return {
    ...methodName(data, row),
    label: label ?? labelOf(data, row),
    location: found?.location ?? null,
    certain: found?.certain ?? false,
  };
}

/** A share and its samples as cells of a page. */
export function numbersOf({ text, count }: ShareMessage): string[] {
  return [text, groupDigits(count)];
}
