// Checks that Kieker logs come out as exact trees: invocations, response times, and what cannot be put together.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseRecord, parseSignature } from '../../../server/ingest/kieker/operation-execution.ts';
import { textOfProfile } from '../../support/profiles/profiles.ts';
import { textOfTimes } from '../../support/profiles/timed.ts';
import { ingest, profileIn } from '../../support/recordings/ingested.ts';
import { runs } from '../../support/runs.ts';

const START = 1_700_000_000_000_000_000n;

function record(signature: string, trace: number, entry: number, exit: number, order: number, depth: number): string {
  const times = `${START + BigInt(entry)};${START + BigInt(exit)}`;
  return `$1;${START};${signature};<no-session-id>;${trace};${times};host-1;${order};${depth}\n`;
}

test('a trace becomes a tree whose times sum up to response times', async () => {
  const text =
    record('public int a.B.inner(int)', 7, 20, 29, 2, 2) +
    record('public int a.B.inner(int)', 7, 40, 45, 3, 1) +
    record('void a.B.outer()', 7, 10, 33, 1, 1) +
    record('public static void a.Main.main(java.lang.String[])', 7, 1, 101, 0, 0);
  const profile = await profileIn(text);
  expect(profile.metrics).toMatchObject([
    { id: 'calls', unit: 'invocations', kind: 'exact' },
    { id: 'time', unit: 'nanoseconds', kind: 'exact' },
  ]);
  expect(textOfProfile(profile, 1)).toBe(`a.Main.main([Ljava/lang/String;)V | 1@0=72
  a.B.inner(I)I | 1@0=5
  a.B.outer()V | 1@0=14
    a.B.inner(I)I | 1@0=9`);
  expect(profile.threads).toMatchObject({ group: ['host-1'], name: ['-'] });
});

test('a separator behind a backslash is part of its value', async () => {
  // As Kieker's own reader takes it: `\\;` and `\\\\` in session ids, hosts and signatures.
  const sessions = ['a\\;b', '\\\\', 'c\\\\\\;d', '\\;', 'C:\\x'];
  for (const session of sessions) {
    const text = (
      record('public int a.B.outer(int)', 1, 20, 80, 1, 1) +
      record('public static void a.Main.main(java.lang.String[])', 1, 0, 100, 0, 0)
    ).replaceAll('<no-session-id>', session);
    for (const content of [text, text.replaceAll(`$1;${START};`, '$1;')])
      expect(textOfProfile(await profileIn(content), 1)).toBe(
        'a.Main.main([Ljava/lang/String;)V | 1@0=40\n  a.B.outer(I)I | 1@0=60',
      );
  }
  const host = record('void a.B.run()', 1, 0, 5, 0, 0).replace('host-1', 'rack\\;1');
  expect((await profileIn(host)).threads.group).toEqual(['rack;1']);
});

test('interleaved traces give the tree of each, whatever their order', async () => {
  // A call tree as depths in order of entry; each operation takes its own nanosecond and those below it.
  const shape = fc.array(fc.nat(3), { maxLength: 12 }).map(steps => {
    const depths = [0];
    for (const step of steps) depths.push(Math.min(depths.at(-1)! + 1, 1 + step));
    return depths;
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(shape, { minLength: 1, maxLength: 3 }),
      fc.infiniteStream(fc.nat(2)),
      async (all, pick) => {
        const expected = new Map<string, number>();
        const queues = all.map((depths, trace) => {
          const end = (i: number) => {
            const next = depths.findIndex((depth, j) => j > i && depth <= depths[i]!);
            return next < 0 ? depths.length : next;
          };
          const path: string[] = [];
          const lines = depths.map((depth, i) => {
            path.length = depth;
            path.push(`m${i % 3}`);
            const key = path.join('/');
            expected.set(key, (expected.get(key) ?? 0) + 1);
            return { exit: end(i), depth, line: record(`void a.C.m${i % 3}()`, trace, i * 10, end(i) * 10, i, depth) };
          });
          return lines.sort((a, b) => a.exit - b.exit || b.depth - a.depth).map(({ line }) => line);
        });
        let text = '';
        for (let next = pick.next(); queues.some(queue => queue.length > 0); next = pick.next())
          text += queues[next.value! % queues.length]!.shift() ?? '';
        const profile = await profileIn(text);
        const found = new Map<string, number>();
        const { cells, tree, methods } = profile;
        for (let i = 0; i < cells[1]!.length; i++) {
          const path: string[] = [];
          for (let node = cells[1]!.node[i]!; node > 0; node = tree.parent[node]!)
            path.unshift(methods.strings[methods.name[tree.method[node]!]!]!);
          found.set(path.join('/'), (found.get(path.join('/')) ?? 0) + cells[1]!.weight[i]! / 10);
        }
        expect(found).toEqual(expected);
      },
    ),
    { numRuns: runs(60) },
  );
});

test('traces without their beginning are partial, other records are counted', async () => {
  const text = `$0;${START};kieker.common.record.misc.KiekerMetadataRecord;1.15;K;host-1;1;false;0;MICROSECONDS;1
${record('void a.B.inner()', 7, 20, 29, 2, 2)}broken
`;
  const { profile, problems } = await ingest(text);
  expect(textOfProfile(profile!, 1)).toBe('[truncated]\n  a.B.inner()V | 1@0=9000');
  expect(problems.map(({ severity }) => severity)).toEqual(['warning', 'info', 'warning']);
});

