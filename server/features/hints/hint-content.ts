// The content of hints, apart from their places: candidates of all kinds, of which one is chosen for each line, and the text of the line.
import type { Baseline } from '../../analysis/baseline.ts';
import type { DocumentView, Mapped } from '../../workspace/document/document-view.ts';
import type { CodeState } from '../facts/code-state.ts';
import { fitted, type MethodWords, shownIn } from './hint-format.ts';
import type { HintOptions } from './hint-options.ts';

/** The data that candidates are made from, beside the declaration. */
export type HintRequest = {
  readonly document: DocumentView;
  readonly mapped: Mapped;
  readonly options: HintOptions;
  /** null where shares are compared with nothing. */
  readonly baseline: Baseline | null;
};

/** A hint that could stand on a line. The text is complete except for what other candidates of the line add. */
export type HintCandidate = {
  readonly kind: 'method' | 'lambda' | 'call' | 'line';
  /** 1-based. */
  readonly line: number;
  /** Row in the outline's declarations of the method, lambda or initialiser that it is about or that calls. */
  readonly declaration: number;
  /** Weight of the samples behind it: the largest of a line stands. */
  readonly weight: number;
  /** The declaration's lines no longer fit what was observed. */
  readonly stale: boolean;
  /** How the share moved; null without a baseline or counterpart, and for lines. */
  readonly change: MethodWords['change'];
  /** The text before a name that may be shortened. */
  readonly text: string;
  /** Absent where there is none. */
  readonly name?: string;
  /** How many other classes that ran there the name also stands for. */
  readonly others?: number;
  /** One line of plain text with counts. */
  readonly explanation: string;
};

/** The content of a line's hint; it stays the same object while the text around it is typed into. */
export type HintContent = Pick<HintCandidate, 'kind' | 'text' | 'stale' | 'change'> & {
  /**
   * The share of all selected samples, 0 to 1, for colours: whatever the number in the text is a share of. So hot code stands out: a
   * call of 98 % in a cold method is cold.
   */
  readonly heat: number;
  /** The state of the declaration since it was recorded. */
  readonly state: CodeState['name'];
  /** One plain sentence for each thing the line could show, the shown one first. */
  readonly explanations: readonly string[];
};

/** The content of a line's hint, with room and without. */
export type HintContents = {
  readonly content: HintContent;
  /** Where the line has no room; the same object where that makes no difference. */
  readonly narrow: HintContent;
};

/** A line and its hint have room in so many columns, of which a tab takes `TAB`. */
const COLUMNS = 120;
const TAB = 4;

/**
 * The content of a line with some candidates, one at least, the weightiest first: the others become `+2`, but for the line itself.
 *
 * @param state of the declaration of the first one.
 */
export function contentsOf(
  { options: { maximumLength, narrowLength, format }, mapped: { data } }: HintRequest,
  sorted: readonly HintCandidate[],
  state: CodeState['name'],
): HintContents {
  const { kind, weight, stale, change, text: own, name = '', others: behindName = 0 } = sorted[0]!;
  // The line's own part beside a call is left to the hover.
  const others = sorted.slice(1).filter(candidate => candidate.kind !== 'line').length + behindName;
  const more = others > 0 ? ` +${others}` : '';
  const [before, behind] = [shownIn(own, format), shownIn(name, format)];
  const isLimited = kind === 'call' || kind === 'line' || format.kind !== 'verbose';
  const textIn = (limit: number) =>
    fitted(before, behind, isLimited ? limit - more.length : Number.POSITIVE_INFINITY, format) + more;
  const text = textIn(maximumLength);
  const { whole } = data.analysis;
  const heat = whole.weight > 0 ? weight / whole.weight : 0;
  const explanations = sorted.map(candidate => candidate.explanation);
  const content: HintContent = { kind, text, heat, stale, state, change, explanations };
  const isNarrow = !isLimited || text.length <= narrowLength;
  return { content, narrow: isNarrow ? content : { ...content, text: textIn(narrowLength) } };
}

/** The content that is shown behind a line's text. */
export function contentBehind({ content, narrow }: HintContents, line: string): HintContent {
  if (narrow === content) return content;
  const columns = line.length + (line.split('\t').length - 1) * (TAB - 1);
  return columns + content.text.length <= COLUMNS ? content : narrow;
}
