// The name of what stands behind a call.

import type { CallGroup } from '../../analysis/method-facts.ts';
import { printableName } from '../../base/printable.ts';
import type { MethodTable } from '../../cct/profile.ts';
import { simpleClassName } from '../../mapping/class-names.ts';
import { classNameOf, methodNameOf, methodOfLambda } from '../text/runtime-names.ts';

/** What stands behind the arrow: the class that really ran, `name()` for the caller's own class, or how many there were. For people: see `printableName`. */
export function targetText(methods: MethodTable, group: CallGroup, callerClass: string): string {
  return printableName(targetOf(methods, group, callerClass));
}

function targetOf(methods: MethodTable, group: CallGroup, callerClass: string): string {
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
