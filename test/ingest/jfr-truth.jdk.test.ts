// The JFR reader against the JDK's own: the collapsed stacks of every sample recording must be the same, byte for byte.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatProblem } from '../../server/base/problem.ts';
import { EVENT_RULES } from '../../server/ingest/jfr/event-table.ts';
import { ingestFile } from '../../server/ingest/read.ts';
import { toCollapsed } from '../../server/snapshot/export/collapsed.ts';
import { needs } from '../support/needs.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'samples', 'recordings');
const recordings = readdirSync(folder).filter(name => name.endsWith('.jfr'));

needs('jdk25', 'stacks as the JDK reads them', jdk => {
  const classes = mkdtempSync(join(tmpdir(), 'insitu-jfr-truth-'));
  // Recordings of two JVMs in one file: what the JDK's reader gets wrong as a whole, and right chunk by chunk.
  const mixed = join(classes, 'mixed.jfr');

  beforeAll(() => {
    run(jdk.program('javac'), ['-d', classes, join(root, 'test', 'oracle', 'JfrStacks.java')]);
    writeFileSync(mixed, Buffer.concat(recordings.map(name => readFileSync(join(folder, name)))));
  });
  afterAll(() => rmSync(classes, { recursive: true }));

  function truth(recording: string, events: readonly string[], weights: boolean): string {
    const options = weights ? ['--weights'] : [];
    return run(jdk.program('java'), ['-cp', classes, 'JfrStacks', ...options, recording, ...events]);
  }

  test('there are recordings to compare', () => expect(recordings.length).toBeGreaterThanOrEqual(3));

  test.each([...recordings.map(name => [name, join(folder, name)]), ['all in one file', mixed]])(
    '%s',
    async (_, recording) => {
      const absent: string[] = [];
      for (const { event, metric, weight } of EVENT_RULES) {
        const { profile, problems } = await ingestFile(recording!, { names: 'raw', events: [event] });
        const serious = problems.filter(problem => !/is empty|recorder lost/.test(problem.message));
        expect(serious.map(formatProblem)).toEqual([]);
        // Exceptions count; the oracle would weigh them by a duration that is always 0.
        const weights = weight !== null;
        const ours = toCollapsed(profile!, { frames: 'full', threads: true, metric, weights });
        if (ours === '') absent.push(event);
        // Not expect(): the difference of two texts of megabytes says nothing, its first line does.
        else expect(firstDifference(ours, truth(recording!, [event], weights))).toBe('');
      }
      expect(absent).not.toContain('jdk.ExecutionSample');
      expect(truth(recording!, absent, false)).toBe('');
    },
  );
});

function run(program: string, args: readonly string[]): string {
  const result = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 2 ** 30 });
  expect(result.stderr, program).toBe('');
  return result.stdout;
}

/** The first line that differs, with both readings; empty when all are equal. */
function firstDifference(ours: string, theirs: string): string {
  if (ours === theirs) return '';
  const [left, right] = [ours.split('\n'), theirs.split('\n')];
  const at = left.findIndex((line, i) => line !== right[i]);
  return `line ${at + 1}:\nours:   ${left[at]}\ntheirs: ${right[at]}`;
}
