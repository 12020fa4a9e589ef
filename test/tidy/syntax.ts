// Parses JavaScript and TypeScript for the tidiness rules and walks the tree without recursion.
import { parseSync } from 'oxc-parser';
import { lineAt, type TidyFile } from './files.ts';

/** A syntax node as oxc-parser gives it (ESTree with TypeScript); fields other than these are looked at one by one. */
export type Node = { readonly type: string; readonly start: number; readonly end: number } & Readonly<
  Record<string, unknown>
>;

/** A node with the nodes above it, nearest last. */
export type Place = { readonly node: Node; readonly parents: readonly Node[] };

/** Comments and all nodes of a file, parents before children. Files with syntax errors have no nodes: the compiler reports them. */
export type Syntax = {
  readonly places: readonly Place[];
  readonly comments: readonly { readonly value: string; readonly start: number; readonly end: number }[];
};

const parsed = new WeakMap<TidyFile, Syntax>();

export function syntaxOf(file: TidyFile): Syntax {
  let syntax = parsed.get(file);
  if (syntax === undefined) {
    const { program, comments } = parseSync(file.path, file.text);
    syntax = { places: allPlaces(program), comments };
    parsed.set(file, syntax);
  }
  return syntax;
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function allPlaces(program: unknown): Place[] {
  const places: Place[] = [];
  const open: Place[] = isNode(program) ? [{ node: program, parents: [] }] : [];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    places.push(place);
    const parents = [...place.parents, place.node];
    for (const value of Object.values(place.node).reverse()) {
      for (const child of Array.isArray(value) ? value.toReversed() : [value])
        if (isNode(child)) open.push({ node: child, parents });
    }
  }
  return places;
}

/** The text of a string literal or of a template without holes. */
export function literalText(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type !== 'TemplateLiteral' || !Array.isArray(node.quasis) || node.quasis.length !== 1) return undefined;
  const [quasi] = node.quasis as { value: { cooked: string } }[];
  return quasi?.value.cooked;
}

/** The identifier that a chain of calls and members starts with: `describe` for `describe.each(x)('…')`. */
export function chainRoot(node: unknown): string | undefined {
  let at = node;
  while (isNode(at)) {
    if (at.type === 'Identifier') return String(at.name);
    if (at.type === 'MemberExpression') at = at.object;
    else if (at.type === 'CallExpression') at = at.callee;
    else if (at.type === 'TaggedTemplateExpression') at = at.tag;
    else return undefined;
  }
  return undefined;
}

/** The imports and re-exports of a file: specifiers as written, with their lines. */
export function importsOf(file: TidyFile): { specifier: string; line: number }[] {
  const found: { specifier: string; line: number }[] = [];
  for (const { node } of syntaxOf(file).places) {
    const isImport = /^(ImportDeclaration|ImportExpression|TSImportType|ExportAllDeclaration|ExportNamedDeclaration)$/;
    const required = node.type === 'CallExpression' && isNode(node.callee) && node.callee.name === 'require';
    const source = required && Array.isArray(node.arguments) ? node.arguments[0] : node.source;
    if (!required && !isImport.test(node.type)) continue;
    const specifier = literalText(source);
    if (specifier !== undefined) found.push({ specifier, line: lineAt(file.text, node.start) });
  }
  return found;
}
