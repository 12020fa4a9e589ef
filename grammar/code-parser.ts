// Code: one loop over the tokens of a body or an initialiser with a stack of its own, so that no nesting overflows.
import type { IToken, TokenType } from 'chevrotain';
import { isDeferred } from './arguments.ts';
import {
  annotationStart,
  indexOf,
  mayConcatenate,
  openingAngle,
  pairBrackets,
  partnerOf,
  primaryStart,
  typeBefore,
} from './brackets.ts';
import { CodeRecorder } from './code-recorder.ts';
import { type CallDraft, Draft, decodeName } from './draft.ts';
import { type Frame, type FrameKind, Kind } from './frames.ts';
import { endOf } from './java-parser.ts';
import type { Piece } from './member-parser.ts';
import type { Parameter, TypeText } from './outline.ts';
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
export class CodeParser extends CodeRecorder {
  private tokens: readonly IToken[] = [];
  private pendingCall: CallDraft | null = null;
  private pendingLambda: { start: number; parameters: readonly Parameter[] } | null = null;
  private pendingAnonymous: Draft | null = null;
  private lambdaBlock: Draft | null = null;
  /** Anonymous classes of the region in the order in which javac comes to them. */
  private classes: Draft[] = [];
  private switchBlock = false;
  private callsConstructor = false;
  private live = false;

  constructor() {
    super();
    this.inCode = true;
    this.performSelfAnalysis();
  }

  /** Parses the code of a region: statements in braces, an expression, or the arguments of an enum constant. */
  read({ text, tokens, sheet, region }: Piece): void {
    const owner = region?.owner ?? null;
    this.text = text;
    this.sheet = sheet;
    this.base = region?.start ?? 0;
    this.depth = region?.depth ?? 0;
    this.tokens = tokens;
    const piece = (): string => (region === null ? text : text.slice(region.start, region.end));
    for (const index of pairBrackets(tokens, piece)) this.report('a bracket without its partner', tokens[index]!);
    this.classes = [];
    this.stack.clear();
    this.stack.push(Kind.root, owner, -1);
    this.pendingCall = this.pendingLambda = this.pendingAnonymous = this.lambdaBlock = null;
    this.switchBlock = this.callsConstructor = false;
    this.live = true;
    // A copy: the parser marks the end by tokens of its own behind the last.
    this.input = tokens.slice();
    this.code();
    this.live = false;
    while (this.stack.depth > 1) this.close(this.stack.pop());
    const places = this.classes.map(draft => draft.bodyStart).sort((a, b) => a - b);
    this.classes.forEach((draft, at) => {
      draft.turn = places[at]!;
    });
    const isConstructor = owner?.kind === 'constructor' || owner?.kind === 'compactConstructor';
    if (owner && isConstructor && !this.callsConstructor)
      this.implicit('superConstructor', 'super', owner, this.base, this.base);
  }

  private readonly code = this.RULE('code', () => {
    this.MANY(() => {
      const token = this.CONSUME(T.Any);
      if (this.live) steps[token.tokenTypeIdx]?.call(this, token);
    });
  });

  /** What follows `new`: the created type. */
  private readonly created = this.RULE('created', (): TypeText => {
    this.OPTION(() => this.SUBRULE(this.typeArguments));
    return this.SUBRULE(this.type);
  });

  /** What follows `::`. */
  private readonly referred = this.RULE('referred', (): IToken => {
    this.OPTION(() => this.SUBRULE(this.typeArguments));
    return this.OR([{ ALT: () => this.CONSUME(T.Identifier) }, { ALT: () => this.CONSUME(T.New) }]);
  });

  private readonly skipped = this.RULE('skipped', (last: IToken) => {
    this.MANY({ GATE: () => this.LA(0) !== last, DEF: () => this.CONSUME(T.Any) });
  });

