// Tests which commit is nearest, in histories made at random, against counting sets of ancestors.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { array, assert, asyncProperty, constantFrom, nat, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import { nearestCommit } from '../../../server/mapping/git/nearest-commit.ts';
import { ScratchRepository } from '../../support/git/scratch-repository.ts';
import { runs } from '../../support/runs.ts';

/** The parents of each commit, by number; a commit's number is also its time. */
type History = readonly (readonly number[])[];

/** Each draw gives how many parents (mostly one) and which of the commits before. */
const draws = array(tuple(nat(9), nat(1000), nat(1000)), { minLength: 2, maxLength: 24 });

function historyOf(drawn: readonly (readonly [number, number, number])[]): History {
  return drawn.map(([kind, a, b], i) => {
    if (i === 0 || kind === 0) return [];
    // Mostly one of the last few, so that histories get long.
    const first = kind < 6 ? Math.max(0, i - 1 - (a % 3)) : a % i;
    const second = b % i;
    return kind > 7 && second !== first ? [first, second] : [first];
  });
}

function make(scratch: ScratchRepository, history: History): string[] {
  const stream = history.map((parents, i) => {
    const [first, second] = parents.map(parent => `:${parent + 1}\n`);
    const from = `${first === undefined ? '' : `from ${first}`}${second === undefined ? '' : `merge ${second}`}`;
    return `commit refs/heads/b${i}\nmark :${i + 1}\ncommitter a <a@example.com> ${1_700_000_000 + i} +0000\ndata 0\n${from}\n`;
  });
  const marks = join(scratch.home, 'marks');
  const options = { cwd: scratch.root, env: scratch.env, input: stream.join('') };
  execFileSync('git', ['fast-import', '--quiet', '--force', `--export-marks=${marks}`], options);
  const hashes: string[] = [];
  for (const line of readFileSync(marks, 'utf8').trim().split('\n')) {
    const [mark, hash] = line.split(' ');
    hashes[Number(mark!.slice(1)) - 1] = hash!;
  }
  return hashes;
}

/** The number with the least cost; of equals the later one. */
function least(numbers: readonly number[], cost: (one: number) => number): number | undefined {
  return [...numbers].sort((a, b) => cost(a) - cost(b) || b - a)[0];
}

function naive(history: History, head: number, wanted: readonly number[]) {
  const reach: Set<number>[] = [];
  for (const [i, parents] of history.entries()) reach.push(new Set([i, ...parents.flatMap(each => [...reach[each]!])]));
  const between = (from: number, to: number) => [...reach[to]!].filter(each => !reach[from]!.has(each)).length;
  if (wanted.includes(head)) return { number: head, relation: 'same', behind: 0, ahead: 0 };
  const ancestor = least(
    wanted.filter(each => reach[head]!.has(each)),
    each => between(each, head),
  );
  if (ancestor !== undefined)
    return { number: ancestor, relation: 'ancestor', behind: between(ancestor, head), ahead: 0 };
  const shared = [...reach[head]!].filter(each => wanted.some(one => reach[one]!.has(each)));
  const parting = least(shared, each => between(each, head));
  if (parting === undefined) return null;
  const sharing = wanted.filter(each => reach[each]!.has(parting));
  const number = least(sharing, each => between(parting, each))!;
  return { number, relation: 'branch', behind: between(parting, head), ahead: between(parting, number) };
}

test('the nearest commit is what counting says', async () => {
  const scratch = new ScratchRepository();
  const relations = new Set<string | undefined>();
  const repository = await scratch.open();
  await assert(
    asyncProperty(
      draws,
      nat(1000),
      array(nat(1000), { minLength: 1, maxLength: 6 }),
      constantFrom(0, 1, 4, 100),
      async (drawn, at, marked, recent) => {
        const history = historyOf(drawn);
        const hashes = make(scratch, history);
        const head = at % history.length;
        const wanted = [...new Set(marked.map(each => each % history.length))];
        const { value, problems } = await nearestCommit(
          repository,
          hashes[head]!,
          wanted.map(each => hashes[each]!),
          recent,
        );
        const expected = naive(history, head, wanted);
        relations.add(expected?.relation);
        const number = value === null ? null : hashes.indexOf(value.commit);
        expect(problems).toEqual([]);
        expect(value && { number, relation: value.relation, behind: value.behind, ahead: value.ahead }).toEqual(
          expected,
        );
      },
    ),
    { numRuns: runs(100) },
  );
  scratch.remove();
  expect(relations.size).toBeGreaterThan(1);
});

test('a late commit on a side that was merged does not hide an older one with fewer commits since', async () => {
  const scratch = new ScratchRepository();
  // 0 to 6 in a row, 7 to 9 beside them, 10 merges both.
  const hashes = make(scratch, [[], [0], [1], [2], [3], [4], [5], [0], [7], [8], [6, 9]]);
  const commits = [hashes[7]!, hashes[6]!];
  const { value } = await nearestCommit(await scratch.open(), hashes[10]!, commits, 4);
  expect(value).toEqual({ commit: hashes[6], relation: 'ancestor', behind: 4, ahead: 0 });
  scratch.remove();
});
