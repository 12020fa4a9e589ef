// Folding removes what the runtime and the compiler put between a call and its target, and nothing that somebody wrote.
import { expect, test } from 'vitest';
import { METHOD_FLAG, type MethodTable } from '../../server/cct/profile.ts';
import { foldsByNameOnly, transparentMethods } from '../../server/mapping/generated-hops.ts';

function table(rows: readonly (readonly [method: string, flags?: number])[]): MethodTable {
  const strings: string[] = [];
  const intern = (text: string): number => {
    const at = strings.indexOf(text);
    return at >= 0 ? at : strings.push(text) - 1;
  };
  const column = (read: (row: readonly [string, number?]) => number): Int32Array => Int32Array.from(rows, read);
  return {
    length: rows.length,
    strings,
    className: column(([method]) => intern(method.slice(0, method.lastIndexOf('.')))),
    name: column(([method]) => intern(method.slice(method.lastIndexOf('.') + 1))),
    descriptor: new Int32Array(rows.length).fill(-1),
    flags: column(([, flags = 0]) => flags),
  };
}

const { known, bridge, synthetic, hidden, foreign } = METHOD_FLAG;

test.each([
  ['p.A.compareTo', known | bridge | synthetic],
  ['p.A.access$000', known | synthetic],
  ['p.A.access$000', 0],
  ['p.A.<init>', known | synthetic],
  ['p.A.whatever', known | hidden],
  ['p.A$$Lambda$14/0x0000000800c3.run', 0],
  ['p.A$$Lambda.run', known],
  ['java.lang.invoke.LambdaForm$MH.invoke', 0],
  ['java.lang.invoke.LambdaForm$DMH.0x7f.invokeStatic', 0],
  ['java.lang.invoke.DirectMethodHandle$Holder.invokeStatic', 0],
  ['java.lang.invoke.Invokers$Holder.linkToTargetMethod', 0],
  ['jdk.internal.reflect.GeneratedMethodAccessor12.invoke', 0],
  ['jdk.internal.reflect.GeneratedMethodAccessor#.invoke', 0],
  ['jdk.internal.reflect.DirectMethodHandleAccessor.invoke', 0],
  ['jdk.internal.reflect.NativeMethodAccessorImpl.invoke0', 0],
  ['sun.reflect.DelegatingMethodAccessorImpl.invoke', 0],
  ['java.lang.reflect.Method.invoke', known],
  ['java.lang.reflect.Constructor.newInstanceWithCaller', 0],
  ['jdk.proxy2.$Proxy5.call', 0],
  ['com.sun.proxy.$Proxy#.call', 0],
  ['p.A$$SpringCGLIB$$0.run', 0],
  ['p.A$$FastClassBySpringCGLIB$$1f.invoke', 0],
  ['p.A$ByteBuddy$x1.run', 0],
  ['p.A$HibernateProxy$x1.getName', 0],
])('%s (%i) is folded', (method, flags) => {
  expect([...transparentMethods(table([[method, flags]]))]).toEqual([1]);
});

test.each([
  ['p.A.lambda$run$0', known | synthetic],
  ['p.A.lambda$run$0', 0],
  ['p.A.access$000', known],
  ['p.A.accessor', 0],
  ['p.A.<init>', known],
  ['p.A.<init>', 0],
  ['p.A$Inner.run', 0],
  ['org.apache.jsp.index_jsp._jspService', 0],
  ['java.lang.reflect.Method.getName', 0],
  ['java.lang.Integer.invoke', 0],
  ['libc.access$000', foreign],
])('%s (%i) stays', (method, flags) => {
  expect([...transparentMethods(table([[method, flags]]))]).toEqual([0]);
});

test('a table without any access flags is folded by names alone', () => {
  expect(foldsByNameOnly(table([['p.A.run'], ['p.A.go']]))).toBe(true);
  expect(foldsByNameOnly(table([['p.A.run'], ['p.A.go', known]]))).toBe(false);
});
