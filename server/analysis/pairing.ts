// Pairs the methods of shown data with the methods of a baseline: by name, and by the texts of both versions.

import type { MethodEvidence } from '../capabilities/compare/door.ts';
import { descriptorOf, type MethodName, methodName } from '../cct/method-names.ts';
import { PARTIAL_METHOD, ROOT_METHOD } from '../cct/profile.ts';
import { MethodUnion } from '../cct/unite-tables.ts';
import { type ClassIndex, rowsOfClass } from '../mapping/class-index.ts';
import { plainClassName } from '../mapping/class-names.ts';
import { selectionKey } from '../model/look.ts';
import type { Verdict } from '../model/verdict.ts';
import { lambdasByPlace } from './lambda-places.ts';
import type { LoadedData } from './loaded-data.ts';

/** The names of a method in the baseline; empty where it was not there. */
export type RenamedFrom = readonly MethodName[];

/** By `pairKey` of shown methods. */
export type Renames = ReadonlyMap<string, RenamedFrom>;

/** The verdicts of the JVMs of both sides about the methods of one look at each. */
export type MethodVerdicts = {
  /** JVMs with samples on each side. */
  readonly jvms: readonly [before: number, now: number];
  /** By `total` or `self` and shown row; null where the JVMs are too few for a test. */
  readonly ofMethod: ReadonlyMap<string, Verdict> | null;
};

/** The answer of the question `evidence`, to be looked up method by method. */
export function verdictsIn({ jvms, methods }: MethodEvidence): MethodVerdicts {
  const rows = methods.map(({ of, method, verdict }) => [`${of} ${method}`, verdict] as const);
  return { jvms, ofMethod: methods.length === 0 ? null : new Map(rows) };
}

/** Of so many looks verdicts are kept. */
const MOST_VERDICTS = 4;

type Found = {
  readonly renames: Renames;
  /** Open files that were looked at, by their paths, with their recorded texts. */
  readonly files: ReadonlyMap<string, string>;
  /** By `lookKey`. */
  readonly verdicts: ReadonlyMap<string, MethodVerdicts>;
};

const NOTHING: Found = { renames: new Map(), files: new Map(), verdicts: new Map() };

function lookKey(...looks: readonly [LoadedData, LoadedData]): string {
  return JSON.stringify(looks.map(({ key, revision, selection }) => [key, revision, selectionKey(selection)]));
}

/** Pairs the rows of two method tables. Never changes: later findings make another one. */
export class Pairing {
  /** While it is pending, only names have told. */
  readonly state: 'pending' | 'done';
  /** Whether the pairing was made for these very tables, not for the tables of earlier data of the same versions. */
  readonly isLatest: boolean;
  readonly #shown: ClassIndex;
  readonly #baseline: ClassIndex;
  readonly #versions: string;
  readonly #found: Found;
  /** The rows that were looked up before. */
  readonly #rows = new Map<number, readonly number[]>();
  #became: Int32Array | null = null;
  #lambdas: ReadonlyMap<number, number> | null = null;

  private constructor(
    [shown, baseline, versions]: readonly [ClassIndex, ClassIndex, string],
    found: Found | null,
    isLatest: boolean,
  ) {
    this.#shown = shown;
    this.#baseline = baseline;
    this.#versions = versions;
    this.#found = found ?? NOTHING;
    this.state = found === null ? 'pending' : 'done';
    this.isLatest = isLatest;
  }

  /** Of what no text was asked about yet. */
  static pending(shown: LoadedData, baseline: LoadedData): Pairing {
    return new Pairing([shown.classes, baseline.classes, versionsOf(shown, baseline)], null, true);
  }

