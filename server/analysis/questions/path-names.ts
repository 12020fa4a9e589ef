// The question which names a query by call paths may go on with: methods by their time, aspects, and threads.

import type { Pause } from '../../base/pause.ts';
import { type MethodTable, PARTIAL_METHOD } from '../../cct/profile.ts';
import { threadGroupName } from '../../cct/thread-groups.ts';
import { elementText } from '../paths/refined-text.ts';
import type { Aspect } from '../paths/resolve-query.ts';
import type { Question } from './question.ts';

type Wish = {
  readonly query: string;
  /** Where the cursor stands: an offset into the query. */
  readonly at: number;
  readonly aspects: readonly Aspect[];
  readonly most: number;
};

type PathNames = {
  /** The part of the query that a name takes the place of: offsets, the end exclusive. */
  readonly from: number;
  readonly to: number;
  /** Aspects, then threads where a path begins, then methods with most time first. */
  readonly names: readonly { readonly text: string; readonly kind: 'aspect' | 'thread' | 'method' }[];
};

/** Characters of names in queries; `..` between two names is none of them. */
const NAME_BEFORE = /(?:[^\s.()[\]|;,="]|(?<!\.)\.(?!\.))*$/;
const NAME_AFTER = /^(?:[^\s.()[\]|;,="]|\.(?!\.))*/;
/** A path begins behind these. */
const BEGINNING = /(?:^|[(;]|\b(?:and|or|not|where|in))\s*$/;
/** Rows looked at in one step. */
const STEP = 1 << 14;

export const pathNames: Question<Wish, PathNames> = ({ profile, values }, { query, at, aspects, most }, pause) => {
  const before = query.slice(0, at);
  const typed = NAME_BEFORE.exec(before)![0];
  const from = at - typed.length;
  const to = at + NAME_AFTER.exec(query.slice(at))![0].length;
  const isThread = typed.startsWith('thread:');
  const wanted = (isThread ? typed.slice('thread:'.length) : typed).toLowerCase();
  const fits = (name: string) => name.toLowerCase().includes(wanted);
  const mayBeThread = isThread || (typed !== '' && BEGINNING.test(before.slice(0, from)));
  const named = [
    ...(isThread ? [] : aspects.map(({ name }) => name).filter(fits)).map(text => ({ text, kind: 'aspect' as const })),
    ...(mayBeThread
      ? [...new Set(profile.threads.name.map(threadGroupName))].filter(name => name !== '' && fits(name))
      : []
    ).map(name => ({
      text: /[\s()|;,="]/.test(name) ? `thread:"${name.replaceAll('"', '')}"` : `thread:${name}`,
      kind: 'thread' as const,
    })),
  ].slice(0, most);
  const methods = isThread
    ? []
    : methodNamesLike(profile.methods, values.total.weight, wanted, most - named.length, pause);
  return { from, to, names: [...named, ...methods.map(text => ({ text, kind: 'method' as const }))] };
};

/** Names like `Class.method` of the heaviest methods that fit; with the package where several classes have that name. */
function methodNamesLike(
  table: MethodTable,
  weight: Float64Array,
  wanted: string,
  most: number,
  pause: Pause,
): string[] {
  const rows = heaviest(table, weight, fitting(table, wanted, pause), most, pause);
  const { strings, className, name } = table;
  const classes = new Map<number, Set<number>>();
  for (const row of rows) classes.set(name[row]!, new Set());
  for (let row = PARTIAL_METHOD + 1; row < table.length; row++) {
    if (row % STEP === 0) pause();
    classes.get(name[row]!)?.add(className[row]!);
  }
  return rows.map(row => {
    const [owner, own] = [strings[className[row]!]!, strings[name[row]!]!];
    if (owner === '') return elementText(own, false);
    const short = owner.slice(owner.lastIndexOf('.') + 1);
    const others = [...classes.get(name[row]!)!].filter(each => each !== className[row]);
    const isAlone = others.every(each => !`.${strings[each]!}`.replaceAll('$', '.').endsWith(`.${short}`));
    return elementText(`${isAlone ? short : owner}.${own}`, false);
  });
}

/** Whether the end of a class and the beginning of a method fit `class.method`, or one of both holds all of what was typed. */
function fitting({ strings, className, name }: MethodTable, wanted: string, pause: Pause): (row: number) => boolean {
  const lastDot = wanted.lastIndexOf('.');
  const [owner, own] = [wanted.slice(0, Math.max(0, lastDot)), wanted.slice(lastDot + 1)];
  const [HOLDS, ENDS, BEGINS] = [1, 2, 4];
  const flags = new Uint8Array(strings.length);
  for (let at = 0; at < strings.length; at++) {
    if (at % STEP === 0) pause();
    const text = strings[at]!.toLowerCase();
    if (text.includes(wanted)) flags[at]! |= HOLDS;
    if (lastDot < 0) continue;
    if (text.endsWith(owner)) flags[at]! |= ENDS;
    if (text.startsWith(own)) flags[at]! |= BEGINS;
  }
  return row => {
    const [a, b] = [flags[className[row]!]!, flags[name[row]!]!];
    return ((a | b) & HOLDS) !== 0 || ((a & ENDS) !== 0 && (b & BEGINS) !== 0);
  };
}

/** The heaviest rows that fit, one of each name; rows without samples in the selection come last. */
function heaviest(
  { length, className, name }: MethodTable,
  weight: Float64Array,
  fits: (row: number) => boolean,
  most: number,
  pause: Pause,
): number[] {
  const found: number[] = [];
  for (let row = PARTIAL_METHOD + 1; row < length && most > 0; row++) {
    if (row % STEP === 0) pause();
    const own = weight[row]!;
    if (found.length === most && own <= weight[found[most - 1]!]!) continue;
    if (!fits(row)) continue;
    const same = found.findIndex(each => name[each] === name[row] && className[each] === className[row]);
    if (same >= 0) {
      if (weight[found[same]!]! >= own) continue;
      found.splice(same, 1);
    }
    const place = found.findIndex(each => weight[each]! < own);
    found.splice(place < 0 ? found.length : place, 0, row);
    if (found.length > most) found.pop();
  }
  return found;
}
