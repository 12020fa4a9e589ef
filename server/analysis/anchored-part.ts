// Finds the part of a picture whose call path has a given id: how deep roots are named, which no list of steps could name in a question.
import type { Pause } from '../base/pause.ts';
import { anchorOf, type MethodKeys, type PathId, pathId } from '../metrics/method-keys.ts';
import type { Part, Parts } from '../metrics/parts/parts.ts';

type AnchoredPart = { readonly part: Part; readonly id: PathId };

/** So many parts are looked at: those that are heavy enough to be seen are among them. */
const MOST_LOOKED_AT = 500_000;
/** Each further search looks at parts that are so much lighter. */
const FINER = 16;
const STEP = 1 << 12;

/** Heavy parts are looked at first; null where none has the anchor. */
export function anchoredPart(
  parts: Parts,
  keys: MethodKeys,
  top: AnchoredPart,
  anchor: string,
  pause: Pause,
): AnchoredPart | null {
  let looked = 0;
  for (let least = top.part.total.weight / FINER; ; least /= FINER) {
    let isAll = true;
    const pending = [top];
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      if (anchorOf(at.id) === anchor) return at;
      if (++looked % STEP === 0) pause();
      if (looked > MOST_LOOKED_AT) return null;
      for (const part of parts.below(at.part, pause)) {
        if (part.total.weight >= least) pending.push({ part, id: pathId(at.id, keys.hashOf(part.method)) });
        else isAll = false;
      }
    }
    if (isAll) return null;
  }
}
