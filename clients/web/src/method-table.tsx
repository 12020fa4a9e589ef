// The top table, and the tables of a method's callers and callees; sorted and paged by the server.
import { signal } from '@preact/signals';
import type { Change, Times } from 'insitu/views';
import { useEffect, useMemo } from 'preact/hooks';
import { type Shown, TABLES } from './address-state.ts';
import { amountText, nanosText, partText, perSecondText, plural, pointsText } from './amount-words.ts';
import { useAnswer } from './answers.ts';
import { describeMethod } from './descriptions.ts';
import { knownMethod, learnMethods } from './known-methods.ts';
import { MethodName } from './method-name.tsx';
import { type AskMethods, askMethods, type MethodRows, methodRows, orderIn } from './method-rows.ts';
import { fullName } from './name-trimming.ts';
import { Waiting } from './nothing-yet.tsx';
import { hasBaseline, look, methodShown, say, selectedMethod, show, shown } from './page-state.ts';
import { Pager } from './pager.tsx';
import { directionMark } from './verdicts.ts';

const PAGE_ROWS = 500;

type Sort = Shown['sort'];

export function MethodTable() {
  const first = useMemo(() => signal(0), []);
  const answer = useAnswer<AskMethods>(() => {
    const { table, sort, search } = shown.value;
    const of = table === 'methods' ? null : methodShown.value;
    if (table !== 'methods' && of === null) return null;
    const part = { offset: first.value, limit: PAGE_ROWS };
    return askMethods({ ...{ table, sort, search, of }, look: look.value, isCompared: hasBaseline.value, ...part });
  });
  const { table, sort, search } = shown.value;
  const question = JSON.stringify([table, sort, search, look.value, methodShown.value]);
  useEffect(() => {
    first.value = 0;
  }, [question]);
  const found = useMemo(() => methodRows(answer.value), [answer.value]);
  useEffect(() => learnMethods(found?.rows.map(({ method }) => method) ?? []), [found]);
  const of = methodShown.value;
  const name = of === null ? null : knownMethod(of);
  return (
    <section class="sheet" aria-label="Table">
      <fieldset class="kinds" aria-label="Kind of table">
        {TABLES.map(kind => (
          <button
            key={kind}
            type="button"
            aria-pressed={table === kind}
            disabled={kind !== 'methods' && of === null}
            onClick={() => show({ table: kind })}
          >
            {kind}
          </button>
        ))}
        {table === 'methods' || name === null ? null : <span> of {fullName(name)}</span>}
      </fieldset>
      {found === null ? (
        table !== 'methods' && of === null ? (
          <p class="empty">Select a method first.</p>
        ) : (
          <Waiting />
        )
      ) : (
        <>
          <Pager first={first} length={found.length} rows={PAGE_ROWS} thing="method" />
          <Unmoved found={found} />
          <Methods found={found} first={first.value} />
          {found.length === 0 ? <p class="empty">{emptyText(found, search)}</p> : null}
        </>
      )}
    </section>
  );
}

/** Sorted by change: how many methods are in no row, and why. */
function Unmoved({ found: { unmoved } }: { readonly found: MethodRows }) {
  if (unmoved === 0) return null;
  return <p class="aside">Not listed: {plural(unmoved, 'method')} with a change of less than 0.1 points.</p>;
}

function emptyText({ unmoved }: MethodRows, search: string): string {
  if (unmoved > 0) return 'No method has moved by 0.1 points.';
  return search === '' ? 'No samples are left.' : 'No method fits the search.';
}

const COLUMNS: readonly (readonly [Sort, string])[] = [
  ['name', 'Method'],
  ['own', 'Own'],
  ['total', 'Total'],
  ['self', 'Self'],
];

const TITLES: Readonly<Partial<Record<Sort, string>>> = {
  own: 'What own code costs with the libraries that it calls: each sample counts for its innermost own code',
  total: 'Samples with the method on their stack',
  // Also in a table of callers or callees: a call alone has no self time.
  self: 'Samples in which the method itself was running, whichever method called it',
};

/** The times of whole calls, where they were timed. */
const TIMES: readonly (readonly [text: string, title: string, textOf: (times: Times) => string])[] = [
  ['Mean', 'Mean time of one call, with all that it called', ({ mean }) => nanosText(mean)],
  ['50 %', 'Half of the calls took no longer', ({ p50 }) => nanosText(p50)],
  ['95 %', '95 of 100 calls took no longer', ({ p95 }) => nanosText(p95)],
  ['Calls/s', 'Calls a second of all JVMs together', ({ perSecond }) => perSecondText(perSecond)],
];

