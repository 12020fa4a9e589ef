// The name of a method in a table: its package paler, and below it where there is little width.
import type { MethodInfo } from 'insitu/views';
import { nameWithParameters, packageOf } from './name-trimming.ts';

export function MethodName({ method }: { readonly method: MethodInfo }) {
  const text = nameWithParameters(method);
  const length = packageOf(method).length;
  // Names with signs that are not shown as they are stay in one piece.
  const first = length === 0 || !text.startsWith(`${packageOf(method)}.`) ? 0 : length + 1;
  return (
    <span class="method-name" title={text}>
      {first === 0 ? null : <span class="package">{text.slice(0, first)}</span>}
      <span>{text.slice(first)}</span>
    </span>
  );
}
