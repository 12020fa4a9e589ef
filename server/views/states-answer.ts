// Answers to the page what became of the code of methods since it was recorded.
import { stateOf } from '../features/facts/code-state.ts';
import { classNameOf } from '../features/text/runtime-names.ts';
import { plainClassName, topLevelClass } from '../mapping/class-names.ts';
import type { DocumentView } from '../workspace/document/document-view.ts';
import type { Viewed, ViewHost } from './view-host.ts';
import type { AskStates, MethodKey, MethodState, States } from './view-messages.ts';

/** After so long the answer has the states that are known by then; the page asks for the others again. */
const LONGEST_STATES_MILLIS = 1_000;

/** The states of the code of methods since it was recorded, class by class: a file is read and compared once for all of its methods. */
export async function statesAnswer(
  host: ViewHost,
  viewed: Viewed,
  { of }: AskStates,
  signal: AbortSignal,
): Promise<States> {
  const { answers, profile } = viewed.data;
  const keys = answers.keysOf(profile.methods);
  const byFile = Map.groupBy(of, key => {
    const row = keys.rowOf(key);
    return row < 0 ? '' : topLevelClass(plainClassName(classNameOf(profile.methods, row)));
  });
  const end = performance.now() + LONGEST_STATES_MILLIS;
  const states: [MethodKey, MethodState][] = [];
  for (const [name, some] of byFile) {
    if (signal.aborted || (states.length > 0 && performance.now() > end)) break;
    const document = name === '' ? null : await host.documentOf(viewed, keys.rowOf(some[0]!));
    for (const key of some) states.push([key, methodState(document, keys.rowOf(key))]);
  }
  return { states };
}

function methodState(document: DocumentView | null, row: number): MethodState {
  if (document === null) return 'missing';
  const { mapped } = document;
  if (mapped === null) return 'unknown';
  const onScreen = mapped.map.declarationOfMethod.get(row);
  // Its recorded text has it, and the one on screen does not.
  if (onScreen === undefined) return mapped.recorded.declarationOfMethod.has(row) ? 'changed' : 'missing';
  const { name } = stateOf(document, onScreen);
  if (name === 'unknown') return 'unknown';
  return name === 'changed' || name === 'new' ? 'changed' : 'unchanged';
}
