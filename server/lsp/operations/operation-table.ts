// The table of operations: each is the request `insitu/<name>` and the command `insitu.<name>`; docs/lsp-extensions.md says what each does.
import { ANSWERS } from '../../features/answers/answer-table.ts';
import type { SessionAnswers } from '../protocol.ts';
import { answerOperation } from './answers.ts';
import { assume, iterations } from './assume.ts';
import { callHierarchy } from './call-hierarchy.ts';
import { choices } from './choices.ts';
import { compareWith } from './compare-with.ts';
import { countCalls } from './count-calls.ts';
import { clearFocus, focus } from './focus.ts';
import { implementations } from './implementations.ts';
import { importRecordings } from './import.ts';
import { metrics } from './metrics.ts';
import type { Operation } from './operation.ts';
import { jvms, record, stopRecording } from './record.ts';
import { select, selectExecution, selectInstances, selectMetric, selectThreads, selectWindows } from './select.ts';
import { showPicture, view, viewAddress, viewStart } from './show-picture.ts';
import { slowerCallers } from './slower-callers.ts';
import { refresh, status } from './status.ts';

/** Answers of the table that need a session. */
const OF_SESSION: Readonly<Record<keyof SessionAnswers, Operation>> = {
  status,
  choices,
  metrics,
  callHierarchy,
};

/** Operations that are no answers of the table: most of them act. */
const OWN: readonly Operation[] = [
  refresh,
  implementations,
  select,
  selectExecution,
  selectInstances,
  selectWindows,
  selectThreads,
  selectMetric,
  focus,
  clearFocus,
  assume,
  iterations,
  slowerCallers,
  compareWith,
  importRecordings,
  jvms,
  record,
  stopRecording,
  countCalls,
  showPicture,
  viewAddress,
  viewStart,
  view,
];

export const OPERATIONS: readonly Operation[] = [...OWN, ...ANSWERS.map(answerOperation), ...Object.values(OF_SESSION)];

/** Ids of all commands. */
export const COMMANDS: readonly string[] = OPERATIONS.map(({ name }) => `insitu.${name}`);
