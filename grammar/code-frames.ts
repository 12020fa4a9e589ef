// The open frames of code: brackets open them, and closing brackets and separators end them, with arguments, lambdas and anonymous classes.
import type { IToken } from 'chevrotain';
import { isDeferred } from './arguments.ts';
import { indexOf, partnerOf, primaryStart } from './brackets.ts';
import { CodeRecorder } from './code-recorder.ts';
import type { CallDraft, Draft } from './draft.ts';
import { endOf } from './java-parser.ts';
import { type Frame, Kind } from './open-frames.ts';
import type { Parameter } from './outline.ts';
import * as T from './tokens.ts';

/** Parameters in parentheses whose arrow is still to come. */
export type PendingLambda = { readonly start: number; readonly parameters: readonly Parameter[] };

export abstract class FrameParser extends CodeRecorder {
  protected tokens: readonly IToken[] = [];
  /** Constructs that were met and wait for the bracket that opens their frame. */
  protected pendingCall: CallDraft | null = null;
  protected pendingLambda: PendingLambda | null = null;
  protected pendingAnonymous: Draft | null = null;
  protected lambdaBlock: Draft | null = null;
  protected switchBlock = false;
  /** Anonymous classes of the region in the order in which javac comes to them. */
  protected classes: Draft[] = [];
  /** Steps are taken: chevrotain is not recording the rules. */
  protected live = false;

  /** Reads over everything up to a token that stands ahead, and that one. */
  protected skipTo(last: IToken): void {
    this.currIdx = indexOf(this.tokens, last);
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

  protected close(frame: Frame, token: IToken = this.LA(0), isCut = true): void {
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
    this.skipTo(last);
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
}
