// Finds what a query's names mean in one profile; mistakes have their place and the nearest names.

import {
  type ConditionSyntax,
  type ElementSyntax,
  type MemberSyntax,
  parseQuery,
  type QuerySyntax,
  type SyntaxMistake,
} from '../../../grammar/path-syntax.ts';
import { noPause, type Pause } from '../../base/pause.ts';
import { printableName } from '../../base/printable.ts';
import type { MethodTable, Profile } from '../../cct/profile.ts';
import { threadGroupName } from '../../cct/thread-groups.ts';
import { methodsLike } from '../../metrics/methods-like.ts';
import { nearestNames } from '../../metrics/nearest-names.ts';
import {
  type CallPath,
  MOST_PATHS,
  type PathCondition,
  type PathElement,
  type PathQuery,
} from '../../metrics/paths/call-path.ts';
import { isTimeType, TYPED_FROM } from '../../model/time-types.ts';
import { threadsLike } from '../threads-like.ts';
import { aspectMembers } from './aspect-mistakes.ts';
import { isPattern, methodsOfMember, TableText } from './method-sets.ts';

/** A saved set of methods: `queue` and `msg_queue.* | *Queue.put(..)`. */
export type Aspect = { readonly name: string; readonly value: string };

/** The mistake of a query, with its place in the text: offsets, the end exclusive. */
export type QueryMistake = SyntaxMistake;

export type ResolvedAspect = { readonly name: string; readonly methods: Uint8Array };

export type ResolvedQuery = {
  readonly text: string;
  readonly query: PathQuery;
  /** Per path its elements as written, a thread included. */
  readonly elements: readonly (readonly ElementSyntax[])[];
  /** All known aspects, the query's own first; most are looked for only now. */
  readonly aspects: () => readonly ResolvedAspect[];
};

/** Thrown within this folder's resolving only. */
class Mistaken extends Error {
  readonly mistake: QueryMistake;

  constructor(mistake: QueryMistake) {
    super(mistake.message);
    this.mistake = mistake;
  }
}

/** The meaning of a text in a profile, or its first mistake. */
export function resolveQuery(
  profile: Profile,
  text: string,
  saved: readonly Aspect[],
  pause: Pause = noPause,
): { readonly value: ResolvedQuery } | { readonly mistake: QueryMistake } {
  const parsed = parseQuery(text);
  if ('mistake' in parsed) return parsed;
  try {
    return { value: new Resolving(profile, saved, pause).query(text, parsed.value) };
  } catch (error) {
    if (error instanceof Mistaken) return { mistake: error.mistake };
    throw error;
  }
}

/** The mistake of an aspect that is named while its definition is read. */
const DEFINED_BY_ITSELF: QueryMistake = {
  ...{ from: 0, to: 0, message: 'it is defined by itself' },
  remedy: 'take it out of its own definition; a method or class of its name is written in quotes',
};

type KnownAspect = {
  readonly methods: Uint8Array;
  readonly mistake: QueryMistake | null;
  /** Parts of the definition that no method that ran fits. */
  readonly unmatched: readonly string[];
};

/** An aspect with its methods; where the definition has a mistake, the methods of its other parts. */
export type DefinedAspect = Aspect & KnownAspect & { readonly origin: 'query' | 'listed' };

/**
 * The methods of the aspects of a query, of the given and of the saved aspects in a profile, in this order. Of several that have one name the
 * first holds.
 * @param query as it was resolved before, without the given ones; null without one
 */
export function resolveAspects(
  profile: Profile,
  query: string | null,
  { given, saved }: { readonly given: readonly Aspect[]; readonly saved: readonly Aspect[] },
  pause: Pause = noPause,
): readonly DefinedAspect[] {
  const parsed = query === null ? null : parseQuery(query);
  const own = parsed !== null && 'value' in parsed ? parsed.value.aspects : [];
  const ofQuery = new Resolving(profile, saved, pause).defined(own);
  const listed = [...given, ...saved];
  return new Resolving(profile, listed, pause).aspects(query ?? '', own, ofQuery, listed);
}

