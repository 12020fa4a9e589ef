// Asks the resolver about every class and method of the class files, with more and less of what a profile may know.

import { METHOD_FLAG } from '../../server/cct/profile.ts';
import type { Frame, Resolution } from '../../server/mapping/frame.ts';
import type { LambdaRule, voteLambdaRules } from '../../server/mapping/lambda-rule.ts';
import { Surroundings } from '../../server/mapping/lambdas.ts';
import type { OutlineIndex, TypeIndex } from '../../server/mapping/outline-index.ts';
import { resolveFrame, resolveMethod } from '../../server/mapping/resolve.ts';
import { ACC, type ClassTruth, isLambdaBody, isSynthetic, type MethodTruth } from './class-files.ts';
import { rightLambdas } from './right-lambdas.ts';
import { initializersOnLine, rightConstructor, rightMethod, spansLine } from './right-methods.ts';
import { Tally, type Verdict } from './tally.ts';

/** The rows of the table that are about methods. */
export function methodTallies() {
  return {
    types: new Tally('class name → type'),
    byDescriptor: new Tally('class, name, descriptor'),
    byDescriptorAndLine: new Tally('class, name, descriptor, line'),
    byLine: new Tally('class, name, line'),
    lambdasByLine: new Tally('lambda: name, line'),
    lambdasByName: new Tally('lambda: name alone'),
    synthetic: new Tally('synthetic methods → target or header'),
    bridges: new Tally('bridges → target, where it is written'),
    unknown: new Tally('truth not known'),
  };
}

export type MethodTallies = ReturnType<typeof methodTallies>;

/** Measures one class against the outline of its file. */
export function measureClass(
  index: OutlineIndex,
  truth: ClassTruth,
  rules: ReturnType<typeof voteLambdaRules>,
  tallies: MethodTallies,
): void {
  const type = index.typeByName.get(truth.class);
  if ((truth.flags & ACC.synthetic) !== 0) {
    measureSyntheticClass(index, truth, tallies);
    return;
  }
  const verdict = type === undefined ? 'missing' : holdsAllLines(index, type, truth) ? 'right' : 'wrong';
  tallies.types.add(verdict, truth.nesting, () => truth.class);
  if (type === undefined) return;
  for (const method of truth.methods) {
    if (isLambdaBody(method)) continue;
    if (isSynthetic(method)) measureSynthetic(index, type, truth, method, tallies);
    else measureMethod(index, type, truth, method, tallies);
  }
  measureLambdas(index, type, truth, rules(truth.class), tallies);
}

/** Whether the type's text holds every line of the class: numbers of anonymous classes may be right by chance of name alone. */
function holdsAllLines(index: OutlineIndex, type: TypeIndex, { methods }: ClassTruth): boolean {
  return methods.every(({ lines = [] }) => lines.every(line => spansLine(index, type.declaration, line)));
}

function measureMethod(
  index: OutlineIndex,
  type: TypeIndex,
  truth: ClassTruth,
  method: MethodTruth,
  tallies: MethodTallies,
): void {
  const isConstructor = method.name === '<init>';
  const isStaticInitializer = method.name === '<clinit>';
  const right = isConstructor
    ? rightConstructor(index, type, method)
    : isStaticInitializer
      ? type.declaration.row
      : rightMethod(index, type, method);
  const name = (): string => `${truth.class}.${method.name}${method.descriptor}`;
  tallies.unknown.add(right === null ? 'missing' : 'right', isConstructor ? 'constructor' : 'method', name);
  if (right === null) return;
  const kind = kindOf(truth, method);
  const ask = (tally: Tally, frame: Frame, answer: Resolution, rows: readonly number[]): void => {
    const text = (): string => `${name()}${frame.lines.length > 0 ? `:${frame.lines[0]}` : ''} → ${answer.reason}`;
    tally.add(judge(answer, rows), kind, text);
  };
  const whole = toFrame(truth, method, method.descriptor, []);
  if (!isStaticInitializer) ask(tallies.byDescriptor, whole, resolveMethod(index, whole), [right]);
  for (const line of method.lines ?? []) {
    const rows = isConstructor || isStaticInitializer ? rowsOnLine(index, type, right, method, line) : [right];
    const withAll = toFrame(truth, method, method.descriptor, [line]);
    ask(tallies.byDescriptorAndLine, withAll, resolveFrame(index, withAll), rows);
    const withLine = toFrame(truth, method, null, [line]);
    ask(tallies.byLine, withLine, resolveFrame(index, withLine), rows);
  }
}

