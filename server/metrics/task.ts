// Tasks: named definitions of what a focus takes as the new 100 %, and which methods of a profile they mean.
import { runInNewContext } from 'node:vm';
import type { Outcome } from '../base/problem.ts';
import { type MethodTable, PARTIAL_METHOD } from '../cct/profile.ts';

/** A definition. Names of methods are `pkg.Class.method`. */
export type Task = {
  readonly name: string;
  /**
   * `method`: that method, whatever its descriptor. `prefix`: names that begin so and go on at a name boundary (`.`, `$` or the end).
   * `regex`: names in which the expression is found; named groups make a task for each distinct text.
   * `path`: methods separated by `/` or `;` that call each other in a row, from the root of the stack when it begins with `/`.
   */
  readonly type: 'method' | 'prefix' | 'regex' | 'path';
  readonly value: string;
  /** Name of each task of an expression with groups: `order ${service}`; the groups' texts, separated by blanks, when absent. */
  readonly taskName?: string;
};

/** What a definition means in one table of methods. */
export type TaskMatches = {
  /** One name a task. */
  readonly names: readonly string[];
  /** Per method row: the task whose last method it is, −1 for none. */
  readonly taskOfMethod: Int32Array;
  /** For paths: per step, root first, one byte a method row; null for all others. */
  readonly steps: readonly Uint8Array[] | null;
  readonly fromRoot: boolean;
};

/** Milliseconds that an expression may take over all methods. */
const EXPRESSION_LIMIT_MS = 250;

/** Finds the methods of a task; no names when nothing fits. Problems: a malformed expression, or one that takes too long. */
export function matchTask(methods: MethodTable, task: Task): Outcome<TaskMatches> {
  if (task.type === 'regex') return matchExpression(methods, task);
  const names = methodNames(methods);
  if (task.type === 'path') return { value: matchPath(names, task), problems: [] };
  const fits = task.type === 'method' ? isMethod(task.value) : hasPrefix(task.value);
  return { value: single(task.name, names, fits), problems: [] };
}

/** `pkg.Class.method` of every row; the root and the partial node have no name. */
export function methodNames({ length, strings, className, name }: MethodTable): (string | null)[] {
  return Array.from({ length }, (_, m) => {
    if (m <= PARTIAL_METHOD) return null;
    const owner = strings[className[m]!]!;
    return owner === '' ? strings[name[m]!]! : `${owner}.${strings[name[m]!]!}`;
  });
}

function isMethod(value: string): (name: string) => boolean {
  const wanted = value.replace('#', '.');
  return name => name === wanted;
}

function hasPrefix(value: string): (name: string) => boolean {
  const complete = value === '' || /[.$]$/.test(value);
  return name => {
    if (!name.startsWith(value)) return false;
    const next = name[value.length];
    return complete || next === undefined || next === '.' || next === '$';
  };
}

function single(task: string, names: readonly (string | null)[], fits: (name: string) => boolean): TaskMatches {
  const taskOfMethod = Int32Array.from(names, name => (name !== null && fits(name) ? 0 : -1));
  return { names: taskOfMethod.includes(0) ? [task] : [], taskOfMethod, steps: null, fromRoot: false };
}

function matchPath(names: readonly (string | null)[], { name, value }: Task): TaskMatches {
  const fromRoot = value.startsWith('/');
  const texts = value.split(/[/;]/).filter(text => text !== '');
  const steps = texts.map(text => {
    const fits = isMethod(text);
    return Uint8Array.from(names, each => (each !== null && fits(each) ? 1 : 0));
  });
  const last = steps.at(-1);
  const possible = last !== undefined && steps.every(step => step.includes(1));
  const taskOfMethod = Int32Array.from(names, (_, m) => (possible && last[m] === 1 ? 0 : -1));
  return { names: possible ? [name] : [], taskOfMethod, steps, fromRoot };
}

/** Runs in a context of its own, where V8 can stop an expression that backtracks without end. */
const MATCH_ALL = `
  const expression = new RegExp(source);
  JSON.stringify(names.map(name => {
    const match = name === null ? null : expression.exec(name);
    return match === null ? null : Object.entries(match.groups ?? {});
  }))`;

function matchExpression(methods: MethodTable, task: Task): Outcome<TaskMatches> {
  const names = methodNames(methods);
  const taskOfMethod = new Int32Array(names.length).fill(-1);
  const nothing: TaskMatches = { names: [], taskOfMethod, steps: null, fromRoot: false };
  let found: ([string, string | null][] | null)[];
  try {
    const answer: unknown = runInNewContext(MATCH_ALL, { source: task.value, names }, { timeout: EXPRESSION_LIMIT_MS });
    found = JSON.parse(String(answer)) as ([string, string | null][] | null)[];
  } catch (error) {
    return { value: nothing, problems: [expressionProblem(task, error)] };
  }
  const rows = new Map<string, number>();
  found.forEach((groups, method) => {
    if (groups === null) return;
    const text = taskText(task, groups);
    if (!rows.has(text)) rows.set(text, rows.size);
    taskOfMethod[method] = rows.get(text)!;
  });
  return { value: { ...nothing, names: [...rows.keys()] }, problems: [] };
}

function taskText({ name, taskName }: Task, groups: readonly [string, string | null][]): string {
  const texts = new Map(groups);
  if (taskName !== undefined) return taskName.replace(/\$\{([^}]*)\}/g, (_, group) => texts.get(group) ?? '');
  if (groups.length === 0) return name;
  return groups.map(([, text]) => text ?? '').join(' ');
}

/** Errors come from the other context, so that `instanceof Error` says nothing about them. */
function expressionProblem(task: Task, error: unknown) {
  const { code, message } = Object(error) as { code?: unknown; message?: unknown };
  const slow = code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
  return {
    severity: 'error',
    message: slow ? 'the expression takes too long' : `the expression is not valid: ${message ?? error}`,
    place: `task ${task.name}`,
    remedy: slow ? 'avoid nested repetition such as (a+)+' : 'correct it: it is a JavaScript regular expression',
  } as const;
}
