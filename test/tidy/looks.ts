// Rule: one schema says what is looked at; no other type or schema declares its choices again.
import { isScript, lineAt, type Rule, type TidyFile, type Violation } from './files.ts';
import { isNode, type Node, syntaxOf } from './syntax.ts';

/** Fields that choose data and a part of them. */
const CHOICES: ReadonlySet<string> = new Set(['program', 'version', 'instances', 'threads', 'from', 'to']);
/** Both alone are a range of anything: offsets, lines, commits, a window of time. */
const RANGE = 'from,to';

/** Types and schemas outside `server/model/` that declare two or more of the choices as their own fields. */
export const lookRule: Rule = files => {
  const violations: Violation[] = [];
  for (const file of files.filter(isLookedAt)) {
    for (const { node } of syntaxOf(file).places) {
      const fields = declaredFields(node).filter(name => CHOICES.has(name));
      if (fields.length > 1 && fields.join() !== RANGE)
        violations.push({
          path: file.path,
          line: lineAt(file.text, node.start),
          message: `declares ${fields.join(', ')}: take them from a term of server/model/`,
        });
    }
  }
  return violations;
};

/** Written from the schemas. */
const GENERATED = 'server/features/answers/answer-types.ts';

function isLookedAt(file: TidyFile): boolean {
  const { path } = file;
  return isScript(file) && /^(server|clients)\//.test(path) && !path.startsWith('server/model/') && path !== GENERATED;
}

/** Fields of a type, or of an object all of whose own values are schemas. */
function declaredFields(node: Node): string[] {
  if (node.type === 'TSTypeLiteral') return namesOf(node.members);
  if (node.type === 'TSInterfaceBody') return namesOf(node.body);
  if (node.type !== 'ObjectExpression') return [];
  return namesOf((node.properties as Node[]).filter(({ value }) => isSchema(value)));
}

function namesOf(members: unknown): string[] {
  return (members as Node[]).flatMap(({ key }) => (isNode(key) && typeof key.name === 'string' ? [key.name] : []));
}

/** A call of valibot, or of a helper such as `optional(v.string(), …)` with a schema among its parameters. */
function isSchema(value: unknown): boolean {
  if (!isNode(value) || value.type !== 'CallExpression') return false;
  const { callee } = value;
  if (isNode(callee) && callee.type === 'MemberExpression' && isNode(callee.object) && callee.object.name === 'v')
    return true;
  const parameters = value.arguments as Node[];
  return (
    parameters.some(each => isSchema(each)) || (isNode(callee) && /^(choice|field|optional)$/.test(String(callee.name)))
  );
}
