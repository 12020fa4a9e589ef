// The syntax of queries by call paths: text → plain data with columns, or the mistake, its column and what was expected there.
import { createToken, EmbeddedActionsParser, EOF, type IOrAlt, type IToken, Lexer, type TokenType } from 'chevrotain';

/** Where a piece of the text stands: offsets, the end exclusive. */
type TextSpan = { readonly from: number; readonly to: number };

/** A name, class or pattern as written; `parameters` with its parentheses. */
export type MemberSyntax = TextSpan & {
  readonly text: string;
  readonly isQuoted: boolean;
  readonly parameters: string | null;
};

export type ElementSyntax = TextSpan & {
  readonly isExtended: boolean;
  /** `thread:…`: a class of threads. */
  readonly isThread: boolean;
  readonly member: MemberSyntax;
};

export type ConditionSyntax =
  | { readonly kind: 'path'; readonly elements: readonly ElementSyntax[] }
  | { readonly kind: 'and' | 'or'; readonly operands: readonly ConditionSyntax[] }
  | { readonly kind: 'not'; readonly operand: ConditionSyntax };

type AspectSyntax = { readonly name: string; readonly members: readonly MemberSyntax[] };

export type QuerySyntax = {
  readonly aspects: readonly AspectSyntax[];
  readonly condition: ConditionSyntax;
  readonly conditionAt: TextSpan;
  readonly where: ConditionSyntax | null;
};

export type SyntaxMistake = TextSpan & { readonly message: string; readonly remedy: string };

type Parsed<T> = { readonly value: T } | { readonly mistake: SyntaxMistake };

/** A dot belongs to a name unless another one follows. */
const NAME = /(?:[^\s.()[\]|;,="]|\[\]|\.(?!\.))+/;
const Name = createToken({ name: 'Name', pattern: NAME, line_breaks: false });
const word = (name: string) =>
  createToken({ name, pattern: new RegExp(name.toLowerCase()), longer_alt: Name, line_breaks: false });
const sign = (name: string, pattern: RegExp) => createToken({ name, pattern, line_breaks: false });
const Blank = createToken({ name: 'Blank', pattern: /\s+/, group: Lexer.SKIPPED, line_breaks: true });
const [Let, In, Where, And, Or, Not] = ['Let', 'In', 'Where', 'And', 'Or', 'Not'].map(word) as TokenType[];
const ThreadName = sign('ThreadName', /thread:(?:"[^"]*"|[^\s()|;,="]+)/);
const Quoted = sign('Quoted', /"[^"]*"/);
const Ellipsis = sign('Ellipsis', /\.\.\./);
const Dots = sign('Dots', /\.\./);
const [Open, Close, Bar, Comma, Semicolon, Equals] = [
  sign('Open', /\(/),
  sign('Close', /\)/),
  sign('Bar', /\|/),
  sign('Comma', /,/),
  sign('Semicolon', /;/),
  sign('Equals', /=/),
];

const VOCABULARY = [
  Blank,
  ThreadName,
  ...[Let, In, Where, And, Or, Not],
  ...[Name, Quoted, Ellipsis, Dots, Open, Close, Bar, Comma, Semicolon, Equals],
] as TokenType[];

/** Deeper nesting is a mistake, or an attack on the stack. */
const MOST_TOKENS = 2_000;
const DEEPEST = 50;

class PathParser extends EmbeddedActionsParser {
  constructor() {
    super(VOCABULARY, { recoveryEnabled: false, maxLookahead: 2 });
    this.performSelfAnalysis();
  }

  readonly query = this.RULE('query', (): QuerySyntax => {
    const aspects: AspectSyntax[] = [];
    this.MANY(() => {
      this.CONSUME(Let!);
      aspects.push(this.SUBRULE(this.aspect));
      this.OR([{ ALT: () => this.CONSUME(Semicolon!) }, { ALT: () => this.CONSUME(In!) }]);
    });
    const { startOffset: from } = this.LA(1);
    const condition = this.SUBRULE(this.either);
    const conditionAt = { from, to: spanOf(this.LA(0)).to };
    let where: ConditionSyntax | null = null;
    this.OPTION(() => {
      this.CONSUME(Where!);
      where = this.SUBRULE2(this.either);
    });
    return { aspects, condition, conditionAt, where };
  });

