// The door of comparison, which files outside of this folder import: rows for the table of questions, terms and words.

export { CodeState } from './anchors.ts';
export { CAUSE_KINDS, type CauseKind } from './causes.ts';
export { type Difference, differenceAt, type PlacedRow, testPlaces, toldPlaces } from './change-places.ts';
export { compareForks, type ForkComparison } from './compare-forks.ts';
export { compareShares } from './comparison.ts';
export { LOOKS, ONE_LOOK } from './gate.ts';
export { missingForTest, tooFewText } from './judge.ts';
export { type ComparisonWish, KeptComparison } from './kept-comparison.ts';
export { ALPHA } from './permutation-test.ts';
export { type ComparedBox, comparedBoxes } from './questions/compared-boxes.ts';
export { type Check, evidence, LEAST_ANCHOR_SAMPLES, type MethodEvidence } from './questions/evidence.ts';
export { responsible } from './questions/responsible.ts';
export type { Scaling } from './scaling.ts';
export type { ContextState } from './tree-comparison.ts';
export { type ComparedShare, changeInProse, changeText } from './words.ts';
