// The table of answers: each face (tools of coding agents first) adapts these rows and adds no numbers of its own.

import { annotatedFile } from './annotated-file.ts';
import type { Answer } from './answer.ts';
import { callees, callers } from './calls.ts';
import { executions } from './executions.ts';
import { heaviestPath } from './heaviest-path.ts';
import { methods } from './methods.ts';
import { movedMethods } from './moved-methods.ts';
import { groups, tasks, timeline } from './parts.ts';
import { paths, threads } from './paths.ts';
import { prediction } from './prediction.ts';
import { responseTimes } from './response-times.ts';
import { status } from './status.ts';
import { why } from './why.ts';

export const ANSWERS: readonly Answer[] = [
  status,
  executions,
  methods,
  callers,
  callees,
  heaviestPath,
  why,
  annotatedFile,
  movedMethods,
  responseTimes,
  prediction,
  paths,
  threads,
  groups,
  tasks,
  timeline,
];
