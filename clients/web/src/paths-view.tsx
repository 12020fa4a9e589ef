// The analyzer of call paths: a query with its steps, its cost, the tree of its refinements, and the classes of threads.
import { batch, signal } from '@preact/signals';
import { type Answers, type AskNamed, type Look, TIME_TYPES, type ViewAmount } from 'insitu/views';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { FIRST_SHOWN } from './address-state.ts';
import { grouped, samplesText, shareText, weightText } from './amount-words.ts';
import { amountsOf, type Mistake, useNamedAnswer } from './answers.ts';
import { shownName } from './name-trimming.ts';
import { data, dropLook, look, say, show, showLook, shown } from './page-state.ts';
import { withoutElement } from './path-steps.ts';
import { QueryBox } from './query-box.tsx';
import { TableHead } from './table-head.tsx';

type Answered = Answers['paths'];
type Refinement = 'down' | 'extended' | 'up';

const REFINEMENTS: readonly (readonly [Refinement, string, string])[] = [
  ['down', 'Immediate', 'What the path calls directly'],
  ['extended', 'Extended', 'Everything below the path'],
  ['up', 'Upward', 'Who calls what follows a ".."'],
];
/** Rows of one refinement. */
const MOST_ROWS = 200;
/** Places of the slider for the least samples of a row. */
const LEAST = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];

/** The analyzer asks of all stacks, also where pictures show those of one path. */
function lookOfPaths(): Look {
  const { path: _path, ...all } = look.value;
  return all;
}

/** Whether a query is of typed time, whatever metric the page shows: it names what threads do, such as `:RUN`. */
function namesTimeType(query: string): boolean {
  return Object.keys(TIME_TYPES).some(type => new RegExp(`(?:^|[\\s.(|])${type}\\b`).test(query));
}

/** The mark of a time type with its words; nothing for other names. */
function TypeMark({ name }: { readonly name: string }) {
  const found = Object.entries(TIME_TYPES).find(([type]) => type === name);
  if (found === undefined) return null;
  const [, { words, colour }] = found;
  return <span class="mark" role="img" aria-label={words} title={words} style={{ background: colour }} />;
}

/** The Server View needs typed time of all threads. */
function canShowProcessors(): boolean {
  const isTyped = (look.value.metric ?? '') === 'typed' || namesTimeType(shown.value.query);
  return isTyped && data.value?.processors === true && (look.value.threads ?? []).length === 0;
}

function viewAsked(): 'server' | null {
  return shown.value.processors && canShowProcessors() ? 'server' : null;
}

export function PathsView() {
  const mistake = useMemo(() => signal<Mistake<AskNamed<'paths'>> | null>(null), []);
  const answer = useNamedAnswer(
    'paths',
    () => ({ look: lookOfPaths(), more: { query: shown.value.query, view: viewAsked() } }),
    mistake,
  );
  const found = mistake.value === null ? answer.value : null;
  return (
    <section class="sheet paths" aria-label="Call paths">
      <Classes />
      <QueryBox mistake={mistake.value} />
      {found === null ? null : <Steps found={found} />}
      <LeastSlider />
      <Processors idle={found?.idle ?? null} leftOut={found?.leftOutWindows ?? 0} />
      {found?.origin.problems
        .filter(({ severity }) => severity === 'info')
        .map(({ text }) => (
          <p key={text} class="aside">
            {shownName(text)}
          </p>
        ))}
      {found === null ? null : <PathTree found={found} />}
    </section>
  );
}

/** Thread classes, for the Thread View of one of them. */
function Classes() {
  const answer = useNamedAnswer('threads', () => {
    const { threads: _threads, ...all } = lookOfPaths();
    return { look: all };
  });
  const found = answer.value;
  if (found === null) return null;
  const chosen = look.value.threads ?? [];
  return (
    <details class="classes" open={shown.value.query === FIRST_SHOWN.query && chosen.length === 0}>
      <summary>
        {found.rows.length === 1 ? '1 class' : `${found.rows.length} classes`} of threads ·{' '}
        {samplesText(found.origin.samples)} ·{' '}
        {chosen.length === 0 ? 'all threads' : `Thread View: ${chosen.map(shownName).join(' or ')}`}
      </summary>
      {chosen.length === 0 ? null : (
        <button type="button" onClick={() => dropLook('threads')}>
          All threads
        </button>
      )}
      <table>
        <TableHead
          cells={[
            { text: 'Class' },
            { text: 'Group' },
            { text: 'Threads', isNumber: true, title: 'Threads of different names that were seen: at least so many' },
            { text: 'Samples', isNumber: true },
            { text: 'Share', isNumber: true },
          ]}
        />
        <tbody>
          {found.rows.map(row => (
            <ClassRow key={`${row.group} ${row.name}`} row={row} />
          ))}
        </tbody>
      </table>
    </details>
  );
}

