// Checks that thread dumps of every notation give the same stacks, and that a reader says what it could not read.
import { expect, test } from 'vitest';
import { memorySource } from '../../../server/ingest/byte-source.ts';
import { readThreadDumps } from '../../../server/ingest/threads/read-threads.ts';
import { textOfProfile } from '../../support/profiles/profiles.ts';
import { ingest, profileIn } from '../../support/recordings/ingested.ts';
import { NOTATIONS, THREADS } from './notations.ts';

/** The stacks of the sample, outermost first. */
function stacks(named: boolean): string[] {
  return THREADS.map(({ name, id, frames }) => {
    const methods = frames.map(([className, method, line]) => `${className}.${method}:${line}`);
    return `${named ? name : `Thread ${id}`}: ${methods.join(' < ')}`;
  });
}

test.each(Object.entries(NOTATIONS))('%s', async (notation, text) => {
  const ingested = await readThreadDumps(memorySource('test', Buffer.from(text)), { names: 'raw' });
  expect(ingested.problems).toEqual([]);
  expect(ingested.dumps).toBe(1);
  const states = notation.includes('stateless') ? { unknown: 3 } : { RUNNABLE: 1, TIMED_WAITING: 1, BLOCKED: 1 };
  expect(ingested.states).toEqual(states);
  const { tree, methods, threads, cells } = await profileIn(text);
  const { node, thread, line } = cells[0]!;
  const read = Array.from(node, (at, cell) => {
    const frames: string[] = [];
    let inner = line[cell]!;
    for (let n = at; n > 0; n = tree.parent[n]!) {
      const method = tree.method[n]!;
      const text = (column: Int32Array) => methods.strings[column[method]!]!;
      frames.push(`${text(methods.className)}.${text(methods.name)}:${inner}`);
      inner = tree.callLine[n]!;
    }
    return `${threads.name[thread[cell]!]}: ${frames.join(' < ')}`;
  });
  expect(read.sort()).toEqual(stacks(!notation.includes('unnamed')).sort());
});

const HEAD = 'Full thread dump OpenJDK 64-Bit Server VM (17.0.12+7 mixed mode):\n\n';
const heading = (name: string) => `"${name}" #7 prio=5 tid=0x1 nid=0x2 runnable\n   java.lang.Thread.State: RUNNABLE\n`;
const RUN = '\tat java.lang.Thread.run(Thread.java:840)\n';

test('an exception between threads hangs above no thread', async () => {
  const thread = `${heading('w')}\tat a.Work.step(Work.java:3)\n${RUN}\n`;
  const thrown =
    '2026-03-04 05:06:07,123 ERROR [http-1] a.Log - failed\n\norg.acme.Boom: no\n\tat a.Log.fail(Log.java:7)\n\t... 2 more\n' +
    'Caused by: java.io.IOException\n\tat a.Io.read(Io.java:9)\n';
  const profile = await profileIn(`${HEAD}${thread}${thrown}\n${thread}started in 3 s\n${thread}`);
  expect(textOfProfile(profile)).toBe('java.lang.Thread.run\n  a.Work.step :840 | 3@3');
});

test('a line of a log between frames takes none away, an exception there is told', async () => {
  const logged = `${HEAD}${heading('w')}\tat a.Work.step(Work.java:3)\nINFO 12:00 started in 3 s\n${RUN}\n`;
  expect(textOfProfile(await profileIn(logged))).toBe('java.lang.Thread.run\n  a.Work.step :840 | 1@3');
  const thrown = `java.lang.IllegalStateException: no\n\tat a.Log.fail(Log.java:7)\n`;
  const { profile, problems } = await ingest(logged.replace('INFO 12:00 started in 3 s\n', thrown));
  expect(textOfProfile(profile!)).not.toContain('a.Log');
  expect(profile!.losses.truncatedStacks).toBe(1);
  expect(problems).toMatchObject([
    { severity: 'warning', message: '1 of 1 threads were cut off by an exception in the log: w' },
  ]);
});

test('frames and threads that cannot be read are counted, with three examples', async () => {
  const lost = ['one', 'two', 'three', 'four'].map(name => `${heading(name)}\tat ${name}?\n`).join('\n');
  const { profile, problems } = await ingest(
    `${HEAD}${lost}\n${heading('five')}\tat nothing\n${RUN}\n${heading('six')}\n`,
  );
  expect(textOfProfile(profile!)).toBe('| 1@-1/1\njava.lang.Thread.run | 1@840');
  expect(problems.map(({ message }) => message)).toEqual([
    '4 of 6 threads could not be read: for example one, two, three',
    '5 of 6 frames could not be read: for example one?, two?, three?',
  ]);
});

test('frames of JSON that cannot be read are counted', async () => {
  const threads = [
    { threadName: 'a', threadState: 'RUNNABLE', stackTrace: [{ className: 'a.B' }] },
    { threadName: 'b', threadState: 'RUNNABLE', stackTrace: ['a.B.c(B.java:4)', 7] },
  ];
  const { profile, problems } = await ingest(JSON.stringify({ threads }));
  expect(textOfProfile(profile!)).toContain('a.B.c');
  expect(profile!.losses.truncatedStacks).toBe(1);
  expect(problems.map(({ message }) => message)).toEqual([
    '1 of 2 threads could not be read: a',
    '2 of 3 frames could not be read: {"className":"a.B"}, 7',
  ]);
});

test('a file of which no thread could be read gives no profile', async () => {
  const { profile, problems } = await ingest(`${HEAD}${heading('one')}\tat nothing\n`);
  expect(profile).toBeNull();
  expect(problems.map(({ severity }) => severity)).toContain('error');
});

test('a stack that ThreadInfo shortened is cut off at the root end', async () => {
  const profile = await profileIn(
    `"w" Id=3 RUNNABLE\n\tat a.Work.step(Work.java:3)\n\t...\n\n"v" Id=4 RUNNABLE\n${RUN}\n`,
  );
  expect(profile.losses.truncatedStacks).toBe(1);
});

test('a thread that comes again in dumps without a title begins the next dump', async () => {
  const text = `"w" Id=3 RUNNABLE\n${RUN}\n"v" Id=4 WAITING\n${RUN}\n`;
  const { dumps } = await readThreadDumps(memorySource('test', Buffer.from(text + text + text)), { names: 'raw' });
  expect(dumps).toBe(3);
});

test('the time of a dump in a log is that before its title', async () => {
  const prefixed = `${HEAD}${heading('w')}${RUN}`.replace(/^/gm, '2026-03-04T05:06:07.250Z stdout F ');
  expect((await ingest(prefixed)).startMillis).toBe(Date.UTC(2026, 2, 4, 5, 6, 7, 250));
});

test('a log without a dump is no thread dump', async () => {
  const text = 'ERROR failed\njava.io.IOException: no\n\tat a.Io.read(Io.java:9)\n'.repeat(50);
  expect((await ingest(text)).format).not.toBe('thread-dump');
});
