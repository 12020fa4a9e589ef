// Checks that every notation of a frame gives its method, and that symbols of native code stay without a class.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { METHOD_FLAG } from '../../server/cct/profile.ts';
import { parseFrames } from '../../server/ingest/frame-grammar.ts';

const parseFrame = (text: string) => parseFrames(text)[0]!;

import { runs } from '../support/runs.ts';

const read = (text: string) => {
  const { className, name, descriptor, line, flags } = parseFrame(text);
  return `${className === '' ? '' : `${className}#`}${name}${descriptor ?? ''}${line === 0 ? '' : ` ${line}`}${flags & METHOD_FLAG.foreign ? ' native' : ''}`;
};

// Frames of Java with their readings.
const JAVA: readonly (readonly [text: string, reading: string])[] = [
  ['shop.cart.Cart.add', 'shop.cart.Cart#add'],
  ['shop/cart/Cart.add', 'shop.cart.Cart#add'],
  ['shop/cart/Cart.add_[j]', 'shop.cart.Cart#add'],
  ['shop/cart/Cart.<init>_[1]', 'shop.cart.Cart#<init>'],
  ['shop.cart.Cart::add', 'shop.cart.Cart#add'],
  ['shop/cart/Cart::add', 'shop.cart.Cart#add'],
  ['shop/cart/Cart:::add_[i]', 'shop.cart.Cart#add'],
  ['Lshop/cart/Cart:::add', 'shop.cart.Cart#add'],
  ['shop/cart/Cart:.add', 'shop.cart.Cart#add'],
  ['Lshop/cart/Cart;::add', 'shop.cart.Cart#add'],
  ['Lshop/cart/Cart;.add', 'shop.cart.Cart#add'],
  ['class shop.cart.Cart.add', 'shop.cart.Cart#add'],
  ['int shop.cart.Cart.add(long, java.lang.String[])', 'shop.cart.Cart#add(J[Ljava/lang/String;)I'],
  ['public static void shop.cart.Cart.main(java.lang.String...)', 'shop.cart.Cart#main([Ljava/lang/String;)V'],
  ['shop.cart.Cart.add(long)', 'shop.cart.Cart#add(J)'],
  ['shop.cart.Cart.add(Object, shop.Item[])', 'shop.cart.Cart#add(Ljava/lang/Object;[Lshop/Item;)'],
  ['shop.cart.Cart::add(long)', 'shop.cart.Cart#add(J)'],
  ['int shop.cart.Cart::add(long, java.lang.String[])', 'shop.cart.Cart#add(J[Ljava/lang/String;)I'],
  ['shop.cart.Cart::add(java.util.Map<java.lang.String, int[]>, T[])', 'shop.cart.Cart#add(Ljava/util/Map;[LT;)'],
  [
    'java.util.Map<K, V> shop.cart.Cart::add(java.util.List<?>...)',
    'shop.cart.Cart#add([Ljava/util/List;)Ljava/util/Map;',
  ],
  ['void shop.cart.Cart::add(bool, shop.Item*, unsigned short)', 'shop.cart.Cart#add(ZLshop/Item;C)V'],
  ['Loader_1234::shop.cart.Cart::add(long)', 'shop.cart.Cart#add(J)'],
  ['shop.cart.Cart::Cart(long)', 'shop.cart.Cart#<init>(J)'],
  ['shop.cart.Cart$Row::Row(long)', 'shop.cart.Cart$Row#<init>(J)'],
  ['Cart::main(java.lang.String[])', 'Cart#main([Ljava/lang/String;)'],
  ['shop.cart.CartTest.adds two rows (fast)', 'shop.cart.CartTest#adds two rows (fast)'],
  ['void shop.cart.CartTest.adds two rows()', 'shop.cart.CartTest#adds two rows()V'],
  ['shop.cart.CartTest::adds two rows(int)', 'shop.cart.CartTest#adds two rows(I)'],
  ['shop/cart/CartTest$when empty.adds two rows_[j]', 'shop.cart.CartTest$when empty#adds two rows'],
  ['shop.cart.CartTest.adds two rows(CartTest.kt:12)', 'shop.cart.CartTest#adds two rows 12'],
  ['shop.cart.Cart.add()', 'shop.cart.Cart#add()'],
  ['shop/cart/Cart.add(JLshop/Item;)', 'shop.cart.Cart#add(JLshop/Item;)'],
  ['shop/cart/Cart.add(J)_[j]', 'shop.cart.Cart#add(J)'],
  ['shop/cart/Cart.add(JLshop/Item;)V_[0]', 'shop.cart.Cart#add(JLshop/Item;)V'],
  ['shop/cart/Cart.add(JLshop/Item|)V_[j]', 'shop.cart.Cart#add(JLshop/Item;)V'],
  ['shop/cart/Cart.add@17_[j]', 'shop.cart.Cart#add'],
  ['shop.cart.Cart.add:17', 'shop.cart.Cart#add 17'],
  ['shop/cart/Cart.add:17_[j]', 'shop.cart.Cart#add 17'],
  ['shop.cart.Cart.add(Cart.java:12)', 'shop.cart.Cart#add 12'],
  ['shop.cart.Cart.add(Cart.kt)', 'shop.cart.Cart#add'],
  ['shop.cart.Cart.add(Native Method)', 'shop.cart.Cart#add'],
  ['shop.cart.Cart.add(Unknown Source)', 'shop.cart.Cart#add'],
  ['app//shop.cart.Cart.add(Cart.java:12)', 'shop.cart.Cart#add 12'],
  ['my own loader//shop.cart.Cart.add', 'shop.cart.Cart#add'],
  ['java.base/java.lang.Thread.run', 'java.lang.Thread#run'],
  ['java.base@21.0.2/java.lang.Thread.run(Thread.java:1583)', 'java.lang.Thread#run 1583'],
  ['LAYER shop/cart@1.2/shop.cart.Cart.add', 'shop.cart.Cart#add'],
  ['shop/cart/Cart$$Lambda$14/0x00007f1.get', 'shop.cart.Cart$$Lambda$14.0x00007f1#get'],
  ['shop.cart.Cart$$Lambda/0x00007f1.get:3', 'shop.cart.Cart$$Lambda/0x00007f1#get 3'],
  ['shop/cart/Cart$$Lambda_.get', 'shop.cart.Cart$$Lambda_#get'],
];

