// Says which lambda each `lambda$…` method of a class file was compiled from: by lines, else by the order of the code that makes it.
import { lineOf } from '../../server/mapping/observed-lines.ts';
import type { LambdaPlace, OutlineIndex, ReferencePlace, TypeIndex } from '../../server/mapping/outline-index.ts';
import { type ClassTruth, isLambdaBody, type MethodTruth } from './class-files.ts';
import { rightConstructor, rightMethod, spansLine } from './right-methods.ts';

type Place = LambdaPlace | ReferencePlace;

/** Lambda method's name → row of its lambda (or, for a method reference, of the code it stands in); null where unknown. */
export function rightLambdas(index: OutlineIndex, type: TypeIndex, truth: ClassTruth): Map<string, number | null> {
  const right = new Map<string, number | null>();
  const byName = new Map(truth.methods.filter(isLambdaBody).map(method => [method.name, method]));
  for (const method of byName.values()) right.set(method.name, onlyOnLines(index, type, method));
  let settled = -1;
  // A lambda inside another is found once the outer one is.
  while (settled < right.size) {
    for (const method of truth.methods) byCodeOrder(index, type, truth, method, right);
    const now = [...right.values()].filter(row => row !== null).length;
    if (now === settled) break;
    settled = now;
  }
  return right;
}

/** The only place whose first and last line are the method's; unknown when several are, or none. */
function onlyOnLines(index: OutlineIndex, type: TypeIndex, method: MethodTruth): number | null {
  const { declarations } = index.outline;
  const lines = method.lines ?? [];
  const holding = type.lambdas.filter(place =>
    lines.every(line => spansLine(index, declarations[place.declaration]!, line)),
  );
  const referring = type.references.filter(place => lines.every(line => line === place.line));
  if (holding.length === 1 && referring.length === 0) return holding[0]!.declaration;
  if (holding.length === 0 && referring.length === 1) return referring[0]!.declaration;
  return null;
}

/** The code of a method makes its lambdas in source order; equal numbers on both sides tell which is which. */
function byCodeOrder(
  index: OutlineIndex,
  type: TypeIndex,
  truth: ClassTruth,
  method: MethodTruth,
  right: Map<string, number | null>,
): void {
  if (method.lambdas === undefined || method.lambdas.length === 0) return;
  const owners = ownerRows(index, type, method, right);
  const places = owners.flatMap(owner => placesIn(type, owner));
  const bodies = method.lambdas.map(text => text.split(' '));
  if (places.length !== bodies.length) return;
  const fits = places.every((place, i) => {
    const body = bodies[i]!;
    const isBody = body[1] === truth.class && body[2]!.startsWith('lambda$');
    return Number(body[0]) >= lineAt(index, place) - 1 && ('nested' in place ? isBody : true);
  });
  if (!fits) return;
  for (const [i, place] of places.entries()) {
    const name = bodies[i]![2]!;
    if (right.get(name) === null) right.set(name, place.declaration);
  }
}

function lineAt({ outline }: OutlineIndex, place: Place): number {
  return 'nested' in place ? lineOf(outline, place.start) : place.line;
}

/** The declarations whose code became the method's, in the order in which it runs them; none when not known. */
function ownerRows(
  index: OutlineIndex,
  type: TypeIndex,
  method: MethodTruth,
  right: ReadonlyMap<string, number | null>,
): readonly number[] {
  if (method.name === '<clinit>') return type.staticInitializers;
  if (isLambdaBody(method)) return present(right.get(method.name));
  if (method.name !== '<init>') return present(rightMethod(index, type, method));
  const written = present(rightConstructor(index, type, method));
  if (written.some(row => index.delegating.has(row))) return written;
  return [...type.instanceInitializers, ...written];
}

function present(row: number | null | undefined): readonly number[] {
  return row === null || row === undefined ? [] : [row];
}

/** Lambdas and method references directly in the code of a declaration, in source order. */
function placesIn(type: TypeIndex, owner: number): Place[] {
  const lambdas = type.lambdas.filter(place => place.parent === owner);
  const references = type.references.filter(place => place.declaration === owner);
  return [...lambdas, ...references].sort((a, b) => a.start - b.start);
}
