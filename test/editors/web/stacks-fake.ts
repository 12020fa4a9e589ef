// Stacks of a program that never ran, for tests of the page: packages, libraries, recursion, threads and windows of time from one seed.
import type { MethodInfo } from 'insitu/views';

/** One sampled stack, root first. */
export type FakeStack = {
  readonly frames: readonly FakeMethod[];
  readonly count: number;
  readonly thread: string;
  /** Number of the window of time. */
  readonly window: number;
};
export type FakeMethod = MethodInfo & { readonly parameters: string };

export const WINDOW_MILLIS = 60_000;
export const FIRST_MOMENT = Date.UTC(2026, 10, 23, 12);
export const WINDOWS = 12;

/** From 0 to 1, the same for a seed. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** 8 characters of base64url, as the contract wants keys. */
export function fakeMethod(className: string, name: string, library = false): FakeMethod {
  let hash = 0x811c9dc5;
  for (const character of `${className}#${name}`)
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  const key = Buffer.from(`${hash.toString(16).padStart(8, '0')}`.slice(0, 6)).toString('base64url');
  return { key, className, name, parameters: 'int', library };
}

const OWN = [
  'shop.Shop',
  'shop.search.Ranker',
  'shop.search.Index',
  'shop.orders.OrderService',
  'shop.orders.Basket',
  'shop.stock.Warehouse',
];
const LIBRARY = [
  'org.springframework.web.Dispatcher',
  'org.springframework.aop.Proxy',
  'java.util.HashMap',
  'java.util.stream.Pipeline',
  'com.fasterxml.jackson.Parser',
];
const VERBS = ['search', 'place', 'rank', 'handle', 'find', 'load', 'parse', 'get', 'apply', 'invoke', 'walk', 'merge'];

function methodsOf(classes: readonly string[], library: boolean): FakeMethod[] {
  return classes.flatMap(name => VERBS.map(verb => fakeMethod(library ? name : `com.acme.${name}`, verb, library)));
}

/** `most`: how many stacks. Frames at the root end are shared, as those of real programs are. */
export function fakeStacks(most: number, seed = 1): FakeStack[] {
  const random = seeded(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() ** 3 * items.length)] as Item;
  const [own, library] = [methodsOf(OWN, false), methodsOf(LIBRARY, true)];
  const callees = new Map<string, FakeMethod[]>();
  const next = ({ key, library: inLibrary }: FakeMethod): FakeMethod => {
    let known = callees.get(key);
    if (known === undefined) {
      known = Array.from({ length: 2 + Math.floor(random() * 6) }, () =>
        pick(random() < (inLibrary ? 0.7 : 0.45) ? library : own),
      );
      callees.set(key, known);
    }
    return pick(known);
  };
  const entries = [
    fakeMethod('java.lang.Thread', 'run', true),
    fakeMethod('com.acme.shop.Main', 'main'),
    fakeMethod('com.acme.shop.jobs.Cleaner', 'run'),
  ];
  return Array.from({ length: most }, () => {
    const frames = [pick(entries)];
    const depth = 3 + Math.floor(random() * 22);
    while (frames.length < depth) frames.push(next(frames.at(-1) as FakeMethod));
    return {
      frames,
      count: 1 + Math.floor(random() * 20),
      thread: `${pick(['http-exec-#', 'scheduler-#', 'main'])}`,
      window: Math.floor(random() * WINDOWS),
    };
  });
}
