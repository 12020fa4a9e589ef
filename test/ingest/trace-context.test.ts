// Tests that logs of traces are read call by call for the hosts, threads and sessions that are wanted, and that no session is kept.
import { expect, test } from 'vitest';
import type { TraceContext } from '../../server/ingest/trace-context.ts';
import { encodeSnapshot } from '../../server/snapshot/encode.ts';
import { ingest } from '../support/recordings/ingested.ts';
import { snapshotOf } from '../support/stores/snapshots.ts';

const call = (name: string, session: string, trace: number, host: string) =>
  `$1;1700000000000000500;public void com.acme.Shop.${name}();${session};${trace};1700000000000000100;1700000000000000400;${host};0;0`;
const RECORDS = [
  '$0;1700000000000000000;kieker.common.record.misc.KiekerMetadataRecord;1.15.2;KIEKER;a;1;false;0;NANOSECONDS;1',
  call('one', 'secret-4711', 1, 'shop-1'),
  call('two', 'secret-4712', 2, 'shop-2'),
  call('three', '<no-session-id>', 3, 'shop-1'),
].join('\n');
const EVENTS = [
  '$0;1700000000000000000;kieker.common.record.misc.KiekerMetadataRecord;2.0.2;KIEKER;a;1;false;0;NANOSECONDS;1',
  '$3;1700000000000000000;7;21;secret-4711;shop-1;-1;-1;-1',
  '$1;1700000000000000100;1700000000000000100;7;0;public void com.acme.Shop.one();com.acme.Shop',
  '$2;1700000000000000900;1700000000000000900;7;1;public void com.acme.Shop.one();com.acme.Shop',
  '$3;1700000000000000000;8;22;secret-4712;shop-2;-1;-1;-1',
  '$1;1700000000000000100;1700000000000000100;8;0;public void com.acme.Shop.two();com.acme.Shop',
  '$2;1700000000000000900;1700000000000000900;8;1;public void com.acme.Shop.two();com.acme.Shop',
].join('\n');

const span = (id: string, parent: string, name: string, attributes: Readonly<Record<string, string>>) => ({
  ...{ traceId: '00000000000000000000000000000001', spanId: id, parentSpanId: parent, name },
  ...{ startTimeUnixNano: '1700000000000000100', endTimeUnixNano: '1700000000000000400' },
  attributes: Object.entries({ 'code.function.name': `com.acme.Shop.${name}`, ...attributes }).map(([key, text]) => ({
    key,
    value: { stringValue: text },
  })),
});
const SPANS = JSON.stringify({
  resourceSpans: [
    {
      resource: { attributes: [{ key: 'host.name', value: { stringValue: 'shop-1' } }] },
      scopeSpans: [
        {
          spans: [
            span('0000000000000001', '', 'outer', { 'thread.name': 'main', 'session.id': 'secret-4711' }),
            span('0000000000000002', '0000000000000001', 'middle', { 'thread.name': 'pool-1' }),
            span('0000000000000003', '0000000000000002', 'inner', { 'thread.name': 'main' }),
          ],
        },
      ],
    },
  ],
});

async function read(content: string, traces?: TraceContext) {
  const { profile, problems } = await ingest(content, traces === undefined ? {} : { traces });
  const calls = profile === null ? [] : Array.from(profile.tree.method.subarray(1));
  const methods = calls.map(row => profile!.methods.strings[profile!.methods.name[row]!]!);
  return { methods, profile, said: problems.map(({ message }) => message).join('; ') };
}

test.each<[string, string, TraceContext | undefined, string[], RegExp]>([
  ['all of a log', RECORDS, undefined, ['one', 'two', 'three'], /^(?!.*hosts)/],
  ['one host of a log', RECORDS, { hosts: ['shop-1'] }, ['one', 'three'], /1 call of other hosts/],
  ['a session of a log', RECORDS, { sessions: ['secret-*'] }, ['one', 'two'], /1 call of other hosts/],
  ['host and session', RECORDS, { hosts: ['shop-1'], sessions: ['secret-*'] }, ['one'], /2 calls of other/],
  ['threads that records do not tell', RECORDS, { threads: ['*'] }, [], /no call of the log fits/],
  ['one host of events', EVENTS, { hosts: ['shop-2'] }, ['two'], /1 call of other hosts/],
  ['a thread and session of events', EVENTS, { threads: ['21'], sessions: ['*4711'] }, ['one'], /1 call of other/],
  ['one thread of spans', SPANS, { threads: ['main'] }, ['outer', 'inner'], /1 call of other hosts/],
  ['a session of spans', SPANS, { sessions: ['secret-4711'] }, ['outer'], /2 calls of other hosts/],
  ['another host than that of spans', SPANS, { hosts: ['shop-2'] }, [], /no call of the file fits/],
])('%s', async (_, content, traces, methods, said) => {
  const found = await read(content, traces);
  expect(found.methods).toEqual(methods);
  expect(found.said).toMatch(said);
});

test('what is left out between calls keeps them in each other', async () => {
  const { profile } = await read(SPANS, { threads: ['main'] });
  const { tree, methods } = profile!;
  const inner = tree.method.findIndex(row => methods.strings[methods.name[row]!] === 'inner');
  expect(methods.strings[methods.name[tree.method[tree.parent[inner]!]!]!]).toBe('outer');
});

test.each([RECORDS, EVENTS, SPANS])('no session id is in a snapshot', async content => {
  const { profile } = await read(content);
  const bytes = encodeSnapshot(snapshotOf(profile!));
  expect(Buffer.from(bytes).includes('secret')).toBe(false);
});
