// Answers everything that the page asks, from stacks in memory; a naive count over raw stacks each time.
import type {
  Answers,
  AskAnswer,
  AskBlueprint,
  AskHits,
  AskPicture,
  AskVanished,
  Blueprint,
  Hits,
  Look,
  MethodKey,
  MethodState,
  Question,
  Share,
  State,
  Vanished,
  ViewAmount,
} from 'insitu/views';
import { packageOf } from '../../../clients/web/src/name-trimming.ts';
import { fakeOrigin } from '../../support/protocol/fake-origin.ts';
import { askedAspects, bucketsOf, EXAMPLE, type FakeAspect } from './aspects-fake.ts';
import { overviewOf } from './overview-fake.ts';
import { encodeFrame, layout, pathOfStack, type TreeNode, treeOf } from './reference-layout.ts';
import { type FakeMethod, type FakeStack, FIRST_MOMENT, WINDOW_MILLIS, WINDOWS } from './stacks-fake.ts';
import { fakeTracks } from './tracks-fake.ts';

type ListWish = {
  readonly kind?: 'methods' | 'callers' | 'callees';
  readonly of?: MethodKey | null;
  readonly sort?: string | undefined;
  readonly search?: string | undefined;
  readonly offset?: number;
  readonly limit?: number;
};

function answeredMethod({ key: id, className, name, parameters }: FakeMethod) {
  const [descriptor, written] = parameters === null ? [null, ''] : ['()', `(${parameters})`];
  return { id, className, name, descriptor, key: `${className}.${name}${written}` };
}

const both = (count: number): ViewAmount => ({ weight: count, count });
const shareOf = (count: number, of: number): Share => ({
  ...{ text: `${count} of ${of}`, share: of > 0 ? count / of : 0, count, of, weight: count, interval: null },
});
const listed = <Row>(samples: number, rows: readonly Row[]) => ({
  ...{ origin: fakeOrigin({ samples, weight: samples }), total: rows.length, leftOut: 0, rows },
});
const total = (stacks: readonly FakeStack[]): number => stacks.reduce((sum, { count }) => sum + count, 0);

/** As often as frames have them. */
function packagesOf(stacks: readonly FakeStack[]): string[] {
  const counts = new Map<string, number>();
  for (const { frames } of stacks)
    for (const frame of frames) counts.set(packageOf(frame), (counts.get(packageOf(frame)) ?? 0) + 1);
  const own = new Set(stacks.flatMap(stack => ownFrames(stack).frames.map(packageOf)));
  return [...counts]
    .sort(([a, one], [b, other]) => Number(own.has(b)) - Number(own.has(a)) || other - one)
    .map(([name]) => name);
}

function ownFrames(stack: FakeStack): FakeStack {
  return { ...stack, frames: stack.frames.filter(({ library }) => !library) };
}

export class FakeViews {
  stacks: FakeStack[];
  state: Exclude<State, { readonly same: true }>;
  /** Of another version; null where nothing is compared. */
  before: readonly FakeStack[] | null = null;
  /** The executions in the store. */
  executions: readonly { readonly program: string; readonly version: string }[] = [];
  /** Of the settings. */
  aspects: readonly FakeAspect[] = EXAMPLE;
  /** The answer for a blueprint. */
  blueprint: (asked: AskBlueprint) => Blueprint = () => ({ outdated: true });
  /** Everything that was asked, the latest last. */
  readonly asked: Question[] = [];
  #revision = 1;

  constructor(stacks: readonly FakeStack[]) {
    this.stacks = [...stacks];
    this.state = {
      revision: '1',
      packages: packagesOf(stacks),
      ownPackages: packagesOf(stacks.map(ownFrames)).length,
      program: 'shop',
      version: 'v2.4.1',
      project: 'acme',
      instances: ['shop-7f4'],
      processors: false,
      metrics: [
        { id: 'cpu', unit: 'samples' },
        { id: 'alloc', unit: 'bytes' },
      ],
      windows: Array.from({ length: WINDOWS }, (_, at) => ({
        from: FIRST_MOMENT + at * WINDOW_MILLIS,
        to: FIRST_MOMENT + (at + 1) * WINDOW_MILLIS,
      })),
      look: {},
      baseline: null,
      sources: [],
      source: null,
      notes: [],
      live: false,
      editor: false,
    };
  }

