// Every operator on methods of the JDK's own sources, committed in a temporary repository: the recorded text comes from git.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Declaration } from '../../../grammar/outline.ts';
import type { TextComparison } from '../../../server/mapping/stale/text-comparison.ts';
import { needs } from '../../support/engines/needs.ts';
import { isInFull } from '../../support/runs.ts';
import { Committed, type Place } from './committed.ts';
import { type FileMutant, fileOperators, NEIGHBOUR, neighbourText } from './file-operators.ts';
import { type Count, type Counts, countOf, expectRight, Subject, table } from './judge.ts';

const SIZES = { smallest: 4_000, largest: 60_000 };
const METHODS = isInFull() ? 500 : 40;
const METHODS_OF_FILE = 3;
/** Every so many mutants are committed or staged; the others stand on disk. */
const COMMITTED_EVERY = 200;
const FILE_MUTANTS_COMMITTED_EVERY = 40;

/** Where the nth mutant stands. */
function placeOf(n: number, every: number): Place {
  return n % every === 0 ? 'committed' : n % every === 1 ? 'staged' : 'on disk';
}

type Picked = { readonly path: string; readonly subject: Subject; readonly targets: readonly Declaration[] };

function pick(folder: string): Picked[] {
  const files = globSync(['java/{util,io,net,time,text,security}/**/*.java', 'sun/**/*.java'], { cwd: folder }).sort();
  const picked: Picked[] = [];
  let methods = 0;
  for (let i = 0; i < files.length && methods < METHODS; i++) {
    const path = files[(i * 7919) % files.length]!;
    const text = readFileSync(join(folder, path), 'utf8');
    if (text.length < SIZES.smallest || text.length > SIZES.largest) continue;
    const subject = new Subject(text);
    const all = subject.targets;
    const count = Math.min(METHODS_OF_FILE, all.length);
    const targets = Array.from(
      { length: count },
      (_, n) => all[Math.floor((all.length * (2 * n + 1)) / (2 * METHODS_OF_FILE))]!,
    );
    methods += targets.length;
    picked.push({ path, subject, targets });
  }
  return picked;
}

/** The target's state and calls in a file that was opened after a change of files. */
function countFile(
  subject: Subject,
  member: Declaration,
  mutant: FileMutant,
  found: readonly TextComparison[],
  count: Count,
): void {
  const { outline } = subject;
  const [own] = found;
  if (own === undefined) return;
  const row = own.current.declarations.find(({ span }) => span.start === mutant.at)?.row ?? -1;
  const from = found.find(each => each.profiledRow(row) >= 0);
  const state = from?.stateOf(row) ?? 'new';
  count.applied++;
  count.states++;
  if (row < 0 || state !== mutant.state) {
    count.wrongStates++;
    if (count.examples.length < 3) count.examples.push(`${member.name} is ${state}, not ${mutant.state}`);
  }
  if (mutant.state === 'new' || from === undefined) return;
  for (const site of from.profiled.callSites) {
    const { start } = site.nameSpan;
    if (start < member.span.start || start >= member.span.end || site.kind === 'implicit') continue;
    count.keepable++;
    const now = from.siteOf(site);
    if (now === null) continue;
    count.kept++;
    count.keptOfKeepable++;
    const shift = mutant.state === 'renamed' && start > member.nameSpan.start ? 'Renamed'.length : 0;
    if (now.nameSpan.start - mutant.at !== start - member.span.start + shift) count.wrong++;
  }
  expect(outline.declarations[member.row]).toBe(member);
}

needs('jdk17', 'java.base of JDK 17', ({ sources }) => {
  const picked = pick(join(sources ?? '', 'java.base'));
  const files = new Map(picked.map(({ path, subject }) => [path, subject.text]));
  for (const { path, subject } of picked) {
    const neighbour = `${path.slice(0, path.lastIndexOf('/') + 1)}${NEIGHBOUR}`;
    if (!files.has(neighbour)) files.set(neighbour, neighbourText(subject));
  }

  test(`${METHODS} methods keep their states, calls and lines when what was recorded is a commit`, async () => {
    const committed = new Committed(files);
    const counts: Counts = new Map();
    let n = 0;
    for (const [i, { path, subject, targets }] of picked.entries())
      for (const [k, member] of targets.entries())
        for (const [name, target, mutant] of subject.mutants(member, i * 10 + k)) {
          const comparer = await committed.comparerOf(path, subject, mutant, placeOf(n++, COMMITTED_EVERY));
          subject.count(target, mutant, countOf(counts, name), comparer);
        }
    await committed.remove();
    console.log(`${n} mutants, one in ${COMMITTED_EVERY} committed, as many staged\n${table(counts)}`);
    expectRight(counts);
  });

  test(`${METHODS} methods are found again in files that were renamed and in classes that they moved to`, async () => {
    const committed = new Committed(files);
    const counts: Counts = new Map();
    let n = 0;
    for (const { path, subject, targets } of picked)
      for (const member of targets)
        for (const [name, operator] of Object.entries(fileOperators)) {
          const mutant = operator(subject, member, path);
          if (mutant === null) continue;
          const found = await committed.comparisonsOf(mutant, files, placeOf(n++, FILE_MUTANTS_COMMITTED_EVERY));
          countFile(subject, member, mutant, found, countOf(counts, name));
        }
    await committed.remove();
    console.log(`${n} mutants, one in ${FILE_MUTANTS_COMMITTED_EVERY} committed, as many staged\n${table(counts)}`);
    expectRight(counts);
  });
});
