// The calls that the code of a method has in one version, and whether two versions have the call of a method in common.
import type { CallSite, Outline } from '../../../grammar/outline.ts';
import { simpleClassName } from '../../mapping/class-names.ts';
import { parseDescriptor } from '../../mapping/descriptor.ts';

type CodeCall = {
  /** The called method; of a constructor the simple name of its type, and `LAMBDA` of a lambda. */
  readonly name: string;
  /** −1 where the code does not write them. */
  readonly argumentCount: number;
  /** A key that calls share which certainly call one method; null where the code does not tell. */
  readonly form: string | null;
};

/** The calls of the code of a changed method, in the earlier commit and now. */
export type CodeCalls = { readonly before: readonly CodeCall[]; readonly now: readonly CodeCall[] };

/** A method by its names in profiles. */
type Called = { readonly className: string; readonly method: string; readonly descriptor: string | null };

/** Stands for the lambdas of a method among the methods that its code calls. */
const LAMBDA = '->';

/** Characters before a call that are looked at for its receiver or its type: source code may be made to keep an expression busy for long. */
const LONGEST_RECEIVER = 200;

/** The calls that the code of a declaration has itself, and its lambdas. */
export function callsIn(text: string, outline: Outline, declaration: number): CodeCall[] {
  const { callSites, declarations } = outline;
  const calls = callSites.filter(each => each.declaration === declaration).map(each => callOf(text, outline, each));
  const lambdas = declarations.filter(({ kind, parent }) => kind === 'lambda' && parent === declaration);
  return [...calls, ...lambdas.map(() => ({ name: LAMBDA, argumentCount: -1, form: null }))];
}

function callOf(text: string, outline: Outline, site: CallSite): CodeCall {
  const { kind, argumentCount } = site;
  const created = createdBy(text, outline, site);
  if (created !== null) return { name: created, argumentCount, form: `new ${created}/${argumentCount}` };
  const { name, nameSpan } = site;
  const form = kind === 'implicit' ? null : formOf(nearBefore(text, nameSpan.start), name, argumentCount);
  return { name, argumentCount, form };
}

function nearBefore(text: string, at: number): string {
  return text.slice(Math.max(0, at - LONGEST_RECEIVER), at);
}

/** The simple name of the type whose constructor is called; null for other calls. */
function createdBy(text: string, { declarations }: Outline, site: CallSite): string | null {
  const { kind, name, declaration, openParenthesis } = site;
  if (kind === 'new') return name;
  if (kind === 'methodReference' && name === 'new')
    return /([\w$]+)\s*(?:<[^()]*>\s*)?$/.exec(nearBefore(text, openParenthesis))?.[1] ?? null;
  if (kind !== 'this' && kind !== 'super') return null;
  const type = declarations[declarations[declaration]!.parent];
  const created = kind === 'this' ? type?.name : type?.supertypes[0]?.name;
  return created?.split('.').at(-1) ?? null;
}

/** The name with the names before it, such as `this.cache.get`; null where anything else stands before it. */
function formOf(before: string, name: string, argumentCount: number): string | null {
  const near = before.trimEnd();
  if (!/(\.|::)$/.test(near)) return `${name}/${argumentCount}`;
  const receiver = /(?:^|[^\w$.:)\]>\s])\s*((?:[\w$]+\s*(?:\.|::)\s*)+)$/.exec(near)?.[1];
  return receiver === undefined ? null : `${receiver.replaceAll(/\s/g, '')}${name}/${argumentCount}`;
}

/**
 * Whether the code on the side of a context has the call of its method no more often than the code of the other side, which has it too.
 * One form of a call calls one method, however often it is written.
 */
export function isOnBothSides(here: readonly CodeCall[], elsewhere: readonly CodeCall[], called: Called): boolean {
  const may = mayCall(called);
  const [own, others] = [here.filter(may), elsewhere.filter(may)];
  if (others.length === 0) return false;
  const forms = new Set(others.map(({ form }) => form));
  return own.length <= others.length || own.every(({ form }) => form !== null && forms.has(form));
}

/** By name and number of arguments. */
function mayCall({ className, method, descriptor }: Called): (call: CodeCall) => boolean {
  if (method.startsWith('lambda$')) return ({ name }) => name === LAMBDA;
  const wanted = method === '<init>' ? simpleClassName(className) : method;
  const parameters = descriptor === null ? null : (parseDescriptor(descriptor)?.parameters ?? null);
  // Constructors of inner and local classes have parameters that no code writes.
  if (parameters === null || (method === '<init>' && className.includes('$'))) return ({ name }) => name === wanted;
  const isLastArray = (parameters.at(-1)?.dimensions ?? 0) > 0;
  const fits = (count: number) =>
    count < 0 || count === parameters.length || (isLastArray && count >= parameters.length - 1);
  return ({ name, argumentCount }) => name === wanted && fits(argumentCount);
}
