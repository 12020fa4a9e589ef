// Count: generators that give nothing but the time to do something else.
import { lineAt, type TidyFile, type Violation } from '../files.ts';
import { functionName } from '../shape.ts';
import { isNode, type Node, type Place, syntaxOf } from '../syntax.ts';
import { type Counted, eachPlace, isProgram } from './count.ts';
import { nameOf, nodesIn } from './modules.ts';

const FUNCTION = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/;
const GENERATOR = /^(Async)?(Generator|Iterator|Iterable|IterableIterator|IteratorObject)$/;

/** Counts generators whose type says that they yield nothing; without a type, generators whose `yield`s all have no value. */
export function countTimeGenerators(files: readonly TidyFile[]): Counted {
  const program = files.filter(isProgram);
  const aliases = new Set(program.flatMap(namesOfVoidGenerators));
  return eachPlace(program.flatMap(file => inFile(file, aliases)));
}

/** `Steps` of `type Steps<T> = Generator<void, T, void>`. */
function namesOfVoidGenerators(file: TidyFile): string[] {
  return syntaxOf(file).places.flatMap(({ node }) => {
    const isAlias = node.type === 'TSTypeAliasDeclaration' && yieldsNothing(node.typeAnnotation, new Set());
    return isAlias ? (nameOf(node.id) ?? []) : [];
  });
}

function inFile(file: TidyFile, aliases: ReadonlySet<string>): Violation[] {
  const { places } = syntaxOf(file);
  const yields = yieldsOfGenerators(places);
  return places.flatMap(place => {
    const { node } = place;
    if (node.generator !== true) return [];
    const type = isNode(node.returnType) ? node.returnType.typeAnnotation : undefined;
    const counts = type === undefined ? givesNothing(yields.get(node) ?? []) : yieldsNothing(type, aliases);
    if (!counts) return [];
    return [
      { path: file.path, line: lineAt(file.text, node.start), message: `${functionName(place)} yields only time` },
    ];
  });
}

function yieldsNothing(type: unknown, aliases: ReadonlySet<string>): boolean {
  if (!isNode(type) || type.type !== 'TSTypeReference') return false;
  const name = nameOf(type.typeName) ?? '';
  if (aliases.has(name)) return true;
  const [given] = isNode(type.typeArguments) ? nodesIn(type.typeArguments.params) : [];
  return GENERATOR.test(name) && /^TS(Void|Undefined)Keyword$/.test(given?.type ?? '');
}

function yieldsOfGenerators(places: readonly Place[]): Map<Node, Node[]> {
  const yields = new Map<Node, Node[]>();
  for (const { node, parents } of places) {
    const owner = node.type === 'YieldExpression' ? parents.findLast(({ type }) => FUNCTION.test(type)) : undefined;
    if (owner === undefined) continue;
    const known = yields.get(owner) ?? [];
    known.push(node);
    yields.set(owner, known);
  }
  return yields;
}

/** `yield*` alone hands on what the type of another generator says; what is written without a type, to take steps in a row, hands on time. */
function givesNothing(yields: readonly Node[]): boolean {
  return yields.length > 0 && yields.every(({ argument, delegate }) => delegate === true || !isNode(argument));
}
