// The door to what shows comparisons, which files outside of this folder import: changes of shares, and rows of the table of answers.

export { ALPHA, tooFewText } from '../../capabilities/compare/door.ts';
export { digits, percent, points } from './amount-text.ts';
export { causeName } from './cause-text.ts';
export { callChange, factsBefore, goneChange, methodChange, shareChange } from './changes.ts';
export { incomparable, severalBenchmarks } from './comparable.ts';
export {
  type ChangedMethod,
  type ComparedTrees,
  compare,
  comparedTrees,
  type Report,
  type ReportSource,
  type ResponsibleContext,
  usualScaling,
} from './compare-answer.ts';
export { type Finding, type FoundContexts, findings, foundContexts } from './findings.ts';
export { moved } from './moved-answer.ts';
