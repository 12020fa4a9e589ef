// Tests whether the code of two versions has the call of a method in common.
import { expect, test } from 'vitest';
import { outlineOf } from '../../../grammar/parse.ts';
import { callsIn, isOnBothSides } from '../../../server/workspace/code/code-calls.ts';

/** Whether `match` called a method in the version of `Shop` before, which it calls now. */
function wasThere(before: string, now: string, method: string, descriptor: string | null = null): boolean {
  const [there, here] = [before, now].map(member => {
    const text = `package acme;\nclass Shop extends acme.Base<String> {\n  ${member}\n}\n`;
    const outline = outlineOf(text, 'Shop.java');
    return callsIn(
      text,
      outline,
      outline.declarations.findIndex(({ parent }) => parent === 0),
    );
  });
  const dot = method.lastIndexOf('.');
  return isOnBothSides(here!, there!, { className: method.slice(0, dot), method: method.slice(dot + 1), descriptor });
}

const body = (code: string) => `void match() { ${code} }`;
const isKept = (before: string, now: string, method: string, descriptor: string | null = null) =>
  wasThere(body(before), body(now), method, descriptor);

test('a call beside a call of the same name for another receiver is new', () => {
  expect(isKept('cache.get(k);', 'cache.get(k); index.get(k);', 'acme.Index.get')).toBe(false);
  expect(isKept('cache.get(k);', 'cache.get(k); find(k).get(k);', 'acme.Index.get')).toBe(false);
  expect(isKept('cache.get(k);', 'int a = 1; cache.get(k);', 'acme.Cache.get')).toBe(true);
  expect(isKept('cache.get(k);', 'c.get(k);', 'acme.Cache.get')).toBe(true);
  expect(isKept('cache.get(k); index.get(k);', 'index.get(k);', 'acme.Index.get')).toBe(true);
  expect(isKept('', 'index.get(k);', 'acme.Index.get')).toBe(false);
});

test('a call that is written once more is not new', () => {
  expect(isKept('pack();', 'pack(); pack();', 'acme.Shop.pack')).toBe(true);
  expect(isKept('this.cache.get(k);', 'this.cache . get(k); this.cache.get(j);', 'acme.Cache.get')).toBe(true);
  expect(isKept('at(1).get(k);', 'at(1).get(k); at(2).get(k);', 'acme.Cache.get')).toBe(false);
});

test('a call with another number of arguments is another one, unless the last parameter is an array', () => {
  expect(isKept('pack(a);', 'pack(a, b);', 'acme.Shop.pack', '(II)V')).toBe(false);
  expect(isKept('pack(a);', 'pack(a); pack(a, b);', 'acme.Shop.pack', '(I)V')).toBe(true);
  expect(isKept('log(a);', 'log(a); log(a);', 'acme.Shop.log', '(I[Ljava/lang/Object;)V')).toBe(true);
  expect(isKept('log(a, b, c);', 'int x; log(a, b, c);', 'acme.Shop.log', '(I[Ljava/lang/Object;)V')).toBe(true);
  expect(isKept('f(Shop::pack);', 'int x; f(Shop::pack);', 'acme.Shop.pack', '(II)V')).toBe(true);
});

test('a lambda beside another one is new', () => {
  expect(isKept('f(() -> a());', 'int x; f(() -> b());', 'acme.Shop.lambda$match$0')).toBe(true);
  expect(isKept('f(() -> a());', 'f(() -> a()); g(() -> b());', 'acme.Shop.lambda$match$1')).toBe(false);
});

test('a constructor is called by new, by a reference, by this and by super', () => {
  expect(isKept('new Box();', 'int x; new Box();', 'acme.Box.<init>', '()V')).toBe(true);
  expect(isKept('new Box();', 'new Box(1);', 'acme.Box.<init>', '(I)V')).toBe(false);
  expect(isKept('new Box();', 'int x; new Box();', 'acme.Shop$Box.<init>', '(Lacme/Shop;)V')).toBe(true);
  for (const reference of ['Box::new', 'Box<String>::new', 'acme.Box::new'])
    expect(isKept(`f(${reference});`, `int x; f(${reference});`, 'acme.Box.<init>')).toBe(true);
  expect(isKept('f(Bag::new);', 'f(Bag::new); f(Box::new);', 'acme.Box.<init>')).toBe(false);
  const made = (call: string) => `Shop(int a) { ${call} }`;
  expect(wasThere(made('this(1, 2);'), made('this(1, 2); run();'), 'acme.Shop.<init>', '(II)V')).toBe(true);
  expect(wasThere(made('super(a);'), made('super(a); run();'), 'acme.Base.<init>', '(I)V')).toBe(true);
  expect(wasThere(made(''), made('super(a);'), 'acme.Base.<init>', '(I)V')).toBe(false);
});

test('code that was made to keep an expression busy does not', () => {
  const text = `class Shop { Object match = ${'a<'.repeat(200_000)}::new; }`;
  const at = text.indexOf('::new');
  const { callSites, declarations, ...outline } = outlineOf('class Shop { Object match = a(Box::new); }', 'Shop.java');
  const reference = callSites.find(({ kind }) => kind === 'methodReference')!;
  const nameSpan = { start: at + 2, end: at + 5 };
  const found = callsIn(
    text,
    { ...outline, declarations, callSites: [{ ...reference, nameSpan, openParenthesis: at }] },
    reference.declaration,
  );
  expect(found).toHaveLength(1);
});
