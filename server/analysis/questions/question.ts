// The type of a question: a row of the table from which every number is asked.
import type { Pause } from '../../base/pause.ts';
import type { LoadedData } from '../loaded-data.ts';

/**
 * Answers are plain immutable data or columns, since they may come from another thread.
 * Questions that compare two trees are asked with a baseline; others are answered without it.
 * @typeParam P parameters, plain data
 * @typeParam A the answer
 */
export type Question<P, A> = (data: LoadedData, parameters: P, pause: Pause, baseline: LoadedData | null) => A;
