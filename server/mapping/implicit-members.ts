// Members that the compiler writes itself: of enums, records, lambdas and nest mates; they stand at the type's header.
import { METHOD_FLAG } from '../cct/profile.ts';
import { describeType } from './constructors.ts';
import { type Frame, found, type Resolution } from './frame.ts';
import type { TypeIndex } from './outline-index.ts';
import { parameterCount } from './parameters.ts';

/** The type's header when the compiler made the method, else null. Asked only when no written member fits. */
export function resolveImplicit(type: TypeIndex, frame: Frame): Resolution | null {
  const { declaration } = type;
  const made = implicitKind(type, frame);
  if (made === null) return null;
  return found(
    declaration.row,
    made === 'generated' ? 'generated' : 'header',
    `${frame.name} of ${describeType(declaration)}, made by the compiler`,
  );
}

function implicitKind({ declaration }: TypeIndex, frame: Frame): 'header' | 'generated' | null {
  const { name } = frame;
  const count = parameterCount(frame.descriptor) ?? -1;
  const takes = (expected: number): boolean => count < 0 || count === expected;
  if (declaration.kind === 'enum') {
    if ((name === 'values' || name === '$values') && takes(0)) return 'header';
    if (name === 'valueOf' && takes(1)) return 'header';
  }
  if (declaration.kind === 'record') {
    if ((name === 'toString' || name === 'hashCode') && takes(0)) return 'header';
    if (name === 'equals' && takes(1)) return 'header';
    if (takes(0) && declaration.parameters.some(component => component.name === name)) return 'header';
  }
  if (name === '$deserializeLambda$' || /^access\$\d+$/.test(name) || name === '$values') return 'generated';
  if (/^\$SWITCH_TABLE\$/.test(name) || /^class\$\d*$/.test(name)) return 'generated';
  const synthetic = METHOD_FLAG.known | METHOD_FLAG.synthetic;
  return (frame.flags & synthetic) === synthetic ? 'generated' : null;
}
