// The field of a query by call paths: what is typed is asked at once, and names of methods, aspects and threads complete it.
import { batch, signal } from '@preact/signals';
import type { AskNamed } from 'insitu/views';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { type Mistake, useNamedAnswer } from './answers.ts';
import { shownName } from './name-trimming.ts';
import { look, say, show, shown } from './page-state.ts';
import { withName } from './path-steps.ts';

/** A query is asked so long after the last key. */
const TYPING_PAUSE = 150;
const MOST_NAMES = 12;

type Mistaken = Mistake<AskNamed<'paths'>>;
type Typed = { readonly query: string; readonly at: number };

export function QueryBox({ mistake }: { readonly mistake: Mistaken | null }) {
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** The text that names are asked for; null while none are offered. */
  const typed = useMemo(() => signal<Typed | null>(null), []);
  const chosen = useMemo(() => signal(0), []);
  const answer = useNamedAnswer('completePath', () =>
    typed.value === null ? null : { look: look.value, more: { ...typed.value, limit: MOST_NAMES } },
  );
  const { query } = shown.value;
  useEffect(() => {
    if (input.current !== null && document.activeElement !== input.current) input.current.value = query;
  }, [query]);
  const offered = typed.value === null ? [] : (answer.value?.names ?? []);
  const take = (text: string): void => {
    clearTimeout(timer.current);
    show({ query: text.trim() === '' ? '*' : text });
  };
  const follow = (): void => {
    const { value, selectionStart } = input.current!;
    batch(() => {
      typed.value = { query: value, at: selectionStart ?? value.length };
      chosen.value = 0;
    });
    clearTimeout(timer.current);
    timer.current = setTimeout(() => take(value), TYPING_PAUSE);
  };
  const complete = (text: string): void => {
    const field = input.current;
    if (answer.value === null || field === null) return;
    const next = withName(field.value, answer.value, text);
    field.value = next.query;
    field.setSelectionRange(next.at, next.at);
    typed.value = null;
    take(next.query);
    field.focus();
    say(`${shownName(text)} is put in.`);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const name = offered[chosen.value];
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const by = event.key === 'ArrowDown' ? 1 : -1;
      if (offered.length === 0) follow();
      else chosen.value = (chosen.value + by + offered.length) % offered.length;
    } else if (event.key === 'Tab' && name !== undefined) complete(name.text);
    else if (event.key === 'Enter') {
      typed.value = null;
      take(input.current?.value ?? '');
    } else if (event.key === 'Escape' && typed.value !== null) typed.value = null;
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="query">
      <input
        ref={input}
        type="text"
        role="combobox"
        aria-label="Query by call paths"
        aria-expanded={offered.length > 0}
        aria-controls="path-names"
        aria-activedescendant={offered.length > 0 ? `path-name-${chosen.value}` : undefined}
        aria-invalid={mistake !== null}
        placeholder="A B ..C: calls in order, .. for one or more; * is any thread"
        spellcheck={false}
        autocomplete="off"
        defaultValue={query}
        onInput={follow}
        onKeyDown={onKeyDown}
        onBlur={() => (typed.value = null)}
      />
      <div id="path-names" role="listbox" aria-label="Names" hidden={offered.length === 0}>
        {offered.map(({ text, kind }, at) => (
          <div
            key={`${kind} ${text}`}
            id={`path-name-${at}`}
            role="option"
            tabIndex={-1}
            aria-selected={at === chosen.value}
            onMouseDown={event => {
              event.preventDefault();
              complete(text);
            }}
          >
            {shownName(text)} <span class="kind">{kind}</span>
          </div>
        ))}
      </div>
      {mistake === null || mistake.question.parameters.query !== query ? null : (
        <MistakeText query={query} problem={mistake.problem} />
      )}
    </div>
  );
}

/** The place of the mistake is marked in the query. */
function MistakeText({ query, problem }: Pick<Mistaken, 'problem'> & { readonly query: string }) {
  const { message, remedy, range: { from, to } = { from: 0, to: 0 } } = problem;
  return (
    <p class="mistake" role="alert">
      <code>
        {shownName(query.slice(0, from))}
        <mark>{shownName(query.slice(from, to)) || ' '}</mark>
        {shownName(query.slice(to))}
      </code>{' '}
      {remedy === '' ? message : `${message} (${remedy})`}
    </p>
  );
}
