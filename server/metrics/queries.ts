// Questions about a set of method rows taken as one method: how much, from where, to where, on which lines and threads.
import type { Amount, Analysis } from './analysis.ts';

/** Method rows taken as one; a source declaration may stand for several rows. Rows may come in any order, each once. */
export type MethodSet = readonly number[] | Int32Array;

/** One callee at one line of the asked methods. `line` is 0 where the recorder gave none. */
export type CallSite = { readonly method: number; readonly line: number; readonly amount: Amount };

/** M(set): samples whose stack holds at least one of the methods, once. */
export function methodAmount(a: Analysis, set: MethodSet): Amount {
  throw new Error(`not yet: ${a} ${set}`);
}

/** Samples with one of the methods innermost. */
export function selfAmount(a: Analysis, set: MethodSet): Amount {
  throw new Error(`not yet: ${a} ${set}`);
}

/** Samples whose stack has at least one frame of the set on a line for which `lines` is true, once. Unknown lines are asked as 0. */
export function amountAtLines(a: Analysis, set: MethodSet, lines: (line: number) => boolean): Amount {
  throw new Error(`not yet: ${a} ${set} ${lines}`);
}

/** Samples with one of the methods innermost, executing a line for which `lines` is true. */
export function selfAtLines(a: Analysis, set: MethodSet, lines: (line: number) => boolean): Amount {
  throw new Error(`not yet: ${a} ${set} ${lines}`);
}

/** Per call site and callee row: samples whose stack has the set at that line directly followed by the callee, once. Heaviest first. */
export function calleesOf(a: Analysis, set: MethodSet): CallSite[] {
  throw new Error(`not yet: ${a} ${set}`);
}

/**
 * The same for groups of callees: `groupOf` names the group of a callee at a line (undefined: in none), and each sample counts once
 * a group however many of the group's calls its stack holds. Asked once a distinct (method, line).
 */
export function amountsByCallee<K>(
  a: Analysis,
  set: MethodSet,
  groupOf: (method: number, line: number) => K | undefined,
): Map<K, Amount> {
  throw new Error(`not yet: ${a} ${set} ${groupOf}`);
}

/** Per caller row: samples whose stack has the caller directly followed by the set, once. Heaviest first; the root is no caller. */
export function callersOf(a: Analysis, set: MethodSet): { method: number; amount: Amount }[] {
  throw new Error(`not yet: ${a} ${set}`);
}

/** Per line of the set: samples with at least one frame of the set on it, once. Ascending; line 0 stands for unknown. */
export function linesOf(a: Analysis, set: MethodSet): { line: number; amount: Amount }[] {
  throw new Error(`not yet: ${a} ${set}`);
}

/** Per thread row: the part of M(set) sampled on it. Heaviest first. */
export function threadsOf(a: Analysis, set: MethodSet): { thread: number; amount: Amount }[] {
  throw new Error(`not yet: ${a} ${set}`);
}

/** Samples in unmerged partial stacks that hold one of the methods, once; never part of any share. */
export function incompleteAmount(a: Analysis, set: MethodSet): Amount {
  throw new Error(`not yet: ${a} ${set}`);
}

/** n_eff = (Σw)²/Σw² of M(set): the number of equally weighted samples with the same sampling error; the count for unweighted metrics. */
export function effectiveSamples(a: Analysis, set: MethodSet): number {
  throw new Error(`not yet: ${a} ${set}`);
}
