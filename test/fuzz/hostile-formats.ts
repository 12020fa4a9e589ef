// Reads one huge hostile file, made on the fly, in this process, and prints what came out and how much memory it took.
import { resourceUsage } from 'node:process';
import { zstdCompressSync } from 'node:zlib';
import { type ByteSource, memorySource } from '../../server/ingest/byte-source.ts';
import { ingestSource } from '../../server/ingest/read-source.ts';

/** A source of `count` pieces that are made when they are read, all of the same length. */
function generated(head: string, count: number, pieceOf: (i: number) => Uint8Array): ByteSource {
  const start = Buffer.from(head, 'latin1');
  const length = pieceOf(0).length;
  const size = start.length + count * length;
  return {
    name: 'hostile',
    size,
    read(position, target) {
      let filled = 0;
      while (filled < target.length && position + filled < size) {
        const at = position + filled - start.length;
        const piece = at < 0 ? start : pieceOf(Math.floor(at / length));
        const part = piece.subarray(at < 0 ? position + filled : at % length).subarray(0, target.length - filled);
        target.set(part, filled);
        filled += part.length;
      }
      return filled;
    },
    close() {},
  };
}

const pad = (i: number) => String(i).padStart(9, '0');
const text = (pieceOf: (i: number) => string) => (i: number) => Buffer.from(pieceOf(i), 'latin1');
const start = (digits: number) => `17${'0'.repeat(digits - 2)}`;

/** Length-delimited field of a protocol buffer; shorter than 128 bytes. */
const field = (number: number, ...content: number[]) => [(number << 3) | 2, content.length, ...content];
/** The same for any length. */
const field4 = (number: number, ...content: ArrayLike<number>[]): Uint8Array => {
  const inside = Buffer.concat(content.map(part => Uint8Array.from(part)));
  return Uint8Array.from([(number << 3) | 2, ...varint(inside.length), ...inside]);
};
const varint = (i: number) => [0x80 | (i & 127), 0x80 | ((i >> 7) & 127), 0x80 | ((i >> 14) & 127), (i >> 21) & 127];

const SOURCES: Readonly<Record<string, () => ByteSource>> = {
  'collapsed: all stacks differ': () =>
    generated(
      '',
      3_000_000,
      text(i => `a.B.m${pad(i)};c.D.n${pad(i * 7)} 1\n`),
    ),
  'collapsed: names without end': () =>
    generated(
      'A.b 1\n',
      40_000,
      text(i => `A.${pad(i)}${'x'.repeat(30_000)} 1\n`),
    ),
  'collapsed: one line': () =>
    generated(
      '',
      5_000_000,
      text(() => 'A.b;C.d;E.'),
    ),
  'collapsed: one deep stack a line': () =>
    generated(
      'A.b;C.d 1\n',
      100,
      text(i => `${Array.from({ length: 90_000 }, (_, k) => `m${(i + k) % 10}`).join(';')} 1\n`),
    ),
  'threads: all threads differ': () =>
    generated(
      'Full thread dump\n',
      1_500_000,
      text(i => `"t${pad(i)}" #1 prio=5 tid=0x1 nid=1\n\tat a.B.c(D.java:${pad(i)})\n`),
    ),
  'threads: one stack': () =>
    generated(
      'Full thread dump\n"t" #1 prio=5 tid=0x1 nid=1\n',
      2_000_000,
      text(i => `\tat a.B.m${pad(i)}(D.java:1)\n`),
    ),
  'JSON: nesting': () =>
    generated(
      '{"threadDump":{"threadContainers":[{"threads":[',
      8_000_000,
      text(() => '['),
    ),
  'JSON: one string': () =>
    generated(
      '{"threadDump":{"time":"',
      8_000_000,
      text(() => 'xx'),
    ),
  'JSON: threads': () =>
    generated(
      '{"threadDump":{"threadContainers":[{"threads":[',
      1_000_000,
      text(i => `{"name":"t${pad(i)}","stack":["a.B.m${pad(i)}(X:1)"]},`),
    ),
  'kieker: traces without end': () =>
    generated(
      '',
      1_500_000,
      text(i => `$1;1;void a.B.m${pad(i)}();s;1${pad(i)};${start(19)};${start(19)};h${pad(i)};1;1\n`),
    ),
  'kieker: one trace': () =>
    generated(
      '',
      1_500_000,
      text(i => `$1;1;void a.B.m${pad(i)}();s;7;${start(19)};${start(19)};h;1;1${pad(i).slice(1)}\n`),
    ),
  'kieker: traces that never end, of one method': () =>
    generated(
      '',
      1_500_000,
      text(i => `$1;1;void a.B.m();s;1${pad(i)};${start(19)};${start(19)};h;1;1\n`),
    ),
  'pprof: one location of many frames': () => {
    const frames = field4(4, Array.from({ length: 100_000 }, () => field(4, 0x08, 1)).flat(), [0x08, 1]);
    const head = Buffer.concat([Buffer.from('\x0a\x02\x08\x01', 'latin1'), frames]).toString('latin1');
    return generated(head, 100_000, () => Uint8Array.from(field(2, 0x08, 1, 0x10, 1)));
  },
  'pprof: deep samples that all differ': () => {
    const tables = Array.from({ length: 100 }, (_, i) => [
      ...field(4, 0x08, i + 1, ...field(4, 0x08, i + 1)),
      ...field(5, 0x08, i + 1, 0x10, i + 1),
      ...field(6, 0x21 + i),
    ]);
    const head = Buffer.from([0x0a, 2, 8, 1, ...tables.flat()]).toString('latin1');
    const body = Buffer.alloc(50_000, 1);
    // The root end of each stack says which one it is.
    return generated(head, 5_000, i =>
      field4(2, field4(1, body, [1 + (i % 100), 1 + (Math.floor(i / 100) % 100)]), [0x10, 1]),
    );
  },
  'pprof: locations': () =>
    generated('\x0a\x02\x08\x01', 3_000_000, i =>
      Uint8Array.from(field(4, 0x08, ...varint(i), ...field(4, 0x08, ...varint(i)))),
    ),
  'pprof: strings': () =>
    generated('\x0a\x02\x08\x01', 5_000_000, i => Uint8Array.from(field(6, ...Buffer.from(pad(i))))),
  'pprof: samples with threads': () =>
    generated(`\x0a\x02\x08\x01\x32\x00\x32\x06thread`, 2_000_000, i =>
      Uint8Array.from(field(2, 0x10, 1, ...field(3, 0x08, 1, 0x10, ...varint(i)))),
    ),
  'zstd: many frames': () => {
    const frame = zstdCompressSync(Buffer.from('a.B;c.D 1\n'));
    return memorySource('hostile', Buffer.concat(Array.from({ length: 300_000 }, () => frame)));
  },
  'zstd: a bomb': () => memorySource('hostile', zstdCompressSync(Buffer.alloc(1 << 30))),
};

const name = process.argv[2] ?? '';
const make = SOURCES[name];
if (make === undefined) {
  process.stdout.write(`${JSON.stringify(Object.keys(SOURCES))}\n`);
} else {
  const source = make();
  const before = process.cpuUsage();
  const { profile, problems } = await ingestSource(source, { names: 'normalised' });
  const { user, system } = process.cpuUsage(before);
  const nodes = profile?.tree.length ?? 0;
  process.stdout.write(
    `${JSON.stringify({
      fileMegabytes: source.size / 1e6,
      nodes,
      problems,
      seconds: (user + system) / 1e6,
      megabytes: Math.round(resourceUsage().maxRSS / 1024),
    })}\n`,
  );
}