/** The right answers for a line of `<init>` or `<clinit>`: initialisers whose text holds it, else the method's own place. */
function rowsOnLine(
  index: OutlineIndex,
  type: TypeIndex,
  right: number,
  method: MethodTruth,
  line: number,
): readonly number[] {
  const isStatic = method.name === '<clinit>';
  const rows = initializersOnLine(index, isStatic ? type.staticInitializers : type.instanceInitializers, line);
  return isStatic && rows.length > 0 ? rows : [...rows, right];
}

function measureLambdas(
  index: OutlineIndex,
  type: TypeIndex,
  truth: ClassTruth,
  lambdaRule: LambdaRule | null,
  tallies: MethodTallies,
): void {
  const methods = truth.methods.filter(isLambdaBody);
  if (methods.length === 0) return;
  const right = rightLambdas(index, type, truth);
  const named = methods.map(method => toFrame(truth, method, null, []));
  const around = new Surroundings(named, lambdaRule);
  for (const [i, method] of methods.entries()) {
    const row = right.get(method.name) ?? null;
    const name = (): string => `${truth.class}.${method.name}:${method.lines?.join()}`;
    tallies.unknown.add(row === null ? 'missing' : 'right', 'lambda', name);
    if (row === null) continue;
    const alone = resolveFrame(index, named[i]!, around);
    tallies.lambdasByName.add(judge(alone, [row]), alone.confidence, () => `${name()} → ${alone.reason}`);
    for (const line of method.lines ?? []) {
      const frame = toFrame(truth, method, null, [line]);
      const siblings = named.map((sibling, at) => (at === i ? frame : sibling));
      const answer = resolveFrame(index, frame, new Surroundings(siblings, lambdaRule));
      tallies.lambdasByLine.add(judge(answer, [row]), answer.confidence, () => `${name()}@${line} → ${answer.reason}`);
    }
  }
}

/** A synthetic method must lead to what it forwards to, where that is written in the class, or to the type's header. */
function measureSynthetic(
  index: OutlineIndex,
  type: TypeIndex,
  truth: ClassTruth,
  method: MethodTruth,
  tallies: MethodTallies,
): void {
  const frame: Frame = { ...toFrame(truth, method, method.descriptor, []), flags: METHOD_FLAG.known | method.flags };
  const answer = resolveMethod(index, frame);
  const header = type.declaration.row;
  const isBridge = (method.flags & ACC.bridge) !== 0;
  let rows: readonly number[] = [header];
  if (isBridge) {
    const target = forwardTarget(index, type, truth, method);
    rows = target === null ? [header] : [target, header];
    const isTarget = target === null || answer.declarations[0] === target;
    tallies.bridges.add(isTarget ? 'right' : 'ambiguous', 'header', () => truth.class);
  } else if (method.name === '<init>') rows = [header, ...type.constructors];
  const kind = isBridge ? 'bridge' : method.name.replace(/\d+/g, '#');
  tallies.synthetic.add(
    judge(answer, rows),
    kind,
    () => `${truth.class}.${method.name}${method.descriptor} → ${answer.reason}`,
  );
}

function forwardTarget(index: OutlineIndex, type: TypeIndex, truth: ClassTruth, method: MethodTruth): number | null {
  const [owner, name, descriptor] = (method.forwards ?? '').split(' ');
  if (owner !== truth.class) return null;
  const target = truth.methods.find(other => other.name === name && other.descriptor === descriptor);
  if (target === undefined || isSynthetic(target)) return null;
  return rightMethod(index, type, target);
}

/** Classes that the compiler made hold tables for `switch` and the like; their code belongs to the type around them. */
function measureSyntheticClass(index: OutlineIndex, truth: ClassTruth, tallies: MethodTallies): void {
  const outer = index.typeByName.get(truth.class.slice(0, truth.class.lastIndexOf('$')));
  for (const method of truth.methods) {
    const answer = resolveMethod(index, toFrame(truth, method, method.descriptor, []));
    const rows = outer === undefined ? [] : [outer.declaration.row];
    tallies.synthetic.add(judge(answer, rows), 'class', () => `${truth.class}.${method.name} → ${answer.reason}`);
  }
}

function toFrame(truth: ClassTruth, method: MethodTruth, descriptor: string | null, lines: readonly number[]): Frame {
  return { className: truth.class, name: method.name, descriptor, lines, flags: 0 };
}

function kindOf(truth: ClassTruth, method: MethodTruth): string {
  if (method.name === '<init>') return `constructor of ${truth.nesting} class`;
  if (method.name === '<clinit>') return 'static initialiser';
  return truth.record === 1 ? 'method of record' : 'method';
}

function judge(answer: Resolution, right: readonly number[]): Verdict {
  if (answer.declarations.length === 0) return 'missing';
  if (answer.declarations.length > 1)
    return answer.declarations.some(row => right.includes(row)) ? 'ambiguous' : 'wrong';
  return right.includes(answer.declarations[0]!) ? 'right' : 'wrong';
}
