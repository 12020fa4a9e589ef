// Refuses sample recordings that tell anything about the machine they were made on.
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { memorySource } from '../../server/ingest/byte-source.ts';
import { HEADER_SIZE, listChunks } from '../../server/ingest/jfr/chunk-header.ts';
import { Cursor, PADDING } from '../../server/ingest/jfr/cursor.ts';
import { KnownMetadata } from '../../server/ingest/jfr/known-metadata.ts';
import { sampleRecordings } from '../oracle/oracle.ts';

/** Event types that carry variables, properties, command lines, paths of the machine, or facts about its host. */
const SECRET =
  /^jdk\.(?:Initial\w+|JVMInformation|System(?:Process|Property\w*)|ProcessStart|Native(?:Library\w*|Agent)|JavaAgent|OSInformation|CPUInformation|VirtualizationInformation|Container\w+|NetworkUtilization|PhysicalMemory|SwapSpace|ActiveRecording|StringFlag\w*|ThreadDump|DumpReason|SecurityProp\w+|X509\w+|TLSHandshake)$/;

const slash = '/';
/** Texts that only occur where such facts do. */
const TRACES: readonly RegExp[] = [
  new RegExp(`${slash}(?:home|root|tmp|usr|var|opt|etc|srv|mnt|work|run|Users|Library|private)${slash}[\\w.-]+`),
  /[A-Za-z]:\\[\w.-]+\\/,
  /\b(?:JAVA_HOME|HOSTNAME|LOGNAME|PWD|LD_LIBRARY_PATH|PATH|LANG|SHELL)=/,
  /\b(?:user\.(?:name|home|dir)|java\.(?:class\.path|home|io\.tmpdir)|sun\.java\.command)\b/,
];

/** Number of events by type name, over all chunks. */
function eventCounts(bytes: Buffer): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { position, available, compressed, metadataOffset } of listChunks(memorySource('sample', bytes)).chunks) {
    const copy = new Uint8Array(available + PADDING);
    copy.set(bytes.subarray(position, position + available));
    const cursor = new Cursor(copy, available, compressed);
    const { types } = new KnownMetadata().read(cursor, metadataOffset);
    for (let start = HEADER_SIZE; start < available; ) {
      cursor.pos = start;
      const size = cursor.int();
      const name = types.byId.get(cursor.key())?.name;
      if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
      expect(size).toBeGreaterThan(0);
      start += size;
    }
  }
  return counts;
}

/** Traces in any of the encodings that a recording may use: without its zero bytes, UTF-16 of either order reads as Latin-1. */
function tracesIn(bytes: Buffer, patterns: readonly RegExp[]): string[] {
  const texts = [bytes, Buffer.from(bytes.filter(byte => byte !== 0))].map(each => each.toString('latin1'));
  return patterns.flatMap(pattern => texts.flatMap(text => pattern.exec(text)?.[0] ?? []));
}

describe.each(sampleRecordings)('$name', ({ path }) => {
  const bytes = readFileSync(path);

  test('is a few megabytes and holds what samples are for', () => {
    expect(bytes.length).toBeLessThan(4e6);
    const counts = eventCounts(bytes);
    const wanted = [
      'jdk.ExecutionSample',
      'jdk.NativeMethodSample',
      'jdk.ObjectAllocationSample',
      'com.acme.shop.OrderPlaced',
    ];
    expect(wanted.filter(name => (counts.get(name) ?? 0) < 100)).toEqual([]);
    if (path.includes('jdk25')) expect(counts.get('jdk.CPUTimeSample')).toBeGreaterThan(1_000);
  });

  test('has no event that tells about the machine', () => {
    expect([...eventCounts(bytes).keys()].filter(name => SECRET.test(name))).toEqual([]);
  });

  test('has no text that tells about the machine', () => {
    expect(tracesIn(bytes, TRACES)).toEqual([]);
    if (homedir().length > 1) expect(bytes.includes(`${homedir()}${slash}`)).toBe(false);
  });
});

test('traces are found in every encoding, at even and odd places', () => {
  const planted = `${slash}home${slash}somebody`;
  for (const encoding of ['latin1', 'utf8', 'utf16le'] as const) {
    for (const before of ['', 'x']) {
      const text = Buffer.concat([Buffer.from(before), Buffer.from(planted, encoding), Buffer.from('\0\0\0')]);
      expect(tracesIn(text, TRACES)).toContain(planted);
    }
  }
  const bigEndian = Buffer.from(planted, 'utf16le').swap16();
  expect(tracesIn(bigEndian, TRACES)).toContain(planted);
});
