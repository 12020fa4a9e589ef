// Checks that spans come out as trees with response times, in each notation, and what is left out.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Problem } from '../../../server/base/problem.ts';
import { memorySource } from '../../../server/ingest/byte-source.ts';
import { readOtlp } from '../../../server/ingest/otlp/read-otlp.ts';
import { textOfProfile } from '../../support/profiles/profiles.ts';
import { textOfTimes } from '../../support/profiles/timed.ts';
import { ingest, profileIn } from '../../support/recordings/ingested.ts';
import { runs } from '../../support/runs.ts';

const START = 1_700_000_000_000_000_000n;

type TestSpan = {
  readonly trace: number;
  readonly id: number;
  /** 0 for none. */
  readonly parent: number;
  /** Nanoseconds behind the start. */
  readonly from: number;
  readonly to: number;
  /** `a.B.c`; null for a span of no method. */
  readonly method: string | null;
  /** The attribute of a span of a client, with its value. */
  readonly client?: readonly [string, string];
};

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0');

function attributes(
  { method, client }: Pick<TestSpan, 'method' | 'client'>,
  isOld: boolean,
): readonly (readonly [string, string])[] {
  const thread = ['thread.name', 'http-3'] as const;
  if (method === null) return client === undefined ? [thread] : [thread, client];
  const dot = method.lastIndexOf('.');
  return isOld
    ? [thread, ['code.namespace', method.slice(0, dot)], ['code.function', method.slice(dot + 1)]]
    : [thread, ['code.function.name', method]];
}

function jsonOf(spans: readonly TestSpan[], isOld: boolean): object {
  const pairs = (all: readonly (readonly [string, string])[]) =>
    all.map(([key, stringValue]) => ({ key, value: { stringValue } }));
  return {
    resource: { attributes: pairs([['host.name', 'host-1']]) },
    scopeSpans: [
      {
        scope: { name: 'x' },
        spans: spans.map(({ trace, id, parent, from, to, method, client }) => ({
          traceId: hex(trace, 32),
          spanId: hex(id, 16),
          ...(parent === 0 ? {} : { parentSpanId: hex(parent, 16) }),
          name: method ?? 'GET /',
          kind: client === undefined ? 1 : isOld ? 'SPAN_KIND_CLIENT' : 3,
          startTimeUnixNano: String(START + BigInt(from)),
          endTimeUnixNano: String(START + BigInt(to)),
          attributes: pairs(attributes({ method, ...(client !== undefined && { client }) }, isOld)),
        })),
      },
    ],
  };
}

const lines = (spans: readonly TestSpan[], isOld = false) =>
  spans.map(span => `${JSON.stringify({ resourceSpans: [jsonOf([span], isOld)] })}\n`).join('');

const logged = (spans: readonly TestSpan[]) =>
  spans
    .map(
      span =>
        `[otel.javaagent 2026-11-25 10:00:00:000 +0000] [main] INFO OtlpJsonLoggingSpanExporter - ${JSON.stringify(jsonOf([span], true))}\n`,
    )
    .join(`some other line of the program\n`);

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(Math.floor(value / 128))];
}
const field = (number: number, content: Uint8Array | readonly number[]) =>
  Buffer.from([...varint((number << 3) | 2), ...varint(content.length), ...content]);
const fixed64 = (number: number, value: bigint) => {
  const bytes = Buffer.alloc(9);
  bytes[0] = (number << 3) | 1;
  bytes.writeBigUInt64LE(value, 1);
  return bytes;
};
const pair = (number: number, key: string, value: string) =>
  field(number, Buffer.concat([field(1, Buffer.from(key)), field(2, field(1, Buffer.from(value)))]));

function messages(spans: readonly TestSpan[], scopes = 2): Buffer {
  const all = spans.map(({ trace, id, parent, from, to, method, client }) => {
    const span = Buffer.concat([
      field(1, Buffer.from(hex(trace, 32), 'hex')),
      field(2, Buffer.from(hex(id, 16), 'hex')),
      ...(parent === 0 ? [] : [field(4, Buffer.from(hex(parent, 16), 'hex'))]),
      field(5, Buffer.from(method ?? 'GET /')),
      Buffer.from([(6 << 3) | 0, client === undefined ? 1 : 3]),
      fixed64(7, START + BigInt(from)),
      fixed64(8, START + BigInt(to)),
      ...attributes({ method, ...(client !== undefined && { client }) }, false).map(([key, value]) =>
        pair(9, key, value),
      ),
    ]);
    const resource = field(1, pair(1, 'host.name', 'host-1'));
    const message = field(1, Buffer.concat([resource, field(scopes, field(2, span))]));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(message.length);
    return Buffer.concat([length, message]);
  });
  return Buffer.concat(all);
}

