// Tables of methods for the page, with what moved against the baseline where there is one.
import { turns } from '../base/pause.ts';
import { Baseline, type Change } from '../features/facts/compare.ts';
import { movedMethods } from '../features/moved.ts';
import type { Amount } from '../metrics/analysis.ts';
import { expressionTime } from '../metrics/match-expression.ts';
import { searchMethods } from '../metrics/method-search.ts';
import { orRefuse, Refusal } from './refusal.ts';
import type { Viewed, ViewHost } from './view-host.ts';
import type { AskTable, Table } from './view-messages.ts';
import { dataUnder, methodInfo, metricOf, selectionOf, subjectOf } from './viewed-data.ts';

const MOST_ROWS = 500;
const NOTHING: Amount = { weight: 0, count: 0 };

export async function tableAnswer(host: ViewHost, viewed: Viewed, wish: AskTable, signal: AbortSignal): Promise<Table> {
  if (wish.sort === 'change' && wish.kind === 'methods') return movedTable(host, viewed, wish, signal);
  const { ask: _ask, look, sort, ...others } = wish;
  const parameters = { ...others, sort: sort === 'change' ? 'total' : sort, most: MOST_ROWS } as const;
  const found = orRefuse(await host.door.ask(subjectOf(viewed, look), 'methodList', parameters, { signal }));
  const compared = wish.kind === 'methods' ? await comparedWith(host, viewed, wish, signal) : null;
  return {
    whole: found.whole,
    unit: metricOf(viewed, look).unit,
    length: found.length,
    rows: found.rows.map(({ method, total, self }) => ({
      method: methodInfo(viewed, viewed.data, method),
      total,
      self,
      ...(compared && {
        baseline: changeOf(
          compared.baseline.methodChange(compared.data, [method], total, compared.data.values.effectiveWhole),
        ),
      }),
    })),
  };
}

/** Data and baseline under the same look; null where nothing is compared with. */
async function comparedWith(host: ViewHost, viewed: Viewed, { look }: AskTable, signal: AbortSignal) {
  if (viewed.baseline === null) return null;
  const selection = selectionOf(viewed, look);
  const { span: _span, ...likeness } = selection;
  const data = await dataUnder(host, viewed.data, selection, signal);
  const then = viewed.baseline.data;
  const span = then.selection.span;
  const before = await dataUnder(host, then, { ...likeness, ...(span && { span }) }, signal);
  return { data, baseline: new Baseline({ data: before, pairing: viewed.baseline.pairing }) };
}

/** What moved by more than chance explains, farthest first, with what is gone. */
async function movedTable(host: ViewHost, viewed: Viewed, wish: AskTable, signal: AbortSignal): Promise<Table> {
  const compared = await comparedWith(host, viewed, wish, signal);
  if (compared === null)
    throw new Refusal('nothing is compared with', 'choose a baseline in the editor, or begin with --baseline');
  const { data, baseline } = compared;
  const { values, analysis } = data;
  const turn = turns(() => signal.aborted);
  const moved = await movedMethods(data, baseline, Number.POSITIVE_INFINITY, turn);
  const fits = (table: typeof data) => {
    const { value } = wish.search === null ? { value: null } : foundIn(table, wish.search);
    return (row: number) => value === null || value[row] === 1;
  };
  const [fitsNow, fitsThen] = [fits(data), fits(baseline.data)];
  const rows = moved
    .filter(({ method, isGone }) => (isGone ? fitsThen(method) : fitsNow(method)))
    .sort((one, other) => grown(other.change) - grown(one.change));
  const amountOf = ({ weight, count }: typeof values.total, row: number) => ({
    weight: weight[row]!,
    count: count[row]!,
  });
  return {
    whole: analysis.whole,
    unit: data.metric.unit,
    length: rows.length,
    rows: rows.slice(wish.from, wish.from + MOST_ROWS).map(({ method, isGone, change }) => ({
      method: methodInfo(viewed, isGone ? baseline.data : data, method),
      total: isGone ? NOTHING : amountOf(values.total, method),
      self: isGone ? NOTHING : amountOf(values.self, method),
      baseline: changeOf(change),
    })),
  };
}

function foundIn({ profile }: Viewed['data'], search: string) {
  const found = searchMethods(profile.methods, search, expressionTime());
  return { value: orRefuse(found) };
}

function grown({ baseline, current }: Change): number {
  return Math.abs(current - baseline);
}

function changeOf({ baseline, current, significant }: Change): NonNullable<Table['rows'][number]['baseline']> {
  return { share: baseline, change: significant ? Math.sign(current - baseline) : 0 };
}
