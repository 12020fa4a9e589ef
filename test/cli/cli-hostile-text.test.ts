// Every command with names that would steer a terminal, forge lines or fill the screen, wherever names come from.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ScratchRepository } from '../support/git/scratch-repository.ts';
import { type CommandRun, insitu } from '../support/insitu/command-line.ts';
import { type FakeJvm, startFakeJvm } from '../support/recorders/fake-jvm.ts';
import { ends, startInsitu, until } from '../support/recorders/recording-shop.ts';
import { expectHarmless, expectSteerless, FORGING, LONG, STEERING } from '../support/terminals/hostile-text.ts';

const OF_SHOP = ['--project', 'acme', '--program', 'shop'];
/** Characters that a line of collapsed stacks can hold. */
const IN_LINE = STEERING.replaceAll('\r', '');
const METHOD = `evil${IN_LINE}`;
const CLASS = `com.acme.Shop${IN_LINE}`;

let folder = '';
let store: readonly string[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-hostile-'));
  store = ['--store', join(folder, 'store')];
  const stacks = join(folder, 'stacks.collapsed');
  writeFileSync(stacks, `Main.main;${CLASS}.${METHOD} 60\nMain.main;com.acme.${LONG}.${LONG} 40\n`);
  const run = await insitu('import', stacks, ...store, ...OF_SHOP, '--version', '1', '--instance', `i${STEERING}`);
  expect(run).toMatchObject({ status: 0, err: '' });
  writeFileSync(join(folder, 'Main.java'), 'class Main {\n  void main() { evil(); }\n}\n');
});
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

function expectHarmlessRun({ out, err }: CommandRun): void {
  expectHarmless(out);
  expectHarmless(err);
}

/** Runs as if it were started in `where`. */
async function within(where: string, ...args: readonly string[]): Promise<CommandRun> {
  vi.spyOn(process, 'cwd').mockReturnValue(where);
  return await insitu(...args);
}

describe('names of classes, methods and instances', () => {
  test.each([
    ['top', '--limit', '50'],
    ['top', '--self', '--limit', '50'],
    ['callers', `${CLASS}.${METHOD}`],
    ['callers', `com.acme.Nothing${FORGING}.${LONG}`],
    ['callees', 'Main.main'],
    ['tree'],
    ['tree', LONG, '--callers'],
    ['tasks', '--regex', '(?<all>[^]+)'],
    ['tasks', '--prefix', `x${FORGING}${LONG}`],
    ['why', `${CLASS}#${METHOD}`],
    ['why', `com.acme.${LONG}#${LONG}`],
    ['why', `com.acme.Nothing${FORGING}#${LONG}`],
    ['executions'],
    ['executions', '--delete', '--older-than', '1s', '--dry-run'],
    ['compact', '--dry-run'],
  ])('%#: %s', async (...args) => {
    const run = await insitu(...args, ...store, '--project', 'acme');
    expectHarmlessRun(run);
    expect(run.out + run.err).toMatch(/x{100}|\\u202e|execution/);
  });

  test('annotate', async () => {
    const run = await insitu('annotate', join(folder, 'Main.java'), ...store, ...OF_SHOP);
    expectHarmlessRun(run);
    expect(run.out).toContain('void main');
  });

  test.each([
    ['top', '--platform'],
    ['callees', 'Main.main'],
    ['tree'],
    ['tasks', '--regex', '(?<all>[^]+)'],
    ['executions'],
    ['why', `${CLASS}#${METHOD}`],
  ])('%s --json has the whole names, and nothing that steers', async (...args) => {
    const run = await insitu(...args, '--json', ...store, '--project', 'acme');
    expect(run.status).toBe(0);
    expectSteerless(run.out);
    const names: string[] = [];
    JSON.parse(run.out, (_, value) => {
      if (typeof value === 'string') names.push(value);
      return value;
    });
    expect(names.join('\n')).toContain(args[0] === 'executions' ? `i${STEERING}` : METHOD);
    if (args[0] === 'top') expect(names.some(name => name === LONG)).toBe(true);
  });

  test('export goes to other programs as it is, and to a terminal without what steers it', async () => {
    const stacks = join(folder, 'stacks.collapsed');
    expect((await insitu('export', stacks)).out).toContain(METHOD);
    for (const format of ['json', 'speedscope']) {
      const { out } = await insitu('export', stacks, '--format', format);
      expectSteerless(out);
      expect(JSON.stringify(JSON.parse(out))).toContain(JSON.stringify(METHOD).slice(1, -1));
    }
  });

  test('outline and frames', async () => {
    const file = join(folder, 'Odd.java');
    writeFileSync(file, `class Odd { void a\u202e\u0085b() { c\u202e(); } String ${LONG}() { return "\u009b"; } }`);
    const run = await insitu('outline', file);
    expect(run.status).toBe(0);
    expectSteerless(run.out);
    JSON.parse(run.out);
  });
});

