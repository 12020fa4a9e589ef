// Reads what somebody wrote as a focus: a method, a call path, an expression, a prefix, or the name of a saved task.
import type { Outcome, Problem } from '../base/problem.ts';
import type { MethodTable } from '../cct/profile.ts';
import type { ChosenTasks } from './focus.ts';
import { nearestNames } from './nearest-names.ts';
import { matchTask, methodNames, type Task } from './task.ts';

/** More methods than these are not compared letter by letter when a name is not found. */
const MOST_COMPARED = 50_000;

/**
 * The definition that a text stands for: `regex:…`, `prefix:…`, a call path `A.a;B.b` (from the root where it begins with `/`),
 * the name of a saved definition, else a method `com.acme.Shop.search`.
 */
export function taskOfSpec(spec: string, saved: readonly Task[]): Task {
  const known = saved.find(({ name }) => name === spec);
  if (known !== undefined) return known;
  const [, type, value] = /^(regex|prefix):(.*)$/s.exec(spec) ?? [];
  if (type === 'regex' || type === 'prefix') return { name: spec, type, value: value ?? '' };
  const isPath = spec.startsWith('/') || spec.includes(';');
  return { name: spec, type: isPath ? 'path' : 'method', value: spec };
}

/** The methods of a focus in one table; null with problems when there are none. Also takes one task that a saved definition yields. */
export function chooseTasks(methods: MethodTable, spec: string, saved: readonly Task[]): Outcome<ChosenTasks | null> {
  const task = taskOfSpec(spec, saved);
  const { value: matches, problems } = matchTask(methods, task);
  if (matches.names.length > 0) return { value: { matches }, problems };
  if (task.type === 'method') {
    for (const definition of saved) {
      const yielded = matchTask(methods, definition).value;
      if (yielded.names.includes(spec)) return { value: { matches: yielded, names: [spec] }, problems: [] };
    }
  }
  return { value: null, problems: problems.length > 0 ? problems : [nothingMatches(methods, task, saved)] };
}

function nothingMatches(methods: MethodTable, task: Task, saved: readonly Task[]): Problem {
  const names = methodNames(methods).filter(name => name !== null);
  const steps = task.type === 'path' ? task.value.split(/[/;]/).filter(step => step !== '') : [task.value];
  const missing = steps.filter(step => !names.includes(step.replace('#', '.')));
  const known = [...names.slice(0, MOST_COMPARED), ...saved.map(({ name }) => name)];
  const near = task.type === 'regex' ? [] : missing.flatMap(step => nearestNames(known, step.replace('#', '.')));
  const remedy = near.length > 0 ? `did you mean ${near.join(', ')}?` : 'insitu top --platform lists what ran';
  return { severity: 'error', message: `no method that ran fits the focus "${task.name}"`, remedy };
}
