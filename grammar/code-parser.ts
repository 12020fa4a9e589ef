// Code: one loop over the tokens of a body or an initialiser with a stack of its own, so that no nesting overflows.
import type { IToken, TokenType } from 'chevrotain';
import { indexOf, mayConcatenate, pairBrackets, partnerOf, primaryStart, typeBefore } from './brackets.ts';
import type { PendingLambda } from './code-frames.ts';
import { NameParser } from './code-names.ts';
import { type CallDraft, Draft, decodeName, type Region, type Sheet } from './draft.ts';
import { endOf } from './java-parser.ts';
import { type FrameKind, FrameStack, Kind } from './open-frames.ts';
import type { TypeText } from './outline.ts';
import * as T from './tokens.ts';

type Step = (this: CodeParser, token: IToken) => void;

const headers = new Map<TokenType, FrameKind>([
  [T.Condition, Kind.header],
  [T.Synchronized, Kind.header],
  [T.For, Kind.forHeader],
  [T.Try, Kind.resources],
  [T.Catch, Kind.catchHeader],
  [T.Switch, Kind.switchHeader],
]);

/** The code of a region, and how far it is read: the parser may read other code before it goes on here. */
export class CodeReading {
  readonly input: IToken[];
  currIdx = -1;
  readonly text: string;
  readonly sheet: Sheet;
  readonly region: Region;
  readonly base: number;
  readonly depth: number;
  readonly tokens: readonly IToken[];
  readonly classes: Draft[] = [];
  readonly stack = new FrameStack();
  pendingCall: CallDraft | null = null;
  pendingLambda: PendingLambda | null = null;
  pendingAnonymous: Draft | null = null;
  lambdaBlock: Draft | null = null;
  switchBlock = false;
  callsConstructor = false;

  /** @param text the whole file. */
  constructor(text: string, tokens: readonly IToken[], sheet: Sheet, region: Region) {
    this.text = text;
    this.tokens = tokens;
    // A copy: the parser marks the end by tokens of its own behind the last.
    this.input = tokens.slice();
    this.sheet = sheet;
    this.region = region;
    this.base = region.start;
    this.depth = region.depth;
    this.stack.push(Kind.root, region.owner, -1);
    for (const index of pairBrackets(tokens, () => text.slice(region.start, region.end))) {
      const { startOffset, image } = tokens[index]!;
      const start = this.base + startOffset;
      sheet.problem('a bracket without its partner', start, start + image.length);
    }
  }
}

export class CodeParser extends NameParser {
  private callsConstructor = false;

  constructor(isValidated = false) {
    super(isValidated);
    this.inCode = true;
    this.performSelfAnalysis();
  }

  /** Parses about so many tokens of statements in braces, an expression, or arguments; whether anything is left. */
  more(reading: CodeReading, count: number): boolean {
    Object.assign(this, reading);
    this.live = true;
    this.code(this.currIdx + count);
    this.live = false;
    if (this.isAtEnd()) {
      this.finish(reading.region.owner);
      return false;
    }
    const { currIdx, pendingCall, pendingLambda, pendingAnonymous, lambdaBlock, switchBlock, callsConstructor } = this;
    const state = { currIdx, pendingCall, pendingLambda, pendingAnonymous, lambdaBlock, switchBlock, callsConstructor };
    Object.assign(reading, state);
    return true;
  }

  private finish(owner: Draft | null): void {
    while (this.stack.depth > 1) this.close(this.stack.pop());
    const places = this.classes.map(draft => draft.bodyStart).sort((a, b) => a - b);
    this.classes.forEach((draft, at) => {
      draft.turn = places[at]!;
    });
    const isConstructor = owner?.kind === 'constructor' || owner?.kind === 'compactConstructor';
    if (owner && isConstructor && !this.callsConstructor)
      this.implicit('superConstructor', 'super', owner, this.base, this.base);
  }

  /** A rule, so that others can be called from within. */
  private readonly code = this.RULE('code', (until: number) =>
    this.ACTION(() => {
      while (this.currIdx < until && !this.isAtEnd()) {
        this.currIdx++;
        const token = this.LA(0);
        steps[token.tokenTypeIdx]?.call(this, token);
      }
    }),
  );

