// Reads a focus that the user wrote: a method, a call path, an expression, a prefix, or the name of a saved task.
import { noPause, type Pause } from '../base/pause.ts';
import { suggested } from '../base/printable.ts';
import type { Outcome, Problem } from '../base/problem.ts';
import type { MethodTable } from '../cct/profile.ts';
import type { ChosenTasks } from './focus.ts';
import { type ExpressionTime, expressionTime } from './match-expression.ts';
import { methodsLike } from './methods-like.ts';
import { nearestNames } from './nearest-names.ts';
import { matchTask, methodNames, type Task } from './task.ts';

/** More methods than these are not compared letter by letter when a name is not found. */
const MOST_COMPARED = 50_000;
/** Of the steps of a path that are not found, so many are compared. */
const MOST_STEPS = 3;

/**
 * The definition that a text stands for: `regex:…`, `prefix:…`, a call path `A.a;B.b` (from the root where it begins with `/`),
 * the name of a saved definition, else a method `com.acme.Shop.search`.
 */
function taskOfSpec(spec: string, saved: readonly Task[]): Task {
  const known = saved.find(({ name }) => name === spec);
  if (known !== undefined) return known;
  const [, type, value] = /^(regex|prefix):(.*)$/s.exec(spec) ?? [];
  if (type === 'regex' || type === 'prefix') return { name: spec, type, value: value ?? '' };
  const isPath = spec.startsWith('/') || spec.includes(';');
  return { name: spec, type: isPath ? 'path' : 'method', value: spec };
}

/**
 * The methods of a focus in one table; null with problems when there are none. Also takes one task that a saved definition yields.
 * @param time what the expressions of all that is chosen together have.
 */
export function chooseTasks(
  methods: MethodTable,
  spec: string,
  saved: readonly Task[],
  time: ExpressionTime = expressionTime(),
  pause: Pause = noPause,
): Outcome<ChosenTasks | null> {
  const task = taskOfSpec(spec, saved);
  const { value: matches, problems } = matchTask(methods, task, time, pause);
  if (matches.names.length > 0) return { value: { matches }, problems };
  const ofDefinitions: Problem[] = [];
  if (task.type === 'method') {
    for (const definition of saved) {
      const yielded = matchTask(methods, definition, time, pause);
      ofDefinitions.push(...yielded.problems);
      if (yielded.value.names.includes(spec)) return { value: { matches: yielded.value, names: [spec] }, problems: [] };
    }
  }
  if (problems.length > 0) return { value: null, problems };
  return { value: null, problems: [nothingMatches(methods, task, saved, pause), ...ofDefinitions] };
}

function nothingMatches(methods: MethodTable, task: Task, saved: readonly Task[], pause: Pause): Problem {
  const names = methodNames(methods, pause).filter(name => name !== null);
  const steps = task.type === 'path' ? task.value.split(/[/;]/).filter(step => step !== '') : [task.value];
  const seen = new Set(names);
  const missing = task.type === 'regex' ? [] : steps.filter(step => !seen.has(step.replace('#', '.')));
  const known = [...names.slice(0, MOST_COMPARED), ...saved.map(({ name }) => name)];
  const near: string[] = [];
  for (const step of missing.slice(0, MOST_STEPS)) {
    const whole = nearestNames(known, step.replace('#', '.'), undefined, pause);
    near.push(...(whole.length > 0 ? whole : methodsLike(methods, step, pause)));
  }
  const remedy =
    near.length > 0 ? `did you mean ${near.map(suggested).join(', ')}?` : 'insitu top --platform lists what ran';
  const what = steps.length > 1 && missing.length > 0 ? `"${missing.join('" or "')}" of the focus` : 'the focus';
  return { severity: 'error', message: `no method that ran fits ${what} "${task.name}"`, remedy };
}
