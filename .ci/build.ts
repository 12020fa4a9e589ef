// Makes `dist/`: the page of pictures, one CommonJS bundle for the command line, one for the proxy in front of a Java server, one for each worker thread and for each part that is loaded only when it is used, the two launchers, and the types of messages.
import { chmodSync, cpSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Metafile, type Plugin } from 'esbuild';
import { protocolTypes, viewTypes } from './package-types.ts';
import { buildPage } from './page.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Bundle name → its entry file, relative to the root of the checkout. */
export function bundleEntries(folder: string): Record<string, string> {
  const entries: Record<string, string> = { insitu: 'server/cli/main.ts', wrap: 'server/cli/wrap.ts' };
  for (const entry of [...workerEntries(folder), ...globSync('server/**/*-chunk.ts', { cwd: folder }).sort()]) {
    const name = basename(entry, '.ts');
    if (name in entries) throw new Error(`two bundles are called ${name}: ${entries[name]} and ${entry}`);
    entries[name] = entry;
  }
  return entries;
}

/** The files that some `workerUrl('./…-worker.ts', …)` names. */
function workerEntries(folder: string): string[] {
  const entries = new Set<string>();
  for (const file of globSync('server/**/*.ts', { cwd: folder })) {
    const text = readFileSync(join(folder, file), 'utf8');
    for (const [, source] of text.matchAll(/\bworkerUrl\(\s*'([^']+-worker\.ts)'/g))
      entries.add(join(dirname(file), source ?? ''));
  }
  return [...entries].sort();
}

/** `await import('./x-chunk.ts')` stays what it is: a bundle beside this one, read when it is reached. */
const chunksApart: Plugin = {
  name: 'chunks apart',
  setup({ onResolve }) {
    onResolve({ filter: /-chunk\.ts$/ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path: `./${basename(path, '.ts')}.cjs`, external: true } : null,
    );
  },
};

/** Builds the checkout in `folder` into its `dist/`, which is replaced only when everything succeeded. */
export async function buildAll(folder: string): Promise<void> {
  const target = join(folder, 'dist');
  const fresh = join(folder, '.cache', `dist-${process.pid}`);
  try {
    const result = await build({
      absWorkingDir: folder,
      entryPoints: bundleEntries(folder),
      outdir: fresh,
      outExtension: { '.js': '.cjs' },
      bundle: true,
      platform: 'node',
      // vscode-languageserver does not survive an ES module bundle ("Dynamic require of node:util").
      format: 'cjs',
      target: 'node22.18',
      // Some packages' "main" loads its parts in ways that a bundler does not see; their "module" does not.
      mainFields: ['module', 'main'],
      // A compiled accelerator which msgpackr can do without.
      external: ['msgpackr-extract'],
      define: { 'import.meta.url': 'bundleUrl' },
      banner: { js: `const bundleUrl = require('node:url').pathToFileURL(__filename).href;` },
      plugins: [chunksApart],
      metafile: true,
      logLevel: 'warning',
    });
    const page = await buildPage(folder, join(fresh, 'web'));
    mkdirSync(join(fresh, 'bin'), { recursive: true });
    for (const launcher of ['begin-anew.cjs', 'check-node.cjs', 'insitu.cjs', 'insitu-lsp.cjs', 'start-lsp.cjs']) {
      cpSync(join(folder, 'server/cli/bin', launcher), join(fresh, 'bin', launcher));
      if (launcher.startsWith('insitu')) chmodSync(join(fresh, 'bin', launcher), 0o755);
    }
    cpSync(join(folder, 'server/track/TestRunner.java'), join(fresh, 'TestRunner.java'));
    writeFileSync(join(fresh, 'protocol.d.ts'), protocolTypes(folder));
    writeFileSync(join(fresh, 'views.d.ts'), viewTypes(folder));
    mkdirSync(join(fresh, 'man'));
    writeFileSync(join(fresh, 'man', 'insitu.1'), await manual(folder));
    writeFileSync(join(fresh, 'THIRD-PARTY-LICENSES.txt'), licences(folder, result.metafile, page));
    writeFileSync(join(fresh, '.built'), '');
    replaceFolder(target, fresh);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** Loaded here alone: nothing else of a build needs the program. */
async function manual(folder: string): Promise<string> {
  const { wholeProgram } = await import('../server/cli/program.ts');
  const { manualPage } = await import('../server/cli/manual.ts');
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  const ignore = () => undefined;
  return manualPage(await wholeProgram({ out: ignore, err: ignore, data: ignore }), version);
}

/** Another build may put its folder in place at the same moment: then this one comes after it. */
function replaceFolder(target: string, fresh: string): void {
  for (let attempt = 1; ; attempt++) {
    rmSync(target, { recursive: true, force: true });
    try {
      renameSync(fresh, target);
      return;
    } catch (error) {
      if (attempt === 5) throw error;
    }
  }
}

/** The licence texts of every package that is part of a bundle. */
export function licences(folder: string, ...metafiles: readonly Metafile[]): string {
  const packages = new Set<string>();
  for (const input of metafiles.flatMap(({ inputs }) => Object.keys(inputs))) {
    const found = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input);
    if (found !== null) packages.add(found[0]);
  }
  return [...packages]
    .sort()
    .map(name => licenceOf(join(folder, name)))
    .join('\n\n');
}

function licenceOf(packageFolder: string): string {
  const about = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
    license?: string;
  };
  const file = globSync('{LICENSE,LICENCE,License,license}{,.md,.txt}', { cwd: packageFolder })[0];
  const text = file === undefined ? '' : `\n\n${readFileSync(join(packageFolder, file), 'utf8').trim()}`;
  return `==== ${about.name} ${about.version} (${about.license ?? 'licence not named'})${text}`;
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await buildAll(root);
  console.error(`built ${join(root, 'dist')}`);
}