const exported = (spans: readonly TestSpan[]) => spans.map(span => ({ resourceSpans: [jsonOf([span], false)] }));
const pretty = (spans: readonly TestSpan[]) =>
  `${exported(spans)
    .map(each => JSON.stringify(each, null, 2))
    .join('\n')}\n`;
const withOlderScopes = (text: string) => text.replaceAll('"scopeSpans"', '"instrumentationLibrarySpans"');

/** The notations of JSON beside lines with an export each. */
const DOCUMENTS: readonly (readonly [name: string, write: (spans: readonly TestSpan[]) => string])[] = [
  ['one export over several lines', spans => JSON.stringify({ resourceSpans: [jsonOf(spans, false)] }, null, '\t')],
  ['exports over several lines', pretty],
  ['exports over several lines, with Windows line ends', spans => pretty(spans).replaceAll('\n', '\r\n')],
  ['an array of exports', spans => JSON.stringify(exported(spans))],
  ['an array of exports over several lines', spans => JSON.stringify(exported(spans), null, 2)],
  ['an array of resources', spans => JSON.stringify(spans.map(span => jsonOf([span], true)))],
  ['scopes of older versions', spans => withOlderScopes(lines(spans))],
  ['scopes of older versions in a log', spans => withOlderScopes(logged(spans))],
  ['scopes of older versions over several lines', spans => withOlderScopes(pretty(spans))],
];

const TRACE: readonly TestSpan[] = [
  { trace: 1, id: 3, parent: 2, from: 20, to: 29, method: 'a.B.inner' },
  { trace: 1, id: 2, parent: 9, from: 10, to: 33, method: 'a.B.outer' },
  { trace: 1, id: 9, parent: 1, from: 5, to: 40, method: null },
  { trace: 1, id: 1, parent: 0, from: 1, to: 101, method: 'a.Main.main' },
];

const NOTATIONS: readonly (readonly [name: string, content: string | Buffer])[] = [
  ['lines of a collector', lines(TRACE)],
  ['older names of attributes', lines(TRACE, true)],
  ['the log of the Java agent', logged(TRACE)],
  ['a log that begins with other lines', `${'started\n'.repeat(1000)}${logged(TRACE)}`],
  ['protocol buffers', messages(TRACE)],
  ['protocol buffers with scopes of older versions', messages(TRACE, 1000)],
  ...DOCUMENTS.map(([name, write]) => [name, write(TRACE)] as const),
];

test.each(NOTATIONS)('%s become a tree; the caller is the nearest method around', async (_, content) => {
  const profile = await profileIn(content);
  expect(textOfProfile(profile, 1)).toBe(`a.Main.main | 1@0=77
  a.B.outer | 1@0=14
    a.B.inner | 1@0=9`);
  expect(textOfTimes(profile).filter(line => line.includes('calls'))).toEqual([
    'a.B.inner by a.B.outer from 1700000000000: 1 calls, 9.00000000000 ns, 81.0000000000, 9 to 9',
    'a.B.outer by a.Main.main from 1700000000000: 1 calls, 23.0000000000 ns, 529.000000000, 23 to 23',
    'a.Main.main by [root] from 1700000000000: 1 calls, 100.000000000 ns, 10000.0000000, 100 to 100',
  ]);
  expect(profile.threads).toMatchObject({ group: ['host-1'], name: ['http-3'] });
});

test('random traces in any order give the same in every notation, with sums of all calls', async () => {
  const shape = fc.array(fc.nat(3), { maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(shape, { minLength: 1, maxLength: 3 }),
      fc.infiniteStream(fc.nat(99)),
      async (all, pick) => {
        const spans = all.flatMap((parents, trace): TestSpan[] =>
          [0, ...parents].map((parent, i) => ({
            trace: trace + 1,
            id: i + 1,
            parent: i === 0 ? 0 : 1 + (parent % i),
            from: i,
            to: 1000 + 7 * i,
            method: i > 0 && i % 4 === 0 ? null : `a.C.m${i % 3}`,
          })),
        );
        const shuffled = spans.map(span => [pick.next().value!, span] as const).sort((a, b) => a[0] - b[0]);
        const order = shuffled.map(([, span]) => span);
        const [one, ...others] = await Promise.all(
          [lines(order), logged(order), messages(order), ...DOCUMENTS.map(([, write]) => write(order))].map(each =>
            profileIn(each),
          ),
        );
        for (const other of others) {
          expect(textOfProfile(other, 0)).toBe(textOfProfile(one!, 0));
          expect(textOfTimes(other)).toEqual(textOfTimes(one!));
        }
        const methods = spans.filter(({ method }) => method !== null);
        const { times } = one!;
        expect(times!.count.reduce((a, b) => a + b)).toBe(methods.length);
        expect(times!.sum.reduce((a, b) => a + b)).toBe(methods.reduce((sum, { from, to }) => sum + to - from, 0));
      },
    ),
    { numRuns: runs(60) },
  );
});

