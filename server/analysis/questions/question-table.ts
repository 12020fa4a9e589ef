// The table of questions: every number that an editor, a command, a page or a test shows comes from one of these rows.

import { comparedBoxes, evidence, responsible } from '../../capabilities/compare/door.ts';
import { along } from './along.ts';
import { aspects } from './aspects.ts';
import { beyond } from './beyond.ts';
import { counterparts } from './counterparts.ts';
import { groups } from './groups.ts';
import { heaviestPath } from './heaviest-path.ts';
import { hits } from './hits.ts';
import { hottest } from './hottest.ts';
import { lineTimes } from './line-times.ts';
import { look } from './look.ts';
import { methodList } from './method-list.ts';
import { metricTotals } from './metric-totals.ts';
import { focusFits, nearest } from './names.ts';
import { numbers } from './numbers.ts';
import { overview } from './overview.ts';
import { pathNames } from './path-names.ts';
import { paths } from './paths.ts';
import { picture } from './picture.ts';
import { prediction } from './prediction.ts';
import type { Question } from './question.ts';
import { responseTimes } from './response-times.ts';
import { stacks } from './stacks.ts';
import { surroundings } from './surroundings.ts';
import { tasks } from './tasks.ts';
import { threadList } from './thread-list.ts';
import { threads } from './threads.ts';
import { timeline } from './timeline.ts';
import { tracks } from './tracks.ts';
import { tree } from './tree.ts';

const rows = {
  along,
  aspects,
  beyond,
  comparedBoxes,
  counterparts,
  evidence,
  focusFits,
  groups,
  heaviestPath,
  hits,
  hottest,
  lineTimes,
  look,
  methodList,
  metricTotals,
  nearest,
  numbers,
  overview,
  pathNames,
  paths,
  picture,
  prediction,
  responseTimes,
  responsible,
  stacks,
  surroundings,
  tasks,
  threadList,
  threads,
  timeline,
  tracks,
  tree,
};

export type QuestionName = keyof typeof rows;

type Parameters = {
  [N in QuestionName]: (typeof rows)[N] extends Question<infer P, infer _> ? P : never;
};
type Answers = { [N in QuestionName]: ReturnType<(typeof rows)[N]> };

export type ParametersOf<N extends QuestionName> = Parameters[N];
export type AnswerTo<N extends QuestionName> = Answers[N];

export const questions: { readonly [N in QuestionName]: Question<Parameters[N], Answers[N]> } = rows;
