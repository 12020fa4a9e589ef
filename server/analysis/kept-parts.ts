// Parts of pictures that are worked out for one look at a Dataset stay, so that zooming and panning ask for what is new alone.
import { LRUCache } from 'lru-cache';
import type { Pause } from '../base/pause.ts';
import type { MethodTable } from '../cct/profile.ts';
import { isPlatformOrUnknown, packageOf } from '../mapping/platform-classes.ts';
import type { Analysis } from '../metrics/analysis.ts';
import { mergedRecursion } from '../metrics/parts/merged-recursion.ts';
import { Parts, type PartsWish } from '../metrics/parts/parts.ts';
import { type WalkedTree, walkedTree } from '../metrics/parts/walked-tree.ts';
import { isTimeType } from '../model/time-types.ts';

export type KeptPartsWish = Omit<PartsWish, 'library'> & {
  /** Whether recursion is merged. */
  readonly recursion: boolean;
  /** Whether what libraries call in libraries is folded. */
  readonly library: boolean;
  /** Packages that are no libraries; null where they are not known: then only the platform is one. */
  readonly own: readonly string[] | null;
};

/** Nodes in all parts that are kept: 16 bytes each at most. */
const MOST_NODES = 4_000_000;

export class KeptParts {
  readonly #kept = new LRUCache<string, Parts>({ maxSize: MOST_NODES, max: 6, maxEntrySize: Number.MAX_SAFE_INTEGER });
  #merged: WalkedTree | null = null;
  #libraries: { readonly key: string; readonly library: Uint8Array } | null = null;

  of(analysis: Analysis, wish: KeptPartsWish, pause: Pause): Parts {
    const key = keyOf(wish);
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const { direction, methods } = wish;
    const library = wish.library ? this.libraryOf(analysis.profile.methods, wish.own) : null;
    return new Parts(this.#treeOf(analysis, wish.recursion, pause), { direction, methods, library }, pause);
  }

  /** Called when a question is answered: by then it is known how much the parts hold. */
  keep(wish: KeptPartsWish, parts: Parts): void {
    const key = keyOf(wish);
    this.#kept.delete(key);
    this.#kept.set(key, parts, { size: Math.max(1, Math.min(parts.held, MOST_NODES)) });
  }

  /** As if nothing had been asked. */
  forget(): void {
    this.#kept.clear();
    this.#merged = null;
  }

  /** One byte a method row: 1 where its class is in none of the packages. */
  libraryOf(methods: MethodTable, own: readonly string[] | null): Uint8Array {
    const key = JSON.stringify(own);
    if (this.#libraries?.key !== key) this.#libraries = { key, library: librariesIn(methods, own) };
    return this.#libraries.library;
  }

  #treeOf(analysis: Analysis, recursion: boolean, pause: Pause): WalkedTree {
    const walked = walkedTree(analysis);
    if (!recursion) return walked;
    this.#merged ??= mergedRecursion(analysis, walked, pause);
    return this.#merged;
  }
}

function keyOf({ direction, methods, recursion, library, own }: KeptPartsWish): string {
  return JSON.stringify([direction, methods, recursion, library && own, library]);
}

/** Packages of which no class ran say nothing about this program: then the platform is the only library. */
function librariesIn({ strings, className, name, length }: MethodTable, own: readonly string[] | null): Uint8Array {
  const packages = new Set(own);
  // The root's class has no name, and is in no package.
  const isOf = (at: number) => strings[at] !== '' && packages.has(packageOf(strings[at]!));
  const isKnown = packages.size > 0 && className.some(isOf);
  // No library has classes without a package.
  const isOwn = (at: number) => isOf(at) || (strings[at] !== '' && packageOf(strings[at]!) === '');
  const isLibrary = (at: number): boolean => (isKnown ? !isOwn(at) : isPlatformOrUnknown(strings[at]!));
  const libraries = new Map<number, boolean>();
  const library = new Uint8Array(length);
  for (let row = 0; row < length; row++) {
    const at = className[row]!;
    if (!libraries.has(at)) libraries.set(at, isLibrary(at));
    // A time type says what its thread did, whatever frame it stands below.
    if (libraries.get(at) === true && !isTimeType(strings[at]!, strings[name[row]!]!)) library[row] = 1;
  }
  return library;
}
