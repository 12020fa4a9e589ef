// Ten tasks that a coding agent solves with `insitu mcp` alone, scripted, on recordings of known content: what each call is asked follows from the answers before.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ScratchRepository } from '../git/scratch-repository.ts';
import { ALLOCATION, CPU, profileOfStacks, type RawSample } from '../profiles/profiles.ts';
import { type Agent, startAgent, type ToolAnswer } from './agent.ts';
import { FIRST_START, putProfile } from './lsp-store.ts';

const JVMS = 5;
const WINDOWS = 3;
/** Samples of the ranker in a window, before the commit and after it. */
const [FAST, SLOW] = [50, 110];

/** @param rank what the ranker does more, @param total what the cart does more */
const SHOP = (rank: string, total: string) => `package acme;

class Shop {
  Cart cart = new Cart();
  Ranker ranker = new Ranker();
  Log log = new Log();

  void handle(String request) {
    search(request);
    cart.total(request.length());
    log.write(request);
  }

  int search(String text) {
    boolean isPattern = java.util.regex.Pattern.matches("[a-z]+", text);
    return isPattern ? ranker.rank(text) : 0;
  }
}

class Ranker {
  int rank(String text) {
    int sum = 0;
    for (int i = 0; i < text.length(); i++) sum += text.charAt(i)${rank};
    return sum;
  }
}

class Cart {
  int total(int amount) {
    return Tax.of(amount${total}) + amount;
  }
}

class Tax {
  static int of(int amount) {
    return amount * 19 / 100;
  }
}

class Log {
  void write(String text) {
    System.out.println(text);
  }
}

class Nightly {
  void run() {
    for (int i = 0; i < 1_000; i++) Tax.of(i);
  }
}
`;

const FILE = 'acme/Shop.java';
const [SEARCH, MATCHES] = ['acme.Shop.search', 'java.util.regex.Pattern.matches'];

/** A frame whose line is the one in the source that has `text`. */
function frame(method: string, text: string) {
  return {
    method,
    line:
      SHOP('', '')
        .split('\n')
        .findIndex(line => line.includes(text)) + 1,
  };
}

const SEARCHING = [frame('acme.Shop.handle', 'search(request)'), frame(SEARCH, 'Pattern.matches')];
const RANKING = [
  frame('acme.Shop.handle', 'search(request)'),
  frame(SEARCH, 'ranker.rank'),
  frame('acme.Ranker.rank', 'charAt'),
];
const TOTAL = [frame('acme.Shop.handle', 'cart.total'), frame('acme.Cart.total', 'Tax.of(amount')];
const WRITE = [frame('acme.Shop.handle', 'log.write'), frame('acme.Log.write', 'println')];
const [HTTP, JOB] = [0, 1];

/** The samples of one JVM; counts differ a little from JVM to JVM. @param rank samples of `Ranker.rank` */
function samplesOf(jvm: number, rank: number): RawSample[] {
  const each = (count: number, frames: RawSample['frames'], more: Partial<RawSample> = {}): RawSample[] =>
    Array.from({ length: WINDOWS }, (_, window) => ({
      ...{ frames, window, thread: HTTP, count: Math.round(count * (1 + 0.02 * ((jvm * 7 + count) % 5))) },
      ...more,
    }));
  const nightly = frame('acme.Nightly.run', 'Tax.of(i)');
  return [
    ...each(60, [...SEARCHING, { method: MATCHES, line: 1 }]),
    ...each(rank, RANKING),
    ...each(30, TOTAL),
    ...each(15, [...TOTAL, frame('acme.Tax.of', '19 / 100')]),
    ...each(10, WRITE),
    ...each(20, [...WRITE, { method: 'java.io.PrintStream.println', line: 1 }]),
    // A nightly job takes the last window.
    { frames: [nightly], window: WINDOWS - 1, thread: JOB, count: 100 },
    ...each(5, TOTAL, { metric: 1, weight: 5_000_000 }),
    ...each(2, WRITE, { metric: 1, weight: 400_000 }),
  ];
}

