// Measures the grammar: skeletons and whole outlines beside other Java parsers, and a keystroke in a large file.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse as parseWithJavaParser } from 'java-parser';
import TreeSitter from 'tree-sitter';
import javaLanguage from 'tree-sitter-java';
import { JavaDocument } from '../../grammar/document.ts';
import type { Outline } from '../../grammar/outline.ts';
import { outlineOf, skeletonOf } from '../../grammar/parse.ts';
import type { Statement } from '../../grammar/statement.ts';
import { statementsOf } from '../../grammar/statements.ts';
import { compareStatements } from '../../server/mapping/stale/compare-statements.ts';
import { provideEngine } from '../support/engines/engines.ts';
import { type BenchFigure, type BenchRow, median, millisecondsOf } from './row.ts';

type Corpus = { readonly name: string; readonly texts: readonly string[]; readonly megabytes: number };

/** `java.base` of JDK 17 with its sources, else the project's own samples. */
function corpus(): Corpus {
  const engine = provideEngine('jdk17');
  const sources = 'missing' in engine ? undefined : engine.sources;
  const folder =
    sources === undefined ? fileURLToPath(new URL('../../samples', import.meta.url)) : join(sources, 'java.base');
  const texts = globSync('**/*.java', { cwd: folder }).map(file => readFileSync(join(folder, file), 'utf8'));
  const name = `${sources === undefined ? 'samples' : 'java.base 17'}, ${texts.length} files`;
  return { name, texts, megabytes: texts.reduce((sum, text) => sum + text.length, 0) / 1e6 };
}

/** Every n-th file, for parsers that take long. */
function thinned({ name, texts }: Corpus, step: number): Corpus {
  const some = texts.filter((_, at) => at % step === 0);
  return { name, texts: some, megabytes: some.reduce((sum, text) => sum + text.length, 0) / 1e6 };
}

async function megabytesPerSecond(
  { texts, megabytes }: Corpus,
  times: number,
  parse: (text: string) => unknown,
): Promise<number> {
  const run = (): void => {
    for (const text of texts) parse(text);
  };
  return megabytes / (median(await millisecondsOf(times, times > 1 ? 2 : 0, run)) / 1000);
}

/** @param times how many times as fast as tree-sitter and as java-parser. */
async function speedOf(
  parse: (text: string) => unknown,
  times: readonly [number, number],
  quick: boolean,
): Promise<BenchFigure[]> {
  const whole = corpus();
  const value = await megabytesPerSecond(whole, quick ? 2 : 5, parse);
  const treeSitter = new TreeSitter();
  // The two packages type a language differently; tree-sitter accepts any that its own loader made.
  treeSitter.setLanguage(javaLanguage as object);
  const parseNative = (text: string): unknown =>
    treeSitter.parse(text, undefined, { bufferSize: 4 * text.length + 1024 });
  const native = await megabytesPerSecond(thinned(whole, quick ? 40 : 8), 1, parseNative);
  const figure = { label: whole.name, value, unit: 'MB/s' };
  const beside = (name: string, peer: number, timesPeer: number): BenchFigure => ({
    ...figure,
    peer: { name, value: peer },
    limit: { timesPeer },
  });
  const slow = await megabytesPerSecond(thinned(whole, quick ? 400 : 50), 1, text =>
    attempt(() => parseWithJavaParser(text)),
  );
  return [beside('tree-sitter-java native', native, times[0]), beside('java-parser', slow, times[1])];
}

function attempt(work: () => unknown): void {
  try {
    work();
  } catch {
    // A file that the peer cannot read costs it the time until then.
  }
}

/** Types and deletes characters in bodies all over a file of 450 KB that is made of real members; with and without reading every row after each. */
async function keystrokes({ quick }: { readonly quick: boolean }): Promise<BenchFigure[]> {
  const text = largeFile(450_000);
  const edits = timesOfEdits(text, quick, () => 0);
  const p99 = percentile(edits, 0.99);
  const read = timesOfEdits(text, quick, rowsOf);
  return [
    { label: 'median', value: median(edits), unit: 'ms' },
    { label: 'p99', value: p99, unit: 'ms', limit: { most: 5 } },
    { label: 'every row read, median', value: median(read), unit: 'ms' },
    { label: 'every row read, p99', value: percentile(read, 0.99), unit: 'ms' },
  ];
}

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)]!;
}

