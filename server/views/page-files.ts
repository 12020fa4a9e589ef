// The three files of the page of pictures, read once from where the build puts them.
import { readFileSync } from 'node:fs';

/** By the path that they are got from. */
export type PageFiles = ReadonlyMap<string, { readonly type: string; readonly bytes: Uint8Array<ArrayBuffer> }>;

const FILES = [
  ['/', 'index.html', 'text/html; charset=utf-8'],
  ['/page.js', 'page.js', 'text/javascript; charset=utf-8'],
  ['/page.css', 'page.css', 'text/css; charset=utf-8'],
] as const;

/** In place of a page that was not built, as it is not in a fresh checkout. */
const NOT_BUILT = 'The page of pictures was not built: npm run build makes it.\n';

/** @param caller `import.meta.url` of the bundle, beside which the files stand, or of a source in `server/views/`. */
export function readPageFiles(caller: string): PageFiles {
  const folder = new URL(caller.endsWith('.ts') ? '../../dist/web/' : './web/', caller);
  try {
    return new Map(
      FILES.map(([path, name, type]) => [path, { type, bytes: new Uint8Array(readFileSync(new URL(name, folder))) }]),
    );
  } catch {
    return new Map([['/', { type: 'text/plain; charset=utf-8', bytes: new TextEncoder().encode(NOT_BUILT) }]]);
  }
}