function ClassRow({ row }: { readonly row: Answers['threads']['rows'][number] }) {
  const { part, whole } = amountsOf(row.share);
  return (
    <tr>
      <th scope="row">
        <button
          type="button"
          class="link"
          title="Thread View: the samples of this class are 100 %"
          onClick={() => {
            showLook({ threads: [row.name] });
            say(`Thread View of ${shownName(row.name)}.`);
          }}
        >
          {shownName(row.name)}
        </button>
      </th>
      <td>{shownName(row.group)}</td>
      <td class="number">{row.names}</td>
      <td class="number">{part.count}</td>
      <Share part={part} whole={whole} />
    </tr>
  );
}

type ShareProps = { readonly part: ViewAmount; readonly whole: ViewAmount; readonly isLeast?: boolean };

function Share({ part, whole, isLeast = false }: ShareProps) {
  const share = whole.weight > 0 ? part.weight / whole.weight : 0;
  return (
    <td class="number">
      {isLeast ? '≥ ' : ''}
      {shareText(part, whole)}
      <span class="bar" style={{ width: `${100 * Math.min(1, share)}%` }} />
    </td>
  );
}

/** The elements of the path as chips, each of which can be taken out. */
function Steps({ found }: { readonly found: Answered }) {
  const { query, elements, missing } = found;
  return (
    <p class="steps">
      <span class="chips">
        {elements.map(({ from, to }, at) => {
          const text = shownName(query.slice(from, to));
          return (
            <span key={`${from} ${text}`} class={missing?.column === from + 1 ? 'chip missing' : 'chip'}>
              <span class="value">{text}</span>
              <button
                type="button"
                aria-label={`Take ${text} out`}
                onClick={() => {
                  show({ query: withoutElement(query, elements, at) });
                  say(`${text} is taken out.`);
                }}
              >
                ✕
              </button>
            </span>
          );
        })}
      </span>
      {missing === null ? null : (
        <span class="missing" role="status">
          {' '}
          {missing.message}: {missing.remedy}
        </span>
      )}
    </p>
  );
}

/** Whether 100 % is the time of all processors; then it says how much of it nobody used. */
function Processors({ idle, leftOut }: { readonly idle: number | null; readonly leftOut: number }) {
  if (!canShowProcessors()) return null;
  return (
    <label class="processors">
      <input
        type="checkbox"
        checked={shown.value.processors}
        onChange={({ currentTarget }) => show({ processors: currentTarget.checked })}
      />{' '}
      Of the time of all processors
      {idle === null ? '' : ` · ${Math.round(100 * idle)} % of it idle`}
      {leftOut === 0
        ? ''
        : ` · without ${leftOut === 1 ? '1 window' : `${leftOut} windows`} whose processors are not recorded`}
    </label>
  );
}

function LeastSlider() {
  const { least } = shown.value;
  const place = LEAST.findIndex(each => each >= least);
  return (
    <label class="least">
      Rows with at least{' '}
      <input
        type="range"
        min={0}
        max={LEAST.length - 1}
        value={place < 0 ? LEAST.length - 1 : place}
        aria-valuetext={samplesText(least)}
        onInput={({ currentTarget }) => show({ least: LEAST[Number(currentTarget.value)] ?? FIRST_SHOWN.least })}
      />{' '}
      {samplesText(least)}
    </label>
  );
}

function PathTree({ found }: { readonly found: Answered }) {
  const { query, cost, lowerBound, estimated, ofRecorded, origin } = found;
  const { part, whole } = amountsOf(cost);
  const { unit } = origin;
  return (
    <table class="tree">
      <TableHead
        cells={[
          { text: 'Path' },
          { text: 'Refine' },
          { text: isCounted(unit) ? 'Samples' : unit === 'bytes' ? 'Bytes' : 'Time', isNumber: true },
          { text: 'Of all', isNumber: true },
          { text: 'Of path', isNumber: true, title: 'Share of the path that the row refines' },
        ]}
      />
      <tbody>
        <PathRow
          key={query}
          query={query}
          name={query}
          whole={whole}
          path={part}
          amount={part}
          weight={cost.weight}
          ofWeight={found.whole}
          unit={unit}
          certainty={{ lowerBound, estimated, ofRecorded }}
          depth={0}
        />
      </tbody>
    </table>
  );
}

type RowProps = {
  readonly query: string;
  readonly name: string;
  readonly whole: ViewAmount;
  /** Of the path that the row refines. */
  readonly path: ViewAmount;
  readonly amount: ViewAmount;
  /** The amount in the unit of the metric, and what 100 % is in it; null where the row above says it. */
  readonly weight: number;
  readonly ofWeight: number | null;
  readonly unit: string;
  readonly certainty: Pick<Answered, 'lowerBound' | 'estimated' | 'ofRecorded'>;
  readonly depth: number;
};

