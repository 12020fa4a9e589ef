// The content of a view of one method as long as none is selected: the hottest methods to choose from.
import { useEffect } from 'preact/hooks';
import { shareText } from './amount-words.ts';
import { useAnswer } from './answers.ts';
import { learnMethods } from './known-methods.ts';
import { type AskMethods, askMethods, methodRows } from './method-rows.ts';
import { cellName, nameWithParameters } from './name-trimming.ts';
import { Waiting } from './nothing-yet.tsx';
import { look, show } from './page-state.ts';

const OFFERED = 12;
/** The hottest ones may all be of the platform. */
const LOOKED_AT = 500;

export function NoMethod() {
  const answer = useAnswer<AskMethods>(() =>
    askMethods({
      ...{ table: 'methods', sort: 'own', search: '', look: look.value, of: null },
      ...{ isCompared: false, offset: 0, limit: LOOKED_AT },
    }),
  );
  const found = methodRows(answer.value);
  useEffect(() => learnMethods(found?.rows.map(({ method }) => method) ?? []), [answer.value]);
  if (found === null) return <Waiting />;
  if (found.length === 0) return <p class="empty">No samples are left.</p>;
  const own = found.rows.filter(({ method }) => !method.library);
  return (
    <section class="sheet" aria-label="The hottest methods">
      <p>Select a method in a picture or a table, or one of the hottest:</p>
      <ul class="plain">
        {(own.length > 0 ? own : found.rows).slice(0, OFFERED).map(({ method, self, own: ownTime }) => (
          <li key={method.key}>
            <button
              type="button"
              class="link"
              title={nameWithParameters(method)}
              onClick={() => show({ method: method.key })}
            >
              {cellName(method)}
            </button>{' '}
            <span class="aside">{shareText(ownTime ?? self, found.whole)} of all is its own, with libraries</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