  /** Names: calls, record patterns, locals, and `record` as the beginning of a local type. */
  onIdentifier(token: IToken): void {
    const next = this.LA(1).tokenType;
    const before = this.LA(-1);
    if (next === T.LParen) {
      if (!this.isPatternName(token) && !this.isYield(token))
        this.pendingCall = this.call('call', token, this.LA(1).startOffset, this.LA(1));
      return;
    }
    const type = before.tokenType;
    if (type === T.Identifier) {
      if (token.image === 'when' && this.stack.top.inLabel) this.stack.top.guarded = true;
      else if (before.image !== 'yield' || this.LA(-2).tokenType === T.Dot) this.local(token);
    } else if (type === T.Primitive || type === T.RBracket || type === T.Greater) this.local(token);
    else if (token.image === 'when' && this.stack.top.inLabel && type === T.RParen) this.stack.top.guarded = true;
    if (token.image === 'record' && next === T.Identifier && (this.is(T.LParen, 2) || this.is(T.Less, 2)))
      this.localType(token);
  }

  /** Whether the name before a `(` names a record in a pattern, or is the `when` of a guard. */
  private isPatternName(token: IToken): boolean {
    const { top } = this.stack;
    if (top.kind === Kind.recordPattern) return true;
    if (top.inLabel && !top.guarded) {
      if (token.image !== 'when' || this.LA(-1).tokenType === T.Case) return true;
      top.guarded = true;
      return true;
    }
    let ahead = -1;
    while (this.LA(ahead).tokenType === T.Dot) ahead -= 2;
    while (this.LA(ahead).tokenType === T.Final) ahead--;
    return this.LA(ahead).tokenType === T.InstanceOf;
  }

  /** `yield (…)` as a statement; `yield()` can only be a call. */
  private isYield(token: IToken): boolean {
    if (token.image !== 'yield' || this.LA(2).tokenType === T.RParen) return false;
    const before = this.LA(-1).tokenType;
    return (
      before === T.Semicolon ||
      before === T.LCurly ||
      before === T.RCurly ||
      before === T.Colon ||
      before === T.RParen ||
      before === T.Block
    );
  }

  private local(token: IToken): void {
    const { top } = this.stack;
    const kind = top.kind;
    const index = indexOf(this.tokens, token);
    if (this.tokens[index - 1]?.tokenType === T.Greater && openingAngle(this.tokens, index - 1) < 0) return;
    const found = typeBefore(this.tokens, index - 1);
    if (found === null) return;
    const before = this.tokens[found.start - 1]?.tokenType;
    if (before === T.Dot || before === T.New) return;
    const isInArguments =
      kind === Kind.call || kind === Kind.lambdaExpression || kind === Kind.group || kind === Kind.header;
    if (isInArguments && before !== T.InstanceOf && before !== T.Final) return;
    const isUnion = before === T.Pipe && kind === Kind.catchHeader;
    const type = isUnion || found.type.name === 'var' ? null : found.type;
    this.addLocal(token, type);
    const declares =
      kind === Kind.block || kind === Kind.lambdaBlock || kind === Kind.switchBlock || kind === Kind.forHeader;
    if (declares) top.declared = { type };
  }

  /** `class`, `interface`, `enum` or `record` inside a body: its text is left to the member parser. */
  localType(token: IToken): void {
    if (token.tokenType === T.Class && this.LA(-1).tokenType === T.Dot) return;
    const at = indexOf(this.tokens, token);
    let first = at;
    while (first > 0) {
      const before = this.tokens[first - 1]!;
      if (before.tokenType.CATEGORIES?.includes(T.ModifierWord) === true) first--;
      else {
        const annotation = annotationStart(this.tokens, first - 1);
        if (annotation < 0) break;
        first = annotation;
      }
    }
    let open = at;
    while (
      open < this.tokens.length &&
      this.tokens[open]!.tokenType !== T.LCurly &&
      this.tokens[open]!.tokenType !== T.Semicolon
    ) {
      const partner = this.tokens[open]!.tokenType === T.LParen ? partnerOf(this.tokens[open]!) : -1;
      open = partner > open ? partner : open + 1;
    }
    if (this.tokens[open]?.tokenType !== T.LCurly) return;
    const close = partnerOf(this.tokens[open]!);
    const last = close < 0 ? this.tokens.at(-1)! : this.tokens[close]!;
    this.leave('type', this.tokens[first]!.startOffset, endOf(last), this.stack.top.owner);
    this.SUBRULE9(this.skipped, { ARGS: [last] });
  }

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
    if (this.LA(0).startOffset < last.startOffset) this.SUBRULE9(this.skipped, { ARGS: [last] });
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