class Resolving {
  readonly #profile: Profile;
  readonly #pause: Pause;
  #text: TableText | null = null;
  readonly #aspects = new Map<string, KnownAspect>();
  readonly #saved = new Map<string, string>();
  readonly #paths: CallPath[] = [];
  readonly #elements: (readonly ElementSyntax[])[] = [];

  constructor(profile: Profile, saved: readonly Aspect[], pause: Pause) {
    this.#profile = profile;
    this.#pause = pause;
    for (const { name, value } of saved) if (!this.#saved.has(name)) this.#saved.set(name, value);
  }

  /** The aspects of a query by name. */
  defined(own: QuerySyntax['aspects']): ReadonlyMap<string, KnownAspect> {
    for (const { name, members } of own) this.#define(name, members);
    return new Map(own.map(({ name }) => [name, this.#aspects.get(name)!]));
  }

  aspects(
    text: string,
    own: QuerySyntax['aspects'],
    ofQuery: ReadonlyMap<string, KnownAspect>,
    listed: readonly Aspect[],
  ): readonly DefinedAspect[] {
    for (const [name, known] of ofQuery) this.#aspects.set(name, known);
    const written = own.map(({ name, members }): Omit<DefinedAspect, keyof KnownAspect> => {
      const value = text.slice(members[0]!.from, members.at(-1)!.to);
      return { name, value, origin: 'query' };
    });
    const all = [...written, ...listed.map(each => ({ ...each, origin: 'listed' as const }))];
    const firsts = all.filter(({ name }, at) => all.findIndex(other => other.name === name) === at);
    return firsts.map(each => ({ ...each, ...this.#aspect(each.name)! }));
  }

  query(text: string, { aspects, condition, where }: QuerySyntax): ResolvedQuery {
    for (const { name, members } of aspects) {
      this.#define(name, members);
      const { mistake } = this.#aspects.get(name)!;
      if (mistake !== null) throw new Mistaken(mistake);
    }
    const query = { condition: this.#condition(condition), where: where && this.#condition(where), paths: this.#paths };
    const own = aspects.map(({ name }) => name);
    const names = [...new Set([...own, ...this.#saved.keys()])];
    return {
      text,
      query,
      elements: this.#elements,
      aspects: () => names.map(name => ({ name, methods: this.#aspect(name)!.methods })),
    };
  }

  #none(): Uint8Array {
    return new Uint8Array(this.#profile.methods.length);
  }

  #methodsOf(member: MemberSyntax) {
    const { methods } = this.#profile;
    return methodsOfMember(methods, () => (this.#text ??= new TableText(methods)), member, this.#pause);
  }

  #define(name: string, members: readonly MemberSyntax[]): void {
    const methods = this.#none();
    let mistake: QueryMistake | null = null;
    const unmatched: string[] = [];
    for (const member of members) {
      const known = this.#aspectOf(member);
      if (known !== undefined && known.mistake !== null) {
        mistake ??= ofAspect(member, known.mistake);
        continue;
      }
      const found = known ?? this.#methodsOf(member);
      // An aspect may name what did not run.
      if (found === null || ('methods' in found && !found.methods.includes(1)))
        unmatched.push(member.text + (member.parameters ?? ''));
      if (found === null) continue;
      if ('several' in found) mistake ??= severalFit(member, found.several);
      else for (let row = 0; row < methods.length; row++) methods[row]! |= found.methods[row]!;
    }
    this.#aspects.set(name, { methods, mistake, unmatched });
  }

  #aspectOf({ text, isQuoted, parameters }: MemberSyntax): KnownAspect | undefined {
    return isQuoted || parameters !== null ? undefined : this.#aspect(text);
  }

  /** A saved aspect is looked for when it is first needed. One that names itself, also by way of others, has a mistake. */
  #aspect(name: string): KnownAspect | undefined {
    const known = this.#aspects.get(name);
    const value = this.#saved.get(name);
    if (known !== undefined || value === undefined) return known;
    const parsed = aspectMembers(value);
    const mistake = 'mistake' in parsed ? parsed.mistake : DEFINED_BY_ITSELF;
    this.#aspects.set(name, { methods: this.#none(), mistake, unmatched: [] });
    if ('value' in parsed) this.#define(name, parsed.value);
    return this.#aspects.get(name);
  }

  #condition(syntax: ConditionSyntax): PathCondition {
    if (syntax.kind === 'not') return { kind: 'not', operand: this.#condition(syntax.operand) };
    if (syntax.kind !== 'path')
      return { kind: syntax.kind, operands: syntax.operands.map(operand => this.#condition(operand)) };
    const [first] = syntax.elements;
    if (this.#paths.length === MOST_PATHS)
      throw new Mistaken({
        ...{ from: first!.from, to: first!.to, message: `a query has at most ${MOST_PATHS} paths` },
        remedy: 'unite sets of methods with "let"',
      });
    this.#elements.push(syntax.elements);
    return { kind: 'path', path: this.#paths.push(this.#path(syntax.elements)) - 1 };
  }

  #path(syntax: readonly ElementSyntax[]): CallPath {
    const threads = this.#threadsOf(syntax[0]!);
    const rest = threads === null ? syntax : syntax.slice(1);
    const elements = rest.map(each => this.#element(each, each === syntax[0]));
    for (const [at, { isExtended }] of elements.entries())
      if (at > 0 && !isExtended) checkDirectCall(rest[at - 1]!, rest[at]!, elements[at - 1]!, elements[at]!);
    return { fromThread: threads !== null, threads: threads === 'all' ? null : threads, elements };
  }

  /** Null where the first element is no thread. */
  #threadsOf(first: ElementSyntax): Uint8Array | 'all' | null {
    const { member, isThread, isExtended } = first;
    if (isExtended && !isThread) return null;
    if (member.text === '*' && member.parameters === null && !member.isQuoted) return 'all';
    if (!isThread && this.#isNameOfMethods(member)) return null;
    const fits = threadsLike(this.#profile.threads, [member.text]);
    if (fits.includes(1)) return fits;
    if (!isThread) return null;
    throw new Mistaken({
      ...{ from: member.from, to: member.to, message: `no thread fits "${printableName(member.text)}"` },
      remedy: meant(
        nearestNames(new Set(this.#profile.threads.name.map(threadGroupName)), member.text),
        'insitu top --by thread lists threads',
      ),
    });
  }

  #isNameOfMethods(member: MemberSyntax): boolean {
    return this.#aspectOf(member) !== undefined || this.#methodsOf(member) !== null;
  }

  #element({ member, isThread, isExtended }: ElementSyntax, isFirst: boolean): PathElement {
    const place = { from: member.from, to: member.to };
    if (isThread)
      throw new Mistaken({ ...place, message: 'a thread calls and is not called', remedy: 'begin the path with it' });
    const aspect = this.#aspectOf(member);
    if (aspect !== undefined) {
      if (aspect.mistake !== null) throw new Mistaken(ofAspect(member, aspect.mistake));
      if (!aspect.methods.includes(1))
        throw new Mistaken({
          ...place,
          message: `no method that ran belongs to the aspect "${printableName(member.text)}"`,
          remedy: 'correct its definition',
        });
      return { methods: aspect.methods, isSet: true, isExtended };
    }
    const found = this.#methodsOf(member);
    if (found === null) throw new Mistaken(this.#unknown(member, isFirst));
    if ('several' in found) throw new Mistaken(severalFit(member, found.several));
    return { ...found, isExtended };
  }

  #unknown(member: MemberSyntax, isFirst: boolean): QueryMistake {
    if (isTimeType('', member.text)) {
      const { text, from, to } = member;
      return { from, to, ...unknownTimeType(this.#profile.methods, text) };
    }
    const written = member.text + (member.parameters ?? '');
    const { methods, threads } = this.#profile;
    const what = isPattern(member) ? 'no method that ran is like' : 'no method that ran, class or aspect is called';
    const place = { from: member.from, to: member.to, message: `${what} "${printableName(written)}"` };
    if (isPattern(member)) {
      const wider = { ...member, text: member.text.replace(/\.\*$/, '.**'), parameters: null };
      const isPackage = this.#methodsOf(wider) !== null;
      return {
        ...place,
        remedy: isPackage ? meant([wider.text]) : '"*" stands for text without dots, "**" for any text',
      };
    }
    const classes = new Set(Array.from(methods.className, row => methods.strings[row]!));
    const simple = new Set([...classes].map(name => name.slice(name.lastIndexOf('.') + 1)));
    const others = [
      ...this.#aspects.keys(),
      ...this.#saved.keys(),
      ...(isFirst ? new Set(threads.name.map(threadGroupName)) : []),
      ...(member.text.includes('.') ? classes : simple),
    ];
    const near = [
      ...nearestNames(others, member.text, 2, this.#pause),
      ...methodsLike(methods, member.text, this.#pause),
    ];
    return { ...place, remedy: meant(near.slice(0, 3)) };
  }
}

function checkDirectCall(above: ElementSyntax, below: ElementSyntax, from: PathElement, to: PathElement): void {
  if (!from.isSet) return;
  const [caller, callee] = [printableName(above.member.text), printableName(below.member.text)];
  const place = { from: below.from, to: below.to };
  if (to.isSet)
    throw new Mistaken({
      ...{ ...place, message: `"${caller} ${callee}" would be a direct call from one set of methods to another` },
      remedy: `write ${caller} ..${callee}`,
    });
  if (!to.methods.some((belongs, row) => belongs === 1 && from.methods[row] === 1))
    throw new Mistaken({
      ...{ ...place, message: `"${callee}" is no method of "${caller}"` },
      remedy: `write ${caller} ..${callee} for what its methods call`,
    });
}

/** Of names that share their end, so many are named. */
const MOST_NAMES = 6;

function severalFit({ from, to, text }: MemberSyntax, names: readonly string[]): QueryMistake {
  const some = names.slice(0, MOST_NAMES).map(printableName).join(' or ');
  const more = names.length > MOST_NAMES ? `, or another of ${names.length}` : '';
  return { from, to, message: `several fit "${printableName(text)}"`, remedy: `write ${some}${more}` };
}

/** The mistake of an aspect, where a query or another aspect names it. */
function ofAspect({ from, to, text }: MemberSyntax, { message, remedy }: QueryMistake): QueryMistake {
  return { from, to, message: `aspect "${printableName(text)}": ${message}`, remedy };
}

function meant(names: readonly string[], otherwise = 'insitu top --platform lists what ran'): string {
  return names.length === 0 ? otherwise : `did you mean ${names.map(printableName).join(', ')}?`;
}

/** The mistake of a query that names a time type which no thread has. @param text the type as it is written */
function unknownTimeType(
  { strings, className, name }: MethodTable,
  text: string,
): { readonly message: string; readonly remedy: string } {
  const types = Array.from(name, (at, row) => [strings[className[row]!]!, strings[at]!] as const)
    .filter(([owner, own]) => isTimeType(owner, own))
    .map(([, own]) => own);
  const isUndecided = types.includes(':RUNNABLE') && text !== ':RUNNABLE';
  const remedies = [
    types.length === 0 ? TYPED_FROM : `there are ${types.sort().join(', ')}`,
    ...(isUndecided ? ['insitu import --processors N tells what :RUNNABLE threads got'] : []),
    ...(text === ':PRIO' && types.length > 0
      ? ['systems may ignore the priorities of Java threads, as Linux does without -XX:ThreadPriorityPolicy=1']
      : []),
  ];
  return { message: `no thread has time of the type "${printableName(text)}"`, remedy: remedies.join('; ') };
}
