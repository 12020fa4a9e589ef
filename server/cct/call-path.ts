// Call paths: what names a node beyond the life of its table, and the way back to the node.
import type { MethodTable, Profile } from './profile.ts';

/** One step of a call path: a method and the line in the step before from which it was called. */
export type PathStep = {
  readonly className: string;
  readonly name: string;
  /** null where the format has none. */
  readonly descriptor: string | null;
  /** ≤ 0 unknown. */
  readonly callLine: number;
};

/** Steps from below the root to a node; empty names the root. */
export type CallPath = readonly PathStep[];

/** The call path of a node. */
export function callPathOf({ tree, methods }: Pick<Profile, 'tree' | 'methods'>, node: number): CallPath {
  const steps: PathStep[] = [];
  for (let i = node; i > 0; i = tree.parent[i]!) {
    const m = tree.method[i]!;
    const descriptor = methods.descriptor[m]!;
    steps.push({
      className: methods.strings[methods.className[m]!]!,
      name: methods.strings[methods.name[m]!]!,
      descriptor: descriptor < 0 ? null : methods.strings[descriptor]!,
      callLine: tree.callLine[i]!,
    });
  }
  return steps.reverse();
}

/** The node of a call path, or −1 when the tree has none. */
export function nodeOfCallPath({ tree, methods }: Pick<Profile, 'tree' | 'methods'>, path: CallPath): number {
  const rowOf = methodLookup(methods, new Set(path.map(step => step.name)));
  let node = 0;
  for (const step of path) {
    const method = rowOf.get(keyOf(step.className, step.name, step.descriptor));
    if (method === undefined) return -1;
    const end = tree.subtreeEnd[node]!;
    let child = node + 1;
    while (child < end && !(tree.method[child] === method && tree.callLine[child] === step.callLine)) {
      child = tree.subtreeEnd[child]!;
    }
    if (child >= end) return -1;
    node = child;
  }
  return node;
}

function keyOf(className: string, name: string, descriptor: string | null): string {
  return `${className}\0${name}\0${descriptor ?? ''}`;
}

/** Rows of the methods that have one of the names. */
function methodLookup(methods: MethodTable, names: ReadonlySet<string>): Map<string, number> {
  const wanted = new Uint8Array(methods.strings.length);
  for (let i = 0; i < methods.strings.length; i++) if (names.has(methods.strings[i]!)) wanted[i] = 1;
  const rows = new Map<string, number>();
  for (let m = 0; m < methods.length; m++) {
    if (wanted[methods.name[m]!] === 0) continue;
    const descriptor = methods.descriptor[m]!;
    const key = keyOf(
      methods.strings[methods.className[m]!]!,
      methods.strings[methods.name[m]!]!,
      descriptor < 0 ? null : methods.strings[descriptor]!,
    );
    rows.set(key, m);
  }
  return rows;
}
