// Makes a Java file of 400 methods that fits a large profile: its hottest methods get a class of their own, and text for every line seen.
import { ProfileBuilder, ROOT_NODE } from '../../server/cct/builder.ts';
import type { Profile } from '../../server/cct/profile.ts';
import { indexTree } from '../../server/cct/tree-index.ts';
import { analyse } from '../../server/metrics/analysis.ts';
import { hotMethods } from '../../server/metrics/method-times.ts';
import { bigProfile } from './big-profile.ts';

const METHODS = 400;
/** Lines between a method's head and its closing brace; every line seen in it is folded onto these. */
const BODY_LINES = 10;
/** Head, body, closing brace, an empty line. */
const METHOD_LINES = BODY_LINES + 3;
/** Line of the first method's head. */
const FIRST_LINE = 3;
/** Calls of one line of text. */
const MOST_CALLS = 6;

export type HotProgram = { readonly profile: Profile; readonly text: string };

export function hotProgram(nodes: number): HotProgram {
  const original = bigProfile({ seed: 'editor', nodes });
  const profile = withHotClass(original, hottestOf(original));
  return { profile, text: javaText(profile) };
}

/** Other walks through the same program, as a version before would have them. */
export function earlierProfile(nodes: number): Profile {
  return withHotClass(bigProfile({ seed: 'earlier', nodes }), hottestOf(bigProfile({ seed: 'editor', nodes })));
}

function hottestOf(profile: Profile): number[] {
  return hotMethods(analyse(profile, indexTree(profile), { metric: 0 }), METHODS).map(({ method }) => method);
}

/** The hot methods become `bench.Hot.hot0`, `hot1`, …, each with lines of its own; everything else stays as it was. */
function withHotClass({ tree, methods, threads, cells, metrics, windows }: Profile, hot: readonly number[]): Profile {
  const place = new Int32Array(methods.length).fill(-1);
  hot.forEach((method, i) => {
    place[method] = i;
  });
  const builder = new ProfileBuilder('normalised');
  const rows = Array.from({ length: methods.length }, (_, row) => {
    if (row < 2) return row;
    if (place[row]! >= 0) return builder.methods.method('bench.Hot', `hot${place[row]}`, '()V', 0);
    const text = (column: Int32Array) => methods.strings[column[row]!]!;
    return builder.methods.method(text(methods.className), text(methods.name), text(methods.descriptor), 0);
  });
  const threadRows = threads.name.map((name, i) =>
    builder.threads.thread(threads.group[i]!, name, threads.virtual[i] === 1),
  );
  const lineIn = (method: number, line: number) => {
    const at = place[method]!;
    return at < 0 || line <= 0 ? line : FIRST_LINE + at * METHOD_LINES + 1 + (line % BODY_LINES);
  };
  const nodes = new Int32Array(tree.length).fill(ROOT_NODE);
  for (let node = 1; node < tree.length; node++) {
    const parent = tree.parent[node]!;
    const line = lineIn(tree.method[parent]!, tree.callLine[node]!);
    nodes[node] = builder.child(nodes[parent]!, rows[tree.method[node]!]!, line);
  }
  cells.forEach((column, i) => {
    const metric = builder.metric(metrics[i]!);
    for (let cell = 0; cell < column.length; cell++) {
      const node = column.node[cell]!;
      const line = lineIn(tree.method[node]!, column.line[cell]!);
      const thread = threadRows[column.thread[cell]!]!;
      builder.add(metric, nodes[node]!, thread, line, column.window[cell]!, column.count[cell]!, column.weight[cell]!);
    }
  });
  return builder.finish(windows);
}

/** Every line of the file calls what it was seen to call. */
function javaText({ tree, methods }: Profile): string {
  const calls = new Map<number, Set<string>>();
  for (let node = 1; node < tree.length; node++) {
    const caller = tree.method[tree.parent[node]!]!;
    if (methods.strings[methods.className[caller]!] !== 'bench.Hot') continue;
    const line = tree.callLine[node]!;
    const names = calls.get(line) ?? new Set();
    calls.set(line, names.add(methods.strings[methods.name[tree.method[node]!]!]!));
  }
  const lines = ['package bench;', 'class Hot {'];
  for (let i = 0; i < METHODS; i++) {
    lines.push(`  void hot${i}() {`);
    for (let body = 0; body < BODY_LINES; body++) {
      const names = [...(calls.get(lines.length + 1) ?? [])].slice(0, MOST_CALLS);
      lines.push(`    ${names.map(name => `it.${name}();`).join(' ') || 'int x = 1;'}`);
    }
    lines.push('  }', '');
  }
  return [...lines, '}', ''].join('\n');
}
