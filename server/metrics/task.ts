// Tasks: named definitions of what a focus takes as the new 100 %, and which methods of a profile they mean.
import { noPause, type Pause } from '../base/pause.ts';
import type { Outcome, Problem } from '../base/problem.ts';
import { isNoMethod } from '../cct/method-names.ts';
import { type MethodTable, PARTIAL_METHOD } from '../cct/profile.ts';
import {
  type ExpressionMatches,
  type ExpressionTime,
  expressionTime,
  type GroupsOfNames,
  matchNames,
} from './match-expression.ts';
import type { CallPath } from './paths/call-path.ts';

/** A definition. Names of methods are `pkg.Class.method`. */
export type Task = {
  readonly name: string;
  /**
   * `method`: that method, whatever its descriptor. `prefix`: names that begin so and go on at a name boundary (`.`, `$` or the end).
   * `regex`: names in which the expression is found; named groups make a task for each distinct text.
   * `path`: methods separated by `/` or `;` that call each other in a row, from the root of the stack when it begins with `/`.
   * `query`: a query by call paths, which means what lies below its last element; names alone do not say which methods that are.
   */
  readonly type: 'method' | 'prefix' | 'regex' | 'path' | 'query';
  readonly value: string;
  /** Name of each task of an expression with groups: `order ${service}`; the groups' texts, separated by blanks, when absent. */
  readonly taskName?: string;
};

/** The tasks of a definition in one table of methods. */
export type TaskMatches = {
  /** One name a task. */
  readonly names: readonly string[];
  /** Per method row: the task whose last method it is, −1 for none. */
  readonly taskOfMethod: Int32Array;
  /** The direct calls of a task of the type `path`; null for all others. */
  readonly path: CallPath | null;
};

/** Rows named in one step. */
const NAMES_A_STEP = 1 << 13;

/**
 * Finds the methods of a task; no names when nothing fits. Problems: a malformed expression, or one that takes too long.
 * @param time what all expressions of the request have together.
 */
export function matchTask(
  methods: MethodTable,
  task: Task,
  time: ExpressionTime = expressionTime(),
  pause: Pause = noPause,
): Outcome<TaskMatches> {
  if (task.type === 'method') return { value: single(task.name, rowsOfMethod(methods, task.value)), problems: [] };
  if (task.type === 'path') return { value: matchPath(methods, task, pause), problems: [] };
  if (task.type === 'query') return { value: single(task.name, new Uint8Array(methods.length)), problems: [] };
  const names = methodNames(methods, pause);
  if (task.type === 'regex') return matchExpression(names, task, time, pause);
  return { value: single(task.name, rowsWithPrefix(names, task.value)), problems: [] };
}

/** `pkg.Class.method` of every row; the root, the partial node and classes of objects have no name. */
export function methodNames(methods: MethodTable, pause: Pause = noPause): readonly (string | null)[] {
  const { length, strings, className, name } = methods;
  const names: (string | null)[] = [];
  for (let m = 0; m < length; m++) {
    if (m % NAMES_A_STEP === NAMES_A_STEP - 1) pause();
    const owner = strings[className[m]!]!;
    const own = strings[name[m]!]!;
    const isNameless = m <= PARTIAL_METHOD || isNoMethod(owner, own);
    names.push(isNameless ? null : owner === '' ? own : `${owner}.${own}`);
  }
  return names;
}

/** One byte a row: 1 where `pkg.Class.method` is the value. The names of all methods are not put together, which would take long. */
function rowsOfMethod({ length, strings, className, name }: MethodTable, value: string): Uint8Array {
  const wanted = value.replace('#', '.');
  const fits = new Uint8Array(length);
  for (let m = PARTIAL_METHOD + 1; m < length; m++) {
    const owner = strings[className[m]!]!;
    const own = strings[name[m]!]!;
    const ownAt = owner === '' ? 0 : owner.length + 1;
    if (ownAt + own.length !== wanted.length || !wanted.endsWith(own)) continue;
    if (owner === '' || (wanted.startsWith(owner) && wanted[owner.length] === '.')) fits[m] = 1;
  }
  return fits;
}

function rowsWithPrefix(names: readonly (string | null)[], value: string): Uint8Array {
  const complete = value === '' || /[.$]$/.test(value);
  return Uint8Array.from(names, name => {
    if (name?.startsWith(value) !== true) return 0;
    const next = name[value.length];
    return complete || next === undefined || next === '.' || next === '$' ? 1 : 0;
  });
}

function single(task: string, fits: Uint8Array): TaskMatches {
  const taskOfMethod = Int32Array.from(fits).map(fit => fit - 1);
  return { names: fits.includes(1) ? [task] : [], taskOfMethod, path: null };
}

function matchPath(methods: MethodTable, { name, value }: Task, pause: Pause): TaskMatches {
  const texts = value.split(/[/;]/).filter(text => text !== '');
  const elements = texts.map(text => {
    pause();
    return { methods: rowsOfMethod(methods, text), isSet: false, isExtended: false };
  });
  const path = { fromThread: value.startsWith('/'), threads: null, elements };
  const last = elements.at(-1)?.methods;
  const possible = last !== undefined && elements.every(element => element.methods.includes(1));
  const taskOfMethod = new Int32Array(methods.length).fill(-1);
  if (possible) for (let m = 0; m < methods.length; m++) taskOfMethod[m] = last[m]! - 1;
  return { names: possible ? [name] : [], taskOfMethod, path };
}

function matchExpression(
  names: readonly (string | null)[],
  task: Task,
  time: ExpressionTime,
  pause: Pause,
): Outcome<TaskMatches> {
  const taskOfMethod = new Int32Array(names.length).fill(-1);
  const nothing: TaskMatches = { names: [], taskOfMethod, path: null };
  const found = matchNames(task.value, names, time, pause);
  if (!('groups' in found)) return { value: nothing, problems: [expressionProblem(task, found)] };
  const rows = new Map<string, number>();
  found.groups.forEach((groups, method) => {
    if (groups === null) return;
    const text = taskText(task, groups);
    if (!rows.has(text)) rows.set(text, rows.size);
    taskOfMethod[method] = rows.get(text)!;
  });
  return { value: { ...nothing, names: [...rows.keys()] }, problems: [] };
}

function taskText({ name, taskName }: Task, groups: NonNullable<GroupsOfNames[number]>): string {
  const texts = new Map(groups);
  if (taskName !== undefined) return taskName.replace(/\$\{([^}]*)\}/g, (_, group) => texts.get(group) ?? '');
  if (groups.length === 0) return name;
  return groups.map(([, text]) => text ?? '').join(' ');
}

function expressionProblem({ name }: Task, trouble: Exclude<ExpressionMatches, { groups: GroupsOfNames }>): Problem {
  const place = `task ${name}`;
  if ('invalid' in trouble) {
    const remedy = 'correct it: it is a JavaScript regular expression';
    return { severity: 'error', message: `the expression is not valid: ${trouble.invalid}`, place, remedy };
  }
  const message =
    'isTooSlow' in trouble ? 'the expression takes too long' : 'the expressions before it left no time for this one';
  const remedy = `avoid nested repetition such as (a+)+${'isTooLate' in trouble ? ' in all of them' : ''}`;
  return { severity: 'error', message, place, remedy };
}