  /** The created type, which follows `new`. */
  private readonly created = this.RULE('created', (): TypeText => {
    this.OPTION(() => this.SUBRULE(this.typeArguments));
    return this.SUBRULE(this.type);
  });

  /** The method name or `new` that follows `::`. */
  private readonly referred = this.RULE('referred', (): IToken => {
    this.OPTION(() => this.SUBRULE(this.typeArguments));
    return this.OR([{ ALT: () => this.CONSUME(T.Identifier) }, { ALT: () => this.CONSUME(T.New) }]);
  });

  onNew(token: IToken): void {
    const type = this.attempt(() => this.SUBRULE9(this.created));
    if (type === null || !this.is(T.LParen)) return;
    const open = this.LA(1);
    const name = this.typeName;
    const call = this.call('new', name ?? token, token.startOffset, open);
    this.pendingCall = call;
    const close = partnerOf(open);
    if (close < 0 || this.tokens[close + 1]?.tokenType !== T.LCurly) return;
    const draft = new Draft('anonymousClass', this.stack.top.owner, this.base + token.startOffset);
    draft.nameEnd = this.base + endOf(token);
    draft.supertypes = [type];
    const body = this.tokens[close + 1]!;
    const end = partnerOf(body) < 0 ? this.tokens.at(-1)! : this.tokens[partnerOf(body)]!;
    draft.bodyStart = this.base + body.startOffset;
    draft.end = draft.bodyEnd = this.base + endOf(end);
    this.sheet.drafts.push(draft);
    this.pendingAnonymous = draft;
  }

  onParenthesis(token: IToken): void {
    const before = this.LA(-1);
    const { top } = this.stack;
    const close = partnerOf(token);
    if (
      this.pendingCall === null &&
      close >= 0 &&
      this.tokens[close + 1]?.tokenType === T.Arrow &&
      !(top.kind === Kind.switchBlock && top.inLabel)
    ) {
      this.beginLambda(token);
      return;
    }
    const constructs = before.tokenType === T.This || before.tokenType === T.Super;
    if (this.pendingCall === null && constructs) {
      this.pendingCall = this.call(before.tokenType === T.This ? 'this' : 'super', before, token.startOffset, token);
      this.callsConstructor = true;
    }
    const kind = this.kindOfParenthesis(before, token);
    const frame = this.stack.push(kind, top.owner, close);
    frame.call = this.pendingCall;
    frame.anonymous = this.pendingAnonymous;
    frame.classesBefore = frame.argumentClasses = this.classes.length;
    frame.separator = token;
    this.pendingCall = this.pendingAnonymous = null;
    if (kind === Kind.resources) this.implicitAt('tryWithResources', 'close', before);
    if (kind === Kind.switchHeader) this.implicitAt('switch', 'hashCode', before);
    if (kind === Kind.recordPattern) this.implicitAt('recordPattern', 'accessor', before);
  }

  private kindOfParenthesis(before: IToken, token: IToken): FrameKind {
    if (this.pendingCall !== null) return Kind.call;
    const header = headers.get(before.tokenType);
    if (header !== undefined) return header;
    const { top } = this.stack;
    if (before.tokenType === T.Identifier) {
      if (before.image === 'when' && top.guarded) return Kind.group;
      if (before.image === 'yield') return Kind.group;
      return Kind.recordPattern;
    }
    if (before.tokenType !== T.Greater) return Kind.group;
    if (top.kind === Kind.recordPattern || (top.inLabel && !top.guarded)) return Kind.recordPattern;
    const found = typeBefore(this.tokens, indexOf(this.tokens, token) - 1);
    return found && this.tokens[found.start - 1]?.tokenType === T.InstanceOf ? Kind.recordPattern : Kind.group;
  }

  private beginLambda(open: IToken): void {
    const start = this.base + open.startOffset;
    const last = this.tokens[partnerOf(open)]!;
    const parameters = this.attempt(() => this.SUBRULE9(this.parametersRest)) ?? [];
    if (this.LA(0).startOffset < last.startOffset) this.skipTo(last);
    this.pendingLambda = { start, parameters };
  }

