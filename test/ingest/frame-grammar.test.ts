// Checks that every notation of a frame gives its method, and that symbols of native code stay without a class.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { METHOD_FLAG } from '../../server/cct/profile.ts';
import { parseFrame } from '../../server/ingest/frame-grammar.ts';

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
    { numRuns: 2000 },
  );
});
