// The vanished parts below the root of the picture: a list beside the picture, which is not part of it.
import { computed, effect, signal } from '@preact/signals';
import type { AskVanished, Vanished } from 'insitu/views';
import { amountText, plural, shareText } from './amount-words.ts';
import { isAborted, problemOf } from './ask.ts';
import { nameWithParameters, shortName } from './name-trimming.ts';
import { ask, failure, hasBaseline, revision, show, shown } from './page-state.ts';
import { activePicture } from './pictures-shown.ts';
import { TableHead } from './table-head.tsx';
import { VERDICT_WORDS } from './verdicts.ts';

/** null while they are not shown, or not known yet. */
const vanished = signal<Vanished | null>(null);

/** The question as text, so that an equal one is not asked again. */
const wanted = computed<string | null>(() => {
  const shot = activePicture.value?.shot.value ?? null;
  if (!shown.value.vanished || !hasBaseline.value || shot === null) return null;
  const { look, direction, of, operations } = shot.asked;
  const root = shot.frame.header.root.steps;
  return JSON.stringify({ ask: 'vanished', look, direction, of, root, operations } satisfies AskVanished);
});

/** Asks anew whenever the root of the picture, its operations or the data change. */
export function followVanished(): void {
  let running: AbortController | null = null;
  effect(() => {
    const question = wanted.value;
    running?.abort();
    vanished.value = null;
    if (question === null || revision.value === '') return;
    const mine = new AbortController();
    running = mine;
    ask(JSON.parse(question) as AskVanished, mine.signal).then(
      found => {
        if (!mine.signal.aborted) vanished.value = found;
      },
      error => {
        if (!isAborted(error)) failure.value = problemOf(error);
      },
    );
  });
}

/** `− vanished: 3 parts, 4.1 % of the baseline`. */
export function VanishedEntry() {
  const found = vanished.value;
  if (found === null) return null;
  return (
    <li>
      − vanished: {plural(found.length, 'part')}
      {found.length === 0 ? '' : `, ${shareText(found.total, found.whole)} of the baseline`}
    </li>
  );
}

/** Each leads to the part that it was below. */
export function VanishedList() {
  const found = vanished.value;
  const { amounts } = shown.value;
  return (
    <section class="hits" aria-label="Vanished parts">
      <header>
        <h2>Vanished: in the baseline below this root, and no longer</h2>
        <button type="button" aria-label="Close the list" onClick={() => show({ vanished: false })}>
          ✕
        </button>
      </header>
      {found === null ? (
        <p>Loading …</p>
      ) : (
        <>
          <table>
            <TableHead cells={[{ text: 'Part' }, { text: 'Before', isNumber: true }, { text: 'Test' }]} />
            <tbody>
              {found.rows.map(({ method, above, steps, total, verdict }) => (
                <tr key={`${steps.join('.')} ${method.key}`}>
                  <th scope="row">
                    {nameWithParameters(method)}
                    <span class="aside">
                      {' · below '}
                      <button type="button" class="link" onClick={() => show({ root: steps, zoom: [0, 1] })}>
                        {above === null ? 'everything' : shortName(above)}
                      </button>
                    </span>
                  </th>
                  <td class="number">{amountText(total, found.whole, found.unit, amounts)}</td>
                  <td>{VERDICT_WORDS[verdict]}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <p class="aside">
            Shares are of all samples of the baseline. {lengthText(found)}Parts with less than{' '}
            {Number((100 * found.least).toPrecision(1))} % of the root there were not looked at.
          </p>
        </>
      )}
    </section>
  );
}

function lengthText({ length, rows }: Vanished): string {
  if (length === 0) return 'Nothing has vanished. ';
  return length > rows.length ? `The ${rows.length} heaviest of ${length} are listed. ` : '';
}