describe('what is called wrongly', () => {
  test.each([
    [`no${FORGING}command`],
    [LONG],
    ['top', `--no${FORGING}option`],
    ['top', `--${LONG}`],
    ['top', '--limit', `${FORGING}${LONG}`],
    ['top', '--metric', `${FORGING}${LONG}`],
    ['top', '--focus', `${FORGING}${LONG}`],
    ['top', '--threads', `${FORGING}${LONG}`],
    ['top', '--from', `${FORGING}${LONG}`],
    ['top', '--version', `${FORGING}${LONG}`],
    ['top', '--baseline', `${FORGING}${LONG}`],
    ['why', `${FORGING}${LONG}`],
    ['executions', '--older-than', FORGING],
    ['compact', '--level', FORGING],
    ['record', '--settings', `${FORGING}${LONG}`],
    ['record', '--main', `(${FORGING}${LONG}`],
    ['record', '--pid', `${FORGING}${LONG}`],
    ['doctor', '--spool', `/dev/null/${FORGING}`],
    ['lsp', `no${FORGING}`],
    ['lsp', '--wrap', ''],
  ])('%#', async (...args) => {
    const place = args[0] === 'lsp' || args.length === 1 ? [] : [...store, '--project', 'acme'];
    const run = await insitu(...args, ...place);
    expectHarmlessRun(run);
    expect(run.err).not.toBe('');
  });
});

describe('names of files and places', () => {
  const name = `a${FORGING}b`;

  test.each([['import'], ['export'], ['annotate'], ['outline'], ['frames', '--sources']])('%s', async (...args) => {
    for (const file of [`${name}.java`, LONG]) {
      const place = args[0] === 'import' || args[0] === 'annotate' ? [...store, ...OF_SHOP] : [];
      const run = await insitu(...args, join(folder, file), ...place);
      expectHarmlessRun(run);
      expect(run.status).not.toBe(0);
    }
  });

  test('import of a recording with such a name, as such a program', async () => {
    const file = join(folder, `${name}.collapsed`);
    writeFileSync(file, 'Main.main 3\n');
    const target = ['--store', join(folder, `store${name}`), '--project', name, '--program', name, '--version', name];
    const run = await insitu('import', file, ...target);
    expect(run).toMatchObject({ status: 0, err: '' });
    expectHarmlessRun(run);
    for (const command of [['top'], ['executions'], ['compact'], ['executions', '--older-than', '1s', '--delete']])
      expectHarmlessRun(await insitu(...command, ...target));
    expectHarmlessRun(await insitu('import', file, ...target, '--instance', LONG));
    expectHarmlessRun(await insitu('import', file, ...store, '--project', 'p', '--program', 'q', '--sources', name));
  });
});

