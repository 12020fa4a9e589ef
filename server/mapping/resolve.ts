// Frame → declarations: picks the rule for the kind of runtime name and lets it decide.
import type { Outline } from '../../grammar/outline.ts';
import { type Frame, noSource, type Resolution } from './frame.ts';
import { indexOutline, type OutlineIndex } from './outline-index.ts';

/** Resolves frames against one outline; `observed` are the frames of the same program whose names help to choose lambda numbering. */
export function resolveFrame(index: OutlineIndex, frame: Frame): Resolution {
  const type = index.typeByName.get(frame.className);
  if (type === undefined) return noSource(`no type ${frame.className} in this file`);
  return noSource('not yet');
}

export function resolverOf(outline: Outline): OutlineIndex {
  return indexOutline(outline);
}
