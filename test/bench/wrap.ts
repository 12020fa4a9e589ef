// Measures what `insitu lsp --wrap` adds to a message that passes between an editor and its Java server while ours loads and answers.
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bodyOf } from '../../server/lsp/wire/split-messages.ts';
import { type LspFolder, lspFolder, putProfile } from '../support/insitu/lsp-store.ts';
import { hotProgram } from './lsp-program.ts';
import { type BenchFigure, type BenchRow, median } from './row.ts';
import { BareClient } from './wrap/bare-client.ts';
import { STAMPED, type Stamps } from './wrap/stamping-server.ts';

const NODES = 2_170_000;
const QUICK_NODES = 200_000;
const BUNDLE = fileURLToPath(new URL('../../dist/bin/insitu-lsp.cjs', import.meta.url));
const SOURCES = fileURLToPath(new URL('../../server/cli/main.ts', import.meta.url));
const JAVA = fileURLToPath(new URL('./wrap/stamping-server.ts', import.meta.url));
const HELD = fileURLToPath(new URL('./wrap/held.cjs', import.meta.url));
/** The most time that the proxy may add while a person types or scrolls. */
const LIMIT_MILLIS = 2;
/** The parameters of a completion, with the fields that editors send along. */
const PARAMS = {
  textDocument: { uri: 'file:///Hot.java' },
  position: { line: 1, character: 1 },
  text: 'x'.repeat(500),
};

/**
 * The same client and the same Java server: with nothing between them, while ours answers that client through the proxy; with the proxy
 * between them; and with nothing between them while ours answers on a wire of its own, as where an editor runs both by itself.
 */
type Way = 'direct' | 'wrapped' | 'apart';

/** Milliseconds that messages were under way, questions and answers alike. */
type Ways = Readonly<Record<Way, number[]>>;

/** When messages passed the proxy, by the clock that all processes of a machine share. */
type Phase = { readonly ways: Ways; readonly from: bigint; readonly to: bigint };

/** Milliseconds that messages were with the proxy: until it handed them on, and from then until the system had taken them. */
type Held = { readonly handed: number[]; readonly taken: number[] };

type Measured = Ways & Held;

/** The client that asks our server, and the ways by which messages go meanwhile. */
type Session = { readonly ours: BareClient; readonly ways: ReadonlyMap<Way, BareClient> };

const heldFile = (place: LspFolder, turn: number) => join(place.folder, `.held-${turn}.json`);

const OURS = existsSync(BUNDLE) ? [BUNDLE, '--stdio'] : [SOURCES, 'lsp', '--stdio'];

/** Ours behind the proxy, beside a Java server without one. */
async function wrappedSession(place: LspFolder, turn: number): Promise<Session> {
  const env = { XDG_CACHE_HOME: newCache(place), HELD_FILE: heldFile(place, turn) };
  const java = `"${process.execPath}" "${JAVA}"`;
  const direct = await started([process.execPath, JAVA], {}, place);
  const wrapped = await started([process.execPath, '--require', HELD, ...OURS, '--wrap', java], env, place);
  return {
    ours: wrapped,
    ways: new Map([
      ['direct', direct],
      ['wrapped', wrapped],
    ]),
  };
}

/** Ours on a wire of its own, beside the same Java server. */
async function apartSession(place: LspFolder, { ways }: Session): Promise<Session> {
  const ours = await started([process.execPath, ...OURS], { XDG_CACHE_HOME: newCache(place) }, place);
  return { ours, ways: new Map([['apart', ways.get('direct')!]]) };
}

let caches = 0;

/** An empty cache: data that an earlier session has kept would change this one's load. */
const newCache = ({ folder }: LspFolder) => join(folder, `.cache-${++caches}`);

async function started(
  command: readonly string[],
  env: Readonly<Record<string, string>>,
  { folder }: LspFolder,
): Promise<BareClient> {
  const client = new BareClient(command, env);
  const uri = pathToFileURL(folder).href;
  const params = { processId: process.pid, rootUri: uri, workspaceFolders: [{ uri, name: 'bench' }], capabilities: {} };
  await client.request('initialize', params).answer;
  client.notify('initialized', {});
  return client;
}

