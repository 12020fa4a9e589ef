// Which project, program, version and instance a JVM is recorded under: the first source that names each, and why.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  decideExecution,
  type ExecutionSources,
  namedByEnvironment,
  shortened,
} from '../../server/record/execution.ts';
import { readJar } from '../../server/record/jar.ts';
import type { Jvm } from '../../server/record/jvms.ts';
import { executionSegments } from '../../server/store/key.ts';

const NOBODY: ExecutionSources = { flags: {}, environment: {}, file: {}, folder: 'here' };

function jvm(more: Partial<Jvm>): Jvm {
  const nothing = {
    args: '',
    jvmArgs: [],
    classPath: '',
    javaVersion: '17',
    sinceMillis: 0,
    identity: '',
    root: '',
    startTicks: 1,
  };
  return { pid: process.pid, user: 0, name: 'Main', main: 'com.acme.Main', ...nothing, ...more };
}

/** A zip with these entries: local headers, central directory, end. */
function zip(entries: Readonly<Record<string, string>>): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(entries)) {
    const packed = deflateRawSync(text);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50);
    local.writeUInt16LE(8, 8);
    local.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(text.length, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(offset, 42);
    locals.push(local, Buffer.from(name), packed);
    central.push(entry, Buffer.from(name));
    offset += 30 + name.length + packed.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-execution-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function jar(name: string, entries: Readonly<Record<string, string>>): string {
  const path = join(folder, name);
  writeFileSync(path, zip(entries));
  return path;
}

const MANIFEST = 'META-INF/MANIFEST.MF';

describe('who decides', () => {
  const named = { jvmArgs: ['-Dinsitu.version=of the JVM', '-Dinsitu.project=shop', '-Xmx1g'] };
  const path = () => jar('orders-1.4.2.jar', { [MANIFEST]: 'Manifest-Version: 1.0\r\nImplementation-Version: 7\r\n' });

  test.each([
    [{ flags: { version: 'a' }, environment: { version: 'b' }, file: { version: 'c' } }, 'a', '--version'],
    [{ environment: { version: 'b' }, file: { version: 'c' } }, 'b', 'INSITU_VERSION'],
    [{ file: { version: 'c' } }, 'c', 'insitu.json'],
    [{ flags: { version: ' ' } }, 'of the JVM', '-Dinsitu.version of the JVM'],
  ])('%j', (sources, version, reason) => {
    const { execution, reasons } = decideExecution(jvm({ ...named, main: path() }), { ...NOBODY, ...sources });
    expect([execution.version, reasons.version]).toEqual([version, reason]);
    expect([execution.project, execution.program]).toEqual(['shop', 'orders']);
  });

  test('nobody: the folder, the main class, host and process', () => {
    const { execution } = decideExecution(jvm({}), NOBODY);
    expect(execution).toMatchObject({ project: 'here', program: 'com.acme.Main', version: 'unknown' });
    expect(execution.instance).toMatch(new RegExp(`-${process.pid}$`));
  });

  test('the environment by its variables', () => {
    expect(namedByEnvironment({ INSITU_PROGRAM: 'p', HOME: 'h' })).toMatchObject({ program: 'p', version: undefined });
  });
});

describe('what the code says of itself', () => {
  const versionOf = (main: string, more: Partial<Jvm> = {}) => decideExecution(jvm({ main, ...more }), NOBODY);

  test('the manifest, with lines that are continued', () => {
    const main = jar('a.jar', {
      [MANIFEST]: 'Implementation-Title: Or\n ders\nImplementation-Version: 1.2\n\nName: x\nGit-Commit: y\n',
    });
    expect(versionOf(main).execution).toMatchObject({ program: 'Orders', version: '1.2' });
  });

  test('the commit where the version stands for many', () => {
    const main = jar('b.jar', { [MANIFEST]: 'Implementation-Version: 2-SNAPSHOT\nGit-Commit: 0123abc\n' });
    expect(versionOf(main).execution.version).toBe('0123abc');
    const spring = jar('c.jar', {
      'BOOT-INF/classes/git.properties': '#Generated\ngit.branch=main\ngit.commit.id = 4567def\n',
    });
    expect(versionOf(spring).execution.version).toBe('4567def');
  });

  test('the one entry of the class path that has the main class', () => {
    const other = jar('other.jar', { [MANIFEST]: 'Implementation-Version: 8\n' });
    const own = jar('own.jar', { [MANIFEST]: 'Implementation-Version: 9\n', 'com/acme/Main.class': '' });
    expect(versionOf('com.acme.Main', { classPath: `${other}:${own}` }).execution.version).toBe('9');
    const classes = join(folder, 'classes');
    mkdirSync(join(classes, 'com/acme'), { recursive: true });
    writeFileSync(join(classes, 'com/acme/Main.class'), '');
    writeFileSync(join(classes, 'git.properties'), 'git.commit.id.full=89ab\n');
    expect(versionOf('com.acme.Main', { classPath: `${other}:${classes}` }).execution.version).toBe('89ab');
  });

  test('nothing, when it is no jar', () => {
    const broken = join(folder, 'broken.jar');
    writeFileSync(
      broken,
      Buffer.concat([zip({ [MANIFEST]: 'Implementation-Version: 1\n' }).subarray(0, 50), Buffer.alloc(100, 0x50)]),
    );
    expect(readJar(broken, [MANIFEST]).size).toBe(0);
    expect(versionOf(broken).execution.version).toBe('unknown');
    expect(readJar(join(folder, 'none.jar'), [MANIFEST]).size).toBe(0);
  });
});

test('names are as long as a store takes them, whatever their letters', () => {
  const names = ['注文処理サービス'.repeat(20), '🛒'.repeat(300), 'a'.repeat(500), '/srv/b\u00fccher'.repeat(30)];
  for (const name of names) {
    const flags = { project: name, program: name, version: name, instance: name };
    const { execution } = decideExecution(jvm({}), { ...NOBODY, flags });
    expect(executionSegments(execution)).toBeInstanceOf(Array);
    expect(execution.project.length).toBeGreaterThan(10);
    expect(name.startsWith(execution.project)).toBe(true);
    expect(name.endsWith(shortened(name, 'end'))).toBe(true);
    expect(executionSegments({ ...execution, instance: shortened(name, 'end') })).toBeInstanceOf(Array);
  }
});

test('a process that is no JVM is none', async () => {
  const { describeJvm } = await import('../../server/record/jvms.ts');
  expect(describeJvm(process.pid)).toBe(null);
  expect(describeJvm(Number(execFileSync('sh', ['-c', 'echo $$'], { encoding: 'utf8' })))).toBe(null);
});
