// Tables of methods for the page, with what moved against the baseline where there is one.
import type { Reach } from '../analysis/ask.ts';
import { searchMethods } from '../analysis/search-methods.ts';
import { turns } from '../base/pause.ts';
import { Baseline, type Change } from '../features/facts/compare.ts';
import { movedMethods } from '../features/moved.ts';
import type { Amount } from '../metrics/analysis.ts';
import { callTimes, callTimesMessage } from './call-times.ts';
import { comparedSubject } from './compared-subject.ts';
import { nothingCompared, orRefuse, refusalOf } from './refusal.ts';
import type { Viewed, ViewHost } from './view-host.ts';
import type { AskTable, Table } from './view-messages.ts';
import { dataUnder, methodTeller, metricOf, selectionOf, subjectOf } from './viewed-data.ts';

const MOST_ROWS = 500;
const NOTHING: Amount = { weight: 0, count: 0 };

export async function tableAnswer(host: ViewHost, viewed: Viewed, wish: AskTable, signal: AbortSignal): Promise<Table> {
  if (wish.sort === 'change' && wish.kind === 'methods') return movedTable(host, viewed, wish, signal);
  const { ask: _ask, look, sort, ...others } = wish;
  const parameters = { ...others, sort: sort === 'change' ? 'total' : sort, most: MOST_ROWS } as const;
  const found = orRefuse(await host.door.ask(subjectOf(viewed, look), 'methodList', parameters, { signal }));
  const compared = wish.kind === 'methods' ? await comparedWith(host, viewed, wish, signal) : null;
  const listed = found.rows.map(({ method }) => method);
  const times = await callTimes(host, viewed, look, listed, signal);
  const tell = methodTeller(viewed, viewed.data);
  return {
    whole: found.whole,
    unit: metricOf(viewed, look).unit,
    length: found.length,
    rows: found.rows.map(({ method, total, self }, at) => ({
      method: tell(method),
      total,
      self,
      ...(times[at] != null && { times: callTimesMessage(times[at]) }),
      ...(compared && {
        baseline: changeOf(compared.baseline.methodChange(compared.data, [method], total)),
      }),
    })),
  };
}

/** Data and baseline under the same look; null where nothing is compared with. */
async function comparedWith(host: ViewHost, viewed: Viewed, { look }: AskTable, signal: AbortSignal) {
  if (viewed.baseline === null) return null;
  const selection = selectionOf(viewed, look);
  const data = await dataUnder(host, viewed.data, selection, signal);
  const { selection: then } = comparedSubject(viewed, viewed.baseline, look);
  const before = await dataUnder(host, viewed.baseline.data, then, signal);
  return { data, baseline: new Baseline({ data: before, pairing: viewed.baseline.pairing }) };
}

/** What moved by 0.1 points or more, farthest first, with what is gone. */
async function movedTable(host: ViewHost, viewed: Viewed, wish: AskTable, signal: AbortSignal): Promise<Table> {
  const compared = await comparedWith(host, viewed, wish, signal);
  if (compared === null) throw nothingCompared();
  const { data, baseline } = compared;
  const { values, analysis } = data;
  const reach: Reach = {
    ask: (of, name, parameters) => host.door.ask(of, name, parameters, { signal }),
    turn: turns(() => signal.aborted),
  };
  const fits = (table: typeof data) => {
    const found = wish.search === null ? null : searchMethods(table.profile.methods, wish.search);
    if (found !== null && found.problems.length > 0) throw refusalOf(found.problems);
    return (row: number) => found === null || found.fits[row] === 1;
  };
  const [fitsNow, fitsThen] = [fits(data), fits(baseline.data)];
  const [tell, tellGone] = [methodTeller(viewed, data), methodTeller(viewed, baseline.data)];
  const wished = {
    limit: Number.POSITIVE_INFINITY,
    fits: (method: number, isGone: boolean) => (isGone ? fitsThen(method) : fitsNow(method)),
  };
  const { rows: moved, unmoved } = await movedMethods(data, baseline, wished, reach);
  const rows = moved.toSorted((one, other) => grown(other.change) - grown(one.change));
  const amountOf = ({ weight, count }: typeof values.total, row: number) => ({
    weight: weight[row]!,
    count: count[row]!,
  });
  return {
    whole: analysis.whole,
    unit: data.metric.unit,
    length: rows.length,
    unmoved,
    rows: rows.slice(wish.from, wish.from + MOST_ROWS).map(({ method, isGone, change }) => ({
      method: (isGone ? tellGone : tell)(method),
      total: isGone ? NOTHING : amountOf(values.total, method),
      self: isGone ? NOTHING : amountOf(values.self, method),
      baseline: changeOf(change),
    })),
  };
}

function grown({ baseline, current }: Change): number {
  return Math.abs(current - baseline);
}

function changeOf({ baseline, verdict }: Change): NonNullable<Table['rows'][number]['baseline']> {
  return { share: baseline, verdict };
}
