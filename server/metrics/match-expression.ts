// Finds the names that an expression of a task fits, between pauses that no expression can put off.
import { createContext, Script } from 'node:vm';
import { noPause, type Pause } from '../base/pause.ts';

/** Per name: null where the expression is not found in it, else its named groups with their texts. */
export type GroupsOfNames = readonly (readonly (readonly [group: string, text: string | null])[] | null)[];

export type ExpressionMatches =
  | { readonly groups: GroupsOfNames }
  /** Not an expression at all, with V8's message. */
  | { readonly invalid: string }
  | { readonly isTooSlow: true }
  /** Others have taken the time that all have together. */
  | { readonly isTooLate: true };

/** The time for all expressions of one request together, in milliseconds of the processor's time. */
export type ExpressionTime = { spent: number; readonly limit: number };

/** No step runs longer: an expression that backtracks without end is stopped then. */
const STEP_LIMIT_MILLIS = 20;
/** All steps of all expressions, some times what one takes with 50,000 names: neither a busy nor a slow machine makes an expression bad. */
const LIMIT_MILLIS = 2_000;
/** Names of one step: starting the watch over a step takes as long as a hundred names. */
const MOST_NAMES = 2_048;
/** A single name is given up when it was stopped this often having had time, */
const MOST_TRIES = 3;
/** which is this much of the processor's, */
const ENOUGH_MILLIS = STEP_LIMIT_MILLIS / 2;
/** or this often at all. */
const MOST_STOPS = 60;

/** In a context of its own, where V8 can stop it, and out of which comes nothing but a text. */
const COMPILE = new Script('expression = new RegExp(source); ""');
const MATCH = new Script(`
  JSON.stringify(names.map(name => {
    const match = name === null ? null : expression.exec(name);
    return match === null ? null : Object.entries(match.groups ?? {});
  }))`);

export function expressionTime(limit = LIMIT_MILLIS): ExpressionTime {
  return { spent: 0, limit };
}

/**
 * @param source a JavaScript regular expression, from outside.
 * @param time what is left for it, and less afterwards.
 */
export function matchNames(
  source: string,
  names: readonly (string | null)[],
  time: ExpressionTime,
  pause: Pause = noPause,
): ExpressionMatches {
  const before = time.spent;
  if (before > time.limit) return { isTooLate: true };
  const began = processorMillis();
  const scope: { source: string; names: readonly (string | null)[] } = { source, names: [] };
  const context = createContext(scope);
  const run = (script: Script): unknown => script.runInContext(context, { timeout: STEP_LIMIT_MILLIS });
  try {
    // Only reads the expression, which takes no time worth a limit.
    COMPILE.runInContext(context);
  } catch (error) {
    return { invalid: messageOf(error) };
  } finally {
    time.spent += processorMillis() - began;
  }
  const groups: GroupsOfNames[number][] = [];
  let [size, tries, stops] = [MOST_NAMES, 0, 0];
  while (groups.length < names.length) {
    pause();
    if (tries >= MOST_TRIES || stops >= MOST_STOPS) return { isTooSlow: true };
    if (time.spent > time.limit) return time.spent > 2 * before ? { isTooSlow: true } : { isTooLate: true };
    const started = processorMillis();
    scope.names = names.slice(groups.length, groups.length + size);
    let error: unknown = null;
    try {
      for (const found of JSON.parse(String(run(MATCH))) as GroupsOfNames) groups.push(found);
    } catch (thrown) {
      error = thrown;
    }
    const taken = processorMillis() - started;
    time.spent += taken;
    if (error === null) {
      [tries, stops] = [0, 0];
      size = Math.min(MOST_NAMES, 2 * size);
    } else if (isTimeout(error)) {
      stops++;
      if (size === 1 && taken >= ENOUGH_MILLIS) tries++;
      size = Math.max(1, size >> 3);
    } else return { invalid: messageOf(error) };
  }
  return { groups };
}

/** Time that this thread has had of the processor; of the clock where Node.js is too old to tell. */
function processorMillis(): number {
  if (typeof process.threadCpuUsage !== 'function') return performance.now();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function isTimeout(error: unknown): boolean {
  return (Object(error) as { code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}

/** Errors come from the other context, so that `instanceof Error` says nothing about them. */
function messageOf(error: unknown): string {
  const { message } = Object(error) as { message?: unknown };
  return String(message ?? error);
}