/** The share of the log in percent, counted from the stacks themselves. */
function shareOfLog(): number {
  const counted = Array.from({ length: JVMS }, (_, jvm) => samplesOf(jvm, FAST)).flat();
  const sum = (samples: readonly RawSample[]) => samples.reduce((all, { count = 1 }) => all + count, 0);
  const all = counted.filter(({ metric = 0 }) => metric === 0);
  return Math.round((100 * sum(all.filter(({ frames }) => frames.includes(WRITE[1]!)))) / sum(all));
}

/** The recording of the edit that has no commit: a file for each JVM. */
function collapsed(jvm: number, rank: number): string {
  const counts = new Map<string, number>();
  for (const { frames, metric = 0, count = 1 } of samplesOf(jvm, rank)) {
    if (metric !== 0) continue;
    const stack = frames.map(({ method }) => method.replaceAll('.', '/').replace(/\/(\w+)$/, '.$1')).join(';');
    counts.set(stack, (counts.get(stack) ?? 0) + count);
  }
  return [...counts].map(([stack, count]) => `${stack} ${count}\n`).join('');
}

/** The result of one task. */
export type Solved = {
  readonly task: string;
  readonly calls: readonly string[];
  /** Characters of parameters and Markdown, divided by four. */
  readonly tokens: number;
  readonly found: string;
  readonly wanted: string;
};

type Ask = (tool: string, given?: Record<string, unknown>) => Promise<ToolAnswer['data']>;

type Task = {
  readonly name: string;
  readonly wanted: string | ((commits: Commits) => string);
  solve(ask: Ask): Promise<string>;
};

type Commits = { readonly rank: string };

const NOW = { version: 'v1' };
const recorded = Array.from({ length: JVMS }, (_, jvm) => `recorded/${jvm}.collapsed`);

const TASKS: readonly Task[] = [
  {
    name: 'the line that costs most',
    wanted: `${SEARCH}:${SEARCHING[1]!.line}`,
    async solve(ask) {
      const { rows } = await ask('top', { ...NOW, limit: 5 });
      const [{ method }] = rows;
      const source = await ask('methodSource', { ...NOW, method: method.key });
      const [hot] = source.rows.toSorted((a: Line, b: Line) => b.total.weight - a.total.weight);
      return `${method.key}:${hot.line}`;
    },
  },
  {
    name: 'what a slow method waits for',
    wanted: MATCHES,
    async solve(ask) {
      const { rows } = await ask('callees', { ...NOW, method: 'Shop.search', limit: 5 });
      return rows[0].method.key;
    },
  },
  {
    name: 'who calls it',
    wanted: 'acme.Shop.handle',
    async solve(ask) {
      const { rows } = await ask('callers', { ...NOW, method: 'Tax.of', limit: 5 });
      const [{ method }] = rows;
      return (await ask('callers', { ...NOW, method: method.key, limit: 5 })).rows[0].method.key;
    },
  },
  {
    name: 'what logging costs in request handling',
    wanted: () => `${shareOfLog()} % of acme.Shop.handle`,
    async solve(ask) {
      const { cost } = await ask('paths', { ...NOW, query: 'Shop.handle ..Log.*' });
      const { rows } = await ask('paths', { ...NOW, query: '* ..Log.*', refine: 'up', limit: 5 });
      return `${Math.round(100 * cost.share)} % of ${rows[0].method?.key ?? rows[0].name}`;
    },
  },
  {
    name: 'which threads run it',
    wanted: 'http-#',
    async solve(ask) {
      return (await ask('threads', { ...NOW, method: 'Shop.search', limit: 5 })).rows[0].name;
    },
  },
  {
    name: 'what the peak was made of',
    wanted: 'acme.Nightly.run',
    async solve(ask) {
      const { rows } = await ask('timeline', NOW);
      const peak = rows.toSorted((a: Window, b: Window) => b.share.weight - a.share.weight)[0];
      return peak.hottest[0].method;
    },
  },
  {
    name: 'what allocates most',
    wanted: 'acme.Cart.total',
    async solve(ask) {
      const { metrics } = await ask('loadedData', NOW);
      const bytes = metrics.find(({ unit }: { unit: string }) => unit === 'bytes');
      return (await ask('top', { ...NOW, metric: bytes.id, limit: 3 })).rows[0].method.key;
    },
  },
  {
    name: 'what got slower, and by which commit',
    wanted: ({ rank }) => `acme.Ranker.rank ${rank}`,
    async solve(ask) {
      const { reports } = await ask('compare', { version: 'v2', baseline: 'v1', limit: 5 });
      const [{ context, commit }] = reports;
      return `${context.className}.${context.method} ${commit?.hash}`;
    },
  },
  {
    name: 'what of production the commits touch',
    wanted: ({ rank }) => `Ranker.rank ${rank}`,
    async solve(ask) {
      const { rows } = await ask('changedMethods', { ...NOW, commits: 'v1..v2', limit: 5 });
      return `${rows[0].name} ${rows[0].commit?.hash}`;
    },
  },
  {
    name: 'whether an edit without a commit is faster',
    wanted: 'faster acme.Ranker.rank changed',
    async solve(ask) {
      // The name of the version whose code is on disk.
      const label = 'worktree';
      await ask('importRecording', { files: recorded, label, session: true });
      const { reports } = await ask('compare', { version: label, baseline: 'v2', limit: 5 });
      const [{ verdict, context, cause }] = reports;
      return `${verdict} ${context.className}.${context.method} ${cause}`;
    },
  },
];

