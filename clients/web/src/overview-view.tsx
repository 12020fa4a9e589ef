// The first screen: what the program does in a sentence, its hottest own code over time, and cards of what it waits for, allocates, changed and lacks.
import { signal } from '@preact/signals';
import type { Answers, Look, Method } from 'insitu/views';
import type { ComponentChildren } from 'preact';
import { useNamedAnswer } from './answers.ts';
import { shownName } from './name-trimming.ts';
import { Waiting } from './nothing-yet.tsx';
import { data, hasBaseline, hold, look, say, show } from './page-state.ts';
import { TableHead } from './table-head.tsx';
import { VERDICT_WORDS } from './verdicts.ts';

type Found = Answers['overview'];
type Part = NonNullable<Found['allocation']>;

/** Versions are compared apart, since that takes longer than all other numbers. */
export function OverviewView() {
  const first = useNamedAnswer('overview', () => ({ look: look.value, more: { ...OWN, changes: false } }));
  const compared = useNamedAnswer('overview', () => ({ look: look.value, more: OWN }));
  const found = first.value;
  if (found === null) return <Waiting />;
  const { changes, sentence, rows } = compared.value ?? found;
  return (
    // Rows stay where they are below the pointer.
    <section
      class="sheet overview"
      aria-label="Overview"
      onMouseEnter={() => hold('overview', true)}
      onMouseLeave={() => hold('overview', false)}
    >
      <p class="sentence">{unbroken(shownName(sentence))}</p>
      <Hottest found={{ ...found, rows }} />
      <div class="cards">
        <WaitingCard found={found} />
        <PartCard title="Allocation" part={found.allocation} none="Allocation was not recorded." />
        <PartCard title="Exceptions" part={found.exceptions} none="The recording has no exceptions." />
        <CollectionsCard collections={found.collections} />
        <ChangesCard changes={changes} isKnown={compared.value !== null} />
        <MissingCard missing={found.missing} />
      </div>
    </section>
  );
}

/** A number stays with its sign and unit. */
function unbroken(text: string): string {
  return text.replaceAll('≥ ', '≥\u00a0').replaceAll(' %', '\u00a0%');
}

/** The limit of lists is the answer's own. */
const OWN = { limit: undefined, places: false } as const;

/** Looks at a method in the middle of its callers and callees, in another metric or part of the data. */
function lookAt({ id }: Method, change: Look = {}): void {
  show({ view: 'sandwich', of: id, method: id, root: [], look: { ...look.value, ...change } });
}

function Name({ method, change }: { readonly method: Method; readonly change?: Look }) {
  const { className, name, key } = method;
  const at = className.lastIndexOf('.') + 1;
  return (
    <button type="button" class="link" title={shownName(key)} onClick={() => lookAt(method, change)}>
      {shownName(`${className.slice(at)}${className === '' ? '' : '.'}${name}`)}
    </button>
  );
}

function Bar({ share }: { readonly share: number }) {
  return <span class="bar" style={{ width: `${100 * Math.min(1, share)}%` }} />;
}