/** Where samples have no weight, they are counted; else they are where the header asks for counts. */
function isCounted(unit: string): boolean {
  return unit === 'samples' || shown.value.amounts === 'count';
}

function PathRow({ query, name, whole, path, amount, weight, ofWeight, unit, certainty, depth }: RowProps) {
  const open = useMemo(() => signal<Refinement | null>(null), []);
  return (
    <>
      <tr>
        <th scope="row" style={{ paddingLeft: `${8 + 18 * depth}px` }}>
          <TypeMark name={name} />
          <button type="button" class="link" title={`Ask for ${shownName(query)}`} onClick={() => show({ query })}>
            {shownName(name)}
          </button>
          {certainty.estimated ? (
            <span class="aside" title="How long threads ran, or on which call paths, was not measured in all of it">
              {' '}
              estimated
            </span>
          ) : null}
          {certainty.ofRecorded && depth === 0 ? (
            <span class="aside" title="How much of the time that no event tells belongs here is not known">
              {' '}
              of what was recorded
            </span>
          ) : null}
        </th>
        <td class="refine">
          {REFINEMENTS.map(([kind, text, title]) => (
            <button
              key={kind}
              type="button"
              title={title}
              aria-pressed={open.value === kind}
              onClick={() => (open.value = open.value === kind ? null : kind)}
            >
              {text}
            </button>
          ))}
          <button type="button" title="Show these stacks, whole, in the flame graph" onClick={() => showStacks(query)}>
            Stacks
          </button>
        </td>
        <td class="number">
          {isCounted(unit) ? grouped(amount.count) : weightText(weight, unit)}
          {isCounted(unit) || ofWeight === null ? '' : ` of ${weightText(ofWeight, unit)}`}
        </td>
        <Share part={amount} whole={whole} isLeast={certainty.lowerBound} />
        <Share part={amount} whole={path} />
      </tr>
      {open.value === null ? null : (
        <Refined key={open.value} query={query} refine={open.value} whole={whole} unit={unit} depth={depth + 1} />
      )}
    </>
  );
}

type RefinedProps = Pick<RowProps, 'query' | 'whole' | 'unit' | 'depth'> & { readonly refine: Refinement };

/** The rows of one refinement, heaviest first; an upward split may be at any "..". */
function Refined({ query, refine, whole, unit, depth }: RefinedProps) {
  const at = useMemo(() => signal<number | null>(null), []);
  const mistake = useMemo(() => signal<Mistake<AskNamed<'paths'>> | null>(null), []);
  const answer = useNamedAnswer(
    'paths',
    () => ({
      look: lookOfPaths(),
      more: { query, view: viewAsked(), refine, at: at.value, least: shown.value.least, limit: MOST_ROWS },
    }),
    mistake,
  );
  const found = answer.value;
  const note = (text: ComponentChildren) => (
    <tr>
      <td colSpan={5} class="more" style={{ paddingLeft: `${8 + 18 * depth}px` }}>
        {text}
      </td>
    </tr>
  );
  if (mistake.value !== null) return note(mistake.value.problem.message);
  if (found === null) return note('Loading …');
  const { rows } = found;
  const last = found.splits.at(-1)?.at;
  return (
    <>
      {refine === 'up' && found.splits.length > 1
        ? note(
            <label>
              Split before{' '}
              <select
                value={at.value ?? last}
                onChange={({ currentTarget }) => (at.value = Number(currentTarget.value))}
              >
                {found.splits.map(split => (
                  <option key={split.at} value={split.at}>
                    {shownName(split.element)}
                  </option>
                ))}
              </select>
            </label>,
          )
        : null}
      {rows.map(row => (
        <PathRow
          key={row.query}
          query={row.query}
          name={row.aspect ? `${row.name} (aspect)` : row.name}
          whole={whole}
          path={amountsOf(found.cost).part}
          amount={amountsOf(row.ofAll).part}
          weight={row.ofAll.weight}
          ofWeight={null}
          unit={unit}
          certainty={row}
          depth={depth}
        />
      ))}
      {found.leftOut > 0
        ? note(`${found.leftOut} more with fewer samples, or beyond the first ${rows.length}.`)
        : rows.length === 0
          ? note(refine === 'up' ? 'Nothing stands between.' : 'It calls nothing.')
          : null}
    </>
  );
}

/** Whole stacks that satisfy the query, in a picture; shares stay those of all samples. */
function showStacks(query: string): void {
  batch(() => {
    showLook({ path: query });
    show({ view: 'flame', root: [], zoom: [0, 1] });
  });
  say(`Only the stacks of ${shownName(query)} are shown.`);
}
