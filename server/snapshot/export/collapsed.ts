// Writes a profile as collapsed stacks: one line a distinct stack, root first, with how often it was seen.
import { EMPTY_STACK_LINE } from '../../cct/builder.ts';
import { PARTIAL_METHOD, type Profile, ROOT_METHOD } from '../../cct/profile.ts';

/** How much of a frame a line shows: `Class.method`, with the line, or with descriptor and line. */
export type FrameDetail = 'method' | 'line' | 'full';

type CollapsedOptions = {
  readonly frames: FrameDetail;
  /** Begin every line with the thread's name. */
  readonly threads: boolean;
  /** Stands for threads without a name; without it their lines begin with the first method. */
  readonly unnamed?: string;
  /** Id of the metric to write. */
  readonly metric: string;
  /** Write the sum of the weights behind the count, or in its place. */
  readonly weights?: boolean | 'alone';
};

/**
 * The lines of one metric of a profile, sorted by UTF-16 code units, each ending in a line break; empty when the profile has
 * no such metric. `thread;Class.method(descriptor):line;… count [weight]`. Stacks cut off at the root end have `[truncated]` first,
 * samples without a stack are `[no stack]`, frames without a class show their name alone. `;` and line breaks in names
 * become `_`, except in descriptors. Lines are written as the recorder gave them, unknown ones included.
 */
export function toCollapsed(profile: Profile, options: CollapsedOptions): string {
  const index = profile.metrics.findIndex(metric => metric.id === options.metric);
  const cells = profile.cells[index];
  if (cells === undefined) return '';
  const threads = profile.threads.name.map(name => clean(name) || (options.unnamed ?? ''));
  const paths = new Paths(profile, options.frames);
  const counts = new Map<string, number>();
  const weights = new Map<string, number>();
  for (let i = 0; i < cells.length; i++) {
    const thread = options.threads ? threads[cells.thread[i]!]! : '';
    const path = paths.of(cells.node[i]!, cells.line[i]!);
    const key = thread === '' || path === '' ? thread + path : `${thread};${path}`;
    counts.set(key, (counts.get(key) ?? 0) + cells.count[i]!);
    if (options.weights) weights.set(key, (weights.get(key) ?? 0) + cells.weight[i]!);
  }
  const numbers = (key: string) => [
    ...(options.weights === 'alone' ? [] : [counts.get(key)]),
    ...(options.weights ? [weights.get(key)] : []),
  ];
  return [...counts.keys()]
    .sort()
    .map(key => `${key} ${numbers(key).join(' ')}\n`)
    .join('');
}

function clean(name: string): string {
  return name.replace(/[;\r\n]/g, '_');
}

/** Texts of call paths, built along the tree and kept for the nodes of the latest path. */
class Paths {
  readonly #profile: Profile;
  readonly #detail: FrameDetail;
  readonly #methods: (string | undefined)[] = [];
  /** Text of the frames above a node, by node; a path is made of its parent's. */
  readonly #above = new Map<number, string>();

  constructor(profile: Profile, detail: FrameDetail) {
    this.#profile = profile;
    this.#detail = detail;
  }

  /** The frames from the root to `node`, of which `line` is being executed. */
  of(node: number, line: number): string {
    const { tree } = this.#profile;
    if (tree.method[node] === ROOT_METHOD) return line === EMPTY_STACK_LINE ? '' : '[no stack]';
    if (tree.method[node] === PARTIAL_METHOD) return '[truncated]';
    return this.#prefix(node) + this.#frame(node, line);
  }

  #prefix(node: number): string {
    const { tree } = this.#profile;
    const missing: number[] = [];
    let at = node;
    while (at > 0 && !this.#above.has(at)) {
      missing.push(at);
      at = tree.parent[at]!;
    }
    for (let i = missing.length - 1; i >= 0; i--) {
      const child = missing[i]!;
      const parent = tree.parent[child]!;
      const method = tree.method[parent]!;
      let text = '';
      if (method === PARTIAL_METHOD) text = '[truncated];';
      else if (method !== ROOT_METHOD)
        text = `${this.#above.get(parent)}${this.#frame(parent, tree.callLine[child]!)};`;
      this.#above.set(child, text);
    }
    return this.#above.get(node)!;
  }

  #frame(node: number, line: number): string {
    const name = this.#method(this.#profile.tree.method[node]!);
    return this.#detail === 'method' ? name : `${name}:${line}`;
  }

  #method(row: number): string {
    const known = this.#methods[row];
    if (known !== undefined) return known;
    const { strings, className, name, descriptor } = this.#profile.methods;
    const owner = strings[className[row]!]!;
    const signature = this.#detail === 'full' && descriptor[row]! >= 0 ? strings[descriptor[row]!]! : '';
    const text = `${owner === '' ? '' : `${clean(owner)}.`}${clean(strings[name[row]!]!)}${signature}`;
    this.#methods[row] = text;
    return text;
  }
}
