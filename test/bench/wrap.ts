// Measures what `insitu lsp --wrap` adds to a message that passes between an editor and its Java server while ours loads and answers.
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bodyOf } from '../../server/lsp/wrap/frames.ts';
import { type LspFolder, lspFolder, putProfile } from '../support/lsp-store.ts';
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
const LIMIT_MILLIS = 1;
/** What a completion asks, with what editors send along. */
const PARAMS = {
  textDocument: { uri: 'file:///Hot.java' },
  position: { line: 1, character: 1 },
  text: 'x'.repeat(500),
};

/** The same client and the same Java server, with nothing and with us between them. */
const BETWEEN = ['direct', 'wrapped'] as const;

/** Milliseconds that messages were under way, questions and answers alike. */
type Ways = Readonly<Record<(typeof BETWEEN)[number], number[]>>;

/** When a phase began and ended, by the clock that all processes of a machine share. */
type Phase = { readonly ways: Ways; readonly from: bigint; readonly to: bigint };

/** Milliseconds that messages were with the proxy: until it handed them on, and from then until the system had taken them. */
type Held = { readonly handed: number[]; readonly taken: number[] };

type Measured = Ways & Held;

type Session = Readonly<Record<(typeof BETWEEN)[number], BareClient>>;

const heldFile = (place: LspFolder, turn: number) => join(place.folder, `.held-${turn}.json`);

async function started(place: LspFolder, turn: number): Promise<Session> {
  const server = existsSync(BUNDLE) ? [BUNDLE, '--stdio'] : [SOURCES, 'lsp', '--stdio'];
  // What an earlier session has kept would make this one's load another.
  const env = { XDG_CACHE_HOME: join(place.folder, `.cache-${turn}`), HELD_FILE: heldFile(place, turn) };
  const java = `"${process.execPath}" "${JAVA}"`;
  const session = {
    direct: new BareClient([process.execPath, JAVA]),
    wrapped: new BareClient([process.execPath, '--require', HELD, ...server, '--wrap', java], env),
  };
  const uri = pathToFileURL(place.folder).href;
  const params = { processId: process.pid, rootUri: uri, workspaceFolders: [{ uri, name: 'bench' }], capabilities: {} };
  for (const client of Object.values(session)) {
    await client.request('initialize', params).answer;
    client.notify('initialized', {});
  }
  return session;
}

/** Questions over each way in turn, so that all meet the same machine. */
async function ways(session: Session, isOver: (round: number) => boolean): Promise<Ways> {
  const millis: Ways = { direct: [], wrapped: [] };
  for (let round = 0; !isOver(round); round++)
    for (const kind of BETWEEN) {
      const { left, answer } = session[kind].request(STAMPED, PARAMS);
      const { frame, came } = await answer;
      const { result } = JSON.parse(bodyOf(frame).toString()) as { readonly result: Stamps };
      millis[kind].push(Number(BigInt(result.came) - left) / 1e6, Number(came - BigInt(result.left)) / 1e6);
      await new Promise(resolve => setTimeout(resolve, 1));
    }
  return millis;
}

async function end(session: Session): Promise<void> {
  for (const client of Object.values(session)) {
    if (client.process.exitCode !== null) continue;
    const ended = once(client.process, 'exit');
    client.notify('exit', {});
    await ended;
  }
}

/** How ours is asked for hints while the ways are measured: `lines` at a time, from the top of the file to its end. */
type Asking = {
  readonly lines: number;
  /** At least so long from one question to the next, before which something is typed; as soon as ours has answered where that is absent. */
  readonly everyMillis?: number;
};

const LEAST_ANSWERS = 3;

async function whileAnswering(
  session: Session,
  hot: HotFile,
  { lines, everyMillis }: Asking,
  rounds: number,
): Promise<Ways> {
  let asks = true;
  let [answers, bytes] = [0, 0];
  const { wrapped } = session;
  const hints = (async () => {
    for (let line = 0; asks; answers++, line = line + lines < hot.lines ? line + lines : 0) {
      const pause = everyMillis === undefined ? null : new Promise(resolve => setTimeout(resolve, everyMillis));
      if (pause !== null) {
        const start = { line: 0, character: 0 };
        const textDocument = { uri: hot.uri, version: 2 + answers };
        wrapped.notify('textDocument/didChange', {
          textDocument,
          contentChanges: [{ range: { start, end: start }, text: ' ' }],
        });
      }
      const range = { start: { line, character: 0 }, end: { line: line + lines, character: 0 } };
      const { frame } = await wrapped.request('textDocument/inlayHint', { textDocument: { uri: hot.uri }, range })
        .answer;
      bytes += frame.bytes.length;
      await pause;
    }
  })();
  // On a quick machine the rounds are over before somebody who types has asked a second time.
  const isOver = (round: number) => round >= (answers < LEAST_ANSWERS ? 10 * rounds : rounds);
  const measured = await ways(session, isOver);
  asks = false;
  await hints;
  if (answers < LEAST_ANSWERS || bytes < answers * lines) throw new Error('our server did not answer meanwhile');
  return measured;
}

