// Exits that leave code before its end: whether a `return` or the like inside a statement leaves the statement, or ends a loop.
import type { Statement, StatementPart } from '../../../grammar/statement.ts';
import { everyStatement, statementsIn } from '../../../grammar/statements.ts';

export const LOOPS: ReadonlySet<Statement['form']> = new Set(['for', 'forEach', 'while', 'do']);

/** Depth of the statement that a jump leads behind; −1 for the method. That of `continue` lies behind the body, by half a level. */
type Target = number;

type Node = {
  readonly depth: number;
  readonly around: Statement | null;
  readonly role: StatementPart['role'] | null;
};

/** The exits of a statement. */
export type Exits = {
  /** Tells where and under which conditions it is left; empty where nothing leaves it. */
  readonly leaves: string;
  /** The same for what ends a loop, of the loop; empty for other statements. */
  readonly ends: string;
  /** Whether each way through it leaves it. */
  readonly always: boolean;
};

const NONE: Exits = { leaves: '', ends: '', always: false };

/**
 * @param keyOf tells conditions and headers apart
 * @param numbers of keys, the same for all versions that are compared
 */
export function exitsOf(
  { text, statements }: { readonly text: string; readonly statements: readonly Statement[] },
  keyOf: (statement: Statement) => string,
  numbers: Map<string, number>,
): ReadonlyMap<Statement, Exits> {
  const all = everyStatement(statements);
  const found = new Map<Statement, Exits>();
  if (!all.some(({ form }) => form === 'jump')) return found;
  const nodes = nodesOf(statements);
  const targets = new Map<Statement, Target>();
  const numbered = (key: string) => {
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return `${number}`;
  };
  // Inner statements come before outer ones.
  for (const statement of all.toReversed()) {
    const { depth } = nodes.get(statement)!;
    if (statement.form === 'jump') {
      targets.set(statement, targetOf(text, statement, nodes));
      found.set(statement, { leaves: 'x', ends: '', always: true });
      continue;
    }
    const inner = statementsIn(statement).filter(child => targets.has(child));
    const outermost = Math.min(Number.POSITIVE_INFINITY, ...inner.map(child => targets.get(child)!));
    if (inner.length === 0) continue;
    const key = exitKey(statement, found, keyOf);
    const isLeft = outermost < depth;
    if (isLeft) targets.set(statement, outermost);
    const ends = LOOPS.has(statement.form) && outermost <= depth ? numbered(key) : '';
    found.set(statement, {
      leaves: isLeft ? numbered(key) : '',
      ends,
      always: isLeft && leavesAlways(statement, found),
    });
  }
  return found;
}

export function exitOf(exits: ReadonlyMap<Statement, Exits>, statement: Statement): Exits {
  return exits.get(statement) ?? NONE;
}

/** Whether the statements of a part always leave the code around the part. */
export function endsAlways(exits: ReadonlyMap<Statement, Exits>, part: StatementPart | undefined): boolean {
  return part?.statements.some(statement => exitOf(exits, statement).always) ?? false;
}

function nodesOf(statements: readonly Statement[]): ReadonlyMap<Statement, Node> {
  const nodes = new Map<Statement, Node>();
  const pending = statements.map(statement => ({ statement, node: { depth: 0, around: null, role: null } as Node }));
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { statement, node } = next;
    nodes.set(statement, node);
    for (const { role, statements: inner } of statement.parts)
      for (const child of inner)
        pending.push({ statement: child, node: { depth: node.depth + 1, around: statement, role } });
  }
  return nodes;
}

function targetOf(text: string, jump: Statement, nodes: ReadonlyMap<Statement, Node>): Target {
  const [, word, label] = /^(\w+)\s*(\w*)/.exec(text.slice(jump.span.start, jump.span.end)) ?? [];
  const isLabelled = (word === 'break' || word === 'continue') && label !== '';
  let at = nodes.get(jump)!;
  for (let { around } = at; around !== null; around = at.around) {
    const { role } = at;
    at = nodes.get(around)!;
    const { form } = around;
    if (form === 'lambda') return word === 'return' || word === 'throw' ? at.depth : -1;
    if (isLabelled ? isLabelOf(text, around, label!) : isTarget(word, around, role))
      return word === 'continue' ? at.depth + 0.5 : at.depth;
  }
  return -1;
}

function isTarget(word: string | undefined, { form, parts }: Statement, role: StatementPart['role'] | null): boolean {
  if (word === 'continue') return LOOPS.has(form);
  if (word === 'break') return LOOPS.has(form) || form === 'switch';
  if (word === 'yield') return form === 'switch';
  return word === 'throw' && form === 'try' && role === 'body' && parts.some(part => part.role === 'catch');
}

function isLabelOf(text: string, { span, form }: Statement, label: string): boolean {
  return (
    LOOPS.has(form) &&
    new RegExp(`(?<![\\w$])${label}\\s*:\\s*$`).test(text.slice(Math.max(0, span.start - 200), span.start))
  );
}

function exitKey(
  statement: Statement,
  found: ReadonlyMap<Statement, Exits>,
  keyOf: (statement: Statement) => string,
): string {
  const parts = statement.parts.map(({ role, statements }) => {
    const inner = statements.flatMap(child => {
      const { leaves } = exitOf(found, child);
      return leaves === '' ? [] : [leaves];
    });
    return inner.length === 0 ? '' : `${role} ${inner.join(',')}`;
  });
  return `${statement.form} ${keyOf(statement)} ${parts.join('|')}`;
}

function leavesAlways(statement: Statement, found: ReadonlyMap<Statement, Exits>): boolean {
  const ofRole = (role: StatementPart['role']) => statement.parts.find(part => part.role === role);
  if (statement.form === 'if') return endsAlways(found, ofRole('then')) && endsAlways(found, ofRole('else'));
  if (statement.form === 'try')
    return (
      endsAlways(found, ofRole('finally')) ||
      (endsAlways(found, ofRole('body')) &&
        statement.parts.every(part => part.role !== 'catch' || endsAlways(found, part)))
    );
  return false;
}
