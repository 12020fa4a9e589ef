// Tells whose code stands for a change where a context is on one side alone: the context's own, or that of a caller.
import type { CauseKind } from '../../capabilities/compare/door.ts';
import type { MethodSource } from '../../workspace/code/method-sources.ts';

type Code<Row> = {
  /** null where the code of one side is not known. */
  readonly changeOf: (row: Row) => MethodSource['change'] | null;
  /** Whether the code of a caller whose code changed has a call on the side that does not have its context. */
  readonly hasCallElsewhere: (caller: Row, called: Row) => boolean;
};

type Blame<Row> = {
  readonly cause: CauseKind;
  /** The nearest caller whose code changed, where its code stands for the change. */
  readonly caller: Row | undefined;
};

/**
 * A context on one side alone is a call that came or went only where the code of its direct caller says so. A caller that has the call on
 * both sides called a method that was too fast to be sampled, or that the JVM's compiler had united with its caller: then the code of the
 * method itself stands for the change, if it changed.
 * @param above what calls the context, from the root on.
 */
export function blameOf<Row>(kind: CauseKind, box: Row, above: readonly Row[], code: Code<Row>): Blame<Row> {
  const own = code.changeOf(box);
  if ((kind !== 'added' && kind !== 'removed') || own === 'new') return { cause: kind, caller: undefined };
  const direct = above.at(-1);
  const ofDirect = direct === undefined ? null : code.changeOf(direct);
  const isOnBothSides = ofDirect === 'same' || (ofDirect === 'changed' && code.hasCallElsewhere(direct!, box));
  if (own === 'changed' && (isOnBothSides || ofDirect === null)) return { cause: 'changed', caller: undefined };
  if (ofDirect === 'same') return { cause: own === 'same' ? 'unchanged' : 'unknown', caller: undefined };
  const caller = above.findLast(each => (code.changeOf(each) ?? 'same') !== 'same');
  return { cause: isOnBothSides ? 'changed' : kind, caller };
}
