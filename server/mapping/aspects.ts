// Methods that AspectJ makes of pieces of written ones, for advice that runs around them.
import { describeType } from './constructors.ts';
import { type Frame, found, type Resolution } from './frame.ts';
import { countLines } from './observed-lines.ts';
import type { OutlineIndex, TypeIndex } from './outline-index.ts';

/** `run_aroundBody0`, `init$_aroundBody2`, and `run_aroundBody1$advice` with the lines of the advice. */
const AROUND = /^(.+)_aroundBody\d+(\$advice)?$/;

/** The name of the written method that an AspectJ method was made for, and whether its code is the advice's; null for others. */
function wrappedMethod(name: string): { readonly name: string; readonly isAdvice: boolean } | null {
  const parts = AROUND.exec(name);
  if (parts === null) return null;
  return { name: parts[1] === 'init$' ? '<init>' : parts[1]!, isAdvice: parts[2] !== undefined };
}

/**
 * The method whose code an AspectJ method holds. The name is that of the method around which the advice runs: where the advice
 * runs around calls, the code stands in another method of the class, so lines decide. Null where nothing fits.
 */
export function resolveAround(index: OutlineIndex, type: TypeIndex, frame: Frame): Resolution | null {
  const wrapped = wrappedMethod(frame.name);
  if (wrapped === null) return null;
  const { declarations } = index.outline;
  const named = wrapped.name === '<init>' ? type.constructors : (type.methodsByName.get(wrapped.name) ?? []);
  const all = [...type.methodsByName.values()].flat().concat(type.constructors);
  const holding = (rows: readonly number[]) =>
    wrapped.isAdvice ? [] : rows.filter(row => countLines(declarations[row]!, frame.lines) > 0);
  const onLines = [holding(named), holding(all)].find(rows => rows.length > 0);
  if (onLines?.length === 1)
    return found(onLines[0]!, 'line', `woven by AspectJ into ${describeType(type.declaration)}`);
  const rows = onLines ?? named;
  const reason = `${wrapped.isAdvice ? 'advice' : 'code'} around ${wrapped.name}, made by AspectJ`;
  if (rows.length === 1) return found(rows[0]!, wrapped.isAdvice ? 'generated' : 'exact', reason);
  return rows.length === 0 ? null : { declarations: rows, confidence: 'ambiguous', reason };
}