test('response times are the whole of each execution, by its caller', async () => {
  const text =
    record('public int a.B.inner(int)', 7, 20, 29, 2, 2) +
    record('public int a.B.inner(int)', 7, 40, 45, 3, 1) +
    record('void a.B.outer()', 7, 10, 33, 1, 1) +
    record('public static void a.Main.main(java.lang.String[])', 7, 1, 101, 0, 0) +
    record('void a.B.lost()', 8, 50, 57, 3, 2);
  const { profile } = await ingest(text);
  expect(textOfTimes(profile!).filter(line => line.includes('calls'))).toEqual([
    'a.B.inner(I)I by a.B.outer()V from 1700000000000: 1 calls, 9.00000000000 ns, 81.0000000000, 9 to 9',
    'a.B.inner(I)I by a.Main.main([Ljava/lang/String;)V from 1700000000000: 1 calls, 5.00000000000 ns, 25.0000000000, 5 to 5',
    'a.B.lost()V by [truncated] from 1700000000000: 1 calls, 7.00000000000 ns, 49.0000000000, 7 to 7',
    'a.B.outer()V by a.Main.main([Ljava/lang/String;)V from 1700000000000: 1 calls, 23.0000000000 ns, 529.000000000, 23 to 23',
    'a.Main.main([Ljava/lang/String;)V by [root] from 1700000000000: 1 calls, 100.000000000 ns, 10000.0000000, 100 to 100',
  ]);
});

/** The same executions as events before and after operations; without the moment of logging where not `logged`. */
function events(depths: readonly number[], trace: number, logged: boolean): string[] {
  const head = (type: number) => (logged ? `$${type};${START}` : `$${type}`);
  const lines: string[] = [
    `${head(3)};${trace};12;<no-session-id>;host-1;-1;-1;${trace % 2 === 0 ? depths.length : ''}`,
  ];
  const open: number[] = [];
  let order = 0;
  const event = (type: number, at: number, which: number) => {
    lines.push(`${head(type)};${START + BigInt(at)};${trace};${order++};void a.C.m${which % 3}();a.C`);
  };
  const leave = (depth: number, at: number) => {
    while (open.length > depth) event(5, at, open.pop()!);
  };
  depths.forEach((depth, i) => {
    leave(depth, i * 10);
    event(4, i * 10, i);
    open.push(i);
  });
  leave(0, depths.length * 10);
  return lines.map(line => `${line}\n`);
}

test('events before and after operations are the same executions, with the moment of logging and without', async () => {
  const shape = fc.array(fc.nat(3), { maxLength: 12 }).map(steps => {
    const depths = [0];
    for (const step of steps) depths.push(Math.min(depths.at(-1)! + 1, 1 + step));
    return depths;
  });
  await fc.assert(
    fc.asyncProperty(fc.array(shape, { minLength: 1, maxLength: 3 }), fc.boolean(), async (all, logged) => {
      const executions = all.flatMap((depths, trace) => {
        const end = (i: number) => {
          const next = depths.findIndex((depth, j) => j > i && depth <= depths[i]!);
          return next < 0 ? depths.length : next;
        };
        const lines = depths.map((depth, i) => ({
          exit: end(i),
          depth,
          line: record(`void a.C.m${i % 3}()`, trace, i * 10, end(i) * 10, i, depth),
        }));
        return lines.sort((a, b) => a.exit - b.exit || b.depth - a.depth).map(({ line }) => line);
      });
      const expected = await profileIn(executions.join(''));
      const found = await profileIn(all.flatMap((depths, trace) => events(depths, trace, logged)).join(''));
      expect(textOfProfile(found, 1)).toBe(textOfProfile(expected, 1));
      expect(textOfTimes(found)).toEqual(textOfTimes(expected));
      expect(found.threads).toMatchObject({ group: ['host-1'] });
    }),
    { numRuns: runs(100) },
  );
});

test('events without their other half are left out and counted', async () => {
  const lines = events([0, 1, 1], 7, true);
  // Without the entry of the second operation and the exit of the first.
  const text = [...lines.slice(0, 2), ...lines.slice(3, -1)].join('');
  const { profile, problems } = await ingest(text);
  expect(textOfProfile(profile!, 0)).toBe('[truncated]\n  a.C.m2()V | 1@0');
  expect(problems.map(({ message }) => message)).toContain(
    'of 2 calls the beginning or the end is missing: they were left out',
  );
});

test('a log without the moment of logging says the same', async () => {
  const text = record('public int a.B.inner(int)', 7, 20, 29, 1, 1) + record('void a.B.outer()', 7, 10, 33, 0, 0);
  const without = text.replaceAll(`$1;${START};`, '$1;');
  const [a, b] = [await profileIn(text), await profileIn(without)];
  expect(textOfProfile(b, 1)).toBe(textOfProfile(a, 1));
  expect(textOfTimes(b)).toEqual(textOfTimes(a));
});

test('times are exact beyond 2^53', () => {
  const line = '$1;1;void a.B.c();s;7;1700000000000000001;1700000000000000004;h;0;0';
  expect(parseRecord(line, 1)!.durationNanos).toBe(3);
});

test.each([
  [
    'public static int com.acme.Shop.count(java.lang.String, int[])',
    'com.acme.Shop',
    'count',
    '(Ljava/lang/String;[I)I',
  ],
  ['public com.acme.Shop.<init>(long)', 'com.acme.Shop', '<init>', '(J)V'],
  ['com.acme.Shop.count(double)', 'com.acme.Shop', 'count', null],
  ['void a.B.c(java.util.Map.Entry)', 'a.B', 'c', null],
  ['private final synchronized void a.B$1.c()', 'a.B$1', 'c', '()V'],
])('%s', (signature, className, name, descriptor) => {
  expect(parseSignature(signature)).toEqual({ className, name, descriptor, flags: 0 });
});