  readonly aspect = this.RULE('aspect', (): AspectSyntax => {
    const name = this.CONSUME(Name).image;
    this.CONSUME(Equals!);
    return { name, members: this.SUBRULE(this.members) };
  });

  readonly members = this.RULE('members', (): MemberSyntax[] => {
    const members: MemberSyntax[] = [];
    this.AT_LEAST_ONE_SEP({ SEP: Bar!, DEF: () => members.push(this.SUBRULE(this.member)) });
    return members;
  });

  readonly either = this.RULE('either', (): ConditionSyntax => {
    const operands: ConditionSyntax[] = [];
    this.AT_LEAST_ONE_SEP({ SEP: Or!, DEF: () => operands.push(this.SUBRULE(this.both)) });
    return operands.length === 1 ? operands[0]! : { kind: 'or', operands };
  });

  readonly both = this.RULE('both', (): ConditionSyntax => {
    const operands: ConditionSyntax[] = [];
    this.AT_LEAST_ONE_SEP({ SEP: And!, DEF: () => operands.push(this.SUBRULE(this.single)) });
    return operands.length === 1 ? operands[0]! : { kind: 'and', operands };
  });

  readonly single = this.RULE(
    'single',
    (): ConditionSyntax =>
      this.OR<IOrAlt<ConditionSyntax>[]>([
        {
          ALT: () => {
            this.CONSUME(Not!);
            return { kind: 'not', operand: this.SUBRULE(this.single) };
          },
        },
        {
          ALT: () => {
            this.CONSUME(Open!);
            const inner = this.SUBRULE(this.either);
            this.CONSUME(Close!);
            return inner;
          },
        },
        { ALT: () => this.SUBRULE(this.path) },
      ]),
  );

  readonly path = this.RULE('path', (): ConditionSyntax => {
    const elements: ElementSyntax[] = [];
    this.AT_LEAST_ONE(() => elements.push(this.SUBRULE(this.element)));
    return { kind: 'path', elements };
  });

  readonly element = this.RULE('element', (): ElementSyntax => {
    const dots = this.OPTION(() => this.CONSUME(Dots));
    return this.OR([
      {
        ALT: () => {
          const name = this.CONSUME(ThreadName);
          const text = name.image.slice('thread:'.length);
          const member = { ...spanOf(name), text: unquoted(text), isQuoted: true, parameters: null };
          return {
            ...member,
            from: dots?.startOffset ?? member.from,
            isExtended: dots !== undefined,
            isThread: true,
            member,
          };
        },
      },
      {
        ALT: () => {
          const member = this.SUBRULE(this.member);
          const from = dots?.startOffset ?? member.from;
          return { from, to: member.to, isExtended: dots !== undefined, isThread: false, member };
        },
      },
    ]);
  });

  readonly member = this.RULE('member', (): MemberSyntax => {
    const name = this.OR([{ ALT: () => this.CONSUME(Name) }, { ALT: () => this.CONSUME(Quoted) }]);
    const parameters = this.OPTION(() => this.SUBRULE(this.parameters));
    const text = name.image === undefined ? '' : unquoted(name.image);
    const { from, to } = spanOf(name);
    const isQuoted = name.tokenType === Quoted;
    return { from, to: parameters?.to ?? to, text, isQuoted, parameters: parameters?.text ?? null };
  });

  readonly parameters = this.RULE('parameters', (): { text: string; to: number } => {
    this.CONSUME(Open!);
    const types: string[] = [];
    this.OR([
      { ALT: () => types.push(this.CONSUME(Dots).image) },
      {
        ALT: () =>
          this.MANY_SEP({
            SEP: Comma!,
            DEF: () => {
              const type = this.CONSUME(Name).image;
              const isVariable = this.OPTION(() => this.CONSUME(Ellipsis)) !== undefined;
              types.push(isVariable ? `${type}[]` : type);
            },
          }),
      },
    ]);
    return { text: `(${types.join(', ')})`, to: spanOf(this.CONSUME(Close!)).to };
  });
}

