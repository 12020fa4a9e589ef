// What hints of all kinds have in common before one of them is chosen for each line, and what they are made from.
import type { LoadedData } from '../../analysis/loaded-data.ts';
import type { Amount } from '../../metrics/analysis.ts';
import type { DocumentView, Mapped } from '../../workspace/document/document-view.ts';
import type { Baseline, Change } from '../facts/compare.ts';
import type { HintOptions } from './hint-options.ts';

/** What candidates are made from, beside the declaration. */
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
  /** Its share of all selected samples, 0 to 1, for colours: whatever the number in the text is a share of. */
  readonly heat: number;
  /** The declaration's lines no longer fit what was observed. */
  readonly stale: boolean;
  /** How the share moved; null without a baseline or counterpart, and for lines. */
  readonly change: Change | null;
  /** What stands before a name that may be shortened. */
  readonly text: string;
  /** The name; empty where there is none. */
  readonly name: string;
  /** What the name stands for beside itself: other classes that ran there. */
  readonly others: number;
  /** Whether the limit of length holds. */
  readonly isLimited: boolean;
  /** One line of plain text with counts. */
  readonly explanation: string;
};

/** Colours go by the share of everything, so that hot code stands out: a call of 98 % in a cold method is cold. */
export function heatOf({ analysis: { whole } }: LoadedData, { weight }: Amount): number {
  return whole.weight > 0 ? weight / whole.weight : 0;
}
