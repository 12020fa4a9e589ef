// Rule: text reaches a terminal through one module alone, and bytes for other programs through another that only protocols may use.
import { posix } from 'node:path';
import { isScript, lineAt, type Rule, type TidyFile, type Violation } from './files.ts';
import { importsOf, isNode, literalText, type Node, type Place, syntaxOf } from './syntax.ts';

/** Files that write to this process's streams by themselves, each for a reason. */
const WRITERS: ReadonlySet<string> = new Set([
  // Text for people, made safe there.
  'server/base/terminal.ts',
  // Bytes for programs.
  'server/base/program-streams.ts',
  // Runs in a Node.js that can load neither.
  'server/cli/bin/check-node.cjs',
]);

const FOR_PROGRAMS = 'server/base/program-streams.ts';
/** Users of that module: programs are at the other end of the streams of the language server and of `insitu mcp`. */
const SERVES_PROGRAMS = /^server\/(?:lsp\/serve|agents\/agents-chunk|proxy\/[\w-]+)\.ts$/;

const STREAM_MODULES = /^(?:node:)?(?:process|console|tty)$/;
const STREAMS = /^(?:stdout|stderr|_rawDebug)$/;
/** The devices and descriptors behind the streams. */
const DEVICE = /^\/dev\/(?:tty|console|std(?:out|err)|fd\/[12]|pts\/)|^\/proc\/(?:self|thread-self)\/fd\//;
const WRITES = /^(?:write|writev|writeFile|appendFile|open|createWriteStream)(?:Sync)?$/;

export const streamRule: Rule = files =>
  files
    .filter(file => isScript(file) && /^(?:server|grammar|clients)\//.test(file.path))
    .flatMap(file => [...imports(file), ...(WRITERS.has(file.path) ? [] : uses(file))]);

function imports(file: TidyFile): Violation[] {
  return importsOf(file).flatMap(({ specifier, line }) => {
    const target = posix.join(posix.dirname(file.path), specifier);
    if (target === FOR_PROGRAMS && !SERVES_PROGRAMS.test(file.path))
      return [{ path: file.path, line, message: 'takes streams that are for programs; text goes through terminal.ts' }];
    if (STREAM_MODULES.test(specifier)) return [{ path: file.path, line, message: `imports ${specifier}` }];
    return [];
  });
}

function uses(file: TidyFile): Violation[] {
  return syntaxOf(file).places.flatMap(place => {
    const what = written(place);
    return what === null ? [] : [{ path: file.path, line: lineAt(file.text, place.node.start), message: what }];
  });
}

/** The use of the streams by a node, as the end of `file:line: …`; null for none. */
function written({ node, parents }: Place): string | null {
  const parent = parents.at(-1);
  if (node.type === 'Identifier' && !isName(node, parent)) {
    if (node.name === 'console') return 'prints by console; text goes through terminal.ts';
    if (node.name === 'process' && isHandedOn(node, parent)) return 'hands on process, with its streams';
  }
  if (node.type === 'MemberExpression') {
    const [owner, property] = [nameOf(node.object), propertyOf(node)];
    if (owner === 'process' && (property === null || STREAMS.test(property)))
      return "uses the process's streams; text goes through terminal.ts";
    if (/^(?:globalThis|global)$/.test(owner ?? '') && (property === null || /^(?:process|console)$/.test(property)))
      return 'takes process or console from the global object';
  }
  if (literalText(node) === 'inherit' && parent?.type !== 'TSLiteralType')
    return 'lets another program write to our streams';
  if (DEVICE.test(literalText(node) ?? '')) return 'names the device of a stream';
  const isCall = node.type === 'CallExpression' && isNode(node.callee) && Array.isArray(node.arguments);
  const called = isCall ? (nameOf(node.callee) ?? propertyOf(node.callee as Node) ?? '') : '';
  const isToStream = isCall && WRITES.test(called) && isDescriptor((node.arguments as unknown[])[0]);
  const isField = node.type === 'Property' && nameOf(node.key) === 'fd' && isDescriptor(node.value);
  return isToStream || isField ? 'writes to the descriptor of a stream' : null;
}

/** Whether an identifier is only the name of a member, a field or a type. */
function isName(node: Node, parent: Node | undefined): boolean {
  if (parent === undefined) return false;
  if (parent.type === 'MemberExpression') return parent.property === node && parent.computed !== true;
  return (parent.key === node && parent.computed !== true) || parent.type.startsWith('TS');
}

function isHandedOn(node: Node, parent: Node | undefined): boolean {
  return !(parent?.type === 'MemberExpression' && parent.object === node);
}

function isDescriptor(value: unknown): boolean {
  return isNode(value) && value.type === 'Literal' && (value.value === 1 || value.value === 2);
}

function nameOf(node: unknown): string | null {
  return isNode(node) && node.type === 'Identifier' ? String(node.name) : null;
}

/** null where that is worked out at run time. */
function propertyOf(node: Node): string | null {
  return node.computed === true ? (literalText(node.property) ?? null) : nameOf(node.property);
}