/** Questions over each way in turn, so that all meet the same machine. */
async function ways(session: Session, isOver: (round: number) => boolean): Promise<Ways> {
  const millis: Ways = { direct: [], wrapped: [], apart: [] };
  for (let round = 0; !isOver(round); round++)
    for (const [way, client] of session.ways) {
      const { left, answer } = client.request(STAMPED, PARAMS);
      const { frame, came } = await answer;
      const { result } = JSON.parse(bodyOf(frame).toString()) as { readonly result: Stamps };
      millis[way].push(Number(BigInt(result.came) - left) / 1e6, Number(came - BigInt(result.left)) / 1e6);
      await new Promise(resolve => setTimeout(resolve, 1));
    }
  return millis;
}

async function end(clients: Iterable<BareClient>): Promise<void> {
  for (const client of new Set(clients)) {
    if (client.process.exitCode !== null) continue;
    const ended = once(client.process, 'exit');
    client.notify('exit', {});
    await ended;
  }
}

/** How ours is asked for hints while the ways are measured: `lines` at a time, from the top of the file to its end. */
type Asking = {
  readonly lines: number;
  /** At least so long from one question to the next. */
  readonly everyMillis: number;
  /** Whether something is typed before each question. */
  readonly types?: boolean;
};

const LEAST_ANSWERS = 3;

async function whileAnswering(
  session: Session,
  hot: HotFile,
  { lines, everyMillis, types }: Asking,
  rounds: number,
): Promise<Ways> {
  let asks = true;
  let [answers, bytes] = [0, 0];
  const { ours } = session;
  const hints = (async () => {
    for (let line = 0; asks; answers++, line = line + lines < hot.lines ? line + lines : 0) {
      const pause = new Promise(resolve => setTimeout(resolve, everyMillis));
      if (types === true) {
        const start = { line: 0, character: 0 };
        const textDocument = { uri: hot.uri, version: 2 + answers };
        ours.notify('textDocument/didChange', {
          textDocument,
          contentChanges: [{ range: { start, end: start }, text: ' ' }],
        });
      }
      const range = { start: { line, character: 0 }, end: { line: line + lines, character: 0 } };
      const { frame } = await ours.request('textDocument/inlayHint', { textDocument: { uri: hot.uri }, range }).answer;
      bytes += frame.bytes.length;
      await pause;
    }
  })();
  // On a quick machine the rounds are over before a person who types has asked a second time.
  const isOver = (round: number) => round >= (answers < LEAST_ANSWERS ? 10 * rounds : rounds);
  const measured = await ways(session, isOver);
  asks = false;
  await hints;
  if (answers < LEAST_ANSWERS || bytes < answers * lines) throw new Error('our server did not answer meanwhile');
  return measured;
}

type HotFile = { readonly uri: string; readonly text: string; readonly lines: number };

/** Editors put off questions for what scrolls by: Neovim and VS Code by 20 ms and more. */
const SCROLLING_MILLIS = 50;
/** Emacs tells servers of changes when nothing was typed for so long, and asks for hints then. */
const KEYSTROKES_MILLIS = 500;

type PhaseOf = {
  readonly label: string;
  /** Whether the limit holds; the others are shown without one. */
  readonly isLimited: boolean;
  readonly run: (session: Session, hot: HotFile, rounds: number) => Promise<Ways>;
};

/** The measured phases in their order; the first begins with the load. */
const PHASES: readonly PhaseOf[] = [
  {
    label: 'while ours loads',
    isLimited: false,
    run: (session, { uri, text }, rounds) => {
      let isLoading = true;
      void session.ours.whenTold('samples of cpu').then(() => {
        isLoading = false;
      });
      const textDocument = { uri, languageId: 'java', version: 1, text };
      session.ours.notify('textDocument/didOpen', { textDocument });
      return ways(session, round => round >= rounds && !isLoading);
    },
  },
  {
    label: 'while a person scrolls, hints of 100 lines 20 times a second',
    isLimited: true,
    run: (session, hot, rounds) => whileAnswering(session, hot, { lines: 100, everyMillis: SCROLLING_MILLIS }, rounds),
  },
  {
    label: 'while a person types, hints of 5,200 lines twice a second',
    isLimited: true,
    run: (session, hot, rounds) =>
      whileAnswering(session, hot, { lines: hot.lines, everyMillis: KEYSTROKES_MILLIS, types: true }, rounds),
  },
  {
    label: 'while ours does nothing',
    isLimited: false,
    run: (session, _, rounds) => ways(session, round => round >= rounds),
  },
];

