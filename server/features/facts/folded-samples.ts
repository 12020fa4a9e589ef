// Samples in which a method ran itself that folding has taken out of all stacks: they count for its callers, and this says so.
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { descriptorOf } from '../../cct/method-names.ts';
import { METHOD_FLAG } from '../../cct/profile.ts';
import { rowsOfClass } from '../../mapping/class-index.ts';
import { parameterCount } from '../../mapping/parameters.ts';
import { samplesText } from '../text/format-share.ts';
import { classNameOf, methodNameOf } from '../text/runtime-names.ts';

const BRIDGE = METHOD_FLAG.known | METHOD_FLAG.bridge;

/**
 * `12 samples in which its bridge ran itself count for what called it`, of all that was loaded; empty where there are none. A bridge is
 * of these methods where its class has no other method of its name and number of parameters.
 */
export function bridgeText(data: LoadedData, rows: readonly number[]): string {
  const { methods } = data.profile;
  const bridges = [...ownOfFolded(data).keys()].filter(row => {
    const target = (methods.flags[row]! & BRIDGE) === BRIDGE ? targetOf(data, row) : null;
    return target !== null && rows.includes(target);
  });
  const samples = countOf(data, bridges);
  return samples === 0 ? '' : `${samplesText(samples)} in which its bridge ran itself count for what called it`;
}

/** The same of a method that was folded away, by its names. */
export function foldedText(data: LoadedData, className: string, name: string): string {
  const { methods } = data.profile;
  const isNamed = (row: number) => methodNameOf(methods, row) === name && classNameOf(methods, row) === className;
  const samples = countOf(data, [...ownOfFolded(data).keys()].filter(isNamed));
  return samples === 0 ? '' : `${samplesText(samples)} in which it ran itself count for what called it`;
}

function ownOfFolded({ ownOfFolded, analysis }: LoadedData) {
  return ownOfFolded[analysis.selection.metric]!;
}

function countOf(data: LoadedData, rows: readonly number[]): number {
  return rows.reduce((sum, row) => sum + ownOfFolded(data).get(row)!.count, 0);
}

/** The method that a bridge calls; null where several may be meant. */
function targetOf(data: LoadedData, bridge: number): number | null {
  const { methods } = data.profile;
  const arityOf = (row: number) => parameterCount(descriptorOf(methods, row));
  const targets = rowsOfClass(data.classes, classNameOf(methods, bridge)).filter(
    row => methods.name[row] === methods.name[bridge] && arityOf(row) === arityOf(bridge),
  );
  return targets.length === 1 ? targets[0]! : null;
}
