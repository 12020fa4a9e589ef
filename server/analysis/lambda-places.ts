// Which lambdas of two versions are the same where their compilers number lambdas by different rules: their names tell nothing, the lines of their bodies do.
import { methodName } from '../cct/method-names.ts';
import { type ClassIndex, lambdaRuleAt, lambdaRuleOf, rowsOfClass } from '../mapping/class-index.ts';
import { plainClassName } from '../mapping/class-names.ts';

/** A lambda body, or another method, with the lines that were observed in it. */
type Observed = { readonly row: number; readonly lines: readonly number[] };

const LAMBDA = /^lambda\$(.*)\$\d+$/;

/**
 * The lambda of the baseline by shown row, −1 where there is none, for all lambdas of the classes whose lambdas are numbered by another
 * rule than in the baseline (up to JDK 22 a counter a class, then one a method). Lambdas of one method and descriptor are the same where
 * most of their lines are; where the lines of the class have moved, only a lambda that is alone on both sides is found.
 */
export function lambdasByPlace(shown: ClassIndex, baseline: ClassIndex): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  const { strings } = shown.methods;
  for (const [row, printed] of shown.columns.name.entries()) {
    const rule = lambdaRuleAt(shown, row);
    if (rule === null) continue;
    const className = plainClassName(strings[printed]!);
    const ruleThen = lambdaRuleOf(baseline, className);
    if (ruleThen === null || ruleThen === rule) continue;
    const now = methodsByKey(shown, className);
    const then = methodsByKey(baseline, className);
    const inPlace = stayedInPlace(now.others, then.others);
    for (const [key, lambdas] of now.lambdas) {
      const before = then.lambdas.get(key) ?? [];
      for (const { row } of lambdas) found.set(row, -1);
      for (const [row, was] of paired(lambdas, before, inPlace)) found.set(row, was);
    }
  }
  return found;
}

/** Lambdas by the method that they stand in and their descriptor, other methods by name and descriptor. */
function methodsByKey(side: ClassIndex, className: string) {
  const lambdas = new Map<string, Observed[]>();
  const others = new Map<string, Observed>();
  for (const row of rowsOfClass(side, className)) {
    const { name, descriptor } = methodName(side.methods, row);
    const owner = LAMBDA.exec(name)?.[1];
    const key = `${owner ?? name};${descriptor ?? ''}`;
    const observed = { row, lines: linesOf(side, row) };
    if (owner === undefined) others.set(key, observed);
    else lambdas.set(key, [...(lambdas.get(key) ?? []), observed]);
  }
  return { lambdas, others };
}

function linesOf({ lines }: ClassIndex, row: number): readonly number[] {
  return lines === null ? [] : Array.from(lines.line.subarray(lines.offset[row]!, lines.offset[row + 1]!));
}

/** Whether the class has its code on the same lines in both versions, as far as its methods with names tell. */
function stayedInPlace(now: ReadonlyMap<string, Observed>, then: ReadonlyMap<string, Observed>): boolean {
  let [same, moved] = [0, 0];
  for (const [key, one] of now) {
    const other = then.get(key);
    if (other === undefined || one.lines.length === 0 || other.lines.length === 0) continue;
    if (2 * inCommon(one, other) >= Math.min(one.lines.length, other.lines.length)) same++;
    else moved++;
  }
  return same >= moved;
}

function paired(now: readonly Observed[], then: readonly Observed[], inPlace: boolean): [row: number, was: number][] {
  if (now.length === 1 && then.length === 1) return [[now[0]!.row, then[0]!.row]];
  if (!inPlace) return [];
  const pairs = now.flatMap(one => then.map(other => ({ one, other, common: inCommon(one, other) })));
  // A pair of which either has as much in common with another is not told apart.
  const isBest = ({ one, other, common }: (typeof pairs)[number]) =>
    common > 0 && pairs.every(each => (each.one === one) === (each.other === other) || each.common < common);
  return pairs.filter(isBest).map(({ one, other }) => [one.row, other.row]);
}

/** Lines that both were observed on. */
function inCommon(one: Observed, other: Observed): number {
  return one.lines.filter(line => line > 0 && other.lines.includes(line)).length;
}