function percentile99(millis: readonly number[]): number {
  return millis.toSorted((a, b) => a - b)[Math.ceil(millis.length * 0.99) - 1]!;
}

/** The times of the phases that the proxy has written when it ended. */
async function heldIn(file: string, phases: readonly Phase[]): Promise<Measured[]> {
  const all = (JSON.parse(await readFile(file, 'utf8')) as [string, string, string][]).map(each => each.map(BigInt));
  return phases.map(({ ways, from, to }) => {
    const own = all.filter(([came]) => came! >= from && came! <= to);
    // Each message is one of the two of a question.
    const passed = ways.wrapped.length;
    if (own.length < passed) throw new Error(`${own.length} of ${passed} messages were seen to pass`);
    const handed = own.map(([came, left]) => Number(left! - came!) / 1e6);
    return { ...ways, handed, taken: own.map(([, left, taken]) => Number(taken! - left!) / 1e6) };
  });
}

/** Of the session in which the machine did least else, as the direct way shows it. */
function figures({ label, isLimited }: PhaseOf, sessions: readonly Measured[]): BenchFigure[] {
  const { direct, wrapped, apart, handed, taken } = sessions.reduce((best, next) =>
    percentile99(next.direct) < percentile99(best.direct) ? next : best,
  );
  const added = (before: readonly number[]) => Math.max(0, percentile99(wrapped) - percentile99(before));
  const detail = (before: readonly number[]) => {
    const pair = (of: (millis: readonly number[]) => number) => `${of(before).toFixed(2)} → ${of(wrapped).toFixed(2)}`;
    return `99 %: ${pair(percentile99)} ms, median: ${pair(median)} ms`;
  };
  const behind = `median: ${median(handed).toFixed(2)} ms; then until taken, 99 %: ${percentile99(taken).toFixed(2)} ms`;
  const toBoth = () => `${label}, to what it is with both servers on wires of their own (${detail(apart)})`;
  const figure = (name: string, value: number): BenchFigure => ({
    ...{ label: name, value, unit: 'ms' },
    ...(isLimited && { limit: { most: LIMIT_MILLIS } }),
  });
  return [
    figure(`${label} (${detail(direct)})`, added(direct)),
    ...(apart.length === 0 ? [] : [figure(toBoth(), added(apart))]),
    figure(`${label}, of this held by the proxy (${behind})`, percentile99(handed)),
  ];
}

/** @returns the file's text. */
async function prepared(place: LspFolder, nodes: number): Promise<string> {
  const { profile, text } = hotProgram(nodes);
  await writeFile(join(place.folder, 'Hot.java'), text);
  await putProfile(place.store, profile);
  return text;
}

/** All phases of one session, each by turns with both servers apart, for which a quick run has no time. */
async function measured(place: LspFolder, hot: HotFile, turn: number, quick: boolean): Promise<Measured[]> {
  const rounds = quick ? 200 : 1_000;
  const wrapped = await wrappedSession(place, turn);
  let apart: Session | null = null;
  const phases: Phase[] = [];
  try {
    for (const phase of PHASES) {
      const from = process.hrtime.bigint();
      const through = await phase.run(wrapped, hot, rounds);
      const to = process.hrtime.bigint();
      // Two that load at once would be more than anybody runs.
      if (!quick) apart ??= await apartSession(place, wrapped);
      const without = apart === null ? through : await phase.run(apart, hot, rounds);
      phases.push({ ways: { ...through, apart: without.apart }, from, to });
    }
  } finally {
    await end([...wrapped.ways.values(), ...(apart === null ? [] : [apart.ours])]);
  }
  return heldIn(heldFile(place, turn), phases);
}

const addedRow: BenchRow = {
  name: 'added to a message that passes, 99th percentile',
  async run({ quick }) {
    const place = await lspFolder();
    try {
      const text = await prepared(place, quick ? QUICK_NODES : NODES);
      // Ours to clean up, not to be met by what is measured.
      globalThis.gc?.();
      const hot = { uri: place.uri('Hot.java'), text, lines: text.split('\n').length };
      const found: Measured[][] = [];
      for (let turn = 0; turn < (quick ? 1 : 3); turn++) {
        found.push(await measured(place, hot, turn, quick));
      }
      return PHASES.flatMap((phase, i) =>
        figures(
          phase,
          found.map(phases => phases[i]!),
        ),
      );
    } finally {
      await place.remove();
    }
  },
};

export const rows: readonly BenchRow[] = [addedRow];
