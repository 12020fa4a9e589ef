// Numbers random nests of lambdas as javac does, by plain recursion, and checks that the alignment finds each place again.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Declaration } from '../../grammar/outline.ts';
import type { Frame } from '../../server/mapping/frame.ts';
import { numberLambdas, parseLambdaName } from '../../server/mapping/lambda-numbering.ts';
import type { LambdaPlace, ReferencePlace, TypeIndex } from '../../server/mapping/outline-index.ts';

/** A lambda or a method reference; whether a reference becomes a lambda method does not show in the source. */
type Nest = { readonly kind: 'lambda' | 'silent' | 'desugared'; readonly inside: readonly Nest[] };
type Member = { readonly owner: string; readonly nests: readonly Nest[] };

const kind = fc.constantFrom<Nest['kind']>('lambda', 'lambda', 'lambda', 'silent', 'desugared');
let nest: fc.Arbitrary<Nest> = fc.record({ kind, inside: fc.constant([]) });
for (let level = 0; level < 3; level++) nest = fc.record({ kind, inside: fc.array(nest, { maxLength: 3 }) });
const members = fc.array(
  fc.record({ owner: fc.constantFrom('run', 'stop', 'new', 'static'), nests: fc.array(nest, { maxLength: 4 }) }),
  {
    maxLength: 5,
  },
);

type Built = { readonly type: TypeIndex; readonly declarations: Declaration[]; readonly names: Map<string, number> };

/** Lays the nests out as text positions and names them under one rule. The place of a name is its start position. */
function build(list: readonly Member[], rule: 'perClass' | 'perOwner', withReferences: boolean): Built {
  const lambdas: LambdaPlace[] = [];
  const references: ReferencePlace[] = [];
  const declarations: Declaration[] = [];
  const names = new Map<string, number>();
  const counters = new Map<string, number>();
  let at = 0;
  const give = (owner: string, start: number): void => {
    const key = rule === 'perClass' ? '' : owner;
    const number = counters.get(key) ?? 0;
    counters.set(key, number + 1);
    names.set(`lambda$${owner}$${number}`, start);
  };
  const visit = (owner: string, { kind, inside }: Nest, nested: boolean): void => {
    const start = at++;
    if (kind !== 'lambda') {
      if (!withReferences) return;
      references.push({ declaration: -1, name: 'call', owner, line: start, start, end: at++ });
      if (kind === 'desugared') give(owner, start);
      return;
    }
    if (rule === 'perOwner') give(owner, start);
    for (const each of inside) visit(owner, each, true);
    const end = at++;
    if (rule === 'perClass') give(owner, start);
    const row = declarations.push(lambdaOn(start, end)) - 1;
    lambdas.push({ declaration: row, parent: -1, owner, nested, start, end });
  };
  for (const { owner, nests } of list) for (const each of nests) visit(owner, each, false);
  return { type: typeWith(lambdas, references), declarations, names };
}

function lambdaOn(start: number, end: number): Declaration {
  const span = { start, end };
  return {
    row: 0,
    parent: -1,
    kind: 'lambda',
    name: '',
    span,
    nameSpan: span,
    body: span,
    binaryName: '',
    local: false,
    modifiers: [],
    annotations: [],
    typeParameters: [],
    parameters: [],
    type: null,
    supertypes: [],
    lines: [[start, start]],
    fingerprint: '',
  };
}

function typeWith(lambdas: readonly LambdaPlace[], references: readonly ReferencePlace[]): TypeIndex {
  const declaration = lambdaOn(0, 0);
  const empty = { constructors: [], staticInitializers: [], instanceInitializers: [], fields: [] };
  return {
    declaration,
    methodsByName: new Map([
      ['run', [0]],
      ['stop', [0]],
    ]),
    ...empty,
    lambdas,
    references,
  };
}

function frames(names: Iterable<readonly [string, number]>, withLines: boolean): Frame[] {
  return Array.from(names, ([name, start]) => {
    return { className: 'A', name, descriptor: null, lines: withLines && start > 0 ? [start] : [], flags: 0 };
  });
}

for (const rule of ['perClass', 'perOwner'] as const) {
  test(`${rule}: without references every name finds its place from names alone`, () => {
    fc.assert(
      fc.property(members, list => {
        const { type, declarations, names } = build(list, rule, false);
        const numbering = numberLambdas(declarations, type, frames(names, false));
        // A class that both rules explain may be numbered by either; then both give the same owners the same counts.
        if (numbering.rule !== rule) return;
        for (const [name, start] of names) expect(numbering.places.get(name)?.start, name).toBe(start);
      }),
    );
  });

  test(`${rule}: with lines, references that take a number are told from references that do not`, () => {
    fc.assert(
      fc.property(members, list => {
        const { type, declarations, names } = build(list, rule, true);
        const numbering = numberLambdas(declarations, type, frames(names, true));
        for (const [name, start] of names) if (start > 0) expect(numbering.places.get(name)?.start, name).toBe(start);
      }),
    );
  });
}

test('names are split whatever the method is called', () => {
  const type = typeWith([], []);
  expect(parseLambdaName('lambda$run$0', type)).toEqual({ owner: 'run', serializable: false, number: 0 });
  expect(parseLambdaName('lambda$run$7f6d5b2a$1', type)).toEqual({ owner: 'run', serializable: true, number: 1 });
  expect(parseLambdaName('lambda$a$b$12', type)).toEqual({ owner: 'a', serializable: true, number: 12 });
  expect(parseLambdaName('lambda$x$y$12', type)).toEqual({ owner: 'x$y', serializable: false, number: 12 });
  expect(parseLambdaName('lambda$$3', type)).toEqual({ owner: 'new', serializable: false, number: 3 });
  expect(parseLambdaName('lambda$3', type)).toEqual({ owner: '', serializable: false, number: 3 });
  expect(parseLambdaName('lambda', type)).toBeNull();
  expect(parseLambdaName('run', type)).toBeNull();
});
