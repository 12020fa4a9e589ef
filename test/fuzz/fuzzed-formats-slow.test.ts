// Fuzzing the readers of text formats with lines that repeat a piece: reading takes time in proportion to the file's size.
import { describe, expect, test } from 'vitest';
import { ingest } from '../support/recordings/ingested.ts';
import { seededRandom } from './jfr-random.ts';

const seed = Number(process.env.INSITU_SEED ?? Date.now() % 1_000_000);
/** The reader of thread dumps skips lines of more than 64 Ki unseen. */
const LENGTHS: Readonly<Record<string, number>> = { threads: 60_000, collapsed: 160_000, kieker: 160_000 };
const ROUNDS = 25;
/**
 * Far above what reading takes (about 0.1 ms a KB) and far below what backtracking over such a line would (10 ms and more),
 * so that a slow machine does not matter.
 */
const MAX_MILLIS_A_KB = 3;

/** The makers of a file of each format, with the place of the line that is to be long. */
const FORMATS: Readonly<Record<string, (line: string) => string>> = {
  threads: line =>
    `Full thread dump\n"t" #1 prio=5 tid=0x1 nid=1\n\tat a.B.c(D.java:1)\n${line}\n\tat a.B.d(D.java:1)\n`,
  collapsed: line => `a.B.c;d.E.f 1\n${line} 1\n`,
  kieker: line => `$1;1;void a.B.m();s;1;2;3;h;0;0\n$1;1;${line};s;2;2;3;h;0;0\n${line}\n`,
};

const FIXED: readonly (readonly [format: string, start: string, piece: string, end: string])[] = [
  ['threads', '"', ' [', ''],
  ['threads', '"', '" [', ''],
  ['threads', '"', '" #1', ''],
  ['threads', '"', '" #1 prio=5', ''],
  ['threads', '"', '" #1 prio=5 a=b', '\u2028'],
  ['threads', '#1 "', '" virtual', ''],
  ['threads', '#1 "', '" A', ''],
  ['threads', '   - x', ' ', ''],
  ['threads', '   - x', '<', ''],
  ['threads', '   - x<', '> (a ', ''],
  ['threads', '   - ', '<', ''],
  ['threads', '   at ', 'a/', '(X:1)'],
  ['threads', '   at ', '(:1', ')'],
  ['threads', '   at a.b(', ') [', ''],
  ['threads', '   at ', '/1.', '(X:1)'],
  ['threads', '   at ', 'a$ ', '(X:1)'],
  ['threads', '   ', 'a.', '(X:1)'],
  ['threads', '"', '" Id=1 ', ''],
  ['threads', '"', '" Id=1 A BLOCKE', ''],
  ['threads', '"', '" prio=1 Id=1', ''],
  ['threads', '"', '" - Thread t@1', '!'],
  ['threads', '- a.b() @bci=1', ', a=b', '!'],
  ['threads', '- a.b() @bci=1', ',a=', '!'],
  ['threads', '- a.b() @bci=1', ' ', '!'],
  ['threads', '0x1 * a.b() bci:1', ' bci:1', '!'],
  ['threads', '-  locked', ' a@1', '!'],
  ['threads', '- ', 'a.', '@1!'],
  ['threads', '', 'a.', '!'],
  ['threads', 'x', ' aException', '\u2028'],
  ['threads', 'x', '(Exceptio', ''],
  ['threads', '{"log":"', '\\\\', '"'],
  ['threads', '{ "log" : "', ' ', ''],
  ['collapsed', 'a.b(', 'I', ''],
  ['collapsed', 'a.b(', '[', ''],
  ['collapsed', '', '()L', ''],
  ['collapsed', 'a.', '$$Lambda/', '\u2028.b'],
  ['collapsed', 'a.', 'LambdaForm$M.', '\u2028.b'],
  ['collapsed', '', 'a/', '1!.b'],
  ['collapsed', 'a/', '+0x1', '!.b'],
  ['kieker', '', ';', ''],
  ['kieker', 'void a.B.c(', ',', ')'],
  ['kieker', 'void a.B.c(int', '[]', '!)'],
  ['kieker', '', 'public ', 'a.B.c()'],
];

const PIECES = [
  ...[
    '"',
    ' ',
    '\t',
    '[',
    ']',
    '<',
    '>',
    '(',
    ')',
    ';',
    '.',
    '/',
    ':',
    '::',
    '`',
    '@a',
    '$',
    '#',
    '1',
    'a',
    'I',
    'L',
    '\u2028',
  ],
  ...[
    ' [',
    ' #1',
    '- ',
    ' - <',
    ' (a ',
    ' prio=5',
    ' tid=0x1',
    ' daemon',
    'virtual ',
    ' A',
    'at ',
    '$$Lambda',
    '/0x1',
    '.0x1',
  ],
  ...[
    'LambdaForm$M',
    '$Proxy1',
    '_[j]',
    '$1;1;',
    'public ',
    '[]',
    '...',
    '()V',
    '(I',
    ';La',
    'java.lang.Thread.State: ',
  ],
];

async function expectLinear(format: string, line: string, name: string): Promise<void> {
  const bytes = Buffer.from(FORMATS[format]!(line));
  const before = process.threadCpuUsage();
  const { problems } = await ingest(bytes, { names: 'normalised' });
  const { user, system } = process.threadCpuUsage(before);
  expect
    .soft((user + system) / 1000 / (bytes.length / 1024), `${name}: milliseconds a KB`)
    .toBeLessThan(MAX_MILLIS_A_KB);
  expect
    .soft(
      problems.filter(({ message }) => message.startsWith('reading failed')),
      name,
    )
    .toEqual([]);
}

function lineOf(format: string, start: string, piece: string, end: string): string {
  return start + piece.repeat(LENGTHS[format]! / piece.length) + end;
}

test.each(FIXED)('%s: %j, then %j again and again, then %j', async (format, start, piece, end) => {
  await expectLinear(format, lineOf(format, start, piece, end), JSON.stringify([start, piece, end]));
});

test.each(['I', '[', '[I', 'La;', '()V', 'a/', ':1'])('a frame that repeats %j up to the longest line', async piece => {
  await expectLinear('collapsed', `a.b(${piece.repeat(4_000_000 / piece.length)}`, piece);
});

describe.each(Object.keys(FORMATS))('%s', format => {
  test(`pieces again and again (seed ${seed})`, async () => {
    const random = seededRandom(seed);
    const some = (most: number) =>
      Array.from({ length: random(most + 1) }, () => PIECES[random(PIECES.length)]!).join('');
    for (let round = 0; round < ROUNDS; round++) {
      const parts = [some(3), some(2) || ' ', some(2)] as const;
      await expectLinear(format, lineOf(format, ...parts), JSON.stringify(parts));
    }
  });
});
