// Which part of the loaded data is looked at: instances, a span of time, threads and a focus, as somebody asked for them.
import type { Outcome, Problem } from '../../base/problem.ts';
import { utcText } from '../../base/utc-text.ts';
import type { Profile, ThreadTable, TimeWindow } from '../../cct/profile.ts';
import type { TreeIndex } from '../../cct/tree-index.ts';
import type { Selection } from '../../metrics/analysis.ts';
import { type ChosenTasks, focusNodes } from '../../metrics/focus.ts';
import { chooseTasks } from '../../metrics/focus-spec.ts';
import type { Task } from '../../metrics/task.ts';

/** A wish; what is absent restricts nothing. */
export type Part = {
  /** Names of instances. */
  readonly instances?: readonly string[];
  /** Windows that have a moment in common with [fromMillis, toMillis), each taken whole; milliseconds since the epoch. */
  readonly fromMillis?: number;
  readonly toMillis?: number;
  /** Patterns with `*`; a thread is taken when any fits. See `threadsLike`. */
  readonly threads?: readonly string[];
  /** As `chooseTasks` reads them, taken together; those that fit nothing are reported and left out while others do. */
  readonly focus?: readonly string[];
  /** Definitions that a focus may name. */
  readonly tasks?: readonly Task[];
};

/** What the wish means in one profile; null with problems when some part of it means nothing there. */
export function selectPart(profile: Profile, index: TreeIndex, metric: number, part: Part): Outcome<Selection | null> {
  const problems: Problem[] = [];
  const threads = part.threads === undefined ? undefined : threadsLike(profile.threads, part.threads);
  if (threads !== undefined && !threads.includes(1)) problems.push(noThread(profile.threads, part.threads ?? []));
  const timed = part.fromMillis !== undefined || part.toMillis !== undefined;
  const windows = timed ? windowsIn(profile.windows, part) : undefined;
  if (windows !== undefined && !windows.includes(1)) problems.push(noWindow(profile.windows, part));
  const focus = part.focus === undefined ? undefined : focusOf(profile, index, part, problems);
  if (problems.some(problem => problem.severity === 'error')) return { value: null, problems };
  const value = { metric, ...(threads && { threads }), ...(windows && { windows }), ...(focus && { focus }) };
  return { value, problems };
}

/**
 * One byte a thread row: 1 where a pattern fits its name, or its `group/name`. Threads are known without their numbers, so that
 * `pool-1-thread-7` means all of `pool-#-thread-#`; unnamed ones are called `unnamed`.
 */
export function threadsLike(threads: ThreadTable, patterns: readonly string[]): Uint8Array {
  const expressions = patterns.map(pattern => {
    const parts = pattern.replace(/\d+/g, '#').split('*');
    return new RegExp(`^${parts.map(part => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&')).join('.*')}$`, 's');
  });
  return Uint8Array.from(threads.name, (name, row) => {
    const own = name === '' ? 'unnamed' : name;
    const full = `${threads.group[row]!.replace(/\d+/g, '#')}/${own}`;
    return expressions.some(each => each.test(own) || each.test(full)) ? 1 : 0;
  });
}

function noThread({ name }: ThreadTable, patterns: readonly string[]): Problem {
  const names = [...new Set(name.map(each => each || 'unnamed'))].sort();
  const some = names.slice(0, 12).join(', ') + (names.length > 12 ? ', …' : '');
  const message = `no thread fits ${patterns.map(pattern => `"${pattern}"`).join(' or ')}`;
  return { severity: 'error', message, remedy: `threads: ${some}` };
}

function windowsIn(windows: readonly TimeWindow[], { fromMillis, toMillis }: Part): Uint8Array {
  const [from, to] = [fromMillis ?? Number.NEGATIVE_INFINITY, toMillis ?? Number.POSITIVE_INFINITY];
  return Uint8Array.from(windows, ({ startMillis, endMillis }) => (startMillis < to && endMillis > from ? 1 : 0));
}

function noWindow(windows: readonly TimeWindow[], part: Part): Problem {
  const starts = windows.map(({ startMillis }) => startMillis);
  const ends = windows.map(({ endMillis }) => endMillis);
  const [first, last] = [starts.reduce((a, b) => Math.min(a, b)), ends.reduce((a, b) => Math.max(a, b))];
  return {
    severity: 'error',
    message: `nothing was recorded ${spanText(part)}`,
    remedy: `recorded: ${utcText(first)} to ${utcText(last)}`,
  };
}

function focusOf(
  profile: Profile,
  index: TreeIndex,
  { focus: specs = [], tasks = [] }: Part,
  problems: Problem[],
): Int32Array {
  const chosen: ChosenTasks[] = [];
  const trouble: Problem[] = [];
  for (const spec of specs) {
    const found = chooseTasks(profile.methods, spec, tasks);
    trouble.push(...found.problems);
    if (found.value !== null) chosen.push(found.value);
  }
  problems.push(...trouble.map(each => (chosen.length === 0 ? each : { ...each, severity: 'warning' as const })));
  return focusNodes(profile, index, chosen);
}

/** `focus Shop.search · threads http-* · from … to …`; empty for everything. */
export function describePart({ instances, threads, focus, ...span }: Part): string {
  const list = (title: string, texts: readonly string[] | undefined) =>
    texts === undefined || texts.length === 0 ? [] : [`${title} ${texts.join(' or ')}`];
  return [
    ...list('focus', focus),
    ...list('threads', threads),
    ...list('instance', instances),
    ...(span.fromMillis === undefined && span.toMillis === undefined ? [] : [spanText(span)]),
  ].join(' · ');
}

/** `from … to …`, or the one end that is given. */
export function spanText({ fromMillis, toMillis }: Pick<Part, 'fromMillis' | 'toMillis'>): string {
  const from = fromMillis === undefined ? '' : `from ${utcText(fromMillis)}`;
  const to = toMillis === undefined ? '' : `to ${utcText(toMillis)}`;
  return [from, to].filter(text => text !== '').join(' ');
}
