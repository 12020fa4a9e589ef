// The first bar: whose data these are, how they are looked at, the search, and how old they are. The same in every view.
import { signal } from '@preact/signals';
import type { AskNamed } from 'insitu/views';
import { useEffect } from 'preact/hooks';
import { AMOUNTS, type Shown } from './address-state.ts';
import { durationText, plural } from './amount-words.ts';
import { choiceOf } from './answers.ts';
import { isAborted, problemOf } from './ask.ts';
import { chooseOf } from './filter-chips.tsx';
import { Folded } from './folded.tsx';
import { openMenu } from './menu.tsx';
import { shownName } from './name-trimming.ts';
import {
  ask,
  data,
  dropLook,
  failure,
  hasKeys,
  isNarrow,
  lastNews,
  look,
  show,
  showLook,
  shown,
  showSource,
  waiting,
} from './page-state.ts';
import { activePicture } from './pictures-shown.ts';
import { SearchBox } from './search-box.tsx';

const now = signal(Date.now());

export function Header() {
  const state = data.value;
  if (state === null) return <header class="header">insitu</header>;
  return (
    <header class="header">
      <Title />
      <ProgramChooser />
      <MetricChooser />
      {isNarrow.value ? (
        <Folded summary="⋯" label="Time, threads, instances and amounts">
          <MoreChoosers />
        </Folded>
      ) : (
        <MoreChoosers />
      )}
      <Notes />
      <span class="gap" />
      <SearchBox />
      <Age />
      <button type="button" aria-label="Keys" title="Keys: ?" onClick={() => (hasKeys.value = true)}>
        ?
      </button>
    </header>
  );
}

function Title() {
  const { program = '', version = '', project = '' } = data.value ?? {};
  const name = (
    <>
      {shownName(look.value.program ?? program)} <span class="version">{shownName(look.value.version ?? version)}</span>
    </>
  );
  // A recording on disk is of one version; several programs of an editor have a chooser of their own.
  if (project === '' || (data.value?.sources.length ?? 0) > 1) return <h1>{name}</h1>;
  return (
    <h1>
      <button
        type="button"
        class="chooser title"
        aria-haspopup="menu"
        title="Which program and version"
        onClick={({ currentTarget }) => void openVersions(currentTarget)}
      >
        {name}
      </button>
    </h1>
  );
}

const MOST_EXECUTIONS = 200;

/** Opens the menu of the store's versions, the latest first; they are asked for only now. */
async function openVersions(button: HTMLElement): Promise<void> {
  try {
    const asked: AskNamed<'executions'> = {
      ...{ ask: 'answer', answer: 'executions' },
      parameters: { limit: MOST_EXECUTIONS },
    };
    const { rows } = await ask(asked);
    const { left, bottom } = button.getBoundingClientRect();
    const found = new Map(
      rows.map(({ program, version }) => [JSON.stringify([program, version]), { program, version }]),
    );
    const items = [...found.values()].map(({ program, version }) => ({
      text: shownName(`${program} ${version}`),
      run: () => {
        const { program: _program, version: _version, instances: _instances, ...rest } = look.value;
        show({ look: { ...rest, program, version }, root: [], zoom: [0, 1] });
      },
    }));
    openMenu(
      [{ text: 'As it was opened', run: () => dropLook('program', 'version', 'instances') }, ...items],
      left,
      bottom + 4,
    );
  } catch (error) {
    if (!isAborted(error)) failure.value = problemOf(error);
  }
}

function MoreChoosers() {
  return (
    <>
      <SpanChooser />
      <ThreadsButton />
      <InstanceChooser />
      <AmountsChooser />
    </>
  );
}

const AMOUNT_NAMES: Readonly<Record<Shown['amounts'], string>> = {
  share: 'shares',
  count: 'samples',
  absolute: 'amounts',
};

function AmountsChooser() {
  return (
    <select
      aria-label="Amounts"
      title="How amounts are written"
      value={shown.value.amounts}
      onChange={({ currentTarget }) => show({ amounts: currentTarget.value as Shown['amounts'] })}
    >
      {AMOUNTS.map(amounts => (
        <option key={amounts} value={amounts}>
          {AMOUNT_NAMES[amounts]}
        </option>
      ))}
    </select>
  );
}

/** The latest part of the recorded time, in milliseconds. */
const SPANS = [
  ['last minute', 60_000],
  ['last 5 minutes', 300_000],
  ['last hour', 3_600_000],
  ['last 24 hours', 86_400_000],
  ['last 7 days', 604_800_000],
] as const;

