// The name of the class that a call leads to.

import type { CallGroup } from '../../analysis/method-facts.ts';
import { printableName } from '../../base/printable.ts';
import type { MethodTable } from '../../cct/profile.ts';
import { simpleClassName } from '../../mapping/class-names.ts';
import { classNameOf, methodNameOf, methodOfLambda } from '../text/runtime-names.ts';

/** The name behind the arrow, and how many other classes (of lambdas: other lambdas) it stands for. The name is for people: see `printableName`. */
type CallTarget = { readonly name: string; readonly others: number };

/** The class that really ran, of several the heaviest one; `name()` for the caller's own class alone. */
export function targetOf(methods: MethodTable, group: CallGroup, callerClass: string): CallTarget {
  const classes = new Set(group.targets.map(row => classNameOf(methods, row)));
  const parts = group.kind === 'lambda' ? group.targets.length : classes.size;
  const isOwn = classes.size === 1 && classes.has(callerClass);
  return { name: printableName(nameOf(methods, group, isOwn)), others: parts - 1 };
}

function nameOf(methods: MethodTable, { kind, name, targets }: CallGroup, isOwn: boolean): string {
  const [heaviest] = targets;
  switch (kind) {
    case 'creation':
      return simpleClassName(name);
    case 'lambda': {
      const written = methodOfLambda(methodNameOf(methods, heaviest!));
      return written === null ? 'lambda' : `lambda in ${written}`;
    }
    case 'method': {
      const type = classNameOf(methods, heaviest!);
      return isOwn || type === '' ? `${name}()` : simpleClassName(type);
    }
  }
}

/** `LongDataType`, `LongDataType +1`. */
export function targetText({ name, others }: CallTarget): string {
  return others > 0 ? `${name} +${others}` : name;
}
