// The door to what shows comparisons, which files outside of this folder import: changes of shares, and rows of the table of answers.
export { callChange, factsBefore, goneChange, methodChange, shareChange } from './changes.ts';
export {
  type ChangedMethod,
  type ComparedTrees,
  compare,
  comparedTrees,
  type Report,
  type ReportSource,
  type ResponsibleContext,
} from './compare-answer.ts';
export { moved } from './moved-answer.ts';
