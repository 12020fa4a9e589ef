// The search: counts samples once at the outermost hit, walks from hit to hit, and lists all methods that fit.
import { effect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { plural, shareText } from './amount-words.ts';
import { isAborted, problemOf } from './ask.ts';
import { nextBlueprintHit } from './blueprint-hits.ts';
import { MethodName } from './method-name.tsx';
import { ask, data, failure, hasHits, hitsFound, look, revision, show, shown } from './page-state.ts';
import { nextHit, showHit } from './picture-actions.ts';
import { TableHead } from './table-head.tsx';

const TYPING_PAUSE = 200;

/** Asks anew whenever search, look or data change. */
export function followSearch(): void {
  let running: AbortController | null = null;
  effect(() => {
    const search = shown.value.search;
    const question = { ask: 'hits', look: look.value, search } as const;
    running?.abort();
    if (search === '' || data.value === null || revision.value === '') {
      hitsFound.value = null;
      return;
    }
    const mine = new AbortController();
    running = mine;
    ask(question, mine.signal).then(
      found => {
        if (!mine.signal.aborted) hitsFound.value = found;
      },
      error => {
        if (!isAborted(error)) failure.value = problemOf(error);
      },
    );
  });
}

export function SearchBox() {
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const { search } = shown.value;
  useEffect(() => {
    if (input.current !== null && document.activeElement !== input.current) input.current.value = search;
  }, [search]);
  const take = (): void => {
    clearTimeout(timer.current);
    show({ search: input.current?.value ?? '' });
  };
  const found = hitsFound.value;
  return (
    <search class="search">
      <input
        type="search"
        ref={input}
        aria-label="Search: words, or an expression between slashes"
        placeholder="Search  /"
        defaultValue={search}
        onInput={() => {
          clearTimeout(timer.current);
          timer.current = setTimeout(take, TYPING_PAUSE);
        }}
        onKeyDown={event => {
          if (event.key !== 'Enter') return;
          take();
          const boxes = document.querySelector<HTMLElement>('.picture .boxes');
          (boxes ?? document.querySelector<HTMLElement>('.picture canvas'))?.focus();
          if (boxes === null) nextHit(1);
          // Right after typing nothing was found yet: n goes there then.
          else if (hitsFound.value !== null) nextBlueprintHit(1);
        }}
      />
      {found === null ? null : (
        <button
          type="button"
          title="Key l"
          aria-pressed={hasHits.value}
          onClick={() => (hasHits.value = !hasHits.value)}
        >
          {plural(found.length, 'method')}, {shareText(found.total, found.whole)}
        </button>
      )}
    </search>
  );
}

/** Methods that fit, heaviest first; each leads to its heaviest call path. */
export function HitList() {
  const found = hitsFound.value;
  if (found === null) return null;
  return (
    <section class="hits" aria-label="Hits of the search">
      <header>
        <h2>
          {plural(found.length, 'method')} fit; {shareText(found.total, found.whole)} of all pass at least one
        </h2>
        <button type="button" aria-label="Close the list" onClick={() => (hasHits.value = false)}>
          ✕
        </button>
      </header>
      <table class="methods">
        <TableHead cells={[{ text: 'Method' }, { text: 'Total', isNumber: true }, { text: 'Self', isNumber: true }]} />
        <tbody>
          {found.rows.map(hit => (
            <tr key={hit.method.key}>
              <th scope="row">
                <button type="button" class="link" onClick={() => showHit(hit)}>
                  <MethodName method={hit.method} />
                </button>
              </th>
              <td class="number">{shareText(hit.total, found.whole)}</td>
              <td class="number">{hit.self.weight === 0 ? '–' : shareText(hit.self, found.whole)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {found.length > found.rows.length ? (
        <p>
          The {found.rows.length} heaviest of {found.length} are listed.
        </p>
      ) : null}
    </section>
  );
}
