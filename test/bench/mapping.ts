// Measures mapping: the index of a large source tree from cold and from its cache, and one document against a large profile.
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { outlineOf } from '../../grammar/parse.ts';
import { MethodTableBuilder } from '../../server/cct/method-table.ts';
import type { ClassIndex } from '../../server/mapping/class-index.ts';
import { mapDocument } from '../../server/mapping/map-document.ts';
import { SourceIndex } from '../../server/mapping/source-index.ts';
import { provideEngine } from '../support/engines/engines.ts';
import { indexMethods } from '../support/profiles/class-index.ts';
import { type BenchFigure, type BenchRow, median, millisecondsOf } from './row.ts';

function javaBase(): string {
  const engine = provideEngine('jdk17');
  if ('missing' in engine) throw new Error(`needs JDK 17: ${engine.missing}`);
  if (engine.sources === undefined) throw new Error('needs the sources of JDK 17');
  return join(engine.sources, 'java.base');
}

/** Cold is cold for the index, not for the disk: the files are in the system's cache. */
async function indexFigures({ quick }: { readonly quick: boolean }): Promise<BenchFigure[]> {
  const roots = [javaBase()];
  const folder = mkdtempSync(join(tmpdir(), 'insitu-bench-'));
  const cacheFile = join(folder, 'index.json');
  const times = quick ? 1 : 5;
  try {
    const cold = await millisecondsOf(times, 1, () => new SourceIndex({ roots }).complete);
    const warmed = new SourceIndex({ roots, cacheFile });
    await warmed.complete;
    const cached = await millisecondsOf(times, 1, () => new SourceIndex({ roots, cacheFile }).complete);
    const label = `${warmed.fileCount} files`;
    return [
      { label: `${label}, cold`, value: median(cold), unit: 'ms', limit: { most: 1500 } },
      { label: `${label}, cache`, value: median(cached), unit: 'ms', limit: { most: 200 } },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A profile of 50,000 methods, among them all of the document's, overloads and lambdas included. */
function largeIndex(text: string): ClassIndex {
  const builder = new MethodTableBuilder();
  const outline = outlineOf(text);
  for (const { binaryName, row } of outline.declarations) {
    if (binaryName === '') continue;
    for (const member of outline.declarations) {
      if (member.parent === row && member.kind === 'method') builder.method(binaryName, member.name, null, 0);
    }
    for (let i = 0; i < 20; i++) builder.method(binaryName, `lambda$new$${i}`, '(I)V', 0);
  }
  for (let i = 0; builder.length < 50_000; i++)
    builder.method(`p${i % 100}.Class${i % 5000}`, `method${i}`, '(IJ)V', 0);
  return indexMethods(builder.finish());
}

async function documentFigures({ quick }: { readonly quick: boolean }): Promise<BenchFigure[]> {
  const folder = javaBase();
  const sizes = globSync('java/util/**/*.java', { cwd: folder }).map(file => {
    const text = readFileSync(join(folder, file), 'utf8');
    return { text, lines: text.split('\n').length };
  });
  const { text, lines } = sizes.reduce((a, b) => (Math.abs(b.lines - 5000) < Math.abs(a.lines - 5000) ? b : a));
  const classes = largeIndex(text);
  // A new outline each time, so that nothing kept with the outline is measured.
  const outlines = Array.from({ length: quick ? 20 : 200 }, () => outlineOf(text));
  let at = 0;
  const times = await millisecondsOf(outlines.length - 5, 5, () => mapDocument(outlines[at++]!, classes));
  const slowest = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]!;
  return [
    { label: `${lines} lines, median`, value: median(times), unit: 'ms', limit: { most: 10 } },
    { label: `${lines} lines, p99`, value: slowest, unit: 'ms' },
  ];
}

export const rows: readonly BenchRow[] = [
  { name: 'index of java.base', run: indexFigures },
  { name: 'map a document to 50,000 methods', run: documentFigures },
];
