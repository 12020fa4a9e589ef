// Reads the page's questions, which come from outside: their schemas check them, and this file checks rules about several fields.
import { spanFlaw } from '../analysis/selection.ts';
import { formatProblem, type Problem } from '../base/problem.ts';
import { checked, notAllowed } from '../features/answers/checked.ts';
import type { Look } from '../model/look.ts';
import { type Question, questionSchema } from './question-schemas.ts';
import { Refusal } from './refusal.ts';

/** @throws Refusal that names what is wrong. */
export function readQuestion(given: unknown): Question {
  const { value, problems } = checked(questionSchema, given);
  if (value === null) throw wrong(problems);
  const flaw = flawOf(value);
  if (flaw !== null) throw wrong([flaw]);
  return 'look' in value ? { ...value, look: withoutEmptyLists(value.look) } : value;
}

/** The cells of so many rows fill an answer. */
const MOST_TRACKS = 500;

/** The mistake in several fields together. */
function flawOf(question: Question): Problem | null {
  const flaw = 'look' in question ? spanFlaw(question.look) : null;
  if (flaw !== null) return flaw;
  switch (question.ask) {
    case 'picture': {
      const fault = (['window', 'rows'] as const).find(key => question[key][0] >= question[key][1]);
      return fault === undefined ? null : notAllowed(fault, question[fault], 'two numbers, the first below the second');
    }
    case 'tracks': {
      const fault = (['span', 'rows'] as const).find(key => question[key][0] >= question[key][1]);
      if (fault !== undefined) return notAllowed(fault, question[fault], 'two numbers, the first below the second');
      const [first, end] = question.rows;
      return end - first <= MOST_TRACKS ? null : notAllowed('rows', question.rows, `${MOST_TRACKS} rows at most`);
    }
    case 'blueprint':
      if (question.tree === null && question.box !== 0) return notAllowed('tree', null, 'the tree of the box');
      if (question.show === 'method' && question.of === null) return notAllowed('of', null, 'the key of a method');
      return null;
    default:
      return null;
  }
}

/** An empty list restricts nothing. */
function withoutEmptyLists(look: Look): Look {
  return Object.fromEntries(Object.entries(look).filter(([, value]) => !Array.isArray(value) || value.length > 0));
}

/** The page asks no such thing, unless it is of another version. */
function wrong(problems: readonly Problem[]): Refusal {
  return new Refusal(problems.map(formatProblem).join('; '), 'load the page again');
}
