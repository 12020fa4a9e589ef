// Circles of files of the program and its clients that import each other, directly or through others.
import type { TidyFile } from '../files.ts';
import { type Counted, eachPlace, isProgram } from './count.ts';
import { importGraph } from './modules.ts';

function isClient({ path }: TidyFile): boolean {
  return /^clients\/[^/]+\/src\//.test(path);
}

/** One place a circle, with all its files; imports of types count too. The largest first. */
export function countCircles(files: readonly TidyFile[]): Counted {
  const graph = importGraph(files.filter(file => isProgram(file) || isClient(file)));
  const circles = components(graph)
    .filter(([first = '', ...others]) => others.length > 0 || graph.get(first)?.includes(first))
    .map(circle => circle.toSorted())
    .sort((a, b) => b.length - a.length || (a[0]! < b[0]! ? -1 : 1));
  return eachPlace(
    circles.map(circle => ({
      path: circle[0]!,
      line: 1,
      message: `stands in a circle of ${circle.length} ${circle.length === 1 ? 'file' : 'files'}: ${circle.join(', ')}`,
    })),
  );
}

type Visit = { readonly path: string; readonly targets: readonly string[]; next: number };

/** Strongly connected components (Tarjan 1972), without recursion. */
function components(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = [];
  /** When each file was reached, and the earliest of its circle so far that it reaches. */
  const order = new Map<string, number>();
  const earliest = new Map<string, number>();
  const stack: string[] = [];
  const onStack = new Set<string>();
  const visits: Visit[] = [];
  const lower = (path: string, to: number) => void earliest.set(path, Math.min(earliest.get(path)!, to));
  const enter = (path: string): void => {
    order.set(path, order.size);
    earliest.set(path, order.get(path)!);
    stack.push(path);
    onStack.add(path);
    visits.push({ path, targets: graph.get(path) ?? [], next: 0 });
  };
  for (const start of graph.keys()) {
    if (!order.has(start)) enter(start);
    for (let visit = visits.at(-1); visit !== undefined; visit = visits.at(-1)) {
      const target = visit.targets[visit.next++];
      if (target === undefined) {
        visits.pop();
        const above = visits.at(-1);
        if (above !== undefined) lower(above.path, earliest.get(visit.path)!);
        if (earliest.get(visit.path) !== order.get(visit.path)) continue;
        const component = stack.splice(stack.lastIndexOf(visit.path));
        for (const path of component) onStack.delete(path);
        found.push(component);
      } else if (!order.has(target)) enter(target);
      else if (onStack.has(target)) lower(visit.path, order.get(target)!);
    }
  }
  return found;
}
