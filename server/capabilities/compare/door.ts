// The door of comparison, which files outside of this folder import: rows for the table of questions, terms and words.
export { compareForks, type ForkComparison } from './compare-forks.ts';
export { compareShares } from './comparison.ts';
export { GATE_ALPHA, MOST_MORE, missingForTest, tooFewText } from './judge.ts';
export { KeptComparison } from './kept-comparison.ts';
export { ALPHA } from './permutation-test.ts';
export { type ComparedBox, comparedBoxes } from './questions/compared-boxes.ts';
export { evidence, type MethodEvidence } from './questions/evidence.ts';
export { responsible } from './questions/responsible.ts';
export type { Scaling } from './scaling.ts';
export { type ComparedShare, changeInProse, changeText } from './words.ts';
