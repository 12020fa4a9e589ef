// Names of generated classes, as virtual machines and libraries really write them, and what stays of them.
import { expect, test } from 'vitest';
import { normaliseClassName } from '../../server/ingest/stable-names.ts';

test.each([
  // Lambdas: JDK 8 to 15, 17, 21 and later.
  ['com.acme.Shop$$Lambda$14/0x0000000800066840', 'com.acme.Shop$$Lambda'],
  ['com.acme.Shop$$Lambda$14.1052245076', 'com.acme.Shop$$Lambda'],
  ['com.acme.Shop$$Lambda$114+0x00007fcf6c01e8e8.1052245076', 'com.acme.Shop$$Lambda'],
  ['com.acme.Shop$$Lambda.0x000000000a04a6a8', 'com.acme.Shop$$Lambda'],
  ['com.acme.Shop$$Lambda/0x00007f719401e6b0', 'com.acme.Shop$$Lambda'],
  ['com.acme.Shop$Inner$$Lambda$1/123', 'com.acme.Shop$Inner$$Lambda'],
  // Method handles.
  ['java.lang.invoke.LambdaForm$MH/0x0000000800066840', 'java.lang.invoke.LambdaForm$MH'],
  ['java.lang.invoke.LambdaForm$MH.0x000000000a002000', 'java.lang.invoke.LambdaForm$MH'],
  ['java.lang.invoke.LambdaForm$DMH+0x00007f0001000400.12345', 'java.lang.invoke.LambdaForm$DMH'],
  ['java.lang.invoke.LambdaForm$MH1234', 'java.lang.invoke.LambdaForm$MH'],
  // Other hidden classes.
  ['com.acme.Generated/0x0000000801000000', 'com.acme.Generated'],
  ['com.acme.Generated+0x00007f0001000400.77', 'com.acme.Generated'],
  // Reflection and proxies.
  ['jdk.internal.reflect.GeneratedMethodAccessor12', 'jdk.internal.reflect.GeneratedMethodAccessor#'],
  ['sun.reflect.GeneratedConstructorAccessor3', 'sun.reflect.GeneratedConstructorAccessor#'],
  [
    'jdk.internal.reflect.GeneratedSerializationConstructorAccessor1',
    'jdk.internal.reflect.GeneratedSerializationConstructorAccessor#',
  ],
  ['jdk.proxy2.$Proxy47', 'jdk.proxy#.$Proxy#'],
  ['com.sun.proxy.$Proxy7', 'com.sun.proxy.$Proxy#'],
  // Libraries.
  ['com.acme.Shop$$EnhancerBySpringCGLIB$$7a8b9c0d', 'com.acme.Shop$$EnhancerBySpringCGLIB'],
  ['com.acme.Shop$$FastClassBySpringCGLIB$$7a8b9c0d', 'com.acme.Shop$$FastClassBySpringCGLIB'],
  ['com.acme.Shop$$EnhancerByCGLIB$$1f2e3d4c', 'com.acme.Shop$$EnhancerByCGLIB'],
  ['com.acme.Shop$$SpringCGLIB$$0', 'com.acme.Shop$$SpringCGLIB'],
  ['com.acme.Shop$HibernateProxy$qW3rT9xZ', 'com.acme.Shop$HibernateProxy'],
  ['com.acme.Shop$ByteBuddy$AbCd1234', 'com.acme.Shop$ByteBuddy'],
  ['com.acme.Shop$MockitoMock$123456789', 'com.acme.Shop$MockitoMock'],
  ['com.acme.Shop_$$_jvst5a2_1f', 'com.acme.Shop_$$_jvst'],
])('%s', (raw, stable) => {
  expect(normaliseClassName(raw)).toBe(stable);
  expect(normaliseClassName(stable)).toBe(stable);
});

test.each([
  'com.acme.Shop',
  'com.acme.Shop$1',
  'com.acme.Shop$1Local',
  'com.acme.Shop$Inner$2',
  'com.acme.Lambda',
  'com.acme.LambdaForm2',
  'com.acme.My$$Own',
  'com.acme.Proxy7',
  'com.acme.Accessor12',
  'java.lang.invoke.LambdaForm$Name',
  'int[]',
  '[Lcom.acme.Shop;',
])('%s is left alone', name => expect(normaliseClassName(name)).toBe(name));
