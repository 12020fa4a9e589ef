// Checks that collapsed stacks of every dialect come out as the trees they describe.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { METHOD_FLAG } from '../../../server/cct/profile.ts';
import { withRemark } from '../../../server/ingest/collapsed/dialect.ts';
import { toCollapsed } from '../../../server/snapshot/export/collapsed.ts';
import { profileOfStacks, textOfProfile } from '../../support/profiles/profiles.ts';
import { rawSamples } from '../../support/profiles/stack-oracle.ts';
import { ingest, profileIn } from '../../support/recordings/ingested.ts';
import { runs } from '../../support/runs.ts';

const tree = async (text: string, metric = 0) => textOfProfile(await profileIn(text), metric);

test('frames with lines keep call lines apart', async () => {
  expect(await tree('A.main:3;A.log:8 2\nA.main:4;A.log:8 1\nA.main:3 5\n')).toBe(`A.main | 5@3
  A.log :3 | 2@8
  A.log :4 | 1@8`);
});

test('frames without lines, comments, blank lines and Windows line ends', async () => {
  expect(await tree('# made by hand\r\nA.main;b.C.log 2\r\n\r\nA.main 1\r\n')).toBe(`A.main | 1@0
  b.C.log | 2@0`);
});

test('descriptors hold semicolons, internal names become binary ones', async () => {
  const text = 'A.main([Ljava/lang/String;)V:3;b/C$D.go(Lb/E;I)Lb/E;:9 2\nA.main([Ljava/lang/String;)V:3 1\n';
  expect(await tree(text)).toBe(`A.main([Ljava/lang/String;)V | 1@3
  b.C$D.go(Lb/E;I)Lb/E; :3 | 2@9`);
});

test('truncated and missing stacks, behind the thread or alone', async () => {
  const { profile } = await ingest('worker-1;[truncated];A.b:4;A.c:5 2\nmain;[no stack] 3\nmain;A.b:4 1\nmain 7\n');
  expect(profile!.losses).toMatchObject({ truncatedStacks: 2, withoutStack: 3 });
  expect(textOfProfile(profile!, 0, true)).toBe(`| 3@0/main#0 7@-1/main#0
A.b | 1@4/main#0
[truncated]
  A.b
    A.c :4 | 2@5/worker-1#0`);
});

test("async-profiler's threads and marks", async () => {
  const text = `[main tid=12];java/lang/Thread.run_[0];com/acme/A.go_[j];com/acme/A.in_[i] 4
[tid=13];start_thread;Thread::run;do_syscall_64_[k] 1
`;
  const profile = await profileIn(text, { names: 'normalised' });
  expect(textOfProfile(profile, 0, true)).toBe(`java.lang.Thread.run
  com.acme.A.go
    com.acme.A.in | 4@0/main#0
start_thread
  Thread::run
    do_syscall_64 | 1@0/tid 13#0`);
  const { strings, name, flags } = profile.methods;
  const foreign = [...flags.keys()].filter(row => flags[row]! & METHOD_FLAG.foreign).map(row => strings[name[row]!]);
  expect(foreign).toEqual(['Thread::run', 'do_syscall_64']);
});

test('a first frame without a class is a thread only where all stacks have one', async () => {
  expect(await tree('start_thread;A.b 1\nc.D.run;A.b 1\n')).toBe(`c.D.run
  A.b | 1@0
start_thread
  A.b | 1@0`);
  const { profile, problems } = await ingest('main;A.b 1\npool-1-thread-2;A.b 1\n', { names: 'normalised' });
  expect(profile!.threads.name).toEqual(['main', 'pool-1-thread-2']);
  expect(problems).toMatchObject([{ severity: 'info' }]);
});

test('a second column is a metric of its own', async () => {
  const text = 'A.b;C.d 2 300\nA.b 1 50.5\n';
  expect(await tree(text, 0)).toBe('A.b | 1@0\n  C.d | 2@0');
  expect(await tree(text, 1)).toBe('A.b | 50.5@0\n  C.d | 300@0');
  expect((await ingest(text)).problems).toMatchObject([
    { severity: 'info', message: expect.stringContaining('the metric cpu is the first, weight the second') },
  ]);
});

test('UTF-16, as PowerShell redirects', async () => {
  const text = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('A.b;C.ü 2\r\n', 'utf16le')]);
  expect(textOfProfile(await profileIn(text))).toBe('A.b\n  C.ü | 2@0');
});

test('broken lines are named, the rest is read', async () => {
  const { profile, problems } = await ingest('A.b;C.d 2\nA.b;C.d\nA.b 3 \n');
  expect(textOfProfile(profile!)).toBe('A.b | 3@0\n  C.d | 2@0');
  expect(problems[0]).toMatchObject({ severity: 'warning', place: 'line 2' });
});

