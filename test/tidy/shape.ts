// Rules: a one-sentence header in every source file, no long files, no long functions, no names that say nothing.
import { extension, isScript, lineAt, type Rule, type TidyFile, type Violation } from './files.ts';
import { chainRoot, isNode, type Node, type Place, syntaxOf } from './syntax.ts';

const MOST_FILE_LINES = 500;
const MOST_FUNCTION_LINES = 70;

/** Nobody reads them from the top: they are written from what has its own length. */
const GENERATED: ReadonlySet<string> = new Set(['server/features/answers/answer-types.ts']);

/** Functions that only list data, exempt from the length limit: `path#name`. */
const DATA_TABLES: ReadonlySet<string> = new Set<string>();

/** How a one-line comment is written, by file extension. */
const COMMENT: Readonly<Record<string, RegExp>> = {
  ts: /^\/\/ (.+)$/,
  tsx: /^\/\/ (.+)$/,
  mts: /^\/\/ (.+)$/,
  mjs: /^\/\/ (.+)$/,
  cjs: /^\/\/ (.+)$/,
  js: /^\/\/ (.+)$/,
  java: /^\/\/ (.+)$/,
  kt: /^\/\/ (.+)$/,
  lua: /^--+ (.+)$/,
  sh: /^# (.+)$/,
  py: /^# (.+)$/,
  el: /^;+ (.+)$/,
  vim: /^" (.+)$/,
  css: /^\/\* (.+) \*\/$/,
};

function commentStyle(file: TidyFile): RegExp | undefined {
  if (file.text.startsWith('#!') && /^#!.*\b(ba|da|)sh\b/.test(file.text)) return COMMENT.sh;
  return COMMENT[extension(file.path)];
}

export const headerRule: Rule = files => {
  const violations: Violation[] = [];
  for (const file of files) {
    const style = commentStyle(file);
    if (style === undefined) continue;
    const lines = file.text.split('\n', 2);
    const at = file.text.startsWith('#!') ? 1 : 0;
    const sentence = style.exec(lines[at] ?? '')?.[1] ?? '';
    const words = sentence.split(/\s+/).filter(word => /[A-Za-z]{2}/.test(word));
    if (words.length < 4)
      violations.push({
        path: file.path,
        line: at + 1,
        message: 'must begin with a comment: one sentence saying what the file is for',
      });
  }
  return violations;
};

export const fileLengthRule: Rule = files => {
  const violations: Violation[] = [];
  for (const file of files) {
    if (commentStyle(file) === undefined || GENERATED.has(file.path)) continue;
    const lines = file.text.replace(/\n$/, '').split('\n').length;
    if (lines > MOST_FILE_LINES)
      violations.push({ path: file.path, line: lines, message: `has ${lines} lines, more than ${MOST_FILE_LINES}` });
  }
  return violations;
};

const FUNCTION = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/;

/** The lines of each function itself: those of functions inside it count for them, apart from their first. */
export const functionLengthRule: Rule = files => {
  const violations: Violation[] = [];
  for (const file of files.filter(isScript)) {
    const functions = syntaxOf(file).places.filter(({ node }) => FUNCTION.test(node.type));
    const inside = new Map<Node, number>();
    for (const { node, parents } of functions) {
      const outer = parents.findLast(parent => FUNCTION.test(parent.type));
      // A function that begins on the last line of its neighbour takes no line twice.
      const lines = lineAt(file.text, node.end) - lineAt(file.text, node.start);
      if (outer !== undefined) inside.set(outer, (inside.get(outer) ?? 0) + lines);
    }
    for (const place of functions) {
      const { node } = place;
      const line = lineAt(file.text, node.start);
      const own = lineAt(file.text, node.end) - line + 1 - (inside.get(node) ?? 0);
      const name = functionName(place);
      if (own > MOST_FUNCTION_LINES && !isGroupOfTests(place) && !DATA_TABLES.has(`${file.path}#${name}`))
        violations.push({
          path: file.path,
          line,
          message: `${name} has ${own} lines, more than ${MOST_FUNCTION_LINES}`,
        });
    }
  }
  return violations;
};

/** The name of a function, its own or of the property or variable that it is the value of. */
export function functionName({ node, parents }: Place): string {
  if (isNode(node.id)) return String(node.id.name);
  const parent = parents.at(-1);
  const named = parent?.key ?? parent?.id;
  return isNode(named) && typeof named.name === 'string' ? named.name : 'a function';
}

function isGroupOfTests({ node, parents }: Place): boolean {
  const call = parents.at(-1);
  const isArgument = call?.type === 'CallExpression' && call.callee !== node;
  return isArgument && /^(describe|needs)$/.test(chainRoot(call.callee) ?? '');
}

const VAGUE = /^(index|utils?|helpers?|misc|common|manager|stuff)\.[a-z]+$/;

export const nameRule: Rule = files =>
  files
    .filter(file => isScript(file) && VAGUE.test(file.path.slice(file.path.lastIndexOf('/') + 1)))
    .map(({ path }) => ({ path, line: 1, message: 'is named for no job of its own' }));
