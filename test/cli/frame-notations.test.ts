// Stacks in the notations of all tools give the same hints in the source, and files that only look like stacks give none.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insitu } from '../support/insitu/command-line.ts';

const SOURCE = `package shop.cart;

public class Cart {
  public void run(int count) {
    sum(count, "each");
  }

  int sum(int count, String name) {
    return count + name.length();
  }

  int sum(long count) {
    return 0;
  }
}
`;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-notations-'));
  writeFileSync(join(folder, 'Cart.java'), SOURCE);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The hints of the lines with code, of 60 samples in the frame `sum`, called by `run`, and 40 in `run` itself. */
async function hintsOf(run: string, sum: string, tail = '', thread = ''): Promise<string[]> {
  const file = join(folder, 'stacks.txt');
  writeFileSync(file, `${thread}${run};${sum}${tail} 60\n${thread}${run}${tail} 40\n`);
  const { out, status } = await insitu('annotate', join(folder, 'Cart.java'), '--recording', file);
  expect(status).toBe(0);
  const lines = out.split('\n').filter(line => /│.*\d%/.test(line));
  return lines.map(line => line.replace(/^ *(\d+) │.*?[{;] {2,}/, '$1 '));
}

const WITH_OVERLOAD = ['4 100% · self 40%', '8 60% · self 60%'];

test.each([
  ['descriptors', 'shop/cart/Cart.run(I)V_[j]', 'shop/cart/Cart.sum(ILjava/lang/String;)I_[i]'],
  ['descriptors with |', 'shop/cart/Cart.run(I)V', 'shop/cart/Cart.sum(ILjava/lang/String|)I'],
  ['types and result', 'void shop.cart.Cart.run(int)', 'int shop.cart.Cart.sum(int, java.lang.String)'],
  ['colons and types', 'shop.cart.Cart::run(int)', 'shop.cart.Cart::sum(int,java.lang.String)'],
  ['colons, types and result', 'void shop.cart.Cart::run(int)', 'int shop.cart.Cart::sum(int, java.lang.String*)'],
  ['types alone', 'shop.cart.Cart.run(int)', 'shop.cart.Cart.sum(int, String)'],
])('%s tell overloads apart', async (_, run, sum) => {
  expect(await hintsOf(run, sum)).toEqual(WITH_OVERLOAD);
});

const NAMES = ['4 100% · self 40%'];

test.each([
  ['slashes', 'shop/cart/Cart.'],
  ['three colons', 'Lshop/cart/Cart:::'],
  ['a semicolon before the colons', 'Lshop/cart/Cart;::'],
  ['two colons', 'shop.cart.Cart::'],
  ['class before it', 'class shop.cart.Cart.'],
  ['a loader with blanks', 'my own loader//shop.cart.Cart.'],
  ['a module', 'LAYER cart@1.2/shop.cart.Cart.'],
])('%s', async (_, owner) => {
  for (const tail of ['', '@17', '_[j]']) expect((await hintsOf(`${owner}run`, `${owner}sum`, tail))[0]).toBe(NAMES[0]);
});

test('lines of stack traces choose the overload', async () => {
  const [run, sum] = ['shop.cart.Cart.run(Cart.java:5)', 'shop.cart.Cart.sum(Cart.java:9)'];
  expect((await hintsOf(run, sum)).map(hint => hint.replace(/^(\d+) .*?(\d+%)/, '$1 $2'))).toEqual([
    '4 100% · self 40%',
    '5 60% → sum()',
    '8 60% · self 60%',
    '9 100% here',
  ]);
});

test('allocated classes are no methods', async () => {
  const file = join(folder, 'alloc.txt');
  writeFileSync(
    file,
    'shop/cart/Cart.run;shop/cart/Cart.sum;java.lang.String_[i] 60\nshop/cart/Cart.run;byte[]_[k] 40\n',
  );
  const { out } = await insitu('top', file);
  expect(out).toBe(`alloc.txt · 1 instance · 100 samples of alloc
own code: all but the Java platform's (no package that ran has sources in the project)
own  alloc  self  samples  method
60%    60%   60%       60  shop.cart.Cart.sum
40%   100%   40%       40  shop.cart.Cart.run
`);
});
