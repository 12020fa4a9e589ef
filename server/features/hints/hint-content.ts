// What a hint says, apart from where it stands: it stays the same object while the text around it is typed into.
import type { CodeState } from '../facts/code-state.ts';
import type { Change } from '../facts/compare.ts';
import type { HintCandidate } from './hint-candidate.ts';
import { fitted, shownIn } from './hint-format.ts';
import type { HintOptions } from './hint-options.ts';

export type HintContent = {
  readonly kind: HintCandidate['kind'];
  readonly text: string;
  /** The hint's share, 0 to 1, for colours. */
  readonly heat: number;
  readonly stale: boolean;
  /** What became of the declaration since it was recorded. */
  readonly state: CodeState['name'];
  /** How the share moved against the baseline; null without one or a counterpart, and for lines. */
  readonly change: Change | null;
  /** One plain sentence for each thing the line could show, the shown one first. */
  readonly explanations: readonly string[];
};

/**
 * What a line says that has some candidates, one at least, the weightiest first: the others become `+2`, but for the line itself.
 *
 * @param state of the declaration of the first one.
 */
export function contentOf(
  options: HintOptions,
  sorted: readonly HintCandidate[],
  state: CodeState['name'],
): HintContent {
  const { kind, text, name, isLimited, heat, stale, change } = sorted[0]!;
  const { maximumLength, format } = options;
  // The line's own part beside a call is left to the hover.
  const others = sorted.slice(1).filter(candidate => candidate.kind !== 'line').length;
  const more = others > 0 ? ` +${others}` : '';
  const [before, behind] = [shownIn(text, format), shownIn(name, format)];
  const room = isLimited ? maximumLength - more.length : Number.POSITIVE_INFINITY;
  return {
    kind,
    text: fitted(before, behind, room, format) + more,
    heat,
    stale,
    state,
    change,
    explanations: sorted.map(candidate => candidate.explanation),
  };
}
