// The records that the code parser writes when its loop meets something: calls, locals, problems, regions left for later.
import { type IToken, isRecognitionException } from 'chevrotain';
import { type CallDraft, type Draft, decodeName } from './draft.ts';
import { endOf, JavaParser } from './java-parser.ts';
import { NESTING_LIMIT } from './member-parser.ts';
import { FrameStack } from './open-frames.ts';
import type { ImplicitConstruct, TypeText } from './outline.ts';
import * as T from './tokens.ts';

export abstract class CodeRecorder extends JavaParser {
  protected stack = new FrameStack();
  /** Number of regions around the one that is read. */
  protected depth = 0;

  /** Runs a rule in the midst of the loop; what it cannot read is reported and the loop goes on behind it. */
  protected attempt<R>(rule: () => R): R | null {
    try {
      return rule();
    } catch (error) {
      if (!(error instanceof Error) || !isRecognitionException(error)) throw error;
      const at = this.LA(1).startOffset >= 0 ? this.LA(1) : this.LA(0);
      this.report(error.message, at);
      return null;
    }
  }

  protected report(message: string, token: IToken): void {
    this.sheet.problem(message, this.base + token.startOffset, this.base + endOf(token));
  }

  protected implicit(
    construct: ImplicitConstruct,
    name: string,
    owner: Draft | null,
    start: number,
    end: number,
  ): void {
    this.sheet.calls.push({
      owner,
      kind: 'implicit',
      name,
      argumentCount: -1,
      nameStart: start,
      nameEnd: end,
      open: -1,
      at: start,
      construct,
    });
  }

  protected implicitAt(construct: ImplicitConstruct, name: string, token: IToken): void {
    this.implicit(construct, name, this.stack.top.owner, this.base + token.startOffset, this.base + endOf(token));
  }

  protected call(kind: CallDraft['kind'], token: IToken, at: number, open: IToken | null): CallDraft {
    const call: CallDraft = {
      owner: this.stack.top.owner,
      kind,
      name: decodeName(token.image),
      argumentCount: kind === 'methodReference' ? -1 : 0,
      nameStart: this.base + token.startOffset,
      nameEnd: this.base + endOf(token),
      open: open === null ? -1 : this.base + open.startOffset,
      at: this.base + at,
      construct: null,
    };
    this.sheet.calls.push(call);
    return call;
  }

  protected addLocal(token: IToken, type: TypeText | null, behind = 1): void {
    let dimensions = 0;
    for (let ahead = behind; this.is(T.LBracket, ahead) && this.is(T.RBracket, ahead + 1); ahead += 2) dimensions++;
    this.sheet.locals.push({
      owner: this.stack.top.owner,
      name: decodeName(token.image),
      type: type === null || dimensions === 0 ? type : { name: type.name, dimensions: type.dimensions + dimensions },
      nameStart: this.base + token.startOffset,
      nameEnd: this.base + endOf(token),
    });
  }

  protected leave(what: 'type' | 'members', start: number, end: number, owner: Draft | null): void {
    const depth = this.depth + 1;
    if (depth <= NESTING_LIMIT)
      this.sheet.regions.push({ what, start: this.base + start, end: this.base + end, owner, depth });
    else
      this.sheet.problem(
        `types nest deeper than ${NESTING_LIMIT}; the inner ones are left out`,
        this.base + start,
        this.base + end,
      );
  }
}
