// Lets a test ask where a frame stands in a Java text, and answers in one readable line.

import { outlineOf } from '../../grammar/parse.ts';
import { METHOD_FLAG } from '../../server/cct/profile.ts';
import type { Frame, Resolution } from '../../server/mapping/frame.ts';
import { Surroundings } from '../../server/mapping/lambdas.ts';
import { lineOf } from '../../server/mapping/observed-lines.ts';
import { indexOutline, type OutlineIndex } from '../../server/mapping/outline-index.ts';
import { resolveFrame } from '../../server/mapping/resolve.ts';

/** `bridge` and the like stand for flags of a class file. */
export type FrameParts = {
  readonly descriptor?: string;
  readonly line?: number;
  readonly flags?: readonly ('bridge' | 'synthetic' | 'static')[];
};

/** A frame of `Class.method`; the method starts behind the last dot. */
export function frameOf(qualified: string, { descriptor, line, flags }: FrameParts = {}): Frame {
  const dot = qualified.lastIndexOf('.');
  let bits = flags === undefined ? 0 : METHOD_FLAG.known;
  for (const flag of flags ?? []) bits |= METHOD_FLAG[flag];
  return {
    className: qualified.slice(0, dot),
    name: qualified.slice(dot + 1),
    descriptor: descriptor ?? null,
    lines: line === undefined ? [] : [line],
    flags: bits,
  };
}

/** Where the frame stands: `3 method run: exact`; several places are joined by ` | `. */
export function where(text: string, frame: Frame, siblings: readonly Frame[] = []): string {
  const index = indexOutline(outlineOf(text));
  return describe(index, resolveFrame(index, frame, new Surroundings(siblings, null)));
}

/** One line for an answer; the reason follows where it says more than the confidence. */
export function describe({ outline }: OutlineIndex, { declarations, confidence, reason }: Resolution): string {
  const places = declarations.map(row => {
    const { kind, name, nameSpan } = outline.declarations[row]!;
    return `${lineOf(outline, nameSpan.start)} ${kind}${name === '' ? '' : ` ${name}`}`;
  });
  const why = reason === confidence || confidence === 'ambiguous' ? confidence : `${confidence} (${reason})`;
  return places.length === 0 ? why : `${places.join(' | ')}: ${why}`;
}