  onBrace(token: IToken): void {
    const { top } = this.stack;
    const before = this.LA(-1).tokenType;
    const close = partnerOf(token);
    if (this.lambdaBlock) {
      this.stack.push(Kind.lambdaBlock, this.lambdaBlock, close);
      this.lambdaBlock = null;
      return;
    }
    const isArray =
      before === T.Assign ||
      before === T.RBracket ||
      top.kind === Kind.array ||
      (top.kind === Kind.root && before !== T.Arrow && top.owner?.kind === 'field');
    const kind = this.switchBlock ? Kind.switchBlock : isArray ? Kind.array : Kind.block;
    this.switchBlock = false;
    this.stack.push(kind, top.owner, close);
  }

  onBracket(token: IToken): void {
    this.stack.push(Kind.brackets, this.stack.top.owner, partnerOf(token));
  }

  /** A closing bracket ends its frame and whatever was left open inside. */
  onClose(token: IToken): void {
    const partner = partnerOf(token);
    if (partner < 0) return;
    const closer = partnerOf(this.tokens[partner]!);
    while (this.stack.depth > 1) {
      const frame = this.stack.pop();
      const found = frame.closer === closer;
      this.close(frame, token, !found);
      if (found) break;
    }
  }

  private close(frame: Frame, token: IToken = this.LA(0), isCut = true): void {
    if (frame.kind === Kind.lambdaExpression) {
      const last = this.LA(this.live ? -1 : 0);
      if (frame.owner) frame.owner.end = frame.owner.bodyEnd = Math.max(frame.owner.end, this.base + endOf(last));
    } else if (frame.kind === Kind.lambdaBlock) {
      if (frame.owner) frame.owner.end = frame.owner.bodyEnd = this.base + endOf(token);
    } else if (frame.kind === Kind.switchHeader) this.switchBlock = this.is(T.LCurly);
    if (frame.call && frame.call.argumentCount >= 0) {
      const isEmpty = this.LA(-1).startOffset + this.base === frame.call.open;
      frame.call.argumentCount = isEmpty ? 0 : frame.commas + 1;
    }
    if (frame.call) this.endArgument(frame, token);
    if (!isCut && frame.call?.kind === 'call') this.orderClasses(frame, partnerOf(token));
    for (const late of frame.deferred ?? []) this.classes.push(late);
    const anonymous = frame.anonymous;
    if (anonymous === null || isCut) return;
    this.classes.push(anonymous);
    const body = this.LA(1);
    const last = partnerOf(body) < 0 ? this.tokens.at(-1)! : this.tokens[partnerOf(body)]!;
    const inner = partnerOf(body) < 0 ? endOf(last) : last.startOffset;
    this.leave('members', body.startOffset + 1, inner, anonymous);
    this.SUBRULE9(this.skipped, { ARGS: [last] });
  }

  /** Takes out the classes of an argument that javac leaves until it knows the method. `end` is the token behind it. */
  private endArgument(frame: Frame, end: IToken): void {
    const { classes, tokens } = this;
    if (classes.length > frame.argumentClasses && frame.separator !== null) {
      const first = indexOf(tokens, frame.separator) + 1;
      if (isDeferred(tokens, first, indexOf(tokens, end) - 1)) {
        frame.deferred ??= [];
        for (const late of classes.splice(frame.argumentClasses)) frame.deferred.push(late);
      }
    }
    frame.argumentClasses = classes.length;
    frame.separator = end;
  }

