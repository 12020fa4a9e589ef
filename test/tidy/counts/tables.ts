// Count: tables that remember something beside the values that it belongs to.
import { lineAt, type TidyFile, type Violation } from '../files.ts';
import { isNode, type Node, type Place, syntaxOf } from '../syntax.ts';
import { type Counted, eachPlace, isProgram } from './count.ts';
import { nameOf, namesInPattern, nameUses } from './modules.ts';

/** Collections that have no other use than to remember. */
const BESIDE = /^(WeakMap|WeakSet)$/;
const COLLECTION = /^(Map|Set|Array|LRUCache)$/;
const CHANGING =
  /^(set|add|delete|clear|push|pop|shift|unshift|splice|sort|reverse|fill|copyWithin|getOrInsert|getOrInsertComputed)$/;
const FUNCTION = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/;

/** Every `new WeakMap` and `new WeakSet`, and the collections of modules and classes that functions change. */
export function countTables(files: readonly TidyFile[]): Counted {
  const program = files.filter(isProgram);
  const changed = new Set(program.flatMap(changedNames));
  return eachPlace(
    program.flatMap(file =>
      [...besides(file), ...collections(file, changed)].sort(
        (a, b) => a.line - b.line || (a.message < b.message ? -1 : 1),
      ),
    ),
  );
}

function besides(file: TidyFile): Violation[] {
  const made = syntaxOf(file).places.filter(
    ({ node }) => node.type === 'NewExpression' && BESIDE.test(nameOf(node.callee) ?? ''),
  );
  return made.map(({ node }) => ({
    path: file.path,
    line: lineAt(file.text, node.start),
    message: `makes a ${nameOf(node.callee)}`,
  }));
}

/** `path#name` of what belongs to the module at `path`. */
function key(path: string, name: string): string {
  return `${path}#${name}`;
}

function collections(file: TidyFile, changed: ReadonlySet<string>): Violation[] {
  const found: Violation[] = [];
  for (const { node, parents } of syntaxOf(file).places) {
    const isStatic = node.type === 'PropertyDefinition' && node.static === true;
    const ofModule = node.type === 'VariableDeclarator' && !parents.some(({ type }) => /Function|Class/.test(type));
    const name = nameOf(isStatic ? node.key : node.id);
    const initial = bare(isStatic ? node.value : node.init);
    if (!(isStatic || ofModule) || name === undefined || initial === undefined) continue;
    const isCollection =
      /^(Array|Object)Expression$/.test(initial.type) ||
      (initial.type === 'NewExpression' && COLLECTION.test(nameOf(initial.callee) ?? ''));
    if (isCollection && changed.has(key(file.path, name)))
      found.push({ path: file.path, line: lineAt(file.text, node.start), message: `changes ${name}, which all share` });
  }
  return found;
}

/** The expression inside `(… as T)`, `… satisfies T` and `…!`. */
function bare(node: unknown): Node | undefined {
  let at = node;
  while (isNode(at) && /^(TS(As|Satisfies|NonNull)Expression|ParenthesizedExpression)$/.test(at.type))
    at = at.expression;
  return isNode(at) ? at : undefined;
}

/** The names that functions of a file change: of its own module, and of others that it imports. */
function changedNames(file: TidyFile): string[] {
  const imported = new Map(nameUses(file).map(({ local, target, name }) => [local, key(target, name)]));
  const hiding = namesInFunctions(file);
  const changed: string[] = [];
  for (const place of syntaxOf(file).places) {
    const name = rootName(changedBy(place.node));
    // Code that runs while the module is loaded fills a table that stays as it is.
    const functions = place.parents.filter(({ type }) => FUNCTION.test(type));
    if (name === undefined || functions.length === 0) continue;
    if (!functions.some(each => hiding.get(each)?.has(name))) changed.push(imported.get(name) ?? key(file.path, name));
  }
  return changed;
}

/** The expression whose value a node changes. */
function changedBy(node: Node): unknown {
  const member = (target: unknown, names?: RegExp): unknown => {
    if (!isNode(target) || target.type !== 'MemberExpression') return undefined;
    return names === undefined || names.test(nameOf(target.property) ?? '') ? target.object : undefined;
  };
  if (node.type === 'CallExpression') return member(node.callee, CHANGING);
  if (node.type === 'UnaryExpression' && node.operator === 'delete') return elementOf(node.argument);
  if (node.type === 'UpdateExpression') return elementOf(node.argument);
  if (node.type !== 'AssignmentExpression') return undefined;
  return isNode(node.left) && node.left.type === 'Identifier' ? node.left : elementOf(node.left);
}

/** `a` of `a[i]`: fields that are written by name belong to a record and not to a table. */
function elementOf(node: unknown): unknown {
  return isNode(node) && node.type === 'MemberExpression' && node.computed === true ? node.object : undefined;
}

/** `a` of `a.get(b)!.c[d]`; of a class's own static field its name. */
function rootName(node: unknown): string | undefined {
  let at = bare(node);
  while (at !== undefined && at.type !== 'Identifier') {
    const callee = at.type === 'CallExpression' ? bare(at.callee) : undefined;
    const looksUp = callee?.type === 'MemberExpression' && /^(get|at)$/.test(nameOf(callee.property) ?? '');
    if (at.type === 'ChainExpression') at = bare(at.expression);
    else if (looksUp) at = bare(callee.object);
    else if (at.type !== 'MemberExpression') return undefined;
    else if (isClassName(at.object)) return nameOf(at.property);
    else at = bare(at.object);
  }
  return nameOf(at);
}

/** By the convention of capital letters; tables in capitals are no classes. */
function isClassName(node: unknown): boolean {
  return isNode(node) && node.type === 'Identifier' && /^[A-Z].*[a-z]/.test(String(node.name));
}

/** The names that each function declares, which hide those of the module in it. */
function namesInFunctions(file: TidyFile): Map<Node, Set<string>> {
  const names = new Map<Node, Set<string>>();
  const add = ({ parents }: Place, pattern: unknown, itself?: Node): void => {
    const owner = itself ?? parents.findLast(({ type }) => FUNCTION.test(type));
    if (owner === undefined) return;
    const known = names.get(owner) ?? new Set();
    for (const name of namesInPattern(pattern)) names.set(owner, known.add(name));
  };
  for (const place of syntaxOf(file).places) {
    const { node } = place;
    if (node.type === 'VariableDeclarator') add(place, node.id);
    else if (FUNCTION.test(node.type) && Array.isArray(node.params))
      for (const each of node.params) add(place, each, node);
  }
  return names;
}
