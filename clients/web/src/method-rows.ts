// Lists of methods, whichever answer they are from: one table for the hottest methods, the moved ones, callers and callees.
import type {
  Answers,
  AskNamed,
  Change,
  Look,
  Method,
  MethodInfo,
  MethodKey,
  Share,
  Times,
  ViewAmount,
} from 'insitu/views';
import type { Shown } from './address-state.ts';
import { choiceOf, ofMethod } from './answers.ts';

type MethodRow = {
  readonly method: MethodInfo;
  /** Of callers and callees, the samples with the call. */
  readonly total: ViewAmount;
  readonly self: ViewAmount;
  /** null of callers and callees. */
  readonly own: ViewAmount | null;
  readonly change: Change | null;
  readonly times: Times | null;
};

export type MethodRows = {
  readonly whole: ViewAmount;
  readonly unit: string;
  /** How many rows there are in all. */
  readonly length: number;
  readonly unmoved: number;
  readonly rows: readonly MethodRow[];
};

type ListName = 'top' | 'moved' | 'callers' | 'callees';

export type AskMethods = AskNamed<ListName>;

type Wish = Pick<Shown, 'table' | 'sort' | 'search'> & {
  readonly look: Look;
  readonly of: MethodKey | null;
  readonly isCompared: boolean;
  readonly offset: number;
  readonly limit: number;
};

export function askMethods({ table, sort, search, look, of, isCompared, offset, limit }: Wish): AskMethods {
  const isMoved = table === 'methods' && sort === 'change' && isCompared;
  const order = orderIn(table, sort);
  return {
    ask: 'answer',
    answer: isMoved ? 'moved' : table === 'methods' ? 'top' : table,
    parameters: {
      ...choiceOf(look),
      ...(search !== '' && { search }),
      ...{ offset, limit, places: false },
      ...(!isMoved && { sort: order }),
      ...(table === 'methods' ? !isMoved && { platform: true } : ofMethod(of)),
    },
  };
}

/** Of what a table is sorted by: callers and callees have no own time, and only what is compared has a change. */
export function orderIn(table: Shown['table'], sort: Shown['sort']): Exclude<Shown['sort'], 'change'> {
  return sort === 'change' || (sort === 'own' && table !== 'methods') ? 'total' : sort;
}

/** null before the first answer. */
export function methodRows(found: Answers[ListName] | null): MethodRows | null {
  if (found === null) return null;
  const { weight, samples, unit } = found.origin;
  const rows: readonly Listed[] = found.rows;
  return {
    whole: { weight, count: samples },
    unit,
    length: found.total,
    unmoved: 'unmoved' in found ? found.unmoved : 0,
    rows: rows.map(({ method, total, ofAll, self, own, isPlatform = false, change = null, times = null }) => ({
      method: infoOf(method, isPlatform),
      total: amountOf(total ?? ofAll ?? self),
      self: amountOf(self),
      own: own === undefined ? null : amountOf(own),
      ...{ change, times },
    })),
  };
}

/** A row of any of the answers. */
type Listed = {
  readonly method: Method;
  readonly self: Share;
  readonly own?: Share;
  readonly total?: Share;
  readonly ofAll?: Share;
  readonly isPlatform?: boolean;
  readonly change?: Change | null;
  readonly times?: Times | null;
};

function infoOf({ id, className, name, descriptor, key }: Method, library: boolean): MethodInfo {
  const [, parameters = ''] = /\(([^()]*)\)$/.exec(key) ?? [];
  return { key: id, className, name, parameters: descriptor === null ? null : parameters, library };
}

function amountOf({ weight, count }: Share): ViewAmount {
  return { weight, count: count ?? Number.POSITIVE_INFINITY };
}
