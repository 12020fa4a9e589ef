// Threads and their groups by share; choosing one looks at its samples alone.
import type { AskThreads, Threads } from 'insitu/views';
import { amountText } from './amount-words.ts';
import { useAnswer } from './answers.ts';
import { knownMethod } from './known-methods.ts';
import { fullName, shownName } from './name-trimming.ts';
import { look, say, showLook, shown } from './page-state.ts';
import { TableHead } from './table-head.tsx';

type Row = Threads['rows'][number];

export function ThreadsView() {
  const answer = useAnswer<AskThreads>(() => ({ ask: 'threads', look: look.value, of: shown.value.of }));
  const found = answer.value;
  const of = shown.value.of === null ? null : knownMethod(shown.value.of);
  if (found === null) return <p class="empty">Loading …</p>;
  if (found.rows.length === 0) return <p class="empty">No samples of any thread are left.</p>;
  return (
    <section class="sheet" aria-label="Threads">
      {of === null ? null : <p>Threads that run {fullName(of)}</p>}
      <table>
        <TableHead cells={[{ text: 'Thread' }, { text: 'Group' }, { text: 'Share', isNumber: true }]} />
        <tbody>
          {found.rows.map(row => (
            <ThreadRow key={`${row.group} ${row.name}`} row={row} found={found} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Names stand for themselves in patterns, but for `*`, which fits itself too. */
function ThreadRow({ row, found }: { readonly row: Row; readonly found: Threads }) {
  const share = row.total.weight / found.whole.weight;
  return (
    <tr>
      <th scope="row">
        <button
          type="button"
          class="link"
          title="Look at this thread alone"
          onClick={() => {
            showLook({ threads: [row.name] });
            say(`Only ${shownName(row.name)} is looked at.`);
          }}
        >
          {shownName(row.name) || '(no name)'}
        </button>
      </th>
      <td>{shownName(row.group)}</td>
      <td class="number">
        {amountText(
          row.total,
          found.whole,
          'samples',
          shown.value.amounts === 'absolute' ? 'share' : shown.value.amounts,
        )}
        <span class="bar" style={{ width: `${100 * Math.min(1, share)}%` }} />
      </td>
    </tr>
  );
}