type HotFile = { readonly uri: string; readonly text: string; readonly lines: number };

/** Emacs tells servers of changes when nothing was typed for so long, and asks for hints then. */
const KEYSTROKES_MILLIS = 500;

type PhaseOf = {
  readonly label: string;
  readonly run: (session: Session, hot: HotFile, rounds: number) => Promise<Ways>;
};

/** What is measured, in its order; the first begins with the load. */
const PHASES: readonly PhaseOf[] = [
  {
    label: 'while ours loads',
    run: (session, { uri, text }, rounds) => {
      let isLoading = true;
      void session.wrapped.whenTold('samples of cpu').then(() => {
        isLoading = false;
      });
      const textDocument = { uri, languageId: 'java', version: 1, text };
      session.wrapped.notify('textDocument/didOpen', { textDocument });
      return ways(session, round => round >= rounds && !isLoading);
    },
  },
  {
    label: 'while ours answers hints of 100 lines without a pause',
    run: (session, hot, rounds) => whileAnswering(session, hot, { lines: 100 }, rounds),
  },
  {
    label: 'while somebody types, hints of 5,200 lines twice a second',
    run: (session, hot, rounds) =>
      whileAnswering(session, hot, { lines: hot.lines, everyMillis: KEYSTROKES_MILLIS }, rounds),
  },
  {
    label: 'behind hints of 5,200 lines after hints of 5,200 lines',
    run: (session, hot, rounds) => whileAnswering(session, hot, { lines: hot.lines }, rounds),
  },
  { label: 'while ours does nothing', run: (session, _, rounds) => ways(session, round => round >= rounds) },
];

function percentile99(millis: readonly number[]): number {
  return millis.toSorted((a, b) => a - b)[Math.ceil(millis.length * 0.99) - 1]!;
}

/** What the proxy has written of the phases when it ended. */
async function heldIn(file: string, phases: readonly Phase[]): Promise<Measured[]> {
  const all = (JSON.parse(await readFile(file, 'utf8')) as [string, string, string][]).map(each => each.map(BigInt));
  return phases.map(({ ways: { direct, wrapped }, from, to }) => {
    const own = all.filter(([came]) => came! >= from && came! <= to);
    // Each message is one of the two of a question.
    if (own.length < wrapped.length) throw new Error(`${own.length} of ${wrapped.length} messages were seen to pass`);
    const handed = own.map(([came, left]) => Number(left! - came!) / 1e6);
    return { direct, wrapped, handed, taken: own.map(([, left, taken]) => Number(taken! - left!) / 1e6) };
  });
}

/** Of the session in which the machine did least else, as the direct way shows it. */
function figures({ label }: PhaseOf, sessions: readonly Measured[]): BenchFigure[] {
  const { direct, wrapped, handed, taken } = sessions.reduce((best, next) =>
    percentile99(next.direct) < percentile99(best.direct) ? next : best,
  );
  const pair = (of: (millis: readonly number[]) => number) => `${of(direct).toFixed(2)} → ${of(wrapped).toFixed(2)}`;
  const detail = `99 %: ${pair(percentile99)} ms, median: ${pair(median)} ms`;
  const behind = `median: ${median(handed).toFixed(2)} ms; then until taken, 99 %: ${percentile99(taken).toFixed(2)} ms`;
  const added = Math.max(0, percentile99(wrapped) - percentile99(direct));
  return [
    inLimit(`${label} (${detail})`, added),
    inLimit(`${label}, of this held by the proxy (${behind})`, percentile99(handed)),
  ];
}

function inLimit(label: string, value: number): BenchFigure {
  return { label, value, unit: 'ms', wanted: `≤ ${LIMIT_MILLIS} ms`, ok: value <= LIMIT_MILLIS };
}

/** @returns the file's text. */
async function prepared(place: LspFolder, nodes: number): Promise<string> {
  const { profile, text } = hotProgram(nodes);
  await writeFile(join(place.folder, 'Hot.java'), text);
  await putProfile(place.store, profile);
  return text;
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
        const session = await started(place, turn);
        const phases: Phase[] = [];
        try {
          for (const phase of PHASES) {
            const from = process.hrtime.bigint();
            const measured = await phase.run(session, hot, quick ? 200 : 1_000);
            phases.push({ ways: measured, from, to: process.hrtime.bigint() });
          }
        } finally {
          await end(session);
        }
        found.push(await heldIn(heldFile(place, turn), phases));
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
