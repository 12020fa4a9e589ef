// What a line was seen to call, as calls that a reader of the source understands, and the name of what stands behind each.

import type { CalleeKind } from '../../analysis/callee-groups.ts';
import type { MethodTable } from '../../cct/profile.ts';
import type { Amount } from '../../metrics/analysis.ts';
import { classNameOf, methodNameOf, methodOfLambda, simpleClassName } from '../text/runtime-names.ts';

/** One call of one line: all callees of one method name, all of one created or initialised class, or all lambdas. */
export type CallGroup = {
  readonly line: number;
  readonly kind: CalleeKind;
  /** The method's name, or the binary name of the class that is created or initialised; empty for lambdas. */
  readonly name: string;
  /** Callee rows, ascending. */
  readonly targets: readonly number[];
  /** Samples with the line calling any of the targets, once. */
  readonly amount: Amount;
};

/** What stands behind the arrow: the class that really ran, `name()` for the caller's own class, or how many there were. */
export function targetText(methods: MethodTable, group: CallGroup, callerClass: string): string {
  const classes = new Set(group.targets.map(row => classNameOf(methods, row)));
  const [first] = classes;
  switch (group.kind) {
    case 'creation':
      return simpleClassName(group.name);
    case 'lambda': {
      if (group.targets.length > 1) return `${group.targets.length} targets`;
      const written = methodOfLambda(methodNameOf(methods, group.targets[0]!));
      return written === null ? 'lambda' : `lambda in ${written}`;
    }
    case 'method':
      if (classes.size > 1) return `${classes.size} targets`;
      return first === callerClass || first === '' ? `${group.name}()` : simpleClassName(first!);
  }
}
