// Where a worker thread's entry file is, in the sources and in the bundles.
import { childSlots } from './child-ends.ts';
import { keepWrappers } from './engine.ts';

/**
 * The URL to give to `new Worker(…)`.
 *
 * Worker entries are the files named `*-worker.ts`, each name used once in the whole project. In the sources they stand
 * where they are written; the build puts each as one bundle beside the others: `dist/<name>-worker.cjs`.
 *
 * @param source the entry relative to the caller: `./read-worker.ts`.
 * @param caller the caller's `import.meta.url`, which in a bundle is the bundle's own.
 */
export function workerUrl(source: `${string}-worker.ts`, caller: string): URL {
  // The thread has them in common with this one.
  childSlots();
  if (caller.endsWith('.ts')) {
    keepWrappers();
    return new URL(source, caller);
  }
  const name = source.slice(source.lastIndexOf('/') + 1, -'.ts'.length);
  return new URL(`./${name}.cjs`, caller);
}
