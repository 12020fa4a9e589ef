// Printed forms of class names, generated classes and descriptors are read for what they are.
import { expect, test } from 'vitest';
import { enclosingNames, packageOf, plainClassName } from '../../server/mapping/class-names.ts';
import { parseDescriptor } from '../../server/mapping/descriptor.ts';
import { classBehind, generatedKind } from '../../server/mapping/generated-classes.ts';
import { pathKey, sourceRootOf } from '../../server/mapping/source-paths.ts';

test.each([
  ['p.q.C', 'p.q.C'],
  ['app//p.C', 'p.C'],
  ['java.base@17.0.1/java.util.List', 'java.util.List'],
  ['java.base/java.util.List', 'java.util.List'],
  ['loader/module@1.0/p.C$1', 'p.C$1'],
  ['java/util/Map$Entry', 'java.util.Map$Entry'],
  ['Ljava/util/Map;', 'java.util.Map'],
  ['p.C$$Lambda$14/0x0000000800c3', 'p.C$$Lambda$14/0x0000000800c3'],
  ['app//p.C$$Lambda/0x00007f12', 'p.C$$Lambda/0x00007f12'],
])('%s is %s', (printed, plain) => {
  expect(plainClassName(printed)).toBe(plain);
});

test('enclosing names run from the inside out', () => {
  expect(enclosingNames('p.A$B$1')).toEqual(['p.A$B$1', 'p.A$B', 'p.A']);
  expect(enclosingNames('A')).toEqual(['A']);
  expect(packageOf('p.q.A$B')).toBe('p.q');
  expect(packageOf('A')).toBe('');
});

test.each([
  ['p.X$$Lambda$14/0x0000000800c3', 'lambda', 'p.X'],
  ['p.X$$Lambda/0x1f', 'lambda', 'p.X'],
  ['p.X$$Lambda.0x1f', 'lambda', 'p.X'],
  ['p.X$$Lambda$14+0x1f.764', 'lambda', 'p.X'],
  ['p.X$$Lambda', 'lambda', 'p.X'],
  ['p.X$$Lambda$#', 'lambda', 'p.X'],
  ['java.lang.invoke.LambdaForm$MH.0x1f', 'methodHandle', 'java.lang.invoke.LambdaForm$MH.0x1f'],
  ['java.lang.invoke.DirectMethodHandle$Holder', 'methodHandle', 'java.lang.invoke.DirectMethodHandle$Holder'],
  ['jdk.internal.reflect.GeneratedMethodAccessor12', 'accessor', 'jdk.internal.reflect.GeneratedMethodAccessor12'],
  ['com.sun.proxy.$Proxy12', 'proxy', 'com.sun.proxy.$Proxy12'],
  ['p.X$$EnhancerBySpringCGLIB$$a1', 'subclass', 'p.X'],
  ['p.X$$FastClassBySpringCGLIB$$a1', 'subclass', 'p.X'],
  ['p.X$HibernateProxy$ab', 'subclass', 'p.X'],
  ['p.X_ClientProxy', 'subclass', 'p.X'],
  ['p.X$Inner', null, 'p.X$Inner'],
  ['p.Lambda', null, 'p.Lambda'],
  ['org.apache.jsp.index_jsp', 'script', 'org.apache.jsp.index_jsp'],
])('%s: %s of %s', (name, kind, behind) => {
  expect(generatedKind(name)).toBe(kind);
  expect(classBehind(name)).toBe(behind);
});

test('descriptors', () => {
  expect(parseDescriptor('(I[[Ljava/lang/String;J)V')).toEqual({
    parameters: [
      { name: 'int', dimensions: 0 },
      { name: 'java.lang.String', dimensions: 2 },
      { name: 'long', dimensions: 0 },
    ],
    result: { name: 'void', dimensions: 0 },
  });
  for (const broken of ['', 'I', '(', '(I', '(L)V', '(Q)V', '(I)VV', '(I)V)', '([)V'])
    expect(parseDescriptor(broken), broken).toBeNull();
});

test('source roots are what is left of a path without its package', () => {
  expect(sourceRootOf('/w/src/main/java/p/q/A.java', 'p.q')).toBe('/w/src/main/java');
  expect(sourceRootOf('C:\\w\\src\\p\\q\\A.java', 'p.q')).toBe('C:\\w\\src');
  expect(sourceRootOf('/w/scripts/A.java', 'p.q')).toBe('/w/scripts');
  expect(sourceRootOf('/w/A.java', '')).toBe('/w');
  expect(sourceRootOf('/w/caf\u0065\u0301/A.java', 'caf\u00e9')).toBe('/w');
});

test('one file has one key however it is spelled', () => {
  expect(pathKey('C:\\Code\\A.java', 'win32')).toBe(pathKey('c:/code/A.java', 'win32'));
  expect(pathKey('/w/caf\u0065\u0301/A.java', 'darwin')).toBe(pathKey('/w/caf\u00e9/a.java', 'darwin'));
  expect(pathKey('/w/a.java', 'linux')).not.toBe(pathKey('/w/A.java', 'linux'));
});