test.each(JAVA)('%s', (text, reading) => {
  expect(read(text)).toBe(reading);
});

test.each([
  'clock_gettime@@GLIBC_2.17',
  'copy_page.isra.12',
  'do_work.part.0',
  'do_work.constprop.1',
  'do_work.constprop.1.cold',
  'std::sort',
  'JavaThread::run',
  'JavaThread::run()',
  'ObjectMonitor::enter(Thread*)',
  'std::sort<int*>(int*, int*)',
  'std::vector<int, std::allocator<int> >::push_back(int const&)',
  'libc.so.6',
  'do_syscall_64_[k]',
])('%s is no Java', text => {
  const { className, flags } = parseFrame(text);
  expect(className).toBe('');
  expect(flags & METHOD_FLAG.foreign).not.toBe(0);
});

test('generated names come back from every notation', () => {
  const word = fc.stringMatching(/^[a-z][a-z0-9_$]{0,6}$/).filter(each => !each.endsWith('_'));
  const type = fc.stringMatching(/^[A-Z][A-Za-z0-9_$]{0,6}$/);
  const names = fc.tuple(
    fc.array(word, { minLength: 1, maxLength: 4 }),
    type,
    word,
    fc.integer({ min: 1, max: 70_000 }),
  );
  fc.assert(
    fc.property(names, ([folders, simple, name, line]) => {
      const slashed = [...folders, simple].join('/');
      const dotted = slashed.replaceAll('/', '.');
      const method = `${dotted}#${name}`;
      for (const separator of ['.', '::', ':::', ':.']) {
        expect(read(`${slashed}${separator}${name}_[j]`)).toBe(method);
        expect(read(`${slashed}${separator}${name}:${line}`)).toBe(`${method} ${line}`);
        expect(read(`L${slashed}${separator}${name}`)).toBe(method);
      }
      expect(read(`${dotted}.${name}@${line}`)).toBe(method);
      expect(read(`void ${dotted}.${name}(${dotted}, int[][])`)).toBe(`${method}(L${slashed};[[I)V`);
      for (const prefix of ['', 'app//', 'java.base@9/', 'a b//'])
        expect(read(`${prefix}${dotted}.${name}(${simple}.java:${line})`)).toBe(`${method} ${line}`);
    }),
  );
});

