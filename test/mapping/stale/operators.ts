// Changes as people make them to one method, each with what it must do to the method's state and calls.
import { codeTokens } from '../../../grammar/lexer.ts';
import { type Edit, edited, type Mutant, type Piece, type Target, type Token } from './mutant.ts';

/** null where the operator does not apply to the target. */
export type Operator = (target: Target) => Mutant | null;

const equal = (target: Target, edits: readonly Edit[]): Mutant | null =>
  edits.length === 0 ? null : { pieces: edited(target.text, edits), state: 'unchanged', keepsAll: true };
const changed = (target: Target, edits: readonly Edit[]): Mutant | null =>
  edits.length === 0 ? null : { pieces: edited(target.text, edits), state: 'changed', keepsAll: false };
const insert = (start: number, text: string): Edit => ({ start, end: start, text });

const isIdentifier = (token: Token | undefined) => token !== undefined && /^[a-z][A-Za-z0-9]*$/.test(token.image);

/** Every use of a local name, when nothing else in the member has the name. */
function renaming({ tokens }: Target, name: string): Edit[] {
  const uses = tokens.filter(({ image }) => image === name);
  const isOther = (token: Token) => {
    const i = tokens.indexOf(token);
    return (
      ['.', '::', '@'].includes(tokens[i - 1]?.image ?? '') || ['(', '->', ':'].includes(tokens[i + 1]?.image ?? '')
    );
  };
  if (uses.length === 0 || uses.some(isOther)) return [];
  return uses.map(({ start, end }) => ({ start, end, text: `${name}Renamed` }));
}

/** Simple statements: from behind `;`, `{` or `}` to the next `;` without a brace, that are no declarations, jumps or parts of a header. */
function statements({ tokens, member }: Target): { start: number; end: number; first: number; last: number }[] {
  const found: { start: number; end: number; first: number; last: number }[] = [];
  let first = tokens.findIndex(({ start }) => start > (member.body?.start ?? Number.POSITIVE_INFINITY));
  if (first < 0) return [];
  for (let i = first; i < tokens.length; i++) {
    const { image, depth } = tokens[i]!;
    if (image === ';' && depth === tokens[first]?.depth) {
      const isPlain =
        isIdentifier(tokens[first]) && ['.', '(', '=', '+=', '++'].includes(tokens[first + 1]?.image ?? '');
      const isYield = tokens[first]?.image === 'yield';
      const follows = [';', '{', '}'].includes(tokens[first - 1]?.image ?? '');
      if (isPlain && !isYield && follows && depth === 0)
        found.push({ start: tokens[first]!.start, end: tokens[i]!.end, first, last: i });
    }
    if (image === ';' || image === '{' || image === '}') first = i + 1;
  }
  return found;
}

const chosen = <T>({ pick }: Target, list: readonly T[]): T | null =>
  list.length === 0 ? null : list[pick(list.length)]!;

/** Members of the same type, the target included, in source order. */
function siblings({ outline, member }: Target) {
  return outline.declarations.filter(({ parent }) => parent === member.parent);
}

function moveTo({ text, member }: Target, at: number, before: string, after: string): Piece[] {
  const { start, end } = member.span;
  return [
    { from: 0, to: start },
    { from: end, to: at },
    { text: before },
    { from: start, to: end },
    { text: after },
    { from: at, to: text.length },
  ];
}

/** Whether anything else of the type has the name, so that a copy or a rename would make overloads. */
const hasOverloads = (target: Target) =>
  siblings(target).filter(({ kind, name }) => kind === 'method' && name === target.member.name).length > 1;