function Hottest({ found: { rows, spans } }: { readonly found: Found }) {
  if (rows.length === 0) return <p class="empty">No own code ran.</p>;
  const isCompared = rows.some(({ change }) => change !== null);
  return (
    <table class="hottest">
      <TableHead
        cells={[
          { text: 'Hottest own code, with the libraries that it calls' },
          ...(spans.length < 2 ? [] : [{ text: 'Over time' }]),
          ...(isCompared
            ? [{ text: 'Change', isNumber: true, title: 'Of the share with all that the method calls' }]
            : []),
          { text: 'Share', isNumber: true },
        ]}
      />
      <tbody>
        {rows.map(({ method, own, overTime, change }) => (
          <tr key={method.id}>
            <th scope="row">
              <Name method={method} />
              <span class="package"> {shownName(method.className.slice(0, method.className.lastIndexOf('.')))}</span>
            </th>
            {spans.length < 2 ? null : (
              <td class="time">
                <Sparkline shares={overTime} />
              </td>
            )}
            {isCompared ? (
              <td class="number" title={change === null ? '' : VERDICT_WORDS[change.verdict]}>
                {change === null ? '–' : change.text}
              </td>
            ) : null}
            <td class="number">
              {own.text}
              <Bar share={own.share} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const [WIDTH, HEIGHT] = [120, 20];

/** From zero to the greatest share; a span without data is a gap. */
function Sparkline({ shares }: { readonly shares: readonly (number | null)[] }) {
  const most = shares.reduce<number>((greatest, share) => Math.max(greatest, share ?? 0), 0);
  const width = WIDTH / shares.length;
  const percent = (share: number): string => `${Math.round(100 * share)} %`;
  return (
    <svg
      width={WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={`Over time at most ${percent(most)}, last ${percent(shares.findLast(share => share !== null) ?? 0)}`}
    >
      {shares.map((share, at) => {
        if (share === null || most === 0) return null;
        const height = Math.max(1, (share / most) * HEIGHT);
        return <rect key={`${at}`} x={at * width} y={HEIGHT - height} width={Math.max(1, width - 1)} height={height} />;
      })}
    </svg>
  );
}

type CardProps = { readonly title: string; readonly aside?: string; readonly children: ComponentChildren };

function Card({ title, aside = '', children }: CardProps) {
  return (
    <section class="card" aria-label={title}>
      <h2>
        {title} <span class="aside">{aside}</span>
      </h2>
      {children}
    </section>
  );
}

function heldBy(holder: string | null): string {
  return holder === null ? '' : `, held most by ${shownName(holder)}`;
}

function WaitingCard({ found: { waiting, waits } }: { readonly found: Found }) {
  if (waiting !== null) {
    const { rows, classes, amount, aside } = waiting;
    const threads = aside.threads.map(shownName).join(', ');
    return (
      <Card title="Waiting" aside={`of ${amount} of threads that run own code`}>
        <ul>
          {classes.map(({ threads: name, words, type, share, atLeast, holder }) => (
            <li key={`${name} ${type}`}>
              {`${shownName(name)} threads: ${atLeast ? '≥\u00a0' : ''}${share.text} of their time ${words}${heldBy(holder)}`}
            </li>
          ))}
        </ul>
        <table>
          <tbody>
            {rows.map(({ words, type, method, share, atLeast, amount: time, threads: name, holder }) => (
              <tr key={`${type} ${method.id}`}>
                <th scope="row">
                  <Name method={method} change={{ metric: 'typed', path: `* ..${type}` }} />
                  <span class="aside">{` ${words}, mostly ${shownName(name)} threads${heldBy(holder)}`}</span>
                </th>
                <td class="number">
                  {`${atLeast ? '≥ ' : ''}${share.text} · ${time}`}
                  <Bar share={share.share} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <p class="aside">{`Left out: ${aside.amount} outside of own code${threads === '' ? '' : `, most of it ${threads}`}.`}</p>
      </Card>
    );
  }
  return (
    <Card title="Waiting" aside={waits.length === 0 ? '' : 'single waits that were long enough to be recorded'}>
      {waits.length === 0 ? <p>No wait was recorded.</p> : null}
      <table>
        <tbody>
          {waits.map(({ metric, amount, rate, rows: [first] }) => (
            <tr key={metric}>
              <th scope="row">
                {metric}{' '}
                {first === undefined ? (
                  <span class="aside">not in own code</span>
                ) : (
                  <>
                    <span class="aside">{`${first.share.text} in `}</span>
                    <Name method={first.method} change={{ metric }} />
                  </>
                )}
              </th>
              <td class="number" title={rate}>
                {amount}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

type PartProps = { readonly title: string; readonly part: Part | null; readonly none: string };

function PartCard({ title, part, none }: PartProps) {
  if (part === null)
    return (
      <Card title={title}>
        <p>{none}</p>
      </Card>
    );
  const { metric, amount, rate, rows } = part;
  return (
    <Card title={title} aside={`${amount}, ${rate}`}>
      {rows.length === 0 ? <p>None of it is in own code.</p> : null}
      <table>
        <tbody>
          {rows.map(({ method, share, amount: own }) => (
            <tr key={method.id}>
              <th scope="row">
                <Name method={method} change={{ metric }} />
              </th>
              <td class="number">
                {`${share.text} · ${own}`}
                <Bar share={share.share} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

function CollectionsCard({ collections }: { readonly collections: Found['collections'] }) {
  if (collections === null)
    return (
      <Card title="Garbage collections">
        <p>No collection was recorded.</p>
      </Card>
    );
  const { text, amount, count, mean, kinds } = collections;
  return (
    <Card title="Garbage collections" aside={`${count.toLocaleString('en')} of ${mean} each`}>
      <p>{`All threads stood still for ${unbroken(text)} of the time, ${amount}.`}</p>
      <table>
        <tbody>
          {kinds.map(({ kind, amount: own, count: times }) => (
            <tr key={kind}>
              <th scope="row">{shownName(kind)}</th>
              <td class="number">{`${times.toLocaleString('en')} · ${own}`}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

type Changes = Found['changes'];

function ChangesCard({ changes, isKnown }: { readonly changes: Changes; readonly isKnown: boolean }) {
  const texts = changes === null ? [] : changes.findings;
  return (
    <Card title="Changed" aside={changes === null ? '' : `since ${shownName(changes.shown)}`}>
      {changes === null ? (
        <p>{isKnown ? 'There is no version before.' : 'Comparing …'}</p>
      ) : texts.length === 0 ? (
        <p>{sentenceOf(changes.text)}</p>
      ) : (
        <>
          <ul>
            {texts.map(({ text }) => (
              <li key={text}>{sentenceOf(text)}</li>
            ))}
          </ul>
          <p class="aside">In points and percents of everything before, with all that is called.</p>
        </>
      )}
      {hasBaseline.value ? (
        <button type="button" class="link" onClick={() => show({ view: 'blueprint' })}>
          Open the blueprint
        </button>
      ) : null}
    </Card>
  );
}

function sentenceOf(text: string): string {
  return `${text.charAt(0).toUpperCase()}${shownName(text.slice(1))}.`;
}

/** The line that was copied last. */
const copied = signal('');

function MissingCard({ missing }: { readonly missing: Found['missing'] }) {
  const copy = (line: string): void => {
    navigator.clipboard.writeText(line).then(
      () => {
        copied.value = line;
        say(`Copied: ${line}`);
      },
      () => say(`Not copied: ${line}`),
    );
  };
  if (missing.length === 0 || data.value === null) return null;
  return (
    <Card title="Missing">
      <ul>
        {missing.map(({ text, remedy, line }) => (
          <li key={text}>
            {sentenceOf(text)} <span class="aside">{sentenceOf(remedy)}</span>
            {line === null ? null : (
              <>
                {' '}
                <button type="button" class="copied" onClick={() => copy(line)}>
                  <code>{line}</code> <span class="aside">{copied.value === line ? 'copied' : 'copy'}</span>
                </button>
              </>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
