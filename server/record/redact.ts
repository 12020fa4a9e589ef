// Takes names that must not leave the machine out of a profile.
import { EMPTY_STACK_LINE, ProfileBuilder, ROOT_NODE } from '../cct/builder.ts';
import { PARTIAL_METHOD, type Profile } from '../cct/profile.ts';
import { threadGroupName, withoutSingleThreads } from '../cct/thread-groups.ts';
import { sameRows } from '../cct/times.ts';
import { objectClassOf } from '../model/object-classes.ts';
import { isTimeType } from '../model/time-types.ts';

/** How much is told of threads: names as they are, without the single numbers, their groups alone, or nothing. */
export const THREAD_NAMES = ['all', 'normalised', 'groups', 'none'] as const;
type ThreadNames = (typeof THREAD_NAMES)[number];

export type Redaction = {
  /** Whatever it matches in names of classes, methods and threads becomes `redacted`; it must be a global one. */
  readonly pattern: RegExp | null;
  readonly threads: ThreadNames;
};

const INSTEAD = 'redacted';
/** In place of the row of a method that is not told. */
const HIDDEN = -1;

/** The same samples under the names that may be told; what differs in other names alone becomes one. */
export function redactProfile(profile: Profile, { pattern, threads: policy }: Redaction): Profile {
  if (pattern === null && policy === 'all') return profile;
  const told = (name: string) => (pattern === null ? name : name.replace(pattern, INSTEAD));
  if (pattern === null && policy === 'normalised') {
    const grouped = withoutSingleThreads(profile);
    return { ...grouped, threads: { ...grouped.threads, rawNames: grouped.threads.name.map(() => []) } };
  }
  // A descriptor has class names of its own, with slashes.
  const toldTypes = (descriptor: string) =>
    descriptor.replace(/L([^;]+);/g, (_, name: string) => `L${told(name.replaceAll('/', '.')).replaceAll('.', '/')};`);
  const { tree, methods, threads } = profile;
  const builder = new ProfileBuilder(policy === 'all' ? 'raw' : 'normalised');
  const strings = methods.strings.map(told);
  const hidden = policy === 'groups' || policy === 'none' ? threadClasses(profile) : new Set();
  const rows = Int32Array.from({ length: methods.length }, (_, row) => {
    if (row <= PARTIAL_METHOD) return row;
    if (hidden.has(row)) return HIDDEN;
    const descriptor = methods.descriptor[row]!;
    const name = strings[methods.name[row]!]!;
    const flags = methods.flags[row]!;
    return builder.methods.method(
      strings[methods.className[row]!]!,
      name,
      descriptor < 0 ? null : toldTypes(methods.strings[descriptor]!),
      flags,
    );
  });
  const nodes = new Int32Array(tree.length);
  nodes[0] = ROOT_NODE;
  for (let node = 1; node < tree.length; node++) {
    const isPartial = tree.method[node] === PARTIAL_METHOD;
    const parent = nodes[tree.parent[node]!]!;
    const row = rows[tree.method[node]!]!;
    if (row === HIDDEN) nodes[node] = parent;
    else nodes[node] = isPartial ? builder.partialRoot() : builder.child(parent, row, tree.callLine[node]!);
  }
  const threadRows = Int32Array.from({ length: threads.length }, (_, row) => {
    const virtual = threads.virtual[row] === 1;
    if (policy === 'none') return builder.threads.thread('', '', false);
    if (policy === 'groups') return builder.threads.thread(told(threads.group[row]!), '', virtual);
    const name = policy === 'all' ? threads.name[row]! : threadGroupName(threads.name[row]!);
    return builder.threads.thread(told(threads.group[row]!), told(name), virtual);
  });
  for (const [i, metric] of profile.metrics.entries()) {
    const number = builder.metric(metric);
    const cells = profile.cells[i]!;
    for (let at = 0; at < cells.length; at++) {
      const squares = cells.weightSquares?.[at];
      const line = Math.max(cells.line[at]!, EMPTY_STACK_LINE);
      const place = [nodes[cells.node[at]!]!, threadRows[cells.thread[at]!]!, line, cells.window[at]!] as const;
      builder.add(number, ...place, cells.count[at]!, cells.weight[at]!, squares);
    }
  }
  if (profile.times !== undefined) builder.times.addAll(profile.times, rows, sameRows(profile.windows.length));
  return builder.finish(profile.windows, profile.losses);
}

/** Rows of the method table that are names of threads: frames without a class behind time types and below objects. */
function threadClasses({ tree, methods }: Profile): Set<number> {
  const { strings, className, name } = methods;
  const classOf = (row: number) => strings[className[row]!]!;
  const found = new Set<number>();
  for (let node = 1; node < tree.length; node++) {
    const [row, above] = [tree.method[node]!, tree.method[tree.parent[node]!]!];
    const [ofFrame, nameAbove] = [classOf(above), strings[name[above]!]!];
    const isBehind = isTimeType(ofFrame, nameAbove) || objectClassOf(ofFrame, nameAbove) !== null;
    if (row > PARTIAL_METHOD && classOf(row) === '' && isBehind) found.add(row);
  }
  return found;
}
