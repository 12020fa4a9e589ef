// The commands on the sample's recordings, as a script would call them, and what they say when something is wrong.
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { amountText } from '../../server/features/hover/amount-text.ts';
import { type CommandRun, insitu } from '../support/insitu/command-line.ts';
import { numbersIn } from '../support/insitu/numbers-in.ts';

const RECORDING = 'samples/recordings/shop-v1-jdk17-a.jfr';
const SECOND = 'samples/recordings/shop-v1-jdk17-b.jfr';
const SHOP = 'samples/shop/v1/src/main/java/com/acme/shop';

let folder = '';
let store = '';
let first: CommandRun;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-commands-'));
  store = join(folder, 'store');
  first = await imported(RECORDING);
});
afterAll(() => rmSync(folder, { recursive: true }));

function imported(...recordings: string[]): Promise<CommandRun> {
  return insitu('import', ...recordings, '--store', store, '--project', 'shop', '--program', 'shop', '--version', 'v1');
}

function ofShop(command: string, ...more: string[]): Promise<CommandRun> {
  return insitu(command, ...more, '--store', store, '--project', 'shop');
}

/** No failure shows a stack trace, and each is one line of what, where and what to do. */
function expectFailure({ status, err }: CommandRun, wanted: number, message: RegExp): void {
  expect(err).toMatch(message);
  expect(err).not.toMatch(/\n\s+at /);
  expect(status).toBe(wanted);
}