function spanOf({ startOffset, image }: IToken): TextSpan {
  return { from: startOffset, to: startOffset + (image?.length ?? 0) };
}

function unquoted(text: string): string {
  return text.startsWith('"') ? text.slice(1, -1) : text;
}

/** Made when first needed. */
let tools: { readonly lexer: Lexer; readonly parser: PathParser } | null = null;

export function parseQuery(text: string): Parsed<QuerySyntax> {
  return parse(text, parser => parser.query());
}

/** The definition of an aspect without its name: `msg_queue.* | *Queue.put(..)`. */
export function parseMembers(text: string): Parsed<readonly MemberSyntax[]> {
  return parse(text, parser => parser.members());
}

function parse<T>(text: string, rule: (parser: PathParser) => T): Parsed<T> {
  tools ??= { lexer: new Lexer(VOCABULARY, { positionTracking: 'onlyOffset' }), parser: new PathParser() };
  const { lexer, parser } = tools;
  const { tokens, errors } = lexer.tokenize(text);
  const [bad] = errors;
  if (bad !== undefined) return { mistake: unreadable(text, bad.offset) };
  const limit = beyondLimits(text, tokens);
  if (limit !== null) return { mistake: limit };
  parser.input = tokens;
  const value = rule(parser);
  const [error] = parser.errors;
  return error === undefined ? { value } : { mistake: mistakeAt(error.token, tokens, text) };
}

function unreadable(text: string, offset: number): SyntaxMistake {
  const isQuote = text[offset] === '"';
  return {
    ...{ from: offset, to: offset + 1 },
    message: isQuote ? 'nothing closes this quotation mark' : `"${text[offset]}" means nothing here`,
    remedy: isQuote
      ? 'add another quotation mark'
      : 'write methods, patterns, aspects, "..", "and", "or", "not" and "where"',
  };
}

function beyondLimits(text: string, tokens: readonly IToken[]): SyntaxMistake | null {
  let depth = 0;
  for (const [at, { tokenType, startOffset }] of tokens.entries()) {
    if (tokenType === Open || tokenType === Not) depth++;
    else if (tokenType === Close) depth--;
    else if (tokenType === Name) depth = tokens[at - 1]?.tokenType === Not ? 0 : depth;
    if (depth > DEEPEST || at >= MOST_TOKENS) {
      const message = depth > DEEPEST ? 'parentheses are nested too deeply' : 'the query is too long';
      return { from: startOffset, to: text.length, message, remedy: 'name sets of methods with "let"' };
    }
  }
  return null;
}

function mistakeAt(token: IToken, tokens: readonly IToken[], text: string): SyntaxMistake {
  const atEnd = token.tokenType === EOF;
  const { from, to } = atEnd ? { from: text.length, to: text.length } : spanOf(token);
  const before = tokens.findLast(({ startOffset }) => startOffset < from);
  const afterWord = before === undefined ? 'at the beginning' : `after "${before.image}"`;
  const message = atEnd ? `something is missing ${afterWord}` : `"${token.image}" does not fit ${afterWord}`;
  return { from, to, message, remedy: remedyFor(token, before) };
}

function remedyFor({ tokenType }: IToken, before: IToken | undefined): string {
  if (tokenType === EOF && before?.tokenType === Dots) return 'write a method, pattern or aspect behind ".."';
  if (tokenType === Close) return 'nothing opens this parenthesis, or a path is missing in it';
  if (tokenType === Equals) return 'begin the query with "let" to define an aspect: let queue = *Queue.*; …';
  if (tokenType === Bar) return 'define a set with "let": let queue = a.* | b.*; …';
  if (tokenType === Ellipsis) return 'write ".." for one or more calls';
  return 'a path is written A B ..C: methods, patterns or aspects, with ".." for one or more calls';
}
