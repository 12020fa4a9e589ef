// The bundle of each worker thread holds the layers and rooms that its work needs, and no others.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { bundleEntries } from '../../.ci/build.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Bundle name → layers, and rooms, of the modules that a bundler puts into it. */
async function foldersOf(entryPoints: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const { metafile } = await build({
    ...{ absWorkingDir: root, entryPoints, outdir: 'bundles', bundle: true, write: false, metafile: true },
    ...{ platform: 'node', format: 'cjs', packages: 'external', external: ['*-chunk.ts'], logLevel: 'error' },
    define: { 'import.meta.url': 'bundleUrl' },
  });
  const folders = Object.entries(metafile.outputs).map(([output, { inputs }]) => {
    const all = Object.keys(inputs).map(path => /^(?:server\/)?((?:capabilities\/)?[^/]+)/.exec(path)![1]!);
    return [output.replace(/^bundles\/|\.js$/g, ''), [...new Set(all)].sort().join(' ')];
  });
  return Object.fromEntries(folders);
}

test('each worker thread', async () => {
  const workers = Object.entries(bundleEntries(root)).filter(([name]) => name.endsWith('-worker'));
  expect(await foldersOf(Object.fromEntries(workers))).toEqual({
    'import-worker': 'base cct grammar ingest mapping model snapshot store workspace',
    'load-worker': 'analysis base cct grammar ingest mapping metrics model snapshot store workspace',
    'question-worker':
      'analysis base capabilities/compare capabilities/typed cct grammar ingest mapping metrics model snapshot store',
    'read-worker': 'base cct ingest model',
    'sources-worker': 'base cct grammar mapping snapshot store workspace',
  });
});
