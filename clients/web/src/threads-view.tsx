// Threads by share, threads whose names differ in digits alone as one row that unfolds; choosing one looks at its samples alone.
import { signal } from '@preact/signals';
import type { Answers, Share } from 'insitu/views';
import { amountText } from './amount-words.ts';
import { amountsOf, useNamedAnswer } from './answers.ts';
import { knownMethod } from './known-methods.ts';
import { fullName, shownName } from './name-trimming.ts';
import { Waiting } from './nothing-yet.tsx';
import { look, say, showLook, shown } from './page-state.ts';
import { TableHead } from './table-head.tsx';

type Row = Answers['threads']['rows'][number];

/** Rows that are unfolded. */
const unfolded = signal<ReadonlySet<string>>(new Set());

const keyOf = (row: Pick<Row, 'group' | 'name'>): string => JSON.stringify([row.group, row.name]);

function toggle(key: string): void {
  unfolded.value = new Set([...unfolded.value].filter(each => each !== key).concat(unfolded.value.has(key) ? [] : key));
}

export function ThreadsView() {
  const answer = useNamedAnswer('threads', () => ({ look: look.value, of: shown.value.of }));
  const found = answer.value;
  const of = shown.value.of === null ? null : knownMethod(shown.value.of);
  if (found === null) return <Waiting />;
  if (found.rows.length === 0) return <p class="empty">No samples of any thread are left.</p>;
  return (
    <section class="sheet" aria-label="Threads">
      {of === null ? null : <p>Threads that run {fullName(of)}</p>}
      <table>
        <TableHead cells={[{ text: 'Thread' }, { text: 'Group' }, { text: 'Share', isNumber: true }]} />
        <tbody>
          {found.rows.flatMap(row => {
            const key = keyOf(row);
            const isOpen = unfolded.value.has(key);
            return [
              <ThreadRow key={key} {...row} threads={row.threads.length} isOpen={isOpen} />,
              ...(isOpen ? row.threads : []).map(each => (
                <ThreadRow key={`${key} ${each.name}`} {...each} group={row.group} level={1} />
              )),
            ];
          })}
        </tbody>
      </table>
    </section>
  );
}

type ThreadRowProps = {
  readonly name: string;
  readonly group: string;
  readonly share: Share;
  /** How many threads it unfolds to. */
  readonly threads?: number;
  readonly isOpen?: boolean;
  readonly level?: number;
};

/** Names stand for themselves in patterns, but for `*`, which fits itself too. */
function ThreadRow({ name, group, share, threads = 0, isOpen = false, level = 0 }: ThreadRowProps) {
  const { part, whole } = amountsOf(share);
  return (
    <tr>
      <th scope="row" style={{ paddingLeft: `${4 + level * 24}px` }}>
        {threads === 0 ? null : (
          <button
            type="button"
            class="link"
            aria-expanded={isOpen}
            aria-label={`${threads} threads of ${shownName(name)}`}
            onClick={() => toggle(keyOf({ group, name }))}
          >
            {isOpen ? '▾' : '▸'}
          </button>
        )}
        <button
          type="button"
          class="link"
          title="Look at this thread alone"
          onClick={() => {
            showLook({ threads: [name] });
            say(`Only ${shownName(name)} is looked at.`);
          }}
        >
          {shownName(name) || '(no name)'}
        </button>
      </th>
      <td>{shownName(group)}</td>
      <td class="number">
        {amountText(part, whole, 'samples', shown.value.amounts === 'absolute' ? 'share' : shown.value.amounts)}
        <span class="bar" style={{ width: `${100 * share.share}%` }} />
      </td>
    </tr>
  );
}