  /** New samples, and a revision of their own. */
  add(stacks: readonly FakeStack[]): void {
    this.stacks.push(...stacks);
    this.touch({});
  }

  touch(change: Partial<Exclude<State, { readonly same: true }>>): void {
    this.#revision++;
    this.state = { ...this.state, ...change, revision: String(this.#revision) };
  }

  /** JSON, or the bytes of a picture. */
  answer(question: Question): object | Buffer {
    this.asked.push(question);
    switch (question.ask) {
      case 'state':
        return question.revision === this.state.revision ? { same: true } : this.state;
      case 'picture':
        return this.#picture(question);
      case 'tracks':
        return fakeTracks(this.selected(question.look), question, this.state.windows);
      case 'answer':
        return this.#named(question);
      case 'states':
        return { states: question.of.map(key => [key, this.stateOf(key)] as const) };
      case 'vanished':
        return this.#vanished(question);
      case 'blueprint':
        return this.blueprint(question);
      case 'hits':
        return this.#hits(question);
      case 'export':
        return {
          name: `shop.${question.format}`,
          type: 'text/plain',
          base64: Buffer.from('a;b 1\n').toString('base64'),
        };
      case 'open':
        return { opened: true, reason: null };
      case 'use':
        this.touch({ look: question.look });
        return { used: true, reason: null };
    }
  }

  /** Libraries are nowhere; of the others some have changed. */
  stateOf(key: MethodKey): MethodState {
    const { library = true, name = '' } = this.methods().get(key) ?? {};
    return library ? 'missing' : name.length % 3 === 0 ? 'changed' : 'unchanged';
  }

  methods(): Map<MethodKey, FakeMethod> {
    return new Map(this.stacks.flatMap(({ frames }) => frames.map(frame => [frame.key, frame] as const)));
  }

  /** The stacks that a look holds; below a focus they begin with it. */
  selected({ threads, from, to, focus }: Look, all: readonly FakeStack[] = this.stacks): FakeStack[] {
    const patterns = threads?.map(
      pattern => new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`),
    );
    const stacks = all.filter(
      ({ thread, window }) =>
        (patterns?.some(pattern => pattern.test(thread)) ?? true) &&
        FIRST_MOMENT + (window + 1) * WINDOW_MILLIS > (from ?? 0) &&
        FIRST_MOMENT + window * WINDOW_MILLIS < (to ?? Number.POSITIVE_INFINITY),
    );
    if (focus === undefined) return stacks;
    const names = focus.map(name => name.replace(/\(.*$/, ''));
    return stacks.flatMap(stack => {
      const at = stack.frames.findIndex(({ className, name }) => names.includes(`${className}.${name}`));
      return at < 0 ? [] : [{ ...stack, frames: stack.frames.slice(at) }];
    });
  }

  #picture(asked: AskPicture): Buffer {
    // The server takes no field that it does not know.
    if ('revision' in asked) throw new Error('unknown field "revision"');
    const stacks = this.selected(asked.look);
    const methods = this.methods();
    const everything = treeOf(stacks, asked, methods);
    const { root, way, missing } = below(everything, this.#rootIn(everything, asked, stacks));
    const named = way.map(({ method }) => method?.key ?? '');
    const steps = way.length > 1000 ? [anchorOf(way.at(-101) ?? root), ...named.slice(-100)] : named;
    const fits = fitting(asked.search);
    const before =
      asked.baseline && this.before !== null
        ? sharesOf(treeOf(this.selected(asked.look, this.before), asked, methods))
        : null;
    return encodeFrame({
      laid: layout(root, asked, fits),
      whole: both(total(stacks)),
      root: {
        steps,
        method: root.method,
        total: both(root.weight),
        missing: missing === 0 ? null : missing,
      },
      fits,
      revision: this.state.revision,
      shareBefore: before === null ? null : id => before.get(id) ?? 0,
    });
  }

  /** An anchor from before recursion was merged, or after it, as the methods that it stands for. */
  #rootIn(everything: TreeNode, asked: AskPicture, stacks: readonly FakeStack[]): readonly MethodKey[] {
    const [anchor = '', ...others] = asked.root;
    if (!anchor.startsWith('@') || wayTo(everything, anchor)[0] !== undefined) return asked.root;
    const operations = { ...asked.operations, recursion: !asked.operations.recursion };
    const way = wayTo(treeOf(stacks, { ...asked, operations }, this.methods()), anchor);
    if (way[0] === undefined) return asked.root;
    const methods = this.methods();
    const frames = [...way.map(node => node?.method), ...others.map(key => methods.get(key))].flatMap(
      each => each ?? [],
    );
    const path = pathOfStack({ frames, count: 1, thread: '', window: 0 }, asked) ?? [];
    return path.map(({ key }) => key);
  }

  #vanished({ look, root, ...asked }: AskVanished): Vanished {
    const stacks = this.selected(look, this.before ?? []);
    const everything: Pick<Vanished, 'whole' | 'unit' | 'least'> = {
      whole: both(total(stacks)),
      unit: 'samples',
      least: 0,
    };
    const now = below(treeOf(this.selected(look), asked, this.methods()), root).root;
    const open = [{ before: below(treeOf(stacks, asked, this.methods()), root).root, now, steps: root }];
    const rows: Vanished['rows'][number][] = [];
    for (let at = open.pop(); at !== undefined; at = open.pop())
      for (const [key, old] of at.before.children) {
        const still = at.now.children.get(key);
        if (still !== undefined) open.push({ before: old, now: still, steps: [...at.steps, key] });
        else if (old.method !== null)
          rows.push({
            ...{ method: old.method, above: at.before.method, steps: at.steps },
            ...{ total: both(old.weight), verdict: 'notTested' as const },
          });
      }
    rows.sort((a, b) => b.total.weight - a.total.weight);
    const all = rows.reduce((sum, row) => sum + row.total.weight, 0);
    return { ...everything, total: both(all), length: rows.length, rows };
  }

  #listed(look: Look, { kind = 'methods', of = null, sort, search }: ListWish) {
    const stacks = this.selected(look);
    const fits = search === undefined ? () => true : fitting(search);
    const found = new Map<MethodKey, { method: FakeMethod; total: number; self: number }>();
    for (const { frames, count } of stacks) {
      const counted = new Set<MethodKey>();
      frames.forEach((method, at) => {
        const neighbour = kind === 'callers' ? frames[at + 1] : frames[at - 1];
        if (kind !== 'methods' && neighbour?.key !== of) return;
        const row = found.get(method.key) ?? { method, total: 0, self: 0 };
        found.set(method.key, row);
        if (!counted.has(method.key)) row.total += count;
        counted.add(method.key);
        if (at === frames.length - 1) row.self += count;
      });
    }
    const name = ({ method }: { method: FakeMethod }): string => `${method.className}.${method.name}`;
    return [...found.values()]
      .filter(({ method }) => fits(method))
      .sort((a, b) =>
        sort === 'name' ? name(a).localeCompare(name(b)) : sort === 'self' ? b.self - a.self : b.total - a.total,
      );
  }

  #list(look: Look, wish: ListWish): object {
    const rows = this.#listed(look, wish);
    const { offset = 0, limit = 20 } = wish;
    const all = total(this.selected(look));
    return {
      origin: fakeOrigin({ samples: all, weight: all }),
      total: rows.length,
      rows: rows.slice(offset, offset + limit).map(row => ({
        method: answeredMethod(row.method),
        ...{ isPlatform: row.method.library, change: null, times: null },
        ...{ total: shareOf(row.total, all), ofAll: shareOf(row.total, all), self: shareOf(row.self, all) },
      })),
    };
  }

  #named({ answer, parameters }: AskAnswer): object {
    const { method, limit, offset, sort, search, platform: _, places: _places, ...look } = parameters;
    const of = method == null ? null : `${method}`.replace('id:', '');
    if (answer === 'top' || answer === 'callers' || answer === 'callees')
      return this.#list(look, {
        kind: answer === 'top' ? 'methods' : answer,
        of,
        sort,
        search,
        offset,
        limit,
      } as ListWish);
    // The stacks say nothing of objects.
    if (answer === 'objects') return { origin: fakeOrigin({ samples: 0, weight: 0 }), metrics: [] };
    if (answer === 'overview') {
      const wish = { kind: 'methods', of: null, sort: 'total', limit: 5 } as ListWish;
      return overviewOf(this.#list(look, wish) as Answers['top'], this.state.windows);
    }
    if (answer === 'aspects')
      return bucketsOf(this.selected(look), askedAspects(parameters, this.aspects), this.state.windows);
    if (answer === 'threads') return this.#threads(look);
    if (answer === 'timeline') return this.#timeline(look, of);
    if (answer === 'methodSource') return this.#source(look, of ?? '');
    if (answer === 'comparedSource') return this.#comparedSource(of ?? '');
    if (answer === 'paths') return this.#paths(look, parameters.query);
    if (answer === 'executions') return { rows: this.executions };
    if (answer === 'codeChanges') return this.#codeChanges();
    throw new Error(`${answer} is asked of the real server alone`);
  }

  #threads(look: Look): Answers['threads'] {
    const stacks = this.selected(look);
    const names = [...new Set(stacks.map(({ thread }) => thread))];
    const rows = names.map(name => {
      const own = stacks.filter(({ thread }) => thread === name);
      // Every other stack ran on the first of two threads.
      const single = [0, 1].map(number => ({
        name: name.replace('#', `${number + 1}`),
        share: shareOf(total(own.filter((_, at) => at % 2 === number)), total(stacks)),
      }));
      const share = shareOf(total(own), total(stacks));
      const threads = name.includes('#') ? single : [];
      return { group: 'main', name, names: 2, share, ofItsTime: null, threads };
    });
    rows.sort((a, b) => b.share.weight - a.share.weight);
    const all = total(stacks);
    return { ...listed(all, rows), ...{ subject: null, subjectText: 'everything', ofAll: null } };
  }

  #timeline(look: Look, of: MethodKey | null): Answers['timeline'] {
    const { focus: _, ...unfocused } = look;
    const [stacks, all] = [this.selected(look), this.selected(unfocused)];
    const part = of === null ? stacks : stacks.filter(({ frames }) => frames.some(({ key }) => key === of));
    const rows = this.state.windows.map((window, at) => {
      const [own, whole] = [part, all].map(each => total(each.filter(stack => stack.window === at)));
      return {
        from: new Date(window.from).toISOString(),
        to: new Date(window.to).toISOString(),
        share: shareOf(own!, whole!),
        times: null,
        hottest: [],
      };
    });
    return listed(total(all), rows);
  }

  #source(look: Look, of: MethodKey): Answers['methodSource'] {
    const method = this.methods().get(of);
    const { version } = this.state;
    const whole = total(this.selected(look));
    const unknown = { id: of, className: '', name: of, descriptor: null, key: of };
    const subject = { ...(method === undefined ? unknown : answeredMethod(method)), place: null };
    if (method === undefined || method.library) {
      const missing = { message: 'The text of this method was not found.', remedy: 'It is part of a library.' };
      return { ...listed(whole, []), subject, missing, file: null, version, changed: false };
    }
    const rows = [
      `    int ${method.name}(int limit) {`,
      '        for (Item item : items)',
      '            if (item.fits(limit)) total += item.<String>weigh("a < b && c");',
      '        return total;',
      '    }',
    ].map((text, at) => ({
      ...{ line: 40 + at, text },
      self: shareOf(at === 2 ? 40 : 0, whole),
      total: shareOf([0, 300, 500, 3, 0][at] ?? 0, whole),
    }));
    const file = `src/${method.className.replaceAll('.', '/')}.java`;
    return { ...listed(whole, rows), subject, missing: null, file, version, changed: false };
  }

  #codeChanges(): Pick<Answers['codeChanges'], 'rows'> {
    const rows = Array.from(this.methods(), ([id, { className, name }]) => ({
      method: { key: `${className}.${name}`, id, className, name, descriptor: null, place: null },
      change: this.stateOf(id) === 'changed' ? ('changed' as const) : ('same' as const),
      ...{ path: 'src/Shop.java', line: 40, endLine: 42 },
    }));
    return { rows };
  }

  #comparedSource(id: MethodKey): Omit<Answers['comparedSource'], 'origin'> {
    const method = this.methods().get(id);
    const side = (version: string, text: string) => ({
      ...{ missing: null, file: 'src/Shop.java', version, firstLine: 40 },
      lines: [`  int ${method?.name}(int limit) {`, `    return ${text};`, '  }'],
    });
    const pairs = [0, 1, 2].map(line => ({ before: line, now: line, same: line !== 1 }));
    return { id, before: side('v1', 'limit'), now: side('v2.4.1', 'limit + 1'), pairs };
  }

  /** Of every path: other queries need the real server. */
  #paths(look: Look, query: unknown): Answers['paths'] {
    if (query !== '*') throw new Error(`${query} is asked of the real server alone`);
    const whole = total(this.selected(look));
    return {
      origin: fakeOrigin({ samples: whole, weight: whole }),
      ...{
        query,
        cost: shareOf(whole, whole),
        whole,
        idle: null,
        leftOutWindows: 0,
        lowerBound: false,
        estimated: false,
        ofRecorded: false,
      },
      ...{ elements: [{ from: 0, to: 1 }], rows: [], total: 0, leftOut: 0, splits: [], missing: null },
    };
  }

  #hits({ look, search }: AskHits): Hits {
    const stacks = this.selected(look);
    const fits = fitting(search);
    const rows = this.#listed(look, { search: search ?? undefined });
    const hit = stacks.filter(({ frames }) => frames.some(fits));
    return {
      total: both(total(hit)),
      whole: both(total(stacks)),
      length: rows.length,
      rows: rows.map(row => {
        const frames = hit.find(stack => stack.frames.some(({ key }) => key === row.method.key))?.frames ?? [];
        const at = frames.findIndex(({ key }) => key === row.method.key);
        const amounts = { total: both(row.total), self: both(row.self) };
        return { method: row.method, ...amounts, steps: frames.slice(0, at + 1).map(({ key }) => key) };
      }),
    };
  }
}

/** The root with the nodes that lead to it, and how many steps lead nowhere. */
function below(
  everything: TreeNode,
  steps: readonly MethodKey[],
): { readonly root: TreeNode; readonly way: TreeNode[]; readonly missing: number } {
  const way: TreeNode[] = [];
  let root = everything;
  for (const [at, step] of steps.entries()) {
    const found = step.startsWith('@') ? wayTo(everything, step) : [root.children.get(step)];
    for (const node of found) {
      if (node === undefined) return { root, way, missing: steps.length - at };
      root = node;
      way.push(node);
    }
  }
  return { root, way, missing: 0 };
}

function anchorOf({ id }: TreeNode): string {
  return `@${(id & 0x1f_ffff_ffff_ffffn).toString(36)}`;
}

function wayTo(everything: TreeNode, anchor: string): (TreeNode | undefined)[] {
  const above = new Map<TreeNode, TreeNode>();
  const open = [everything];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (anchorOf(node) === anchor) {
      const way = [node];
      for (let at = above.get(node); at !== undefined && at !== everything; at = above.get(at)) way.push(at);
      return way.reverse();
    }
    for (const child of node.children.values()) {
      above.set(child, node);
      open.push(child);
    }
  }
  return [undefined];
}

function sharesOf(root: TreeNode): Map<bigint, number> {
  const shares = new Map<bigint, number>();
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    shares.set(node.id, node.weight / root.weight);
    open.push(...node.children.values());
  }
  return shares;
}

function fitting(search: string | null): (method: FakeMethod) => boolean {
  if (search === null || search === '') return () => false;
  const expression = /^\/(.+)\/$/.exec(search)?.[1];
  const text = ({ className, name }: FakeMethod): string => `${className}.${name}`;
  if (expression === undefined)
    return method => (search === search.toLowerCase() ? text(method).toLowerCase() : text(method)).includes(search);
  const pattern = new RegExp(expression);
  return method => pattern.test(text(method));
}
