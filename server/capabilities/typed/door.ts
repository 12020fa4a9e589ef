// The door of typed time, which files outside of this folder import: rows for the tables of questions and facts, terms and words.
export { type TimeTypeAmount, timeTypeAmounts, timeTypeKinds } from './amounts.ts';
export { type Certainty, certaintyOf, namesTimeType, tellsAllTime } from './certainty.ts';
export { processorTime, serverView } from './server-view.ts';
export { type ClassWait, type Wait, waitsOf } from './waits.ts';
export { hasTimeTypes, OF_RECORDED, typesText } from './words.ts';
