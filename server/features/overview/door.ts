// The door of the overview, the first thing that every face shows: its row for the table of answers.
export { overview } from './overview-answer.ts';
