// The table of answers: each face (tools of coding agents first) adapts these rows and adds no numbers of its own.

import { compare, moved } from '../compare/door.ts';
import { overview } from '../overview/door.ts';
import { annotatedFile } from './annotated-file.ts';
import type { Answer, SessionAnswer } from './answer.ts';
import { aspects } from './aspects.ts';
import { callHierarchy } from './call-hierarchy.ts';
import { callTree } from './call-tree.ts';
import { callees, callers } from './calls.ts';
import { changedMethods } from './changed-methods.ts';
import { choices } from './choices.ts';
import { codeChanges } from './code-changes.ts';
import { comparedSource } from './compared-source.ts';
import { completePath } from './complete-path.ts';
import { executions } from './executions.ts';
import { heaviestPath } from './heaviest-path.ts';
import { loadedData } from './loaded-data.ts';
import { methodSource } from './method-source.ts';
import { metrics } from './metrics.ts';
import { objects } from './objects.ts';
import { groups, tasks, threads, timeline } from './parts.ts';
import { paths } from './paths.ts';
import { prediction } from './prediction.ts';
import { responseTimes } from './response-times.ts';
import { status } from './status.ts';
import { top } from './top.ts';
import { why } from './why.ts';

export const ANSWERS_BY_NAME = {
  overview,
  loadedData,
  executions,
  top,
  callers,
  callees,
  callTree,
  heaviestPath,
  why,
  annotatedFile,
  methodSource,
  comparedSource,
  compare,
  moved,
  changedMethods,
  codeChanges,
  objects,
  responseTimes,
  prediction,
  paths,
  aspects,
  completePath,
  threads,
  groups,
  tasks,
  timeline,
  status,
  choices,
  metrics,
  callHierarchy,
};

const ROWS: readonly (Answer | SessionAnswer)[] = Object.values(ANSWERS_BY_NAME);

/** The answers that every face gives. */
export const ANSWERS: readonly Answer[] = ROWS.filter((row): row is Answer => !('needs' in row));

/** The answers that editors alone give: other faces have no session, and do not list these rows. */
export const SESSION_ANSWERS: readonly SessionAnswer[] = ROWS.filter(row => 'needs' in row);