function rowsOf({ declarations, callSites, locals }: Outline): number {
  return declarations.length + callSites.length + locals.length;
}

/** A call typed into bodies all over the file, with the statements of its method and what became of them. */
async function statementsTyped({ quick }: { readonly quick: boolean }): Promise<BenchFigure[]> {
  const text = largeFile(450_000);
  const document = new JavaDocument(text);
  const measured: number[] = [];
  const methods = document.outline.declarations.filter(one => one.kind === 'method' && one.body !== null);
  const warmUp = 200;
  for (let i = 0; i < warmUp + (quick ? 400 : 2000); i++) {
    const { row, body } = methods[(i * 7919) % methods.length]!;
    const at = body!.start + 1;
    const profiled = document.outline;
    const before = {
      text: document.text,
      statements: statementsOf(document.text, profiled, profiled.declarations[row]!),
    };
    const started = performance.now();
    const outline = document.edit({ start: at, end: at, text: 'x();' });
    const after = { text: document.text, statements: statementsOf(document.text, outline, outline.declarations[row]!) };
    const { statements } = compareStatements(before, after);
    if (i >= warmUp) measured.push(performance.now() - started);
    if (after.statements.length > 0 && statements.get(after.statements[0]!)?.state !== 'new')
      throw new Error('no new call');
    document.edit({ start: at, end: at + 4, text: '' });
  }
  const p99 = percentile(measured, 0.99);
  return [
    { label: 'median', value: median(measured), unit: 'ms' },
    { label: 'p99', value: p99, unit: 'ms', limit: { most: 3 } },
  ];
}

/** Statements of every declaration of a library. */
async function statementsPerSecond({ quick }: { readonly quick: boolean }): Promise<BenchFigure[]> {
  const { name, texts } = corpus();
  const outlines = texts.map(text => ({ text, outline: outlineOf(text) }));
  let count = 0;
  const [took] = await millisecondsOf(1, quick ? 0 : 1, () => {
    count = 0;
    for (const { text, outline } of outlines)
      for (const declaration of outline.declarations)
        if (declaration.kind !== 'lambda') count += countOf(statementsOf(text, outline, declaration));
  });
  const value = took! / (count / 270_000);
  return [{ label: `270,000 statements of ${name}`, value, unit: 'ms', limit: { most: 3000 } }];
}

function countOf(statements: readonly Statement[]): number {
  let count = 0;
  for (const { parts } of statements) {
    count++;
    for (const part of parts) count += countOf(part.statements);
  }
  return count;
}

/** Milliseconds of each insertion, with what a reader of the outline does. */
function timesOfEdits(text: string, quick: boolean, read: (outline: Outline) => number): number[] {
  const document = new JavaDocument(text);
  const measured: number[] = [];
  const bodies = document.outline.declarations.filter(one => one.kind === 'method' && one.body !== null);
  const warmUp = 200;
  for (let i = 0; i < warmUp + (quick ? 400 : 2000); i++) {
    const at = (bodies[(i * 7919) % bodies.length]?.body?.start ?? 0) + 1;
    const started = performance.now();
    read(document.edit({ start: at, end: at, text: 'x' }));
    if (i >= warmUp) measured.push(performance.now() - started);
    read(document.edit({ start: at, end: at + 1, text: '' }));
  }
  return measured;
}

/** One class of at least `size` characters: the members of the corpus's files of middling size, as nested types. */
function largeFile(size: number): string {
  const types: string[] = [];
  let length = 0;
  for (const text of corpus().texts) {
    if (length >= size) break;
    const type = skeletonOf(text).declarations.find(one => one.parent === -1 && one.kind === 'class');
    if (type === undefined || text.length < 5_000 || text.length > 60_000) continue;
    types.push(text.slice(type.span.start, type.span.end));
    length += type.span.end - type.span.start;
  }
  return `class Large {\n${types.join('\n')}\n}\n`;
}

export const rows: readonly BenchRow[] = [
  { name: 'skeleton of Java sources', run: ({ quick }) => speedOf(skeletonOf, [4, 25], quick) },
  { name: 'whole outline of Java sources', run: ({ quick }) => speedOf(outlineOf, [1.5, 10], quick) },
  { name: 'keystroke in a body, file of 450 KB', run: keystrokes },
  { name: 'statements after a keystroke, file of 450 KB', run: statementsTyped },
  { name: 'statements of Java sources', run: statementsPerSecond },
];