  onArrow(token: IToken): void {
    const { top } = this.stack;
    if (this.pendingLambda === null && top.kind === Kind.switchBlock && top.inLabel) {
      top.inLabel = top.guarded = false;
      return;
    }
    const before = this.LA(-1);
    const isBare = before.tokenType === T.Identifier;
    if (this.pendingLambda === null && !isBare) return;
    const start = this.pendingLambda?.start ?? this.base + before.startOffset;
    const draft = new Draft('lambda', top.owner, start);
    draft.nameEnd = this.pendingLambda ? start + 1 : this.base + endOf(before);
    draft.parameters = this.pendingLambda?.parameters ?? [
      { name: decodeName(before.image), type: null, varargs: false },
    ];
    draft.bodyStart = this.base + (this.LA(1).startOffset >= 0 ? this.LA(1).startOffset : endOf(token));
    draft.end = draft.bodyEnd = this.base + endOf(token);
    this.pendingLambda = null;
    this.sheet.drafts.push(draft);
    if (this.is(T.LCurly)) this.lambdaBlock = draft;
    else this.stack.push(Kind.lambdaExpression, draft, -1);
  }

  onReference(token: IToken): void {
    const index = indexOf(this.tokens, token);
    const start = this.tokens[primaryStart(this.tokens, index - 1)] ?? token;
    const name = this.attempt(() => this.SUBRULE9(this.referred));
    if (name !== null) this.call('methodReference', name, start.startOffset, token);
  }

  /** `<`: type arguments among arguments are read over, so that their commas are not counted. */
  onLess(): void {
    if (this.stack.top.commas < 0 || this.LA(-1).tokenType !== T.Identifier) return;
    const kind = this.stack.top.kind;
    if (kind !== Kind.call && kind !== Kind.lambdaExpression && kind !== Kind.array) return;
    const length = this.lengthOfTypeArguments(0);
    const next = this.LA(length).tokenType;
    const isTyped =
      length > 0 && (next === T.ColonColon || next === T.LBracket || this.LA(-2).tokenType === T.InstanceOf);
    if (isTyped) this.skipTo(this.LA(length - 1));
  }

  onDot(): void {
    if (this.is(T.Less)) this.attempt(() => this.SUBRULE9(this.typeArguments));
  }

  onAt(): void {
    if (!this.is(T.Interface)) this.attempt(() => this.SUBRULE9(this.annotationRest));
  }

  onPlus(token: IToken): void {
    if (mayConcatenate(this.LA(-1).tokenType, this.LA(1).tokenType))
      this.implicitAt('concatenation', 'makeConcatWithConstants', token);
  }

  onOpenLiteral(token: IToken): void {
    this.report('a string or character without its end', token);
  }

  onAssert(token: IToken): void {
    this.implicitAt('assert', 'desiredAssertionStatus', token);
  }
}

const { prototype } = CodeParser;
const handlers: readonly (readonly [TokenType, Step])[] = [
  [T.Identifier, prototype.onIdentifier],
  [T.LParen, prototype.onParenthesis],
  [T.LCurly, prototype.onBrace],
  [T.LBracket, prototype.onBracket],
  [T.RParen, prototype.onClose],
  [T.RCurly, prototype.onClose],
  [T.RBracket, prototype.onClose],
  [T.Semicolon, prototype.onSemicolon],
  [T.Comma, prototype.onComma],
  [T.Colon, prototype.onColon],
  [T.Question, prototype.onQuestion],
  [T.Case, prototype.onLabel],
  [T.Default, prototype.onLabel],
  [T.Class, prototype.localType],
  [T.Interface, prototype.localType],
  [T.Enum, prototype.localType],
  [T.Arrow, prototype.onArrow],
  [T.ColonColon, prototype.onReference],
  [T.New, prototype.onNew],
  [T.Less, prototype.onLess],
  [T.Dot, prototype.onDot],
  [T.At, prototype.onAt],
  [T.Assert, prototype.onAssert],
  [T.OpenLiteral, prototype.onOpenLiteral],
  [T.Plus, prototype.onPlus],
  [T.PlusAssign, prototype.onPlus],
];
/** The step of the loop at each type of token; types that are not listed need none. */
const steps: (Step | undefined)[] = [];
for (const [{ tokenTypeIdx }, step] of handlers) if (tokenTypeIdx !== undefined) steps[tokenTypeIdx] = step;
