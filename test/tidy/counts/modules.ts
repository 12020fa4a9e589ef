// Which file uses which names of which other file, as far as the syntax tells.
import { posix } from 'node:path';
import { isScript, lineAt, type TidyFile } from '../files.ts';
import { importsOf, isNode, literalText, type Node, type Place, syntaxOf } from '../syntax.ts';

/** All names of a file, where the syntax does not tell which. */
export const EVERY_NAME = '*';

/** `target` is a path of the project; `local` is what the name is called here, where it is bound to a name. */
export type NameUse = { readonly target: string; readonly name: string; readonly local: string | null };

export type ExportedName = { readonly name: string; readonly line: number };

/** Paths that the compiler resolves by tsconfig.json. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['insitu/protocol', 'server/lsp/protocol.ts'],
  ['insitu/views', 'server/views/view-messages.ts'],
]);

/** The path of the project that a specifier stands for; undefined for packages. */
export function targetOf(file: TidyFile, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(file.path), specifier);
  return ALIASES.get(specifier);
}

/** For each file, the paths that it imports, types included, as far as they are among these files. */
export function importGraph(files: readonly TidyFile[]): Map<string, string[]> {
  const scripts = files.filter(isScript);
  const paths = new Set(scripts.map(({ path }) => path));
  return new Map(
    scripts.map(file => {
      const targets = importsOf(file).map(({ specifier }) => targetOf(file, specifier) ?? '');
      return [file.path, [...new Set(targets)].filter(target => paths.has(target))];
    }),
  );
}

/** Every name of another file of the project that this file imports or re-exports. */
export function nameUses(file: TidyFile): NameUse[] {
  const uses: NameUse[] = [];
  for (const place of syntaxOf(file).places) {
    const { node } = place;
    const specifier = literalText(node.source);
    const target = specifier === undefined ? undefined : targetOf(file, specifier);
    if (target === undefined) continue;
    const add = (name: string, local: string | null = null) => void uses.push({ target, name, local });
    if (node.type === 'ImportDeclaration') for (const each of nodesIn(node.specifiers)) addImported(file, each, add);
    else if (node.type === 'ExportNamedDeclaration')
      for (const each of nodesIn(node.specifiers)) add(nameOf(each.local) ?? EVERY_NAME);
    else if (node.type === 'ExportAllDeclaration' && isNode(node.exported)) add(EVERY_NAME);
    else if (node.type === 'ImportExpression') for (const name of namesOfDynamic(place)) add(name);
    else if (node.type === 'TSImportType') add(firstName(node.qualifier) ?? EVERY_NAME);
  }
  return uses;
}

function addImported(file: TidyFile, specifier: Node, add: (name: string, local: string | null) => void): void {
  const local = nameOf(specifier.local) ?? null;
  if (specifier.type === 'ImportDefaultSpecifier') add('default', local);
  else if (specifier.type === 'ImportSpecifier') add(nameOf(specifier.imported) ?? EVERY_NAME, local);
  else if (local !== null) for (const name of membersOf(file, local)) add(name, null);
}

/** The names that are looked up in a namespace `import * as local`. */
function membersOf(file: TidyFile, local: string): Set<string> {
  const names = new Set<string>();
  for (const { node, parents } of syntaxOf(file).places) {
    if (node.type !== 'Identifier' || node.name !== local) continue;
    const parent = parents.at(-1);
    if (parent?.type === 'ImportNamespaceSpecifier') continue;
    if (parent?.type === 'MemberExpression' && parent.property === node && parent.computed !== true) continue;
    const isMember = parent?.type === 'MemberExpression' && parent.object === node && parent.computed !== true;
    const isQualified = parent?.type === 'TSQualifiedName' && parent.left === node;
    names.add((isMember ? nameOf(parent.property) : isQualified ? nameOf(parent.right) : undefined) ?? EVERY_NAME);
  }
  return names;
}

/** `const { a, b } = await import(…)` and `(await import(…)).a`. */
function namesOfDynamic({ parents }: Place): string[] {
  const [waiting, above] = parents
    .filter(({ type }) => type !== 'ParenthesizedExpression')
    .slice(-2)
    .reverse();
  if (waiting?.type !== 'AwaitExpression') return [EVERY_NAME];
  if (above?.type === 'MemberExpression' && above.computed !== true) return [nameOf(above.property) ?? EVERY_NAME];
  if (above?.type !== 'VariableDeclarator' || !isNode(above.id) || above.id.type !== 'ObjectPattern')
    return [EVERY_NAME];
  return nodesIn(above.id.properties).map(property => nameOf(property.key) ?? EVERY_NAME);
}

/** The files of which `file` hands on everything: `export * from …`. */
export function handedOn(file: TidyFile): string[] {
  const all = syntaxOf(file).places.filter(
    ({ node }) => node.type === 'ExportAllDeclaration' && !isNode(node.exported),
  );
  return all.flatMap(({ node }) => targetOf(file, literalText(node.source) ?? '') ?? []);
}

/** The names that a file exports itself, with their lines. */
export function exportedNames(file: TidyFile): ExportedName[] {
  const names: ExportedName[] = [];
  for (const { node } of syntaxOf(file).places) {
    const add = (name: string | undefined, at: Node) => {
      if (name !== undefined) names.push({ name, line: lineAt(file.text, at.start) });
    };
    if (node.type === 'ExportDefaultDeclaration') add('default', node);
    else if (node.type === 'ExportAllDeclaration' && isNode(node.exported)) add(nameOf(node.exported), node);
    else if (node.type === 'ExportNamedDeclaration') {
      for (const each of nodesIn(node.specifiers)) add(nameOf(each.exported), each);
      if (!isNode(node.declaration)) continue;
      add(nameOf(node.declaration.id), node);
      for (const each of nodesIn(node.declaration.declarations))
        for (const name of namesInPattern(each.id)) add(name, each);
    }
  }
  return names;
}

/** The names that a pattern binds: `a`, `{ a, b: [c] }`, `[a, ...b]`. */
export function namesInPattern(pattern: unknown): string[] {
  if (!isNode(pattern)) return [];
  if (pattern.type === 'Identifier') return [String(pattern.name)];
  const parts = [
    ...nodesIn(pattern.properties).map(property => property.value ?? property),
    ...nodesIn(pattern.elements),
    pattern.argument,
    pattern.type === 'AssignmentPattern' ? pattern.left : undefined,
  ];
  return parts.flatMap(namesInPattern);
}

/** The nodes of a field that holds several. */
export function nodesIn(field: unknown): Node[] {
  return Array.isArray(field) ? field.filter(isNode) : [];
}

/** The text of an identifier, or of a string that stands for one. */
export function nameOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  const name = node.name ?? node.value;
  return typeof name === 'string' ? name : undefined;
}

/** `A` of `A.B.C`. */
function firstName(node: unknown): string | undefined {
  let at = node;
  while (isNode(at) && at.type === 'TSQualifiedName') at = at.left;
  return nameOf(at);
}
