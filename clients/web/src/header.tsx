// The header: whose data these are, how they are looked at, what is restricted, and how old they are.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { AMOUNTS, type Shown } from './address-state.ts';
import { durationText, momentText } from './amount-words.ts';
import { shownName } from './name-trimming.ts';
import { data, dropLook, lastNews, look, say, show, showLook, shown, showSource, waiting } from './page-state.ts';
import { useInEditor } from './picture-actions.ts';
import { activePicture } from './pictures-shown.ts';

const now = signal(Date.now());

export function Header() {
  const state = data.value;
  if (state === null) return <header class="header">insitu</header>;
  return (
    <header class="header">
      <h1>
        {shownName(look.value.program ?? state.program)}{' '}
        <span class="version">{shownName(look.value.version ?? state.version)}</span>
      </h1>
      <ProgramChooser />
      <MetricChooser />
      <label class="amounts">
        Amounts{' '}
        <select
          value={shown.value.amounts}
          onChange={({ currentTarget }) => show({ amounts: currentTarget.value as Shown['amounts'] })}
        >
          {AMOUNTS.map(amounts => (
            <option key={amounts} value={amounts}>
              {amounts}
            </option>
          ))}
        </select>
      </label>
      <Chips />
      <InstanceChooser />
      <Age />
      {state.notes.map(note => (
        <p key={note} class="note" title={shownName(note)}>
          {shownName(note)}
        </p>
      ))}
    </header>
  );
}

/** Only where there are several. */
function ProgramChooser() {
  const { sources = [], source = null } = data.value ?? {};
  if (sources.length < 2) return null;
  const chosen = sources.some(({ key }) => key === shown.value.source) ? shown.value.source : source;
  return (
    <label>
      Program{' '}
      <select value={chosen ?? ''} onChange={({ currentTarget }) => showSource(currentTarget.value)}>
        {sources.map(({ key, name }) => (
          <option key={key} value={key}>
            {shownName(name)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** All instances, or one of them; only a name where there is one. */
function InstanceChooser() {
  const { instances: all = [] } = data.value ?? {};
  const { instances: chosen = [] } = look.value;
  if (all.length < 2) return <span class="aside instances">{shownName(all[0] ?? '')}</span>;
  return (
    <label class="instances">
      Instances{' '}
      <select
        value={chosen.length === 1 ? chosen[0] : ''}
        onChange={({ currentTarget: { value } }) => drop('instances', value === '' ? [] : [value])}
      >
        <option value="">{chosen.length > 1 ? `${chosen.length} of ${all.length}` : `all ${all.length}`}</option>
        {all.map(name => (
          <option key={name} value={name}>
            {shownName(name)}
          </option>
        ))}
      </select>
    </label>
  );
}

function MetricChooser() {
  const metrics = data.value?.metrics ?? [];
  const drawn = activePicture.value?.shot.value?.frame.header.metric;
  return (
    <label>
      Metric{' '}
      <select
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
    </label>
  );
}

/** Each restriction can be dropped by itself. */
function Chips() {
  const { program, version, instances = [], threads = [], focus = [], from, to, path } = look.value;
  const without = (list: readonly string[], item: string): readonly string[] => list.filter(other => other !== item);
  return (
    <span class="chips">
      {focus.map(name => (
        <Chip key={`focus ${name}`} kind="focus" text={name} onDrop={() => drop('focus', without(focus, name))} />
      ))}
      {path === undefined ? null : <Chip kind="path" text={path} onDrop={() => dropLook('path')} />}
      {program === undefined && version === undefined ? null : (
        <Chip
          kind="version"
          text={[program, version].filter(name => name !== undefined).join(' ')}
          onDrop={() => dropLook('program', 'version')}
        />
      )}
      {instances.map(name => (
        <Chip
          key={`instance ${name}`}
          kind="instance"
          text={name}
          onDrop={() => drop('instances', without(instances, name))}
        />
      ))}
      {threads.map(pattern => (
        <Chip
          key={`threads ${pattern}`}
          kind="threads"
          text={pattern}
          onDrop={() => drop('threads', without(threads, pattern))}
        />
      ))}
      {from === undefined && to === undefined ? null : (
        <Chip kind="span" text={spanText(from, to)} onDrop={() => dropLook('from', 'to')} />
      )}
      {data.value?.baseline == null ? null : <span class="chip">compared with {shownName(data.value.baseline)}</span>}
      {shown.value.look === null || data.value?.editor !== true ? null : (
        <>
          <button type="button" onClick={() => show({ look: null, root: [] })}>
            As the editor looks
          </button>
          <button type="button" onClick={() => void useInEditor()}>
            Use in the editor
          </button>
        </>
      )}
    </span>
  );
}

function drop(name: 'focus' | 'instances' | 'threads', rest: readonly string[]): void {
  if (rest.length === 0) dropLook(name);
  else showLook({ [name]: rest });
}

function spanText(from: number | undefined, to: number | undefined): string {
  return `${from === undefined ? '…' : momentText(from)} – ${to === undefined ? '…' : momentText(to)}`;
}

type ChipProps = { readonly kind: string; readonly text: string; readonly onDrop: () => void };

function Chip({ kind, text, onDrop }: ChipProps) {
  return (
    <span class="chip">
      <span class="kind">{kind}</span>{' '}
      <span class="value" title={shownName(text)}>
        {shownName(text)}
      </span>
      <button
        type="button"
        aria-label={`Drop ${kind} ${shownName(text)}`}
        onClick={() => {
          onDrop();
          say(`${kind} dropped.`);
        }}
      >
        ✕
      </button>
    </span>
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
