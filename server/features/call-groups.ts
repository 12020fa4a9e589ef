// Groups what a line was seen to call into calls as a reader of the source understands them, and names what stands behind each.
import type { MethodTable } from '../cct/profile.ts';
import type { Amount } from '../metrics/analysis.ts';
import {
  classNameOf,
  isConstructorOrInitializer,
  isLambda,
  methodNameOf,
  methodOfLambda,
  simpleClassName,
} from './runtime-names.ts';

/** One call of one line: all callees of one method name, all of one created or initialised class, or all lambdas. */
export type CallGroup = {
  readonly line: number;
  readonly kind: 'method' | 'creation' | 'lambda';
  /** The method's name, or the binary name of the class that is created or initialised; empty for lambdas. */
  readonly name: string;
  /** Callee rows, ascending. */
  readonly targets: readonly number[];
  /** Samples with the line calling any of the targets, once. */
  readonly amount: Amount;
};

/** What decides which callees of a line belong together. */
export function groupKindAndName(methods: MethodTable, callee: number): Pick<CallGroup, 'kind' | 'name'> {
  const name = methodNameOf(methods, callee);
  if (isLambda(name)) return { kind: 'lambda', name: '' };
  if (isConstructorOrInitializer(name)) return { kind: 'creation', name: classNameOf(methods, callee) };
  return { kind: 'method', name };
}

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
