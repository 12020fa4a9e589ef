// What a hint says, apart from where it stands: it stays the same object while the text around it is typed into.
import type { CodeState } from '../facts/code-state.ts';
import type { Change } from '../facts/compare.ts';
import type { HintCandidate } from './hint-candidate.ts';
import { fitted, shownIn } from './hint-format.ts';
import type { HintOptions } from './hint-options.ts';

export type HintContent = {
  readonly kind: HintCandidate['kind'];
  readonly text: string;
  /** The hint's share of all selected samples, 0 to 1, for colours. */
  readonly heat: number;
  readonly stale: boolean;
  /** What became of the declaration since it was recorded. */
  readonly state: CodeState['name'];
  /** How the share moved against the baseline; null without one or a counterpart, and for lines. */
  readonly change: Change | null;
  /** One plain sentence for each thing the line could show, the shown one first. */
  readonly explanations: readonly string[];
};

/** What a line says, with room and without. */
export type HintContents = {
  readonly content: HintContent;
  /** Where the line has no room; the same object where that makes no difference. */
  readonly narrow: HintContent;
};

/** A line and its hint have room in so many columns, of which a tab takes `TAB`. */
const COLUMNS = 120;
const TAB = 4;

/**
 * What a line says that has some candidates, one at least, the weightiest first: the others become `+2`, but for the line itself.
 *
 * @param state of the declaration of the first one.
 */
export function contentsOf(
  options: HintOptions,
  sorted: readonly HintCandidate[],
  state: CodeState['name'],
): HintContents {
  const { kind, name, isLimited, heat, stale, change } = sorted[0]!;
  const { maximumLength, narrowLength, format } = options;
  // The line's own part beside a call is left to the hover.
  const others = sorted.slice(1).filter(candidate => candidate.kind !== 'line').length + sorted[0]!.others;
  const more = others > 0 ? ` +${others}` : '';
  const [before, behind] = [shownIn(sorted[0]!.text, format), shownIn(name, format)];
  const textIn = (limit: number) =>
    fitted(before, behind, isLimited ? limit - more.length : Number.POSITIVE_INFINITY, format) + more;
  const text = textIn(maximumLength);
  const explanations = sorted.map(candidate => candidate.explanation);
  const content: HintContent = { kind, text, heat, stale, state, change, explanations };
  const isNarrow = !isLimited || text.length <= narrowLength;
  return { content, narrow: isNarrow ? content : { ...content, text: textIn(narrowLength) } };
}

/** What stands behind a line's text. */
export function contentBehind({ content, narrow }: HintContents, line: string): HintContent {
  if (narrow === content) return content;
  const columns = line.length + (line.split('\t').length - 1) * (TAB - 1);
  return columns + content.text.length <= COLUMNS ? content : narrow;
}