  /** Done, with what was found out beside what this one knows of its very tables. */
  with({ renames, files }: Pick<Found, 'renames' | 'files'> = NOTHING): Pairing {
    const { renames: known, files: looked } = this.isLatest ? this.#found : NOTHING;
    // The pairs of methods decide which methods are tested.
    const verdicts = renames.size === 0 ? this.#found.verdicts : NOTHING.verdicts;
    const found = { renames: new Map([...known, ...renames]), files: new Map([...looked, ...files]), verdicts };
    return new Pairing([this.#shown, this.#baseline, this.#versions], found, true);
  }

  /** The same with what the JVMs of two looks tell. */
  withVerdicts(shown: LoadedData, baseline: LoadedData, verdicts: MethodVerdicts): Pairing {
    const others = [...this.#found.verdicts].slice(1 - MOST_VERDICTS);
    const found = { ...this.#found, verdicts: new Map([...others, [lookKey(shown, baseline), verdicts]]) };
    return new Pairing([this.#shown, this.#baseline, this.#versions], found, this.isLatest);
  }

  /** The verdicts of the JVMs of two looks; null where they were not asked. */
  verdictsOf(shown: LoadedData, baseline: LoadedData): MethodVerdicts | null {
    return this.#found.verdicts.get(lookKey(shown, baseline)) ?? null;
  }

  /** Whether it pairs the methods of these data: tables outlive a change of focus, threads or metric. */
  isOf(shown: LoadedData, baseline: LoadedData): boolean {
    return this.#shown === shown.classes && this.#baseline === baseline.classes;
  }

  /** Whether both pair the same tables. */
  isLike(other: Pairing): boolean {
    return this.#shown === other.#shown && this.#baseline === other.#baseline;
  }

  /** The pairing of other data of the same versions, as long as no newer one is known; null for other versions. */
  carriedTo(shown: LoadedData, baseline: LoadedData): Pairing | null {
    const versions = versionsOf(shown, baseline);
    if (this.state === 'pending' || versions !== this.#versions) return null;
    return new Pairing([shown.classes, baseline.classes, versions], this.#found, false);
  }

  /** The recorded text of an open file that was looked at; undefined where it was not. */
  lookedAt(path: string): string | undefined {
    return this.#found.files.get(path);
  }

  /** Rows of the baseline for rows of the shown table, ascending; a method whose descriptor changed is found where it is the only one of its name. */
  rowsOf(rows: readonly number[]): number[] {
    return [...new Set(rows.flatMap(row => this.#rowsOf(row)))].sort((a, b) => a - b);
  }

  /** Per row of the baseline: the shown row that it has become, −1 where it has become none. Of several that of its own name. */
  becameRows(): Int32Array {
    this.#became ??= this.#findBecame();
    return this.#became;
  }

  #findBecame(): Int32Array {
    const became = new Int32Array(this.#baseline.methods.length).fill(-1);
    became.set([ROOT_METHOD, PARTIAL_METHOD]);
    const likeNamed = this.#rowsLikeNamed();
    for (let row = PARTIAL_METHOD + 1; row < this.#shown.methods.length; row++) {
      const like = this.#isTold(row) ? -1 : likeNamed[row]!;
      if (like >= 0) became[like] = row;
      else for (const then of this.#rowsOf(row)) if (became[then]! < 0) became[then] = row;
    }
    return became;
  }

  /** Per row of the shown table: the row of the baseline with the same names, −1 for none. */
  #rowsLikeNamed(): Int32Array {
    const union = new MethodUnion();
    const [then, now] = [union.add(this.#baseline.methods), union.add(this.#shown.methods)];
    const rowOf = new Int32Array(union.length).fill(-1);
    for (const [row, common] of then.entries()) rowOf[common] = row;
    return now.map(common => rowOf[common]!);
  }

  /** Whether texts or lines tell what the method was. */
  #isTold(row: number): boolean {
    const { renames } = this.#found;
    const isRenamed = renames.size > 0 && renames.has(pairKey(methodName(this.#shown.methods, row)));
    return isRenamed || this.#lambdasByPlace().has(row);
  }

  /** Whether the texts tell that a method of the baseline is another one now than the one of its name, or lives on without running. */
  livesOn(row: number): boolean {
    const key = pairKey(methodName(this.#baseline.methods, row));
    for (const [now, before] of this.#found.renames)
      if (now !== key && before.some(each => pairKey(each) === key)) return true;
    return false;
  }

  #rowsOf(row: number): readonly number[] {
    const known = this.#rows.get(row);
    if (known !== undefined) return known;
    const name = methodName(this.#shown.methods, row);
    const { renames } = this.#found;
    const before = renames.size === 0 ? undefined : renames.get(pairKey(name));
    const lambda = before === undefined ? this.#lambdasByPlace().get(row) : undefined;
    const found =
      lambda !== undefined
        ? [lambda].filter(then => then >= 0)
        : (before?.flatMap(each => this.#rowsNamed(each).same) ?? this.#rowsLike(name));
    this.#rows.set(row, found);
    return found;
  }

  #lambdasByPlace(): ReadonlyMap<number, number> {
    this.#lambdas ??= lambdasByPlace(this.#shown, this.#baseline);
    return this.#lambdas;
  }

  #rowsLike(name: MethodName): readonly number[] {
    const { named, same } = this.#rowsNamed(name);
    return same.length > 0 ? same.slice(0, 1) : named.length === 1 ? named : [];
  }

  /** All methods of the class and name, and the ones with the same descriptor. */
  #rowsNamed({ className, name, descriptor }: MethodName): Record<'named' | 'same', readonly number[]> {
    const { methods } = this.#baseline;
    const ofClass = rowsOfClass(this.#baseline, plainClassName(className));
    const named = ofClass.filter(row => methods.strings[methods.name[row]!] === name);
    return { named, same: named.filter(row => descriptorOf(methods, row) === descriptor) };
  }
}

/** Equal for equal names. */
export function pairKey({ className, name, descriptor }: MethodName): string {
  // No name of a class or method has a semicolon.
  return `${className};${name};${descriptor ?? ''}`;
}

function versionsOf(...sides: readonly LoadedData[]): string {
  return JSON.stringify(
    sides.map(({ provenance: { project, program, executions } }) => [
      project,
      program,
      ...new Set(executions.map(({ version }) => version).sort()),
    ]),
  );
}