test('a line longer than what is seen at the start', async () => {
  const deep = Array.from({ length: 2000 }, (_, i) => `com.acme.Deep.call${i % 7}:${i}`).join(';');
  const profile = await profileIn(`${deep} 3\n`);
  expect(profile.tree.length).toBe(2001);
});

test('a text that is no profile is refused', async () => {
  for (const text of ['hello world\n', 'chapter 5\n', 'name;age\nx;y\n', '{"a": 5}\n'])
    expect((await ingest(text)).profile).toBe(null);
});

test('names of threads may hold semicolons', async () => {
  const profile = await profileIn('[shop; pool 3 tid=7];A.b;C.d 6\n[main tid=1];A.b 4\n');
  expect(textOfProfile(profile, 0, true)).toBe('A.b | 4@0/main#0\n  C.d | 6@0/shop; pool 3#0');
});

test('the class after a semicolon of FlameGraph or a descriptor is one frame', async () => {
  expect(
    await tree('java;Lshop/Cart;::add_[j];Lshop/Item;.price_[i] 3\njava;shop.Cart.add 1\n'),
  ).toBe(`shop.Cart.add | 1@0
  shop.Item.price | 3@0`);
});

test('allocated classes are no methods where every stack ends in one', async () => {
  const profile = await profileIn(
    'shop/Cart.add_[j];shop/Item.price_[j];java.lang.String_[i] 6\nshop/Cart.add_[j];byte[]_[k] 4\n',
  );
  expect(profile.metrics.map(({ id }) => id)).toEqual(['alloc']);
  expect(textOfProfile(profile)).toBe('shop.Cart.add | 4@0\n  shop.Item.price | 6@0');
  // One stack that ends otherwise, and stacks that end in functions of the kernel.
  const inlined = await profileIn('A.b_[j];shop.Cart_[i] 6\nA.b_[j] 4\n');
  expect(inlined.metrics.map(({ id }) => id)).toEqual(['cpu']);
  expect(await tree('A.b_[j];do_read_[k] 6\n')).toBe('A.b\n  do_read | 6@0');
});

test.each([
  ['jstat', '  S0C    S1C     EC\n   0.0    0.0  2048.0   0   0.000 0\n   0.0    0.0  2048.0   0   0.000 0\n'],
  ['iostat', 'Device   tps   kB_read/s  kB_wrtn\nnvme0n1   3.20   12.30   7456\nnvme1n1   0.20   2.30   6789\n'],
  [
    'Prometheus',
    '# TYPE http_seconds histogram\nhttp_seconds{le="0.5"} 14\nhttp_seconds{le="1.5"} 20\njvm_threads 7\n',
  ],
  ['CSV', '2026-01-02;12.5;3 4\n2026-01-03;12.5;3 4\n'],
  ['a README', 'Install version 2\n\nRun it with Java 21. See chapter 5\n'],
])('%s is no collapsed stacks', async (_, text) => {
  const { profile } = await ingest(text);
  expect(profile).toBe(null);
});

test('random profiles come back, with and without threads', async () => {
  const descriptors = (method: string) => method.replace('(I)', '(ILa/B;)[La/B;');
  await fc.assert(
    fc.asyncProperty(rawSamples({ truncated: true }), fc.boolean(), async (samples, threads) => {
      const named = samples.map(sample => ({
        ...sample,
        frames: sample.frames.map(frame => ({ ...frame, method: descriptors(frame.method) })),
      }));
      const profile = profileOfStacks(named, { threads: ['main', 'pool-1', 'gc'] });
      const options = { frames: 'full', threads, metric: 'cpu' } as const;
      const text = toCollapsed(profile, options);
      // Without any frame in the file nothing tells threads from methods.
      fc.pre(/;.*:/.test(text) && samples.every(({ frames }) => frames.length > 0));
      const { profile: again } = await ingest(text);
      expect(toCollapsed(again!, options)).toBe(text);
    }),
    { numRuns: runs(200) },
  );
});

test('a file that says that threads are first is read back with them, whatever their names', async () => {
  const text = `# the first frame is the thread\na.B.c;start_thread;d.E.f 3\n-;d.E.f 1\nmain 2\nmain;[no stack] 4\n`;
  const profile = await profileIn(text);
  expect(toCollapsed(profile, { frames: 'method', threads: true, metric: 'cpu' })).toBe(
    '-;d.E.f 1\na.B.c;start_thread;d.E.f 3\nmain 2\nmain;[no stack] 4\n',
  );
});

