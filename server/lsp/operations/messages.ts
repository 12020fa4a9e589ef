// Turns what features found into the shapes of the protocol: changes with their colours, names of methods, and cells of pages.

import type { LoadedData } from '../../analysis/loaded-data.ts';
import { type Change, changeText } from '../../features/facts/compare.ts';
import { descriptorOf } from '../../features/facts/subject.ts';
import { groupDigits } from '../../features/text/format-share.ts';
import { classNameOf, methodNameOf } from '../../features/text/runtime-names.ts';
import type { ChangeMessage, MethodName, ShareMessage } from '../protocol.ts';

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

/** A share and its samples as cells of a page. */
export function numbersOf({ text, count }: ShareMessage): string[] {
  return [text, groupDigits(count)];
}