const CLIENTS: readonly TestSpan[] = [
  { trace: 1, id: 1, parent: 0, from: 0, to: 100, method: 'a.Main.main' },
  { trace: 1, id: 2, parent: 1, from: 10, to: 60, method: 'a.Store.find' },
  { trace: 1, id: 3, parent: 2, from: 11, to: 50, method: null },
  { trace: 1, id: 4, parent: 3, from: 20, to: 40, method: null, client: ['db.system.name', 'microsoft.sql_server'] },
  { trace: 1, id: 5, parent: 1, from: 70, to: 90, method: null, client: ['http.request.method', 'GET'] },
  // The work of the other process for it.
  { trace: 1, id: 6, parent: 5, from: 75, to: 85, method: 'b.Server.get' },
  { trace: 2, id: 7, parent: 0, from: 5, to: 8, method: null, client: ['db.system', 'h2'] },
  { trace: 2, id: 8, parent: 99, from: 5, to: 8, method: null, client: ['peer', 'x'] },
];

test.each([
  ['a collector', lines(CLIENTS)],
  ['the Java agent', logged(CLIENTS)],
  ['protocol buffers', messages(CLIENTS)],
])('spans of clients are calls by the nearest method around, those without one are counted: %s', async (_, content) => {
  const { profile, problems } = await ingest(content);
  expect(textOfProfile(profile!, 1)).toBe(`a.Main.main | 1@0=30
  a.Store.find | 1@0=30
    io.opentelemetry.Client.microsoft_sql_server | 1@0=20
  b.Server.get | 1@0=10
  io.opentelemetry.Client.http | 1@0=10`);
  expect(textOfTimes(profile!).filter(line => / by .*calls/.test(line) && line.includes('Client'))).toEqual([
    expect.stringMatching(/^io\.opentelemetry\.Client\.http by a\.Main\.main from \d+: 1 calls, 20\.0/),
    expect.stringMatching(
      /^io\.opentelemetry\.Client\.microsoft_sql_server by a\.Store\.find from \d+: 1 calls, 20\.0/,
    ),
  ]);
  expect(messagesOf(problems)).toEqual([
    'info: 1 spans name no method: what they called counts as called by what is around them',
    'info: 2 spans of clients of databases and servers count as calls of io.opentelemetry.Client.… by the method around them',
    'info: 2 spans of clients have no method around them: they were left out',
    OVERLOADS,
  ]);
});

test('spans whose caller is missing are partial, those around each other too, and broken lines are told', async () => {
  const orphan: TestSpan = { trace: 2, id: 5, parent: 77, from: 1, to: 4, method: 'a.B.lost' };
  const round: TestSpan[] = [
    { trace: 3, id: 1, parent: 2, from: 1, to: 9, method: 'a.B.x' },
    { trace: 3, id: 2, parent: 1, from: 1, to: 9, method: 'a.B.y' },
  ];
  const { profile, problems } = await ingest(`${lines([orphan, ...round])}{"resourceSpans":[broken\n`);
  const text = textOfProfile(profile!, 0);
  expect(text).toContain('[truncated]\n  a.B.lost | 1@0');
  for (const name of ['a.B.x', 'a.B.y']) expect(text).toContain(name);
  expect(problems.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
    'warning: the JSON of these spans is broken',
    'warning: of 1 spans the caller is not in the file',
    'info: spans name methods without their parameters: overloads are one method',
  ]);
});

const told = ({ problems }: Awaited<ReturnType<typeof ingest>>) =>
  problems
    .filter(({ severity }) => severity !== 'info')
    .map(({ severity, message, place }) => `${severity}: ${message} ${place ?? ''}`);