const word = fc.stringMatching(/^[a-z][a-z0-9_$]{0,6}$/).filter(each => !each.endsWith('_'));
const simpleName = fc.stringMatching(/^[A-Z][A-Za-z0-9]{1,6}$/);
/** A type as descriptors have it, as Java writes it, and as it is written with arguments. */
const parameter = fc
  .tuple(
    fc.oneof(
      fc.constantFrom(['int', 'I'], ['long', 'J'], ['boolean', 'Z'], ['byte', 'B'], ['char', 'C'], ['double', 'D']),
      fc.tuple(word, simpleName).map(([folder, simple]) => [`${folder}.${simple}`, `L${folder}/${simple};`]),
    ),
    fc.integer({ min: 0, max: 2 }),
    fc.constantFrom('', '<?>', '<a.B, c.D<int[]>>'),
  )
  .map(([[name, code], dimensions, typeArguments]) => {
    const isObject = code!.length > 1;
    const [array, brackets] = ['['.repeat(dimensions), '[]'.repeat(dimensions)];
    return { code: array + code!, text: `${name}${isObject ? typeArguments : ''}${brackets}` };
  });
const sentence = fc
  .array(fc.stringMatching(/^[a-z0-9,'%=?!-]{1,6}$/), { minLength: 2, maxLength: 5 })
  .map(words => `a${words.join(' ')}`);

test('generated overloads keep their types in every notation, whatever the method is called', () => {
  const given = fc.tuple(
    fc.array(word, { minLength: 1, maxLength: 3 }),
    simpleName,
    fc.oneof(word, sentence),
    fc.array(parameter, { maxLength: 4 }),
    parameter,
  );
  fc.assert(
    fc.property(given, ([folders, simple, name, parameters, result]) => {
      fc.pre(name !== simple);
      const owner = [...folders, simple].join('.');
      const codes = `(${parameters.map(({ code }) => code).join('')})`;
      for (const between of ['.', '::']) {
        for (const comma of [',', ', ']) {
          const types = `(${parameters.map(({ text }) => text).join(comma)})`;
          expect(read(`${owner}${between}${name}${types}`)).toBe(`${owner}#${name}${codes}`);
          expect(read(`${result.text} ${owner}${between}${name}${types}`)).toBe(
            `${owner}#${name}${codes}${result.code}`,
          );
        }
      }
    }),
    { numRuns: 300 },
  );
});

test('inlined callees in one name are frames of their own, the caller first', () => {
  const name = fc
    .tuple(word, simpleName, word, fc.constantFrom('.', '::', ';::'))
    .map(([folder, simple, method, between]) => ({
      text: `${between === ';::' ? 'L' : ''}${folder}/${simple}${between}${method}`,
      reading: `${folder}.${simple}#${method}`,
    }));
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), names => {
      const frames = parseFrames(names.map(({ text }) => text).join('->'));
      expect(frames.map(({ className, name: method }) => `${className}#${method}`)).toEqual(
        names.map(({ reading }) => reading),
      );
    }),
    { numRuns: 100 },
  );
  expect(parseFrames('std::shared_ptr<Foo>::operator->() const')).toHaveLength(1);
});

test('no text fails', () => {
  const piece = fc.constantFrom(
    'a',
    'A',
    '.',
    '/',
    ':',
    '::',
    '(',
    ')',
    ';',
    '|',
    '@1',
    '_[j]',
    'L',
    ' ',
    '//',
    '$$Lambda',
    '0x1',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), pieces => {
      const { line, name } = parseFrame(pieces.join(''));
      expect(Number.isInteger(line)).toBe(true);
      expect(typeof name).toBe('string');
    }),
    { numRuns: runs(2000) },
  );
});
