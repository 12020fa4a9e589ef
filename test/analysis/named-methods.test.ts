// Names of methods mean methods: classes of objects, which are frames of their own, are never meant.
import { expect, test } from 'vitest';
import { methodsNamed } from '../../server/analysis/named-methods.ts';
import { ProfileBuilder } from '../../server/cct/builder.ts';
import { methodsLike } from '../../server/metrics/methods-like.ts';
import { objectFrame } from '../../server/model/object-classes.ts';

const builder = new ProfileBuilder('raw');
const search = builder.methods.method('com.acme.Shop', 'search', '(I)V', 0);
const overload = builder.methods.method('com.acme.Shop', 'search', '(J)V', 0);
builder.methods.method('', objectFrame('com.acme.Shop.search'), null, 0);
builder.methods.method('', objectFrame('com.acme.Cart'), null, 0);
const methods = builder.methods.finish();

test('a name means methods and their overloads, no class of an object', () => {
  expect(methodsNamed(methods, 'Shop.search')).toEqual([{ name: 'com.acme.Shop.search', rows: [search, overload] }]);
  expect(methodsNamed(methods, 'Cart')).toEqual([]);
  expect(methodsNamed(methods, objectFrame('com.acme.Cart'))).toEqual([]);
  expect(methodsLike(methods, 'com.acme.Cartt')).toEqual([]);
});
