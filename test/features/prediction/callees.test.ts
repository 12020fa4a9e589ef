// Tests which timed method a call means: by the receiver, the calls of the recorded text, and the callers that were recorded.
import { expect, test } from 'vitest';
import { data, MS, mixture, predicted, predictedOf, RECORDED, TIMES, type Timed, terms } from './edited-shop.ts';

/** A timed method; calls of `rank` come from a bridge that was not timed. */
function proxied([method, caller, ...times]: Timed): Timed {
  return [method, method === 'rank' ? 'bridge' : caller, ...times];
}

test('of several classes behind a receiver: the mixture of what ran there, and of another receiver unknown', async () => {
  const recorded = RECORDED.replace('find(word);', 'task.find(word);');
  const mixed = (edit: (text: string) => string) => predictedOf(recorded, edit, mixture());
  const found = await mixed(text => text.replace('task.find(word);', 'task.find(word);\n      task.find(word);'));
  // 30 finds of 6 ms and 20 of 11 ms in ten runs.
  expect(terms(found)).toEqual([['find', 'added', 5, 5, 8]]);
  expect(found.methods[0]).toMatchObject({ change: 40 * MS, reliability: 'likely' });
  const other = await mixed(text => text.replace('task.find(word);', 'task.find(word);\n      other.find(word);'));
  expect(other.methods[0]!.terms[0]).toMatchObject({ cost: null, reason: '2 methods are called so' });
  const named = await mixed(text => text.replace('    save();', '    Other.find("a");\n    save();'));
  expect(terms(named)).toEqual([['Other.find', 'added', 1, 1, 11]]);
});

test('the name of a class means no method of another class that was timed', async () => {
  for (const type of ['Ranks', 'java.util.stream.IntStream']) {
    const found = await predicted(text => text.replace('    save();', `    ${type}.rank("a");\n    save();`));
    expect(found.methods[0]!.terms[0]).toMatchObject({
      callee: 'rank',
      cost: null,
      reason: 'its calls were not timed',
    });
  }
  // `find` is called from here, but by no such call.
  const called = await predicted(text => text.replace('    save();', '    Finds.find("a");\n    save();'));
  expect(called.methods[0]!.terms[0]).toMatchObject({ callee: 'find', cost: null });
  const constant = await predicted(text => text.replace('    save();', '    RANKS.rank("a");\n    save();'));
  expect(terms(constant)).toEqual([['Shop.rank', 'added', 1, 1, 3]]);
});

test('the type of a method reference means overriding methods too, where it has no timed method itself', async () => {
  const given = (reference: string) =>
    predicted(text =>
      text.replace('    save();', `    java.util.List.of("a", "b").forEach(${reference});\n    save();`),
    );
  expect(terms(await given('Ranked::rank'))).toEqual([['Shop.rank', 'added', 2, 2, 3]]);
  const two = (type: string) =>
    predictedOf(
      RECORDED,
      text => text.replace('    save();', `    java.util.List.of("a", "b").forEach(${type}::find);\n    save();`),
      mixture(),
    );
  expect(terms(await two('Other'))).toEqual([['Other.find', 'added', 2, 2, 11]]);
  expect((await two('Task')).methods[0]!.terms[0]).toMatchObject({ cost: null, reason: '2 methods are called so' });
});

test('a call that the method had without leading to the timed method of that name is of another one', async () => {
  const recorded = RECORDED.replace('    save();', '    index.rank("a");\n    save();').replace(/ +void rank.*\n/, '');
  const again = (call: string) =>
    predictedOf(recorded, text => text.replace('    save();', `    ${call}\n    save();`), data());
  // It took at most the time of `run` that no timed callee took, which is none.
  expect((await again('index.rank("b");')).methods).toEqual([]);
  expect(terms(await again('other.rank("b");'))).toEqual([['Shop.rank', 'added', 1, 1, 3]]);
  const inLoop = recorded.replace('index.rank', 'for (String word : words) index.rank');
  const once = await predictedOf(inLoop, text => text.replace('    load();', '    index.rank("a");'), data());
  expect(terms(once).filter(([callee]) => callee === 'Shop.rank')).toEqual([]);
});

test.each([
  ['in a branch', 'if (words.isEmpty()) index.rank("a");'],
  ['in a branch in a loop', 'for (String word : words) if (word.isEmpty()) index.rank("a");'],
  ['in a condition', 'if (words.isEmpty() && index.rank("a")) words.clear();'],
  ['in a catch', 'try { words.clear(); } catch (UnsupportedOperationException failed) { index.rank("a"); }'],
  ['behind an exit', 'if (words.isEmpty()) return;\n    index.rank("a");'],
])('a call that perhaps never ran while recorded is of the timed method of its name: %s', async (_, call) => {
  const recorded = RECORDED.replace('    save();', `    ${call}\n    save();`).replace(/ +void rank.*\n/, '');
  const found = await predictedOf(recorded, text => text.replace('    load();', '    index.rank("a");'), data());
  expect(terms(found)).toContainEqual(['Shop.rank', expect.any(String), expect.any(Number), expect.any(Number), 3]);
});

test('a call that went through a proxy, which was not timed, is of the timed method of its name', async () => {
  const recorded = RECORDED.replace('    save();', '    index.rank("a");\n    save();').replace(/ +void rank.*\n/, '');
  const inLoop = (text: string) => text.replace('index.rank', 'for (int i = 0; i < 5; i++) index.rank');
  const found = await predictedOf(recorded, inLoop, data(TIMES.map(proxied)));
  expect(terms(found)).toEqual([['Shop.rank', 'more or less often', 4, 4, 3]]);
});
