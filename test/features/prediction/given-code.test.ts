// Tests how often code runs that is given to a call: lambdas and method references, by examples.
import { describe, expect, test } from 'vitest';
import { type Counts, toldOf } from './edited-run.ts';

const EACH = 'for (String word : words) { store.find(word); }';

describe('code that is given to a call', () => {
  const ADDED: readonly (readonly [what: string, after: string, wanted: string])[] = [
    ['once an element', 'words.forEach(word -> store.rank(word));', '≈ + ?, unknown'],
    ['of a list in the text', 'java.util.List.of("a", "b").forEach(word -> store.rank(word));', '≈ +6 ms, likely'],
    ['of numbers', 'IntStream.range(0, 5).forEach(i -> store.rank(i));', '≈ +15 ms, likely'],
    ['of closed numbers', 'IntStream.rangeClosed(1, TOP).mapToObj(i -> store.rank(i)).toList();', '≈ +12 ms, likely'],
    ['filtered before', 'IntStream.range(0, 5).filter(i -> i > 2).forEach(i -> store.rank(i));', '≤ +15 ms, rough'],
    [
      'until one is found',
      'Stream.of("a", "b", "c").map(word -> store.rank(word)).findFirst();',
      '≈ +3 ms to +9 ms, rough',
    ],
    ['without a terminal operation', 'KINDS.stream().map(word -> store.rank(word));', ''],
    ['where a stream has none', 'words.stream().findFirst().orElseGet(() -> store.rank(1));', '≤ +3 ms, rough'],
    ['of what a stream found', 'words.stream().findFirst().map(word -> store.rank(word));', '≤ +3 ms, rough'],
    ['in parallel', 'KINDS.parallelStream().forEach(word -> store.rank(word));', '≈ + ?, unknown'],
    ['of a cache', 'cache.computeIfAbsent(count, key -> store.rank(key));', '≤ +3 ms, rough'],
    ['on another thread', 'CompletableFuture.supplyAsync(() -> store.rank(1));', '≈ + ?, unknown'],
    ['kept', 'Runnable later = () -> store.rank(1);', '≈ + ?, unknown'],
    ['as a method reference', 'KINDS.forEach(store::rank);', '≈ +9 ms, likely'],
  ];
  test.each(ADDED)('%s', async (_, after, wanted) => {
    expect(await toldOf('words.size();', after, {})).toBe(wanted);
  });
  const MOVED: readonly (readonly [what: string, before: string, after: string, counts: Counts, wanted: string])[] = [
    ['a loop that became a stream', EACH, 'words.forEach(word -> store.find(word));', { find: 5 }, ''],
    [
      'a loop over constants that became a stream',
      'for (String kind : KINDS) { words.add(store.load(kind.length())); }',
      'KINDS.stream().map(kind -> store.load(kind.length())).forEach(words::add);',
      { load: 3 },
      '',
    ],
    [
      'a call that moves into one',
      'store.load(1);',
      'words.forEach(word -> store.load(1));',
      { load: 1 },
      '≈ ?, unknown',
    ],
    [
      'a call that moves to another thread',
      'store.load(1);',
      'CompletableFuture.supplyAsync(() -> store.load(1));',
      { load: 1 },
      '≈ ?, unknown',
    ],
    [
      'a call that moves into a cache',
      'store.load(1);',
      'cache.get(count, key -> store.load(key));',
      { load: 1 },
      '≥ −10 ms, rough',
    ],
    ['a call out of a lambda', 'words.forEach(word -> store.find(word));', 'store.find(words);', {}, '≈ ?, unknown'],
    [
      'a call of a lambda that is gone',
      'store.load(1); java.util.List.of(1, 2).forEach(word -> store.find(word));',
      'store.load(1);',
      { load: 1 },
      '≈ −4 ms, likely',
    ],
  ];
  test.each(MOVED)('%s', async (_, before, after, counts, wanted) => {
    expect(await toldOf(before, after, counts)).toBe(wanted);
  });
});