function Methods({ found, first }: { readonly found: MethodRows; readonly first: number }) {
  const { amounts, table } = shown.value;
  const sort = shown.value.sort === 'change' ? 'change' : orderIn(table, shown.value.sort);
  const hasOwn = found.rows.some(({ own }) => own !== null);
  const known = COLUMNS.filter(([name]) => name !== 'own' || hasOwn);
  const columns = hasBaseline.value ? [...known, ['change', 'Change'] as const] : known;
  const hasTimes = found.rows.some(({ times }) => times !== null);
  return (
    <table class="methods" aria-rowcount={found.length + 1} onKeyDown={walkRows}>
      <thead>
        <tr aria-rowindex={1}>
          {columns.map(([name, text]) => (
            <th
              key={name}
              scope="col"
              class={name === 'name' ? '' : name === 'change' ? 'number change' : 'number'}
              aria-sort={sort === name ? (name === 'name' ? 'ascending' : 'descending') : undefined}
            >
              <button type="button" class="link" title={TITLES[name]} onClick={() => show({ sort: name })}>
                {name === 'self' && table !== 'methods' ? 'Self, anywhere' : text}
                {sort === name ? (name === 'name' ? ' ▲' : ' ▼') : ''}
              </button>
            </th>
          ))}
          {hasTimes
            ? TIMES.map(([text, title]) => (
                <th key={text} scope="col" class="number" title={`${title}; of all threads, whatever the focus is`}>
                  {text}
                </th>
              ))
            : null}
        </tr>
      </thead>
      <tbody>
        {found.rows.map(({ method, total, self, own, change, times }, at) => {
          const isSelected = selectedMethod.value?.key === method.key;
          return (
            <tr key={`${method.key} ${at}`} aria-rowindex={first + at + 2} class={isSelected ? 'selected' : ''}>
              <th scope="row">
                <button
                  type="button"
                  class="link"
                  tabIndex={at === 0 ? 0 : -1}
                  aria-current={isSelected ? 'true' : undefined}
                  onFocus={() => {
                    selectedMethod.value = method;
                    say(describeMethod(method, total, self, found.whole));
                  }}
                  onClick={() => (selectedMethod.value = method)}
                  onDblClick={() => show({ view: 'sandwich', method: method.key })}
                >
                  <MethodName method={method} />
                </button>
              </th>
              {hasOwn ? (
                <Amount
                  amount={own === null || own.weight === 0 ? '–' : amountText(own, found.whole, found.unit, amounts)}
                  part={(own?.weight ?? 0) / found.whole.weight}
                />
              ) : null}
              <Amount
                amount={amountText(total, found.whole, found.unit, amounts)}
                part={total.weight / found.whole.weight}
              />
              <Amount
                amount={self.weight === 0 ? '–' : amountText(self, found.whole, found.unit, amounts)}
                part={self.weight / found.whole.weight}
              />
              {hasBaseline.value ? <td class="number change">{change === null ? '–' : changeMark(change)}</td> : null}
              {hasTimes
                ? TIMES.map(([text, , textOf]) => (
                    <td key={text} class="number">
                      {times === null ? '–' : textOf(times)}
                    </td>
                  ))
                : null}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** A number with its bar: the number says it, the bar lets it be compared. */
function Amount({ amount, part }: { readonly amount: string; readonly part: number }) {
  return (
    <td class="number">
      {amount}
      <span class="bar" style={{ width: `${100 * Math.min(1, Math.max(0, part))}%` }} />
    </td>
  );
}

/** `▲ +12 from 30 %`; the sign only where a test found the method slower or faster. */
function changeMark({ baseline, current, verdict }: Change): string {
  return `${directionMark(verdict)}${pointsText(current - baseline)} from ${partText(baseline, 1)}`;
}

/** Arrows go from row to row; Enter shows the method's callers and callees. */
function walkRows(event: KeyboardEvent): void {
  const names = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('tbody button')];
  const at = names.indexOf(document.activeElement as HTMLElement);
  if (at < 0) return;
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: names.length - 1 }[event.key];
  const method = selectedMethod.value;
  if (next !== undefined) names[Math.max(0, Math.min(names.length - 1, next))]?.focus();
  else if (event.key === 'Enter' && method !== null) show({ view: 'sandwich', method: method.key });
  else return;
  event.preventDefault();
  event.stopPropagation();
}