describe('import', () => {
  test('says what came in; the same recording twice is one snapshot', async () => {
    expect(first.status).toBe(0);
    expect(first.out).toMatch(
      /^shop-v1-jdk17-a\.jfr as shop\/shop v1 \(shop-v1-jdk17-a\): [\d,]+ samples of cpu, (?:[\d,]+ samples of native, )?[\d.]+ [MG]iB of alloc, .*\d+ KiB\n$/,
    );
    const again = await imported(RECORDING);
    expect([again.status, again.out]).toEqual([
      0,
      expect.stringMatching(/^shop-v1-jdk17-a\.jfr as shop\/shop v1 \(shop-v1-jdk17-a\): nothing new, \d+ KiB\n$/),
    ]);
    expect(again.err).toContain('1 of 1 chunk was imported before');
    const { out } = await ofShop('executions', '--json');
    expect(JSON.parse(out).rows).toMatchObject([
      {
        program: 'shop',
        version: 'v1',
        instance: 'shop-v1-jdk17-a',
        snapshots: 1,
        from: '2026-11-20T16:26:08.123Z',
        to: '2026-11-20T16:27:08.913Z',
      },
    ]);
  });

  test('a program must be named', async () => {
    expectFailure(await insitu('import', RECORDING, '--store', store, '--program', ''), 2, /which program/);
    const run = await insitu('import', RECORDING, '--store', store, '--project', 'shop');
    expectFailure(run, 2, /^error: which program was recorded\? \(name it: --program/);
    expectFailure(
      await insitu('import', 'missing.jfr', '--project', 'shop'),
      1,
      /^error: missing\.jfr: there is no such file/,
    );
  });

  test.each([
    ['missing.jfr', null, /missing\.jfr: .*no such file/],
    ['text.jfr', 'hello', /text\.jfr: byte 0: this is no recording/],
    ['empty.jfr', '', /empty\.jfr: the file is empty/],
    [
      'old.jfr',
      Buffer.concat([Buffer.from('464c520000000009', 'hex'), Buffer.alloc(200)]),
      /old\.jfr: .*(?:JDK 7|0\.9)/,
    ],
  ])('%s is refused and nothing is written', async (name, content, message) => {
    const file = join(folder, name);
    if (content !== null) writeFileSync(file, content);
    const target = join(folder, `store-of-${name}`);
    const run = await insitu('import', file, '--store', target, '--project', 'p', '--program', 'q');
    expectFailure(run, 1, message);
    expect(() => readdirSync(target)).toThrow();
  });

  test('of several recordings the good ones are taken and the status tells of the bad one', async () => {
    const run = await imported(join(folder, 'nowhere.jfr'), RECORDING);
    expectFailure(run, 1, /nowhere\.jfr/);
    expect(run.out).toMatch(/^shop-v1-jdk17-a\.jfr/);
  });

  test('a cut recording gives what it holds and says what is missing', async () => {
    const file = join(folder, 'cut.jfr');
    const bytes = readFileSync(RECORDING);
    writeFileSync(file, bytes.subarray(0, Math.floor(bytes.length * 0.7)));
    const run = await insitu('import', file, '--store', join(folder, 'cut'), '--project', 'p', '--program', 'q');
    expect(run.err).toMatch(/cut\.jfr: .*byte \d+/);
    expect(run.err).not.toMatch(/\n\s+at /);
  });
});

describe('top', () => {
  test('by total lists the application, hottest first, and says how much ran in the platform', async () => {
    const { status, out } = await ofShop('top', '--sort', 'total', '--limit', '5');
    expect(status).toBe(0);
    const [about, head, ...rows] = out.trimEnd().split('\n');
    expect(about).toMatch(/^shop\/shop v1 · 1 instance · [\d,]+ samples of cpu/);
    expect(head).toMatch(/^cpu +self +samples +method$/);
    expect(rows.pop()).toMatch(/^\d+% ran in the Java platform's own methods, which --platform lists$/);
    expect(rows).toHaveLength(5);
    for (const row of rows)
      expect(row).toMatch(/^ *\d+% +(?:-|[\d.]+%|\d+ samples?) +[\d,]+ +com\.acme\.shop\.\S+\(.*\)$/);
  });

  test.each([
    ['alloc', /^alloc +self +bytes +samples +method$/, /^ *\S+% .* [\d.]+ [GM]iB +[\d,]+ +com\.acme/],
    ['lock', /^lock +self +duration +mean +samples +method$/, /^ *\S+% .* [\d.]+ m?s +[\d.]+ m?s +[\d,]+ +com\.acme/],
  ])('of %s: share, sum and count, each in a column with its name', async (metric, head, row) => {
    const lines = (await ofShop('top', '--sort', 'total', '--metric', metric, '--limit', '2')).out.split('\n');
    const at = lines.findIndex(line => head.test(line));
    expect(lines[at]).toMatch(head);
    expect(lines[at + 1]).toMatch(row);
    const { rows: methods } = numbersIn(
      (await ofShop('top', '--sort', 'total', '--metric', metric, '--limit', '1', '--json')).out,
    );
    expect(lines[at + 1]).toContain(
      amountText(methods[0].total.part, { unit: metric === 'alloc' ? 'bytes' : 'nanoseconds' }),
    );
  });

  test('--json gives the counts', async () => {
    const { out } = await ofShop('top', '--sort', 'total', '--limit', '3', '--platform', '--json');
    const { metric, whole, rows: methods } = numbersIn(out);
    expect(metric).toBe('cpu');
    for (const { total } of methods) expect(total.part).toBeLessThanOrEqual(whole.weight);
    expect(methods[0].total.part).toBeGreaterThan(whole.weight / 2);
  });

  test('--self sorts by self time', async () => {
    const { out } = await ofShop('top', '--self', '--platform', '--json');
    const self = numbersIn(out).rows.map((row: { self: { part: number } }) => row.self.part);
    expect(self).toEqual([...self].sort((a, b) => b - a));
    const [, head, ...rows] = (await ofShop('top', '--self', '--platform')).out.split('\n');
    expect(head).toMatch(/^self +of its time +samples +method$/);
    const shares = rows.slice(0, 5).map(row => Number.parseFloat(row));
    expect(shares).toEqual([...shares].sort((a, b) => b - a));
  });

  test.each([
    [['--limit', 'many'], 2, /argument 'many' is invalid\. Write a whole number above 0\.\n/],
    [['--metric', 'nonsense'], 1, /^error: metric "nonsense" was not recorded \(recorded: .*alloc.*\)\n$/],
    [['--program', 'other'], 1, /other/],
    [['--version', '9'], 1, /9/],
  ])('%j', async (options, status, message) => expectFailure(await ofShop('top', ...options), status, message));
});

describe('annotate', () => {
  test('prints the file with hints at the ends of lines', async () => {
    const file = `${SHOP}/Shop.java`;
    const { status, out } = await ofShop('annotate', file);
    expect(status).toBe(0);
    const [about, ...lines] = out.split('\n');
    expect(about).toContain(`${file} · shop/shop v1`);
    const source = readFileSync(file, 'utf8').split('\n');
    const hinted = lines.filter((line, i) => line.slice(line.indexOf('│') + 1).trimEnd() !== ` ${source[i]}`.trimEnd());
    expect(hinted.length).toBeGreaterThan(3);
    for (const line of hinted) expect(line).toMatch(/ {2}\S{1,24}|( ~?[\d.]+%)/);
  });

  test('--json gives lines and texts', async () => {
    const { out } = await ofShop('annotate', `${SHOP}/Shop.java`, '--json');
    for (const hint of JSON.parse(out).rows) {
      expect(hint.hint.length).toBeLessThanOrEqual(32);
      expect(hint.line).toBeGreaterThan(0);
    }
  });

  test('a file without data says so, a file that is not there is an error', async () => {
    const file = join(folder, 'Nothing.java');
    writeFileSync(file, 'class Nothing { void run() {} }\n');
    const run = await ofShop('annotate', file);
    expect(run).toMatchObject({ status: 0, err: expect.stringContaining('nothing in this file') });
    expectFailure(await ofShop('annotate', join(folder, 'Missing.java')), 1, /Missing\.java: there is no such file/);
    expectFailure(await ofShop('annotate', folder), 1, /: this is a folder, not a file/);
    for (const name of ['notes.txt', 'Notes.java']) {
      writeFileSync(join(folder, name), '# Notes\n\nsome `code` here\n');
      expectFailure(await ofShop('annotate', join(folder, name)), 1, /: this is no Java file/);
    }
  });
});

describe('a store that cannot be used', () => {
  test('missing: what, where, what to do', async () => {
    const run = await insitu('top', '--store', join(folder, 'no-store'), '--project', 'shop');
    expectFailure(run, 1, /no-store/);
  });

  test('a broken snapshot is left out and named', async () => {
    const broken = join(folder, 'broken');
    const options = ['--store', broken, '--project', 'shop', '--program', 'shop', '--version', 'v1'];
    await insitu('import', RECORDING, SECOND, ...options);
    const [snapshot] = readdirSync(broken, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.cct'));
    truncateSync(join(broken, snapshot ?? ''), 500);
    const run = await insitu('top', ...options);
    expect(run.err).toMatch(/\.cct/);
    expect(run.out).toMatch(/1 instance/);
    expect(run.status).toBe(1);
    const json = await insitu('top', '--json', ...options);
    expect(json).toMatchObject({ status: 1, err: run.err });
    expect(numbersIn(json.out).whole.count).toBeGreaterThan(0);
  });

  test('a place where no folder can be made', async () => {
    const run = await insitu('import', RECORDING, '--store', '/proc/x', '--project', 'p', '--program', 'q');
    expectFailure(run, 1, /^error: \/proc\/x\S+: the snapshot cannot be stored/m);
  });

  test('a folder that is a file cannot be written to', async () => {
    const file = join(folder, 'a-file');
    writeFileSync(file, '');
    const run = await insitu('import', RECORDING, '--store', file, '--project', 'p', '--program', 'q');
    expectFailure(run, 1, /a-file/);
  });

  test('a read-only folder cannot be written to', async () => {
    const locked = join(folder, 'locked');
    mkdirSync(locked);
    chmodSync(locked, 0o555);
    const run = await insitu('import', RECORDING, '--store', locked, '--project', 'p', '--program', 'q');
    // The superuser may write anywhere; for everybody else it is a clear failure.
    if (process.getuid?.() === 0) expect(run.status).toBe(0);
    else expectFailure(run, 1, /locked/);
  });
});

test('wrong calls end with status 2 and point to the help', async () => {
  expectFailure(await insitu('nonsense'), 2, /unknown command 'nonsense'/);
  expectFailure(await insitu('top', '--nonsense'), 2, /unknown option '--nonsense'/);
  expectFailure(await insitu('import'), 2, /missing required argument/);
});

test('every command explains itself with an example and stands in docs/command-line.md', async () => {
  const { out } = await insitu('--help');
  const commands = [...out.matchAll(/^ {2}([a-z]+) .*/gm)].map(match => match[1] ?? '').filter(name => name !== 'help');
  expect(commands).toContain('import');
  for (const command of commands) {
    const help = await insitu(command, '--help');
    expect(help).toMatchObject({ status: 0, out: expect.stringMatching(/Example/) });
    expect(readFileSync('docs/command-line.md', 'utf8')).toContain(`| \`insitu ${command}`);
    // Defaults are told as people write them.
    const defaults = [...help.out.matchAll(/\(default: ([^)]*)\)/g)].map(match => match[1] ?? '');
    expect(defaults.filter(text => /^\d{3,}$/.test(text))).toEqual([]);
  }
});

test.each(['executions', 'compact'])('%s takes all programs and versions, and says so', async command => {
  const { out } = await insitu(command, '--help');
  expect(out).toMatch(/--program <name> +only of this program$/m);
  expect(out).toMatch(/--version <name> +only of this version$/m);
});