test('every export with threads is read back with them', async () => {
  const options = { frames: 'method', threads: true, unnamed: '-', metric: 'cpu' } as const;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('a.B.c', 'main', 'x:3', '', 'pool 1', '[a]'),
      fc.boolean(),
      async (name, plain) => {
        const inner = plain ? 'd.E.f' : 'start_thread';
        const profile = profileOfStacks([{ frames: [{ method: inner, line: 0 }], thread: 0 }], { threads: [name] });
        const text = withRemark(toCollapsed(profile, options));
        expect(toCollapsed(await profileIn(text), options)).toBe(text.replace(/^#.*\n/, ''));
      },
    ),
  );
});

test('names of threads may hold semicolons, with and without an id', async () => {
  const [plain, ids] = await Promise.all(
    [
      'pool; worker 1;A.main:3;A.b:4 2\nmain;A.main:3 1\n',
      '[pool; a;b tid=7];A.main:3;A.b:4 2\n[main tid=1];A.main:3 1\n',
    ].map(text => profileIn(text)),
  );
  expect(textOfProfile(plain!, 0, true)).toBe(`A.main | 1@3/main#0
  A.b :3 | 2@4/pool; worker 1#0`);
  expect(textOfProfile(ids!, 0, true)).toBe(`A.main | 1@3/main#0
  A.b :3 | 2@4/pool; a;b#0`);
});

/** `outer` runs in `main`, `inner` in `outer`. */
const NESTED = `com.acme.Work.main
  com.acme.Work.outer | 40@0
    com.acme.Work.inner | 60@0`;

test('inlined callees in one frame are frames', async () => {
  const text = `java;start_thread;Lcom/acme/Work;::main;Lcom/acme/Work;::outer->Lcom/acme/Work;::inner 60
java;start_thread;Lcom/acme/Work;::main;Lcom/acme/Work;::outer 40
`;
  expect(await tree(text)).toBe(`java\n  start_thread\n${NESTED.replace(/^/gm, '    ')}`);
});

test('a method whose name is a sentence is no thread', async () => {
  for (const name of ['com.acme.WorkTest.adds two numbers when asked', 'WorkTest.adds two numbers', 'a.B$when c.d e']) {
    const text = `${name};com.acme.Work.main;com.acme.Work.outer;com.acme.Work.inner 60
${name};com.acme.Work.main;com.acme.Work.outer 40
`;
    expect(await tree(text)).toBe(`${name}\n${NESTED.replace(/^/gm, '  ')}`);
    // Behind the name of a thread it is no part of that name.
    const profile = await profileIn(text.replace(/^/gm, 'main;').replace(/main;$/, ''));
    expect(profile.threads.name).toEqual(['main']);
  }
  const { profile } = await ingest(
    'AWS.Sdk worker 1;com.acme.Work.main 60\nhttp.Server worker 3;com.acme.Work.main 40\n',
  );
  expect(profile!.threads.name).toEqual(['AWS.Sdk worker 1', 'http.Server worker 3']);
});

test('threads with process and id, as scripts for perf write them', async () => {
  const text = `java-4711/4712;start_thread;com/acme/Work.main;com/acme/Work.outer;com/acme/Work.inner 60
C2_CompilerThre-?/4713;start_thread;com/acme/Work.main;com/acme/Work.outer 40
`;
  const profile = await profileIn(text);
  expect(textOfProfile(profile, 0, true)).toBe(`start_thread
  com.acme.Work.main
    com.acme.Work.outer | 40@0/C2_CompilerThre-?/4713#0
      com.acme.Work.inner | 60@0/java-4711/4712#0`);
});

test('symbols of native-image are counted', async () => {
  const { problems } = await ingest(
    'Work_main_0123456789abcdef0123456789abcdef01234567;Work_inner_a1B2c3D4e5F6g7H8i9J0kL 3\na.B.run;do_syscall_with_a_very_long_name 1\n',
  );
  expect(problems.map(({ severity, message }) => `${severity} ${message}`)).toEqual([
    'warning 2 of 4 different frames are symbols of native-image without debug information and count without a class: Work_main_0123456789abcdef0123456789abcdef01234567, Work_inner_a1B2c3D4e5F6g7H8i9J0kL',
  ]);
});

test('frames whose names are not understood are counted and named', async () => {
  const { problems } = await ingest('a.B.run;go to( 3\na.B.run;$.x/y( 2\na.B.run;start_thread 1\n');
  expect(problems.map(({ message }) => message)).toContain(
    '2 of 4 different frames have names that were not understood and count without a class: go to(, $.x/y(',
  );
});