type Line = { readonly total: { readonly weight: number } };
type Window = { readonly share: { readonly weight: number } };

/** Solves all tasks with the official client. `tools`: what the list of tools costs in tokens. */
export async function solveTasks(): Promise<{ readonly tools: number; readonly solved: readonly Solved[] }> {
  const repository = new ScratchRepository();
  const store = mkdtempSync(join(tmpdir(), 'insitu-tasks-'));
  let agent: Agent | null = null;
  try {
    const commits = await record(repository, store);
    const place = ['--root', repository.root, '--store', store, '--project', 'acme', '--program', 'shop'];
    agent = await startAgent(...place, '--allow-import');
    const { tools } = await agent.client.listTools();
    const listed = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    const solved: Solved[] = [];
    for (const task of TASKS) solved.push(await solve(agent, task, commits));
    return { tools: tokensOf(JSON.stringify(listed)), solved };
  } finally {
    await agent?.close();
    repository.remove();
    rmSync(store, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function solve({ call }: Agent, { name, wanted, solve: script }: Task, commits: Commits): Promise<Solved> {
  const calls: string[] = [];
  let said = '';
  const ask: Ask = async (tool, given = {}) => {
    const { data, text, isError } = await call(tool, given);
    calls.push(tool);
    said += `${tool}${JSON.stringify(given)}${text}`;
    if (isError) throw new Error(`${tool}: ${text}`);
    return data;
  };
  const found = await script(ask).catch((error: Error) => error.message);
  const right = typeof wanted === 'string' ? wanted : wanted(commits);
  return { task: name, calls, tokens: tokensOf(said), found, wanted: right };
}

/** Four characters are about a token. */
function tokensOf(text: string): number {
  return Math.ceil(text.length / 4);
}

/** Two versions in git and in the store, five JVMs each, and recordings of an edit without a commit as files of the project. */
async function record(repository: ScratchRepository, store: string): Promise<Commits> {
  repository.commit({ [FILE]: SHOP('', '') });
  repository.git('tag', 'v1');
  const rank = repository.commit({ [FILE]: SHOP(' * Integer.bitCount(i)', '') });
  repository.commit({ [FILE]: SHOP(' * Integer.bitCount(i)', ' + 0') });
  repository.git('tag', 'v2');
  // The edit that has no commit takes the first one back.
  repository.write(FILE, SHOP('', ' + 0'));
  mkdirSync(join(repository.root, 'recorded'));
  for (let jvm = 0; jvm < JVMS; jvm++) {
    for (const [at, [version, samples]] of (
      [
        ['v1', FAST],
        ['v2', SLOW],
      ] as const
    ).entries()) {
      const startMillis = FIRST_START + at * 60_000;
      const profile = profileOfStacks(samplesOf(jvm, samples), {
        ...{ metrics: [CPU, ALLOCATION], threads: ['http-#', 'job'], windows: WINDOWS, startMillis },
      });
      await putProfile(store, profile, { version, instance: `jvm-${jvm}` }, 60 * at);
    }
    writeFileSync(join(repository.root, recorded[jvm]!), collapsed(jvm, FAST));
  }
  return { rank };
}
