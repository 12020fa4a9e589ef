// The hints that annotate prints for changed files are those of the editor: every operator on methods of the sample, in a repository.

import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Declaration } from '../../../grammar/outline.ts';
import { completeData, type LoadedData } from '../../../server/analysis/loaded-data.ts';
import { loadData } from '../../../server/analysis/select-data.ts';
import { documentOnDisk } from '../../../server/cli/document-on-disk.ts';
import { type Hint, hintsOf } from '../../../server/features/hints/hints.ts';
import { ProfiledTextKeeper } from '../../../server/workspace/code/profiled-text-keeper.ts';
import { sourceOf } from '../../../server/workspace/data/source.ts';
import { type Configuration, configurationFor } from '../../../server/workspace/settings/configuration.ts';
import { Workspace } from '../../../server/workspace/state.ts';
import { fileOperators } from '../../mapping/stale/file-operators.ts';
import { Subject } from '../../mapping/stale/judge.ts';
import { assembled } from '../../mapping/stale/mutant.ts';
import { operators } from '../../mapping/stale/operators.ts';
import { ScratchRepository } from '../../support/git/scratch-repository.ts';
import { insitu } from '../../support/insitu/command-line.ts';
import { isInFull } from '../../support/runs.ts';

const SOURCES = 'samples/shop/v1/src/main/java';
const METHODS = isInFull() ? 100 : 30;
/** Methods that are moved between files, one file after the other. */
const METHODS_MOVED = isInFull() ? 5 : 2;
/** Each method is changed by one operator of so many that apply, another one than its neighbours. */
const EVERY_OPERATOR = isInFull() ? 8 : 6;
const FILES_AT_ONCE = 8;

let scratch: ScratchRepository;
let place: readonly string[];
let configuration: Configuration;
let data: LoadedData;
const subjects = new Map<string, Subject>();

beforeAll(async () => {
  scratch = new ScratchRepository();
  const commit = scratch.commitFolder(SOURCES);
  for (const file of globSync(`${SOURCES}/**/*.java`).sort())
    subjects.set(relative(SOURCES, file), new Subject(readFileSync(file, 'utf8')));
  place = ['--store', join(scratch.home, 'store'), '--project', 'shop', '--program', 'shop', '--version', commit];
  await insitu('import', 'samples/recordings/shop-v1-jdk17-a.jfr', ...place);
  const settings = { store: place[1]!, project: 'shop', program: 'shop', version: commit };
  configuration = configurationFor(scratch.root, settings);
  const { wish, selection } = sourceOf(configuration, null);
  const { value, problems } = await loadData(wish, selection);
  if (value === null) throw new Error(JSON.stringify(problems));
  data = completeData(value);
});
afterAll(() => scratch.remove());

const shown = (hints: readonly Hint[]) =>
  hints.map(({ line, kind, text, heat, state, explanations }) => ({ line, kind, text, heat, state, explanations }));

/** The hints of the editor for these files, which stand on disk, opened together. */
async function inEditor(paths: readonly string[]): Promise<ReturnType<typeof shown>[]> {
  const { store, project, settings } = configuration;
  const { program, version } = settings;
  const workspace = new Workspace({ store, project, program, version }, { env: {}, home: scratch.home });
  const keeper = new ProfiledTextKeeper(workspace, () => {});
  workspace.apply({ kind: 'foldersChanged', folders: [scratch.root] });
  for (const path of paths) {
    const file = join(scratch.root, path);
    workspace.apply({ kind: 'documentChanged', uri: path, path: file, text: readFileSync(file, 'utf8') });
  }
  for (const { source } of workspace.view().sources) workspace.apply({ kind: 'loadEnded', source, data, problems: [] });
  keeper.sync();
  await keeper.whenSettled();
  keeper.close();
  return paths.map(path => shown(hintsOf(workspace.view().document(path)!)));
}

/** Stages what the files are now, null where they are gone, compares what is shown of the opened ones, and puts everything back. */
async function expectEqualHints(
  files: ReadonlyMap<string, string | null>,
  opened: ReadonlyMap<string, string>,
): Promise<number> {
  for (const [path, text] of files) {
    if (text === null) scratch.git('rm', '--quiet', path);
    else scratch.write(path, text);
  }
  scratch.git('add', '--all');
  const paths = [...opened.keys()];
  const inAnnotate = await Promise.all(
    paths.map(async path => {
      const file = join(scratch.root, path);
      return shown(hintsOf(await documentOnDisk(file, readFileSync(file, 'utf8'), data, configuration)));
    }),
  );
  const expected = await inEditor(paths);
  for (const [i, path] of paths.entries()) expect(inAnnotate[i], `${path}, ${opened.get(path)}`).toEqual(expected[i]);
  const [first] = paths;
  const { out } = await insitu('annotate', join(scratch.root, first!), '--json', ...place);
  const {
    rows,
  }: { rows: { line: number; hint: string; kind: string; heat: number; state: string; explanations: string[] }[] } =
    JSON.parse(out);
  expect(
    rows.map(({ line, hint, kind, heat, state, explanations }) => ({
      line,
      kind,
      text: hint,
      heat,
      state,
      explanations,
    })),
  ).toEqual(expected[0]);
  scratch.git('reset', '--quiet', '--hard');
  return expected.flat().length;
}

/** As many members as are wanted, from all over the files. */
function spread(count: number): { readonly path: string; readonly subject: Subject; readonly member: Declaration }[] {
  const all = Array.from(subjects).flatMap(([path, subject]) =>
    subject.targets.map(member => ({ path, subject, member })),
  );
  return Array.from({ length: count }, (_, i) => all[Math.floor((i * all.length) / count)]!);
}

test('methods that were changed in their file', async () => {
  const left = new Map<string, { readonly what: string; readonly text: string }[]>();
  const applied = new Set<string>();
  for (const [i, { path, subject, member }] of spread(METHODS).entries())
    for (const [n, [operator, , { pieces }]] of [...subject.mutants(member, i)].entries()) {
      if (n % EVERY_OPERATOR !== i % EVERY_OPERATOR) continue;
      const changed = { what: `${member.name}: ${operator}`, text: assembled(subject.text, pieces).text };
      left.set(path, [...(left.get(path) ?? []), changed]);
      applied.add(operator);
    }
  let hints = 0;
  // A few files are changed and compared at a time: each may have changed what the others call.
  while (left.size > 0) {
    const changes = Array.from(left)
      .slice(0, FILES_AT_ONCE)
      .map(([path, all]) => ({ path, ...all.pop()! }));
    hints += await expectEqualHints(
      new Map(changes.map(({ path, text }) => [path, text])),
      new Map(changes.map(({ path, what }) => [path, what])),
    );
    for (const { path } of changes) if (left.get(path)?.length === 0) left.delete(path);
  }
  expect([...applied].sort()).toEqual(Object.keys(operators).sort());
  expect(hints).toBeGreaterThan(10 * METHODS);
});

test.each(Object.entries(fileOperators))('%s', async (name, operator) => {
  let hints = 0;
  for (const { path, subject, member } of spread(METHODS_MOVED)) {
    const mutant = operator(subject, member, path);
    if (mutant === null) continue;
    hints += await expectEqualHints(mutant.files, new Map([[mutant.opened, `${member.name}: ${name}`]]));
  }
  expect(hints).toBeGreaterThan(name.startsWith('copy') || name.startsWith('extract') ? -1 : 0);
});
