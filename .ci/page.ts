// Makes the page of pictures: three files, for the server to hold in memory and for editors to show.
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Metafile } from 'esbuild';

const FILES = ['index.html', 'page.css', 'page.js'] as const;
/** All three together, packed by gzip: the page is loaded over slow tunnels too. */
const MOST_BYTES = 150_000;

/** Builds `clients/web/` of the checkout in `folder` into `target`, and says what is in it. Fails when the page is too large. */
export async function buildPage(folder: string, target: string): Promise<Metafile> {
  mkdirSync(target, { recursive: true });
  const { metafile } = await build({
    absWorkingDir: folder,
    entryPoints: ['clients/web/src/page.tsx', 'clients/web/styles/page.css'],
    entryNames: '[name]',
    outdir: target,
    tsconfig: 'clients/web/tsconfig.json',
    bundle: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    target: ['chrome120', 'firefox121', 'safari17.2'],
    metafile: true,
    logLevel: 'warning',
  });
  copyFileSync(join(folder, 'clients/web/index.html'), join(target, 'index.html'));
  const bytes = FILES.reduce((sum, file) => sum + gzipSync(readFileSync(join(target, file)), { level: 9 }).length, 0);
  if (bytes > MOST_BYTES) throw new Error(`the page has ${bytes} bytes packed, more than ${MOST_BYTES}`);
  return metafile;
}
