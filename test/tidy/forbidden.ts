// Rules: no skipped or focused tests, no way around the type checker, nothing left for later, no trace of a machine.
import { isScript, lineAt, type Rule, type TidyFile, type Violation } from './files.ts';
import { chainRoot, isNode, syntaxOf } from './syntax.ts';

/** The one place that may skip a test. */
const SKIPS = 'test/support/engines/needs.ts';

/** Files that may use `any`, cast through `unknown` or suppress a check, each for a reason given there. */
const MAY_CAST: ReadonlySet<string> = new Set([
  // Terminal sequences cannot be matched without the control character that they begin with.
  'test/support/terminals/ansi-cells.ts',
]);

const TEST_FUNCTION = /^(test|it|describe|suite|bench|context|ctx|needs)$/;
const SKIPPING = /^(skip|only|todo|skipIf|runIf|fails)$/;

/** Names that tests are skipped by: a member (`test.skip`), an option (`{ skip: true }`), an old alias (`xit`). */
export const skipRule: Rule = files => {
  const violations: Violation[] = [];
  for (const file of files) {
    if (!isScript(file) || !file.path.startsWith('test/') || file.path === SKIPS) continue;
    for (const { node, parents } of syntaxOf(file).places) {
      const named = isNode(node.property) ? node.property : node.key;
      const name = isNode(named) ? String(named.name ?? named.value) : '';
      const member = node.type === 'MemberExpression' && TEST_FUNCTION.test(chainRoot(node.object) ?? '');
      const call = parents.at(-2);
      const option =
        node.type === 'Property' && call?.type === 'CallExpression' && TEST_FUNCTION.test(chainRoot(call.callee) ?? '');
      const alias =
        node.type === 'CallExpression' &&
        isNode(node.callee) &&
        /^(xit|xtest|xdescribe|fit|fdescribe)$/.test(String(node.callee.name));
      if (alias || ((member || option) && SKIPPING.test(name)))
        violations.push({
          path: file.path,
          line: lineAt(file.text, node.start),
          message: `skips or focuses a test; only needs(…) of ${SKIPS} may`,
        });
    }
  }
  return violations;
};

export const castRule: Rule = files => {
  const violations: Violation[] = [];
  for (const file of files) {
    if (!isScript(file) || MAY_CAST.has(file.path)) continue;
    const { places, comments } = syntaxOf(file);
    for (const { node } of places) {
      const inner = isNode(node.expression) ? node.expression : undefined;
      const through = isNode(inner?.typeAnnotation) ? inner.typeAnnotation.type : '';
      const twice =
        node.type === 'TSAsExpression' && inner?.type === 'TSAsExpression' && through === 'TSUnknownKeyword';
      const message = node.type === 'TSAnyKeyword' ? 'uses any' : twice ? 'casts through unknown' : undefined;
      if (message !== undefined) violations.push({ path: file.path, line: lineAt(file.text, node.start), message });
    }
    for (const { value, start } of comments)
      if (/^[\s*]*(@ts-(ignore|expect-error|nocheck)|biome-ignore)/.test(value))
        violations.push({ path: file.path, line: lineAt(file.text, start), message: 'suppresses a check' });
  }
  return violations;
};

/** Notes for later and code in comments. */
export const leftoverRule: Rule = files => {
  const violations: Violation[] = [];
  for (const file of files.filter(isScript)) {
    for (const { value, start } of syntaxOf(file).comments) {
      const line = lineAt(file.text, start);
      if (/\b(TODO|FIXME|XXX|HACK)\b/.test(value))
        violations.push({ path: file.path, line, message: 'leaves something for later' });
      else if (/^ *(import|const|let|return|if|for|await|export)\b.*[;{]\s*$/.test(value))
        violations.push({ path: file.path, line, message: 'is code in a comment' });
    }
  }
  return violations;
};

/** Somebody's folders, and the hosts that packages come from by default. */
const TRACES: readonly RegExp[] = [
  /(?<![\w.~})-])\/home\/[a-z]/,
  /(?<![\w.~})-])\/root\//,
  /(?<![\w.~})-])\/Users\/[A-Za-z]/,
  /[A-Z]:\\+Users\\/,
  /(?<![\w.~})*-])\/work\//,
  /registry\.[a-z]+\.[a-z]{2,}/,
  /\b(deb|security|ftp)\.debian\.org/,
  /"resolve[d]": *"/,
];

/** `own`: strings of this machine that must occur nowhere, such as the checkout's folder and its package mirrors. */
export function traceRule(own: readonly string[]): Rule {
  return files => files.flatMap(file => tracesIn(file, own));
}

function tracesIn({ path, text }: TidyFile, own: readonly string[]): Violation[] {
  const violations: Violation[] = [];
  text.split('\n').forEach((content, row) => {
    const found = TRACES.map(pattern => pattern.exec(content)?.[0]).find(match => match !== undefined);
    const trace = found ?? own.find(mine => content.includes(mine));
    if (trace !== undefined)
      violations.push({ path, line: row + 1, message: `names a folder or host of one machine: ${trace}` });
  });
  return violations;
}
