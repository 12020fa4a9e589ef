// The meaning of a name in code: a call, a pattern, a local variable, a local type.
import type { IToken } from 'chevrotain';
import { annotationStart, indexOf, openingAngle, partnerOf, typeBefore } from './brackets.ts';
import { FrameParser } from './code-frames.ts';
import { endOf } from './java-parser.ts';
import { Kind } from './open-frames.ts';
import * as T from './tokens.ts';

export abstract class NameParser extends FrameParser {
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
    this.skipTo(last);
  }
}