  /** Arguments come to javac before what the method is called on: `a.f(new B() { }).g(new C() { })` makes C the first. */
  private orderClasses(frame: Frame, open: number): void {
    const { classes } = this;
    const middle = frame.classesBefore;
    if (middle === 0 || middle === classes.length) return;
    const receiver = this.base + this.tokens[primaryStart(this.tokens, open - 1)]!.startOffset;
    let first = middle;
    while (first > 0 && classes[first - 1]!.start >= receiver) first--;
    classes.splice(first, 0, ...classes.splice(middle));
  }

  /** Ends the lambda expressions on top that `;`, `,` or `:` stands behind. */
  private endLambdas(untilCondition: boolean): void {
    while (this.stack.top.kind === Kind.lambdaExpression) {
      if (untilCondition && this.stack.top.conditions > 0) return;
      this.close(this.stack.pop());
    }
  }

  onSemicolon(): void {
    this.endLambdas(false);
    const { top } = this.stack;
    top.conditions = 0;
    top.declared = null;
    top.inLabel = top.guarded = false;
  }

  onComma(token: IToken): void {
    this.endLambdas(false);
    const { top } = this.stack;
    top.commas++;
    if (top.call) this.endArgument(top, token);
    if (top.declared === null || !this.is(T.Identifier)) return;
    const next = this.LA(2).tokenType;
    if (next === T.Assign || next === T.Comma || next === T.Semicolon || next === T.LBracket)
      this.addLocal(this.LA(1), top.declared.type, 2);
  }

  onColon(): void {
    this.endLambdas(true);
    const { top } = this.stack;
    if (top.conditions > 0) top.conditions--;
    else if (top.kind === Kind.forHeader) this.implicitAt('forEach', 'iterator', this.LA(1));
    else top.inLabel = top.guarded = false;
  }

  onQuestion(): void {
    const next = this.LA(1).tokenType;
    if (next === T.Greater || next === T.Comma || next === T.Extends) return;
    if (next === T.Super && this.LA(2).tokenType !== T.Dot && this.LA(2).tokenType !== T.ColonColon) return;
    this.stack.top.conditions++;
  }

  onLabel(): void {
    if (this.stack.top.kind === Kind.switchBlock) this.stack.top.inLabel = true;
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
    if (isTyped) this.SUBRULE9(this.skipped, { ARGS: [this.LA(length - 1)] });
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

/** What the loop does at each type of token; types that are not listed need nothing. */
const steps: (Step | undefined)[] = [];
function on(type: TokenType, step: Step): void {
  if (type.tokenTypeIdx !== undefined) steps[type.tokenTypeIdx] = step;
}
const { prototype } = CodeParser;
on(T.Identifier, prototype.onIdentifier);
on(T.LParen, prototype.onParenthesis);
on(T.LCurly, prototype.onBrace);
on(T.LBracket, prototype.onBracket);
for (const type of [T.RParen, T.RCurly, T.RBracket]) on(type, prototype.onClose);
on(T.Semicolon, prototype.onSemicolon);
on(T.Comma, prototype.onComma);
on(T.Colon, prototype.onColon);
on(T.Question, prototype.onQuestion);
for (const type of [T.Case, T.Default]) on(type, prototype.onLabel);
for (const type of [T.Class, T.Interface, T.Enum]) on(type, prototype.localType);
on(T.Arrow, prototype.onArrow);
on(T.ColonColon, prototype.onReference);
on(T.New, prototype.onNew);
on(T.Less, prototype.onLess);
on(T.Dot, prototype.onDot);
on(T.At, prototype.onAt);
on(T.Assert, prototype.onAssert);
on(T.OpenLiteral, prototype.onOpenLiteral);
for (const type of [T.Plus, T.PlusAssign]) on(type, prototype.onPlus);