function SpanChooser() {
  const { windows = [] } = data.value ?? {};
  const { from, to } = look.value;
  const [first, last] = [windows[0]?.from ?? 0, windows.at(-1)?.to ?? 0];
  const spans = SPANS.filter(([, millis]) => millis < last - first);
  const isWhole = from === undefined && to === undefined;
  const chosen = to === undefined ? spans.find(([, millis]) => from === last - millis)?.[0] : undefined;
  return (
    <select
      aria-label="Time"
      title="Which part of the recorded time: dragging over the strip chooses any"
      value={isWhole ? '' : (chosen ?? 'own')}
      onChange={({ currentTarget: { value } }) => {
        const millis = spans.find(([text]) => text === value)?.[1];
        if (value === '') dropLook('from', 'to');
        else if (millis !== undefined) {
          const { to: _to, ...rest } = look.value;
          show({ look: { ...rest, from: last - millis } });
        }
      }}
    >
      <option value="">all time</option>
      {spans.map(([text]) => (
        <option key={text} value={text}>
          {text}
        </option>
      ))}
      {isWhole || chosen !== undefined ? null : <option value="own">chosen span</option>}
    </select>
  );
}

const MOST_THREADS = 30;

/** Asked only when the menu opens: most readers look at all threads. */
function ThreadsButton() {
  const { threads = [] } = look.value;
  const open = async (button: HTMLElement): Promise<void> => {
    const { threads: _threads, ...rest } = look.value;
    try {
      const asked: AskNamed<'threads'> = {
        ...{ ask: 'answer', answer: 'threads' },
        parameters: { ...choiceOf(rest), limit: MOST_THREADS },
      };
      const { rows } = await ask(asked);
      const { left, bottom } = button.getBoundingClientRect();
      const items = rows.map(({ name, share }) => ({
        text: shownName(name) || '(no name)',
        key: `${Math.round(100 * share.share)} %`,
        run: () => showLook({ threads: [name] }),
      }));
      openMenu([{ text: 'all threads', run: () => dropLook('threads') }, ...items], left, bottom + 4);
    } catch (error) {
      if (!isAborted(error)) failure.value = problemOf(error);
    }
  };
  return (
    <button
      type="button"
      class="chooser"
      aria-haspopup="menu"
      title="Whose samples are looked at"
      onClick={({ currentTarget }) => void open(currentTarget)}
    >
      {threads.length === 0
        ? 'all threads'
        : threads.length === 1
          ? shownName(threads[0] ?? '')
          : plural(threads.length, 'thread')}
    </button>
  );
}

/** Sentences about losses and age: one line that unfolds. */
function Notes() {
  const notes = data.value?.notes ?? [];
  if (notes.length === 0) return null;
  return (
    <Folded summary={`⚠ ${plural(notes.length, 'note')}`} label="Notes about the data">
      {notes.map(note => (
        <p key={note} class="note">
          {shownName(note)}
        </p>
      ))}
    </Folded>
  );
}
/** Only where there are several. */
function ProgramChooser() {
  const { sources = [], source = null } = data.value ?? {};
  if (sources.length < 2) return null;
  const chosen = sources.some(({ key }) => key === shown.value.source) ? shown.value.source : source;
  return (
    <select aria-label="Program" value={chosen ?? ''} onChange={({ currentTarget }) => showSource(currentTarget.value)}>
      {sources.map(({ key, name }) => (
        <option key={key} value={key}>
          {shownName(name)}
        </option>
      ))}
    </select>
  );
}

/** All instances, or one of them; only a name where there is one. */
function InstanceChooser() {
  const { instances: all = [] } = data.value ?? {};
  const { instances: chosen = [] } = look.value;
  if (all.length < 2) return <span class="aside instances">{shownName(all[0] ?? '')}</span>;
  return (
    <select
      aria-label="Instances"
      title="Whose samples of several instances"
      value={chosen.length === 1 ? chosen[0] : ''}
      onChange={({ currentTarget: { value } }) => chooseOf('instances', value === '' ? [] : [value])}
    >
      <option value="">
        {chosen.length > 1 ? `${chosen.length} of ${all.length} instances` : `all ${all.length} instances`}
      </option>
      {all.map(name => (
        <option key={name} value={name}>
          {shownName(name)}
        </option>
      ))}
    </select>
  );
}

function MetricChooser() {
  const metrics = data.value?.metrics ?? [];
  const drawn = activePicture.value?.shot.value?.frame.header.metric;
  return (
    <select
      aria-label="Metric"
      title="What is measured"
      value={look.value.metric ?? drawn ?? ''}
      onChange={({ currentTarget }) => showLook({ metric: currentTarget.value })}
    >
      {(look.value.metric ?? drawn) === undefined ? <option value="">as the hints</option> : null}
      {metrics.map(({ id }) => (
        <option key={id} value={id}>
          {shownName(id)}
        </option>
      ))}
    </select>
  );
}

function Age() {
  useEffect(() => {
    const timer = setInterval(() => {
      now.value = Date.now();
    }, 1000);
    return () => clearInterval(timer);
  }, []);
  const state = data.value;
  const newest = state?.windows.at(-1)?.to;
  if (state === null || newest === undefined) return <span class="aside">no recordings yet</span>;
  const age = durationText(Math.max(0, Math.max(now.value, lastNews.value) - newest));
  return (
    <span class="aside age">
      {state.live ? <span class="live">● live</span> : null} data {age} old
      {waiting.value === 0 ? null : <span class="held"> held: +{waiting.value}</span>}
    </span>
  );
}