export const operators: Readonly<Record<string, Operator>> = {
  'rename a local': target => {
    const { outline, member } = target;
    const own = outline.locals.filter(
      ({ nameSpan }) => nameSpan.start >= member.span.start && nameSpan.end <= member.span.end,
    );
    const local = chosen(target, own);
    return local === null ? null : equal(target, renaming(target, local.name));
  },
  'rename a parameter': target => {
    const parameter = chosen(target, target.member.parameters);
    return parameter === null ? null : equal(target, renaming(target, parameter.name));
  },
  'add final to a parameter': target => {
    const at = target.tokens.findIndex(({ start }) => start === target.member.nameSpan.start) + 2;
    const token = target.tokens[at];
    if (token === undefined || target.member.parameters.length === 0 || ['final', '@'].includes(token.image))
      return null;
    if (target.member.kind === 'compactConstructor') return null;
    return equal(target, [insert(token.start, 'final ')]);
  },
  'add comments': target => {
    const { tokens } = target;
    const body = tokens.filter(({ start }) => start > (target.member.body?.start ?? 0));
    return equal(
      target,
      [1, 2, 3].map(n =>
        insert(body[Math.floor((body.length * n) / 4)]!.start, n === 2 ? ' // a note; {\n' : '/* (note */ '),
      ),
    );
  },
  'lay out anew': target => {
    const { tokens, text } = target;
    const edits: Edit[] = [];
    for (let i = 1; i < tokens.length; i++) {
      const [start, end] = [tokens[i - 1]!.end, tokens[i]!.start];
      const gap = text.slice(start, end);
      if (gap === '' || gap.trim() !== '' || target.pick(3) > 0) continue;
      edits.push({ start, end, text: gap.includes('\n') ? ' ' : '\n\n      ' });
    }
    return equal(target, edits);
  },
  'one token a line': target =>
    equal(
      target,
      target.tokens.slice(1).flatMap(({ start, image }, i) => {
        const before = target.tokens[i]!;
        return before.end === start || image === '' ? [] : [insert(start, '\n')];
      }),
    ),
  'add parentheses': target => {
    const at = target.tokens.findIndex(({ image, depth }) => image === 'return' && depth === 0);
    const end = target.tokens.findIndex(({ image, depth }, i) => i > at && image === ';' && depth === 0);
    if (at < 0 || end < 0 || target.tokens.slice(at, end).some(({ image }) => image === '{') || end === at + 1)
      return null;
    return equal(target, [insert(target.tokens[at + 1]!.start, '('), insert(target.tokens[end]!.start, ')')]);
  },
  'insert lines above': target => equal(target, [insert(0, '// one\n// two\n')]),
  'insert lines before the method': target => equal(target, [insert(target.member.span.start, '\n\n    ')]),
  'move among the members': target => {
    const after = siblings(target).filter(({ row }) => row > target.member.row);
    const last = after.at(-1);
    if (after.length < 3 || last?.body == null) return null;
    return { pieces: moveTo(target, last.span.end, '\n    ', '\n'), state: 'moved', keepsAll: true };
  },
  'move to another type': target => {
    const type = target.outline.declarations[target.member.parent]!;
    if (target.member.kind !== 'method' || type.body === null || hasOverloads(target)) return null;
    const pieces = moveTo(target, type.body.end - 1, '\n  static class Elsewhere {\n', '\n  }\n');
    return { pieces, state: 'moved', keepsAll: true };
  },
  'rename the method': target => {
    const { name, kind, modifiers } = target.member;
    if (kind !== 'method' || hasOverloads(target) || modifiers.includes('abstract')) return null;
    const uses = target.tokens.filter(({ image, start }, i) => {
      const isCall = image === name && target.tokens[i + 1]?.image === '(';
      return start === target.member.nameSpan.start || (isCall && target.tokens[i - 1]?.image !== '.');
    });
    const edits = uses.map(({ start, end }) => ({ start, end, text: `${name}Renamed` }));
    return { pieces: edited(target.text, edits), state: 'renamed', keepsAll: true };
  },
  'rename the type': target => {
    const { text, outline, member } = target;
    const { name } = outline.declarations[member.parent]!;
    const isOther = outline.declarations.some(
      one => one.name === name && !/^(?:class|interface|enum|record|constructor)$/.test(one.kind),
    );
    const isTwice = outline.declarations.filter(one => one.name === name && one.kind !== 'constructor').length > 1;
    if (isOther || isTwice) return null;
    const uses = codeTokens(text).filter(({ image }) => image === name);
    return equal(
      target,
      uses.map(({ startOffset }) => ({ start: startOffset, end: startOffset + name.length, text: 'RenamedType' })),
    );
  },
  'remove a neighbour': target => {
    const others = siblings(target).filter(({ kind, row }) => kind === 'method' && row !== target.member.row);
    const other = chosen(target, others);
    return other === null ? null : equal(target, [{ ...other.span, text: '' }]);
  },
  'copy the method': target => {
    const { member, text } = target;
    if (member.kind !== 'method') return null;
    const { start, end } = member.nameSpan;
    const copy = `${text.slice(member.span.start, start)}${member.name}Copy${text.slice(end, member.span.end)}`;
    return equal(target, [insert(member.span.end, `\n\n    ${copy}`)]);
  },
  'change a literal': target => {
    const literals = target.tokens.filter(({ image, start }) => {
      return start > (target.member.body?.start ?? 0) && /^(?:\d+|"[^"\\]*")$/.test(image);
    });
    const literal = chosen(target, literals);
    if (literal === null) return null;
    const text = literal.image.startsWith('"') ? `"changed ${literal.image.slice(1)}` : `9${literal.image}`;
    return changed(target, [{ start: literal.start, end: literal.end, text }]);
  },
  'change a callee': target => {
    const { tokens, member } = target;
    const calls = tokens.filter((token, i) => {
      const isInBody = token.start > (member.body?.start ?? 0);
      return isInBody && isIdentifier(token) && tokens[i + 1]?.image === '(' && tokens[i - 1]?.image === '.';
    });
    const call = chosen(target, calls);
    if (call === null) return null;
    return changed(target, [{ start: call.start, end: call.end, text: `${call.image}Other` }]);
  },
  'add a statement before': target => {
    const { body } = target.member;
    return body === null ? null : changed(target, [insert(body.start + 1, '\n        int added = 1;')]);
  },
  'add a statement after': target => {
    const { body } = target.member;
    return body === null ? null : changed(target, [insert(body.end - 1, '    audit("done");\n    ')]);
  },
  'add a statement inside': target => {
    const statement = chosen(target, statements(target));
    return statement === null ? null : changed(target, [insert(statement.end, '\n        audit(1);')]);
  },
  'remove a statement': target => {
    const statement = chosen(target, statements(target));
    return statement === null ? null : changed(target, [{ start: statement.start, end: statement.end, text: '' }]);
  },
  'repeat a statement': target => {
    const statement = chosen(target, statements(target));
    if (statement === null) return null;
    const copy = insert(statement.end, `\n ${target.text.slice(statement.start, statement.end)}`);
    return { pieces: edited(target.text, [copy]), state: 'changed', keepsAll: false, doubtful: statement };
  },
  'swap two statements': target => {
    const all = statements(target);
    const pairs = all.filter(({ last }, i) => all[i + 1]?.first === last + 1);
    const first = chosen(target, pairs);
    if (first === null) return null;
    const second = all[all.indexOf(first) + 1]!;
    const { text } = target;
    if (text.slice(first.start, first.end) === text.slice(second.start, second.end)) return null;
    const pieces: Piece[] = [
      { from: 0, to: first.start },
      { from: second.start, to: second.end },
      { from: first.end, to: second.start },
      { from: first.start, to: first.end },
      { from: second.end, to: text.length },
    ];
    // A common subsequence holds only one of the two.
    const doubtful = { start: first.start, end: second.end };
    return { pieces, state: 'changed', keepsAll: false, doubtful };
  },
  'wrap the body in a loop': target => {
    const { body } = target.member;
    if (body === null) return null;
    const loop = insert(body.start + 1, ' for (int round = 0; round < 2; round++) {');
    return changed(target, [loop, insert(body.end - 1, '}\n')]);
  },
  'wrap a statement in if': target => {
    const statement = chosen(target, statements(target));
    if (statement === null) return null;
    return changed(target, [insert(statement.start, 'if (isWanted) {\n'), insert(statement.end, '\n}')]);
  },
  'extract a method': target => {
    const statement = chosen(target, statements(target));
    if (statement === null) return null;
    const method = `\n\n    void extracted() {\n ${target.text.slice(statement.start, statement.end)}\n }`;
    return changed(target, [
      { start: statement.start, end: statement.end, text: 'extracted();' },
      insert(target.member.span.end, method),
    ]);
  },
  'add an annotation': target => changed(target, [insert(target.member.span.start, '@Deprecated(since = "9") ')]),
  'add a parameter': target => {
    const { member, tokens } = target;
    if (member.kind !== 'method' || hasOverloads(target) || tokens.length < 30) return null;
    const at = tokens.findIndex(({ start }) => start === member.nameSpan.start) + 1;
    const comma = member.parameters.length > 0 ? ', ' : '';
    return changed(target, [insert(tokens[at]!.end, `int added${comma}`)]);
  },
};
