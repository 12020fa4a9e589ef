// Advice for an answer without rows, or without evidence: the gap in it, and the tool that goes on from there.

import { type Data, isData } from '../features/answers/answer-text.ts';
import { ALPHA, tooFewText } from '../features/compare/door.ts';
import { MOST_ROWS } from './fit-answer.ts';

/** Sentences for one answer: none where it tells what was asked. */
type Advise = (value: Data, given: Data) => readonly string[];

const NOT_TIMED =
  'Nothing recorded how long calls took: samples tell shares alone. Ask "callers" and "callees" for shares, or import a Kieker log, spans or a recording of method timing.';
const OTHER_VERSIONS = 'The tool "executions" lists the versions that have data.';

const ADVICE: Readonly<Record<string, Advise>> = {
  annotatedFile: unless(hasRows, 'Nothing of the file was seen running: "why" with "file:line" as method says why.'),
  aspects: unless(hasRows, '"example" has aspects of this program to begin with: give them as "aspects".'),
  callees: unless(hasRows, 'The method spends its time itself: "methodSource" has the heat of its lines.'),
  callers: unless(hasRows, 'Its stacks begin with it: "threads" with the method names the threads.'),
  changedMethods: value => [
    ...(hasRows(value) ? [] : ['No method differs between the commits: name others in "commits".']),
    ...(hasRows(value) && value.ran === 0 ? ['None of these methods was seen running: "why" says why of each.'] : []),
  ],
  codeChanges: unless(hasRows, `A version must be a commit or a tag of this repository. ${OTHER_VERSIONS}`),
  compare: value => comparedAdvice(value),
  completePath: ({ names }) =>
    isFilled(names) ? [] : ['No name goes on like this: "top" with "search" finds methods.'],
  executions: unless(hasRows, 'Nothing is recorded of this: the user\'s command "insitu import" adds a recording.'),
  heaviestPath: unless(hasRows, 'Nothing was sampled here: "loadedData" has the totals of all metrics.'),
  methodSource: ({ missing }) =>
    missing === null ? [] : ['"comparedSource" and "annotatedFile" need the text too; "callees" does not.'],
  moved: unless(hasRows, '"compare" tests over the JVMs whether smaller changes are real.'),
  objects: ({ metrics }) =>
    isFilled(metrics) ? [] : ['Nothing recorded classes here: flight recordings tell them of allocations and waits.'],
  paths: ({ cost }, given) => {
    if (isData(cost) && cost.weight === 0)
      return ['No stack satisfies the query: "completePath" lists the names that it may go on with.'];
    return given.refine == null
      ? ['"refine" lists callees ("down") or callers ("up") with their part of the cost.']
      : [];
  },
  prediction: value => predictedAdvice(value),
  responseTimes: ({ times }) => (times === null ? [NOT_TIMED] : []),
  tasks: unless(hasRows, 'insitu.json has no saved tasks: "paths" takes any query, "focus" any method.'),
  threads: unless(hasRows, 'No thread has samples here: "loadedData" has the totals of all metrics.'),
  timeline: unless(hasRows, 'Nothing was recorded in that time: "executions" has the times of all recordings.'),
  top: unless(
    hasRows,
    'No method fits: leave out "search" and "package", or set "platform" to true; "loadedData" has the totals of all metrics.',
  ),
};

/** @param given parameters of the answer */
export function adviceFor(name: string, value: Data, given: Data): readonly string[] {
  const { limit } = given;
  const beyond =
    typeof limit === 'number' && limit > MOST_ROWS && Number(value.leftOut) > 0
      ? [
          `A list has at most ${MOST_ROWS} rows, whatever "limit" says: "offset", "search" or another look shows others.`,
        ]
      : [];
  return [...(ADVICE[name]?.(value, given) ?? []), ...beyond];
}

function comparedAdvice({ tested, jvms, reports, check }: Data): readonly string[] {
  if (isFilled(reports)) return [];
  if (isData(tested) && tested.methods === 0) {
    const { before, now } = isData(jvms) ? jvms : {};
    return [
      `${tooFewText([Number(before), Number(now)], ALPHA)}. No difference is evidence: import recordings of more instances. Until then "methods" and "contexts" show what differs.`,
    ];
  }
  const undecided = isData(check) && check.end === 'undecided';
  return [
    'The test found no method that got slower or faster.',
    ...(undecided ? ['The check is undecided: recordings of more JVMs decide it.'] : []),
  ];
}

function predictedAdvice(value: Data): readonly string[] {
  if (value.obstacle === 'notTimed') return [NOT_TIMED];
  if (value.obstacle === 'textUnknown')
    return [`The recorded version must be a commit or a tag of this repository. ${OTHER_VERSIONS}`];
  return hasRows(value) ? [] : ['No timed method of the file differs from its recorded text: give the edit as "text".'];
}

function unless(isFine: (value: Data) => boolean, text: string): Advise {
  return value => (isFine(value) ? [] : [text]);
}

function hasRows({ rows }: Data): boolean {
  return isFilled(rows);
}

function isFilled(list: unknown): boolean {
  return Array.isArray(list) && list.length > 0;
}
