// The restrictions of the data and their baseline: a chip each, whose ✕ drops it alone.
import { momentText } from './amount-words.ts';
import { hidingIn, pathWith } from './hidden-methods.ts';
import { shownName } from './name-trimming.ts';
import { data, dropLook, look, say, show, showLook, shown } from './page-state.ts';
import { useInEditor } from './picture-actions.ts';

/** Each restriction can be dropped by itself. Nothing where there is none. */
export function FilterChips() {
  const { program, version, instances = [], threads = [], focus = [], from, to, path } = look.value;
  const { rest, hidden } = hidingIn(path);
  const without = (list: readonly string[], item: string): readonly string[] => list.filter(other => other !== item);
  return (
    <span class="chips">
      {focus.map(name => (
        <Chip key={`focus ${name}`} kind="focus" text={name} onDrop={() => chooseOf('focus', without(focus, name))} />
      ))}
      {rest === null ? null : (
        <Chip kind="path" text={rest} onDrop={() => showLook({ path: pathWith({ rest: null, hidden }) })} />
      )}
      {hidden.map(name => (
        <Chip
          key={`hidden ${name}`}
          kind="hidden"
          text={name}
          onDrop={() => showLook({ path: pathWith({ rest, hidden: without(hidden, name) }) })}
        />
      ))}
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
          onDrop={() => chooseOf('instances', without(instances, name))}
        />
      ))}
      {threads.map(pattern => (
        <Chip
          key={`threads ${pattern}`}
          kind="threads"
          text={pattern}
          onDrop={() => chooseOf('threads', without(threads, pattern))}
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

export function chooseOf(name: 'focus' | 'instances' | 'threads', rest: readonly string[]): void {
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
