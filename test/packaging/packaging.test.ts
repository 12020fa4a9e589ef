// README's command installs from a checkout, and the installation works: both commands, the server, its worker, its types, and the message on an old Node.js.
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deadline } from '../support/patience.ts';
import { type Installed, installLine, packAndInstall, root, run } from './installed.ts';
import { startServer } from './language-server.ts';

const shop = join(root, 'samples', 'shop', 'v1');
const shopFile = join(shop, 'src', 'main', 'java', 'com', 'acme', 'shop', 'Shop.java');
const recording = join(root, 'samples', 'recordings', 'shop-v1-jdk17-a.jfr');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

let installed: Installed;
beforeAll(() => {
  installed = packAndInstall();
});
afterAll(() => installed?.remove());

describe('the package', () => {
  test('is installed by one command, which builds a checkout that has nothing but its files', () => {
    expect(installLine()).toMatch(/^npm install -g /);
    expect(globSync('**/insitu*', { cwd: join(installed.folder, 'prefix', 'bin') }).sort()).toEqual([
      'insitu',
      'insitu-lsp',
    ]);
    // npm links manual pages that stand in a list.
    expect(globSync('**/insitu.1', { cwd: join(installed.folder, 'prefix', 'share', 'man') })).toEqual([
      'man1/insitu.1',
    ]);
    const made = globSync('{*.tgz,dist/insitu.*}', { cwd: join(installed.folder, 'checkout') });
    expect(made.sort()).toEqual(['dist/insitu.cjs', 'dist/insitu.vsix', `insitu-${version}.tgz`]);
  });

  test('brings bundles and clients, neither sources nor tests nor other packages', () => {
    const files = globSync('**/*', { cwd: installed.package });
    expect(files).toContain('dist/insitu.cjs');
    expect(files).toContain('dist/load-worker.cjs');
    expect(files.filter(file => file.startsWith('dist/web/')).sort()).toEqual(
      ['index.html', 'page.css', 'page.js'].map(name => `dist/web/${name}`),
    );
    expect(files).toContain('dist/THIRD-PARTY-LICENSES.txt');
    const foreign = files.filter(file => /^(server|grammar|test|samples\/|node_modules|\.ci)\b|\.ts$/.test(file));
    expect(foreign.sort()).toEqual(['dist/protocol.d.ts', 'dist/views.d.ts', 'samples/README.md']);
  });

  test('what speaks to buckets is in a bundle of its own, which only those load who have one', () => {
    const bundles = globSync('dist/*.cjs', { cwd: installed.package });
    const speaking = bundles.filter(file => {
      return readFileSync(join(installed.package, file), 'utf8').includes('S3ServiceException');
    });
    expect(speaking).toEqual(['dist/s3-chunk.cjs']);
    installed.env.AWS_ACCESS_KEY_ID = 'nobody';
    installed.env.AWS_SECRET_ACCESS_KEY = 'nothing';
    const asked = run(installed, 'insitu', ['executions', '--store', 's3://profiles?endpoint=http://127.0.0.1:1']);
    expect(asked.err).toContain('the engine does not answer (ECONNREFUSED)');
    expect(asked).toMatchObject({ status: 1, out: '' });
  });

  test('links in its pages lead to pages that it has', () => {
    const pages = globSync('{*.md,docs/*.md,clients/*/*.md}', { cwd: installed.package });
    expect(pages).toContain('README.md');
    const dead = pages.flatMap(page => {
      const text = readFileSync(join(installed.package, page), 'utf8');
      const targets = [...text.matchAll(/\]\((?!https?:|#|<|server\/)([^)#\s]+)/g)].map(([, target = '']) => target);
      return targets
        .filter(target => !existsSync(join(installed.package, dirname(page), target)))
        .map(target => `${page}: ${target}`);
    });
    expect(dead).toEqual([]);
  });

  test('has the types of its messages for authors of clients', () => {
    const folder = dirname(dirname(installed.package));
    const client = join(folder, 'client.mts');
    const asks = 'const name = (status: Status): string | null => status.sources[0]?.program ?? null;';
    const check = (text: string) => {
      writeFileSync(client, `import type { Status } from 'insitu/protocol';\n${text}\nexport { name };\n`);
      const compiler = join(root, 'node_modules', '.bin', 'tsc');
      const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--types', '', client];
      const { status, stdout } = spawnSync(compiler, options, { cwd: folder, encoding: 'utf8' });
      return { status, stdout };
    };
    expect(check(asks)).toEqual({ status: 0, stdout: '' });
    expect(check(asks.replace('program', 'programme')).stdout).toContain("'programme' does not exist");
    const views = "import { BOX_COLUMNS, type Hits } from 'insitu/views';\n";
    expect(
      check(`${views}${asks}\nexport const id: 'u32x2' = BOX_COLUMNS.id;\nexport type Length = Hits['length'];`),
    ).toEqual({
      status: 0,
      stdout: '',
    });
  });

  test('holds the licence of every package in its bundles', () => {
    const licences = readFileSync(join(installed.package, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8');
    for (const name of [
      'chevrotain',
      'commander',
      'preact',
      '@preact/signals',
      'd3-scale',
      'msgpackr',
      'vscode-languageserver',
      'vscode-jsonrpc',
    ])
      expect(licences).toMatch(new RegExp(`^==== ${name} [0-9]`, 'm'));
    expect(licences).not.toContain('licence not named');
  });
});

describe('the command line', () => {
  test('says its version', () => {
    expect(run(installed, 'insitu', ['--version'])).toEqual({ status: 0, out: `${version}\n`, err: '' });
  });

  test('helps with an example', () => {
    const { status, out } = run(installed, 'insitu', ['top', '--help']);
    expect(status).toBe(0);
    expect(out).toMatch(/Usage: insitu top[\s\S]*Example/);
  });

  test('a wrong command ends with status 2, and no stack trace', () => {
    const { status, err } = run(installed, 'insitu', ['no-such-command']);
    expect(status).toBe(2);
    expect(err).not.toMatch(/^\s+at /m);
  });
});

describe('the language server', () => {
  test.each([[['--stdio']], [[]]])('starts with arguments %j and stops when told', async args => {
    const server = await startServer(installed, args, shop);
    expect(server.initialized.serverInfo?.name).toBe('insitu');
    expect(server.initialized.capabilities.inlayHintProvider).toBeTruthy();
    expect(await server.close()).toBe(0);
  });

  test('is a small bundle in front of a Java server, and the whole one where that only looks so', async () => {
    const preload = join(installed.folder, 'loaded.cjs');
    const loaded = join(installed.folder, 'loaded.json');
    writeFileSync(
      preload,
      `process.argv.includes('--wrap') && process.on('exit', () =>
        require('node:fs').writeFileSync(${JSON.stringify(loaded)}, JSON.stringify(Object.keys(require.cache))));\n`,
    );
    const watched = { ...installed, env: { ...installed.env, NODE_OPTIONS: `--require ${preload}` } };
    for (const [args, bundles] of [
      [['--stdio', '--wrap', 'node -e 0'], ['wrap.cjs']],
      [
        ['--project', '--wrap'],
        ['wrap.cjs', 'insitu.cjs'],
      ],
    ] as const) {
      const server = await startServer(watched, args, shop);
      expect(server.initialized.capabilities.inlayHintProvider).toBeTruthy();
      expect(await server.close()).toBe(0);
      const files = (JSON.parse(readFileSync(loaded, 'utf8')) as string[]).map(file => basename(file));
      expect(files.filter(file => bundles.some(bundle => bundle === file) || file === 'insitu.cjs')).toEqual(bundles);
    }
    expect(readFileSync(join(installed.package, 'dist/wrap.cjs')).length).toBeLessThan(400_000);
  });

  test('loads an imported recording in its worker and gives hints', async () => {
    const imported = run(installed, 'insitu', [
      'import',
      recording,
      '--project',
      'shop',
      '--program',
      'shop',
      '--version',
      'v1',
    ]);
    expect(imported.status, imported.err).toBe(0);
    const server = await startServer(installed, ['--stdio'], shop);
    const uri = pathToFileURL(shopFile).href;
    const text = readFileSync(shopFile, 'utf8');
    await server.connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'java', version: 1, text },
    });
    const range = { start: { line: 0, character: 0 }, end: { line: text.split('\n').length, character: 0 } };
    let hints: unknown[] | null = null;
    for (const isOver = deadline(20_000); !isOver() && !hints?.length; await sleep(50))
      hints = await server.connection.sendRequest<unknown[] | null>('textDocument/inlayHint', {
        textDocument: { uri },
        range,
      });
    expect(hints?.length).toBeGreaterThan(3);
    expect(await server.close()).toBe(0);
  });
});

describe('the recorder', () => {
  /** With which flags `insitu record` comes to run, one list a start, and what else it says. */
  function starts(
    node: readonly string[],
    more = '',
  ): { flags: string[][]; pids: number; status: number | null; err: string } {
    const [preload, told] = [join(installed.folder, 'starts.cjs'), join(installed.folder, 'starts.txt')];
    const tells = `JSON.stringify([process.pid, ...process.execArgv]) + '\\n'`;
    writeFileSync(preload, `${more}\nrequire('node:fs').appendFileSync(${JSON.stringify(told)}, ${tells});\n`);
    rmSync(told, { force: true });
    const launcher = join(installed.package, 'dist/bin/insitu.cjs');
    const { status, stdout, stderr } = spawnSync('node', [...node, launcher, 'record', '--print-settings'], {
      cwd: installed.folder,
      env: { ...installed.env, NODE_OPTIONS: `--require ${preload}` },
      encoding: 'utf8',
    });
    expect(stdout).toContain('jdk.ExecutionSample');
    const lines = readFileSync(told, 'utf8').trimEnd().split('\n');
    const found = lines.map(line => JSON.parse(line) as [number, ...string[]]);
    const pids = new Set(found.map(([pid]) => pid)).size;
    return { flags: found.map(([, ...flags]) => flags), pids, status, err: stderr };
  }
  const flag = '--no-concurrent-recompilation';

  test('compiles on its main thread, in the process that was started, and keeps the flags it was given', () => {
    expect(starts([])).toEqual({ flags: [[], [flag]], pids: 1, status: 0, err: '' });
    const own = '--stack-trace-limit=20';
    expect(starts([own])).toEqual({ flags: [[own], [flag, own]], pids: 1, status: 0, err: '' });
  });

  test('has an allocator that gives memory back, unless somebody has decided about that', () => {
    const preload = join(installed.folder, 'allocation.cjs');
    writeFileSync(preload, 'process.execArgv.length && console.error(process.env.MALLOC_TRIM_THRESHOLD_);');
    const trims = (own: NodeJS.ProcessEnv) =>
      run(installed, 'insitu', ['record', '--print-settings'], {
        ...installed.env,
        ...own,
        NODE_OPTIONS: `--require ${preload}`,
      }).err;
    expect(trims({})).toBe('262144\n');
    expect(trims({ MALLOC_TRIM_THRESHOLD_: '1000000' })).toBe('1000000\n');
  });

  test.each([flag, '--concurrent-recompilation'])('leaves it at what it is told: %s', own => {
    expect(starts([own])).toEqual({ flags: [[own]], pids: 1, status: 0, err: '' });
  });

  test('runs where it cannot begin anew', () => {
    const gone = "Object.defineProperty(process, 'execPath', { value: '/nowhere/node' });";
    expect(starts([], gone)).toEqual({ flags: [[]], pids: 1, status: 0, err: '' });
    expect(starts([], 'process.execve = undefined;')).toEqual({ flags: [[]], pids: 1, status: 0, err: '' });
  });
});

describe('an old Node.js', () => {
  const message = (command: string, old: string): RegExp =>
    new RegExp(
      `^${command} needs Node\\.js 22\\.18 or newer, this is ${old.replaceAll('.', '\\.')} .*\nInstall a newer Node\\.js`,
    );

  test.each(['v8.17.0', 'v20.20.2', 'v22.17.1'])('%s is told what to do', old => {
    const preload = join(installed.folder, 'old.cjs');
    writeFileSync(preload, `Object.defineProperty(process, 'version', { value: '${old}' });\n`);
    for (const command of ['insitu', 'insitu-lsp']) {
      const { status, out, err } = run(installed, command, ['--version'], {
        ...installed.env,
        NODE_OPTIONS: `--require ${preload}`,
      });
      expect({ status, out }).toEqual({ status: 2, out: '' });
      expect(err).toMatch(message(command, old));
    }
  });

  test('the oldest one supported is not turned away', () => {
    const preload = join(installed.folder, 'oldest.cjs');
    writeFileSync(preload, "Object.defineProperty(process, 'version', { value: 'v22.18.0' });\n");
    expect(
      run(installed, 'insitu', ['--version'], { ...installed.env, NODE_OPTIONS: `--require ${preload}` }).status,
    ).toBe(0);
  });

  test('any that is on this machine is told, too', () => {
    const folders = (process.env.PATH ?? '').split(delimiter).filter(folder => !folder.includes('node_modules'));
    for (const node of globSync(folders.map(folder => join(folder, 'node')))) {
      const env = { ...installed.env, PATH: [dirname(node), '/usr/bin', '/bin'].join(delimiter) };
      const { status, err } = run(installed, 'insitu', ['--version'], env);
      if (status !== 0)
        expect({ status, err }).toEqual({ status: 2, err: expect.stringMatching(/^insitu needs Node\.js 22\.18/) });
    }
  });

  test('can read the launchers: they use no syntax newer than ES5', async () => {
    const launchers = globSync('dist/bin/*.cjs', { cwd: installed.package });
    expect(launchers).toHaveLength(5);
    for (const file of launchers)
      await transform(readFileSync(join(installed.package, file), 'utf8'), { target: 'es5', loader: 'js' });
  });
});
