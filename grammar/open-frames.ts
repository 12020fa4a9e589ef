// The explicit stack of the code parser: which frames are open at a place in a body, and whose code it is.
import type { IToken } from 'chevrotain';
import type { CallDraft, Draft } from './draft.ts';
import type { TypeText } from './outline.ts';

/** The construct that a frame stands for. The lambda expression is the only one that no bracket opens. */
export const Kind = {
  root: 0,
  block: 1,
  switchBlock: 2,
  lambdaBlock: 3,
  lambdaExpression: 4,
  group: 5,
  call: 6,
  header: 7,
  forHeader: 8,
  resources: 9,
  catchHeader: 10,
  switchHeader: 11,
  recordPattern: 12,
  array: 13,
  brackets: 14,
} as const;
export type FrameKind = (typeof Kind)[keyof typeof Kind];

export type Frame = {
  kind: FrameKind;
  /** The declaration whose code stands here. */
  owner: Draft | null;
  /** Index of the bracket that closes it, −1 for none. */
  closer: number;
  call: CallDraft | null;
  /** The class whose body follows the arguments. */
  anonymous: Draft | null;
  commas: number;
  /** Number of anonymous classes that were met before it. */
  classesBefore: number;
  /** Number of anonymous classes that were met before the current argument. */
  argumentClasses: number;
  /** The token in front of the current argument. */
  separator: IToken | null;
  /** Classes of earlier arguments that javac comes to after all others. */
  deferred: Draft[] | null;
  /** Conditional operators whose `:` is still to come. */
  conditions: number;
  /** Between `case` and its `:` or `->`. */
  inLabel: boolean;
  /** Behind the `when` of a label. */
  guarded: boolean;
  /** Type of the local declared last, which the names after a comma share. */
  declared: { type: TypeText | null } | null;
};

/** A stack whose frames are used again. */
export class FrameStack {
  private readonly frames: Frame[] = [];
  private size = 0;

  get top(): Frame {
    return this.frames[this.size - 1]!;
  }

  get depth(): number {
    return this.size;
  }

  push(kind: FrameKind, owner: Draft | null, closer: number): Frame {
    let frame = this.frames[this.size];
    if (frame === undefined) {
      frame = blank();
      this.frames.push(frame);
    }
    this.size++;
    frame.kind = kind;
    frame.owner = owner;
    frame.closer = closer;
    frame.call = null;
    frame.anonymous = null;
    frame.commas = 0;
    frame.classesBefore = 0;
    frame.argumentClasses = 0;
    frame.separator = null;
    frame.deferred = null;
    frame.conditions = 0;
    frame.inLabel = false;
    frame.guarded = false;
    frame.declared = null;
    return frame;
  }

  pop(): Frame {
    return this.frames[--this.size]!;
  }
}

function blank(): Frame {
  return {
    kind: Kind.root,
    owner: null,
    closer: -1,
    call: null,
    anonymous: null,
    commas: 0,
    classesBefore: 0,
    argumentClasses: 0,
    separator: null,
    deferred: null,
    conditions: 0,
    inLabel: false,
    guarded: false,
    declared: null,
  };
}
