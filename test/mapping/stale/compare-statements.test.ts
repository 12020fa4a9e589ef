// Tests the states of statements case by case, and that editing back and forth agrees.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { outlineOf } from '../../../grammar/parse.ts';
import type { Statement } from '../../../grammar/statement.ts';
import { statementsOf } from '../../../grammar/statements.ts';
import { compareStatements, type StatementVersion } from '../../../server/mapping/stale/compare-statements.ts';
import { runs } from '../../support/runs.ts';

function versionOf(body: string): StatementVersion {
  const text = `class A { void m() { ${body} } }`;
  const outline = outlineOf(text);
  return { text, statements: statementsOf(text, outline, outline.declarations[1]!) };
}

const nameOf = ({ form, call }: Statement) => call?.name ?? form;

/** `name state` of every statement, a line a level of nesting; removed ones at the end. */
function states(before: string, after: string): string {
  const { current, statements, removed } = compareStatements(versionOf(before), versionOf(after));
  const line = (statement: Statement): string => {
    const inside = statement.parts.flatMap(part => part.statements.map(line));
    const nested = inside.length === 0 ? '' : ` [${inside.join(', ')}]`;
    return `${nameOf(statement)} ${statements.get(statement)!.state}${nested}`;
  };
  const gone = removed.length === 0 ? '' : ` − ${removed.map(nameOf).join(', ')}`;
  return current.map(line).join(', ') + gone;
}

test.each([
  ['a(); b();', 'a(); /* said */ b( );', 'a unchanged, b unchanged'],
  ['a(); c();', 'a(); b(); c();', 'a unchanged, b new, c unchanged'],
  ['a(); b(); c();', 'a(); c();', 'a unchanged, c unchanged − b'],
  ['a(); b();', 'b(); a();', 'a moved, b unchanged'],
  ['a(1);', 'a(2);', 'a changed'],
  ['a();', 'a(b());', 'a new [b new] − a'],
  ['a(); b();', 'for (X x : xs) { a(); b(); }', 'forEach new [a moved, b moved]'],
  ['for (X x : xs) { a(); }', 'a();', 'a moved − forEach'],
  ['for (X x : xs) { a(); }', 'for (X x : xs) { a(); b(); }', 'forEach changed [a unchanged, b new]'],
  [
    'for (X x : xs) { a(); } c();',
    'for (X x : ys()) { a(); } c();',
    'forEach changed [ys new, a unchanged], c unchanged',
  ],
  ['if (a()) b(); else c();', 'if (a()) c(); else b();', 'if changed [a unchanged, c moved, b moved]'],
  ['x.f(() -> a());', 'x.f(() -> { a(); b(); });', 'f changed [lambda changed [a unchanged, b new]]'],
  ['a(); a();', 'a();', 'a unchanged − a'],
  ['a();', 'a(); a();', 'a unchanged, a new'],
])('%s → %s', (before, after, expected) => {
  const found = states(before, after);
  // Of two that changed places either may be the one that moved.
  const either = expected.replace('a moved, b unchanged', 'b moved, a unchanged');
  expect([expected, either, 'b unchanged, a moved']).toContain(found);
});

test('every statement has a state, each old one is used once, and equal versions are unchanged', () => {
  const leaf = fc.constantFrom('a();', 'b(1);', 'c(d());', 'x = y ? e() : f();');
  const { body } = fc.letrec<{ body: string; one: string }>(tie => ({
    one: fc.oneof(
      { depthSize: 'small' },
      leaf,
      tie('body').map(inner => `for (X x : xs) { ${inner} }`),
      tie('body').map(inner => `if (g()) { ${inner} }`),
    ),
    body: fc.array(tie('one'), { maxLength: 5 }).map(all => all.join(' ')),
  }));
  const everyOf = (statements: readonly Statement[]): Statement[] =>
    statements.flatMap(each => [each, ...each.parts.flatMap(part => everyOf(part.statements))]);
  fc.assert(
    fc.property(body, body, (before, after) => {
      const [one, other] = [versionOf(before), versionOf(after)];
      const { statements, removed } = compareStatements(one, other);
      const all = everyOf(other.statements);
      expect(new Set(statements.keys())).toEqual(new Set(all));
      const used = [...statements.values()].flatMap(({ before: old }) => old ?? []);
      expect(new Set(used).size).toBe(used.length);
      const isUsed = new Set(used);
      const gone = everyOf(one.statements).filter(each => !isUsed.has(each));
      for (const each of removed) expect(isUsed.has(each)).toBe(false);
      expect(gone.length === 0).toBe(removed.length === 0);
      const same = compareStatements(one, versionOf(before));
      expect([...same.statements.values()].every(({ state }) => state === 'unchanged')).toBe(true);
    }),
    { numRuns: runs(300) },
  );
});

/** Far above what a comparison takes whose cost grows with the text, far below one that reads nested code again for each level. */
const MOST_MILLIS = 3_000;

test.each<readonly [string, (call: string) => string]>([
  ['3,000 branches', call => branches(3_000, call)],
  ['3,000 nested loops', call => `${'while (more()) '.repeat(3_000)}${call}`],
  ['3,000 chained calls', call => `a()${'.next()'.repeat(3_000)}.${call}`],
  ['3,000 nested calls', call => `${'f('.repeat(3_000)}${call.replace(';', '')}${')'.repeat(3_000)};`],
  ['a call with 20,000 arguments', call => `f(${'a(), '.repeat(20_000)}${call.replace(';', '')});`],
  ['20,000 calls', call => `${'a();'.repeat(20_000)}${call}`],
])('the innermost call of %s is found', (_, code) => {
  const before = process.cpuUsage();
  const { statements, removed } = compareStatements(versionOf(code('last();')), versionOf(code('other();')));
  const { user, system } = process.cpuUsage(before);
  const ofName = (name: string) => [...statements].filter(([{ call }]) => call?.name === name);
  expect(ofName('other').map(([, { state }]) => state)).toEqual(['new']);
  expect(removed.map(nameOf)).toContain('last');
  expect((user + system) / 1_000).toBeLessThan(MOST_MILLIS);
});

function branches(count: number, last: string): string {
  const each = (_: unknown, i: number) => `if (size() == ${i}) { a("${i}"); } else `;
  return `${Array.from({ length: count }, each).join('')}${last}`;
}