test('a span that ends before it begins is left out, counted, and no reason to lose those in it', async () => {
  const backwards = TRACE.map(span => (span.id === 1 ? { ...span, from: 101, to: 1 } : span));
  for (const content of [lines(backwards), pretty(backwards), messages(backwards)]) {
    const ingested = await ingest(content);
    expect(textOfProfile(ingested.profile!, 1)).toBe('a.B.outer | 1@0=14\n  a.B.inner | 1@0=9');
    expect(told(ingested)).toEqual(['warning: 1 spans end before they begin: they were left out ']);
  }
});

test('documents that are cut off give what stood before, and the true reason', async () => {
  const whole = pretty(TRACE);
  const cut = await ingest(whole.slice(0, -40));
  const lastBegins = whole.slice(0, whole.lastIndexOf('\n{\n') + 1).split('\n').length;
  expect(told(cut)[0]).toBe(`warning: the JSON of these spans is broken line ${lastBegins}`);
  expect(textOfProfile(cut.profile!, 0)).toContain('a.B.outer');
  // An object that begins after a cut is read, whatever was cut off.
  const [first, ...others] = exported(TRACE).map(each => JSON.stringify(each));
  const between = await ingest(`${first!.slice(0, -9)}\n${others.join('\n')}\n`);
  expect(told(between)[0]).toBe('warning: the JSON of these spans is broken line 1');
  expect(textOfProfile(between.profile!, 0)).toContain('a.Main.main');
  const nothing = await ingest(JSON.stringify({ resourceSpans: [jsonOf(TRACE, false)] }, null, 2).slice(0, -9));
  expect(told(nothing)).toEqual([
    'warning: the JSON of these spans is broken line 1',
    'error: no span of the file that names a method could be read ',
  ]);
});

const messagesOf = (problems: readonly Problem[]) => problems.map(({ severity, message }) => `${severity}: ${message}`);
const OVERLOADS = 'info: spans name methods without their parameters: overloads are one method';

test('spans with one id all count, and a word says so', async () => {
  const spans = Array.from({ length: 1000 }, (_, i) => ({ ...TRACE[3]!, from: i, to: i + 5, method: `a.B.m${i % 7}` }));
  const { profile, problems } = await ingest(lines(spans));
  expect(profile!.times!.count.reduce((a, b) => a + b)).toBe(1000);
  expect(messagesOf(problems)).toEqual([
    'warning: 999 spans have the id of another span: they count, and calls inside them count as calls of that one',
    OVERLOADS,
  ]);
});

test('spans that were sent twice count once', async () => {
  const { profile, problems } = await ingest(lines([...TRACE, ...TRACE, TRACE[0]!]));
  expect(textOfProfile(profile!, 1)).toBe(textOfProfile(await profileIn(lines(TRACE)), 1));
  expect(messagesOf(problems)).toContain('info: 5 spans are repeated in the file: each counts once');
});

test('spans without an id all count', async () => {
  const bare = lines([1, 2, 3].map(i => ({ ...TRACE[1]!, id: i, parent: 1, from: i }))).replaceAll(
    /"spanId":"\w+",/g,
    '',
  );
  const { profile, problems } = await ingest(`${lines([TRACE[3]!])}${bare}`);
  expect(textOfProfile(profile!, 0)).toBe('a.Main.main | 1@0\n  a.B.outer | 3@0');
  expect(messagesOf(problems)).toEqual([OVERLOADS]);
});

test('of more spans than are held the word says why callers are missing', async () => {
  const spans = Array.from({ length: 101 }, (_, i) => ({ ...TRACE[0]!, id: i + 2, parent: 1 }));
  const source = memorySource('test', messages([...spans, TRACE[3]!]));
  const { profile, problems } = await readOtlp(source, { names: 'raw' }, 100);
  expect(profile!.times!.count.reduce((a, b) => a + b)).toBe(102);
  expect(messagesOf(problems)).toEqual([
    'warning: the file is read in parts of 100 spans: of 100 spans the caller is not in the same part, and its own time holds theirs',
    OVERLOADS,
  ]);
});

test('spans without methods are refused with what to do', async () => {
  const { profile, problems } = await ingest(lines([{ ...TRACE[2]!, parent: 0 }]));
  expect(profile).toBe(null);
  expect(problems.at(-1)).toMatchObject({ severity: 'error', message: 'the file holds no spans that name a method' });
  expect(problems.at(-1)!.remedy).toContain('otel.instrumentation.methods.include');
});

test('messages that are cut off or broken anywhere give what stood before', async () => {
  const whole = messages(TRACE);
  for (let length = 0; length < whole.length; length += 7) await ingest(whole.subarray(0, length));
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(255), async (at, byte) => {
      await ingest(Buffer.from(whole.with(at, byte)));
    }),
    { numRuns: runs(300) },
  );
});