test('keys and values of insitu.json', async () => {
  const root = join(folder, 'configured');
  mkdirSync(root);
  // The file is not read where it is larger than 256 KiB.
  const large = LONG.slice(0, 40_000);
  const settings = {
    [`odd${FORGING}`]: 1,
    [large]: 1,
    program: `p${FORGING}${large}`,
    version: `v${FORGING}`,
    metric: large,
    tagPattern: FORGING,
    hints: { format: FORGING, [FORGING]: 2 },
    tasks: [
      { name: `t${FORGING}${large}`, type: 'prefix', value: FORGING },
      { name: FORGING, type: 'regex', value: `(${large}` },
      { name: FORGING, type: `type${FORGING}`, value: 'x' },
    ],
  };
  writeFileSync(join(root, 'insitu.json'), JSON.stringify(settings));
  for (const command of ['top', 'tasks', 'executions', 'doctor'])
    expectHarmlessRun(await within(root, command, ...store, '--project', 'acme'));
  const tasks = await within(root, 'tasks', ...store, ...OF_SHOP, '--version', '1');
  expectHarmlessRun(tasks);
  expect(tasks.err).toMatch(/unknown setting.*the expression is not valid/s);
  writeFileSync(join(root, 'insitu.json'), `{ "a": ${FORGING} }`);
  const broken = await within(root, 'top', ...store, ...OF_SHOP);
  expectHarmlessRun(broken);
  expect(broken.err).toContain('insitu.json');
});

test('tags of git', async () => {
  const repository = new ScratchRepository();
  try {
    repository.commit({ 'insitu.json': '{}' });
    // Git itself refuses control characters below 0xa0 only in part: direction and C1 characters are fine names.
    const tag = 'v\u202e1\u009b31m\u0085';
    repository.git('tag', tag);
    const stacks = join(folder, 'tagged.collapsed');
    writeFileSync(stacks, 'Main.main 3\n');
    const place = [...store, '--project', 'tagged', '--program', 'shop'];
    await insitu('import', stacks, ...place, '--version', tag);
    for (const command of [['top'], ['top', '--baseline', tag], ['why', 'Main#main'], ['executions']]) {
      const run = await within(repository.root, ...command, ...place);
      expectHarmlessRun(run);
      expect(run).toMatchObject({ status: 0, out: expect.stringContaining('\\u202e1\\u009b31m') });
    }
  } finally {
    rmSync(repository.home, { recursive: true });
  }
});

describe('options and answers of a JVM', () => {
  const args = [
    `-Dinsitu.program=p${FORGING}`,
    `-Dinsitu.version=v${FORGING}`,
    `-Dinsitu.instance=${STEERING}${LONG.slice(0, 50_000)}`,
    `-Dinsitu.project=o${FORGING}`,
  ];

  const jvms: FakeJvm[] = [];
  let jvm: FakeJvm;
  beforeEach(async () => {
    jvm = await startFakeJvm(join(folder, `jvm-${jvms.length}`), { args, version: `17.0.1${STEERING}` });
    jvms.push(jvm);
  });
  afterEach(() => jvm.end());

  test('doctor', async () => {
    const place = [...store, '--spool', join(folder, 'spool')];
    const run = await insitu('doctor', '--pid', String(jvm.pid), ...place);
    expectHarmlessRun(run);
    expect(run.out).toContain(`JVM ${jvm.pid}`);
    expect(run.out).toContain('p\\u001b[2J');
    const json = await insitu('doctor', '--pid', String(jvm.pid), ...place, '--json');
    expectSteerless(json.out);
    expect(JSON.parse(json.out).jvms[0].execution.program).toContain(`p${STEERING.trimEnd()}`);
  });

  test.each([[[]], [['--json']]])('record %j', async options => {
    const place = [...store, '--spool', join(folder, 'spool')];
    const recorder = startInsitu(folder, ['record', '--pid', String(jvm.pid), ...place, ...options]);
    try {
      await until('the JVM is followed', () => recorder.text().includes('following'));
    } finally {
      await ends(recorder);
    }
    expectHarmless(recorder.text());
    expect(recorder.text()).toContain('p\\u001b[2J');
  });
});

test('the text of a recording that is refused', async () => {
  const file = join(folder, 'broken.collapsed');
  writeFileSync(file, `${FORGING}${LONG} no number\n`);
  const run = await insitu('import', file, ...store, ...OF_SHOP);
  expectHarmlessRun(run);
  expect(readFileSync(file, 'utf8')).toContain('FORGED');
});
