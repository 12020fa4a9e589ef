// The code of a method that is read from its text alone is that of its file.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { lineAt } from '../../../grammar/lines.ts';
import { outlineOf } from '../../../grammar/parse.ts';
import type { Statement } from '../../../grammar/statement.ts';
import { everyStatement, flowOf } from '../../../grammar/statements.ts';
import { readMethod } from '../../../server/analysis/prediction/method-code.ts';

const SAMPLES = fileURLToPath(new URL('../../../samples', import.meta.url));

const ODD = `package a;
interface One<T> {
  default <X extends Comparable<X>> X each(java.util.List<? super X> xs) throws Error { return xs.size() > 0 ? pick(xs) : null; }
  static void main(String... args) { new One<String>() { void inner() { outer().call(() -> { deep(); }); } }.hashCode(); }
}
enum Two { A { void run() { super.run(); } }; Two() { this(1); } Two(int n) { super(); } void run() { switch (this) { case A -> go(); default -> stop(); } } }
record Three(int n) { Three(String s) { this(Integer.parseInt(s)); } @Deprecated int twice() { synchronized (this) { return n() + n(); } } }
class Four { Four yield; <T> Four(T t) { this.yield = t::hashCode == null ? null : new Four(1).yield; } A A() { return A().A(); } }
`;

/** Statements with their forms, calls and places in the file. */
function told(statements: readonly Statement[], offset: number, lines: number): string[] {
  return everyStatement(statements).map(({ form, call, span, parts }) => {
    const called = call === null ? '' : `${call.name}/${call.argumentCount} on ${call.line + lines}`;
    return `${form} ${called} ${span.start + offset} ${parts.map(({ role, span: { end } }) => `${role} ${end + offset}`)}`;
  });
}

function check(text: string, file: string): number {
  const outline = outlineOf(text, file);
  const methods = outline.declarations.filter(({ kind, body }) => /^(method|constructor)$/.test(kind) && body !== null);
  for (const declaration of methods) {
    const { name, kind, span } = declaration;
    const line = lineAt(outline.lineStarts, span.start);
    const written = { name, title: name, isConstructor: kind === 'constructor', parameters: 0, span, line };
    const { statements, offset, lines } = readMethod(text, written);
    expect(told(statements, offset, lines)).toEqual(told(flowOf(text, outline, declaration), 0, 0));
  }
  return methods.length;
}

describe('a method alone has the statements that it has in its file', () => {
  test('of the samples', () => {
    const files = readdirSync(SAMPLES, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.java'));
    const counts = files.map(name => check(readFileSync(join(SAMPLES, name), 'utf8'), name));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(100);
  });

  test('in every kind of type', () => {
    expect(check(ODD, 'a/Odd.java')).toBe(11);
  });
});
