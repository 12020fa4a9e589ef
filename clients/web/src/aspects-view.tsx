// The samples divided among aspects: stacked over time, with a table beside it; a click on a bucket makes it the path filter.
import { signal } from '@preact/signals';
import { type Answers, TIME_TYPES } from 'insitu/views';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { momentText, partText, weightText } from './amount-words.ts';
import { useNamedAnswer } from './answers.ts';
import { type Slice, slicesOf } from './aspect-slices.ts';
import { shownName, shownWhole } from './name-trimming.ts';
import { Waiting } from './nothing-yet.tsx';
import { OTHER_OWN } from './package-tints.ts';
import { look, say, showLook, theme } from './page-state.ts';
import type { Theme } from './page-types.ts';
import { packageColour } from './palette.ts';
import { TableHead } from './table-head.tsx';

type Found = Answers['aspects'];
type Aspect = Found['example'][number];

/** The answer that the view shows; null in other views, and until it is known. */
const aspectsShown = signal<Found | null>(null);
/** Aspects that the user tries on the page: the settings are not changed. */
const tried = signal<readonly Aspect[]>([]);
/** The order that the user chose; null for the order of the settings. */
const order = signal<readonly string[] | null>(null);
/** Queries of buckets that were chosen, each with the path filter before: the user goes back to earlier ones. */
const chosen = signal<ReadonlyMap<string, string | undefined>>(new Map());

/** The path filter that buckets are made under: while a bucket itself is the filter, the filter before it. */
function pathAsked(): string | undefined {
  const { path } = look.value;
  return path !== undefined && chosen.value.has(path) ? chosen.value.get(path) : path;
}

/** Whether the path filter defines the aspect. */
function isOfPath(name: string): boolean {
  return [...(pathAsked() ?? '').matchAll(/\blet\s+([^\s=]+)\s*=/g)].some(([, own]) => own === name);
}

export function AspectsView() {
  const answer = useNamedAnswer('aspects', () => {
    const { path: _path, ...rest } = look.value;
    const path = pathAsked();
    const more = { limit: undefined, spans: MOST_SPANS, aspects: tried.value, names: order.value };
    return { look: { ...rest, ...(path !== undefined && { path }) }, more };
  });
  const found = answer.value;
  useEffect(() => {
    aspectsShown.value = found;
    return () => {
      aspectsShown.value = null;
    };
  }, [found]);
  if (found === null) return <Waiting />;
  return (
    <section class="sheet aspects" aria-label="Aspects">
      {found.problems.map(({ text }) => (
        <p key={text} class="mistake" role="alert">
          {shownName(text)}
        </p>
      ))}
      {found.rows.length === 0 ? (
        <NoAspects example={found.example} />
      ) : (
        <>
          <Chart found={found} />
          <Buckets found={found} />
          {found.several.weight > 0 ? (
            <p class="aside">
              {`${found.several.text} of the samples belong to several aspects and count for the first of them.`}
            </p>
          ) : null}
        </>
      )}
      <Trying found={found} />
    </section>
  );
}

/** More spans would be narrower than two pixels. */
const MOST_SPANS = 480;
const NO_ASPECT = 'no aspect';

type Bucket = Found['rest'] & { readonly name: string; readonly colour: string };

/** Buckets in the order of the aspects, the rest last. */
function bucketsOf({ rows, rest }: Found, at: Theme): readonly Bucket[] {
  const named = rows.map((row, place) => ({ ...row, colour: aspectColour(place, at) }));
  return [...named, { ...rest, name: NO_ASPECT, colour: packageColour('library', at) }];
}

/** The hues of packages, each in its tones when all are taken. */
function aspectColour(place: number, at: Theme): string {
  return packageColour({ hue: place % OTHER_OWN.hue, tone: Math.floor(place / OTHER_OWN.hue) }, at);
}

function take({ name, query }: Pick<Bucket, 'name' | 'query'>): void {
  if (query === null) return;
  if (query === look.value.path) {
    showLook({ path: pathAsked() });
    say(`All of them are looked at, not ${shownName(name)} alone.`);
    return;
  }
  chosen.value = new Map(chosen.value).set(query, pathAsked());
  showLook({ path: query });
  say(`Only ${shownName(name)} is looked at, in all views.`);
}

const HEIGHT = 1000;
const WIDTH = 1000;

/** The text about the part below the pointer. */
const pointed = signal('');

function Chart({ found }: { readonly found: Found }) {
  const at = theme.value;
  const buckets = useMemo(() => bucketsOf(found, at), [found, at]);
  const slices = useMemo(() => {
    const spans = found.spans.map(({ from, to }) => ({ from: Date.parse(from) || 0, to: Date.parse(to) || 0 }));
    return slicesOf(
      spans,
      buckets.map(({ overTime }) => overTime),
    );
  }, [found, buckets]);
  const isPressed = useRef(false);
  useEffect(
    () => () => {
      pointed.value = '';
    },
    [found],
  );
  const heights = slices.map(({ rates }) => rates.reduce((sum, rate) => sum + rate, 0));
  const most = Math.max(Number.MIN_VALUE, ...heights);
  const [first, last] = [slices[0], slices.at(-1)];
  if (first === undefined || last === undefined) return null;
  const x = (moment: number): number => (WIDTH * (moment - first.from)) / (last.to - first.from);
  const shapes = buckets.map((_, bucket) => slices.map(slice => rectangle(slice, bucket, x, most)).join(''));
  const bucketAt = (event: PointerEvent): { slice: Slice; bucket: Bucket | undefined } | null => {
    const { left, width, top, height } = (event.currentTarget as Element).getBoundingClientRect();
    const moment = first.from + ((event.clientX - left) / width) * (last.to - first.from);
    const slice = slices.find(({ from, to }) => moment >= from && moment < to);
    if (slice === undefined) return null;
    let rest = ((top + height - event.clientY) / height) * most;
    const bucket = buckets.find((_, place) => {
      rest -= slice.rates[place] ?? 0;
      return rest < 0;
    });
    return { slice, bucket };
  };
  const isChosen = look.value.path !== undefined && chosen.value.has(look.value.path);
  const pointAt = (event: PointerEvent): void => {
    const under = bucketAt(event);
    pointed.value = under === null ? '' : sliceText(under.slice, under.bucket, buckets, found.origin.unit);
  };
  return (
    <figure class="stacked">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Stacked over time: ${buckets.map(({ name, share }) => `${shownName(name)} ${share.text}`).join(', ')}`}
        onPointerMove={pointAt}
        onPointerDown={({ button }) => {
          isPressed.current = button === 0;
        }}
        onPointerLeave={() => {
          pointed.value = '';
          isPressed.current = false;
        }}
        onPointerUp={event => {
          // A drag from elsewhere may end here.
          if (!isPressed.current || event.button !== 0) return;
          isPressed.current = false;
          const bucket = bucketAt(event)?.bucket;
          if (bucket !== undefined) take(bucket);
        }}
      >
        {buckets.map(({ name, colour, query }, bucket) => (
          <path
            key={name}
            d={shapes[bucket]}
            fill={colour}
            data-bucket={name}
            class={isChosen && !isPath(query) ? 'out' : ''}
          />
        ))}
      </svg>
      <figcaption>
        <span>{momentText(first.from)}</span>
        <span class="pointed">{pointed.value}</span>
        <span>{momentText(last.to)}</span>
      </figcaption>
    </figure>
  );
}

function isPath(query: string | null): boolean {
  return query !== null && query === look.value.path;
}

/** The rectangle of a bucket in a slice: as high as its rate, above the buckets before it. */
function rectangle({ from, to, rates }: Slice, bucket: number, x: (moment: number) => number, most: number): string {
  const rate = rates[bucket] ?? 0;
  if (!(rate > 0)) return '';
  const below = rates.slice(0, bucket).reduce((sum, each) => sum + each, 0);
  const bottom = HEIGHT * (1 - below / most);
  return `M${x(from)} ${bottom}V${bottom - (HEIGHT * rate) / most}H${x(to)}V${bottom}Z`;
}

function sliceText(slice: Slice, bucket: Bucket | undefined, buckets: readonly Bucket[], unit: string): string {
  const all = slice.rates.reduce((sum, rate) => sum + rate, 0);
  const when = momentText(slice.from);
  if (bucket === undefined) return `${when}: ${weightText(all, unit)} a second`;
  const rate = slice.rates[buckets.indexOf(bucket)] ?? 0;
  return `${when}: ${shownName(bucket.name)} ${partText(rate, all)} of ${weightText(all, unit)} a second`;
}

function Buckets({ found }: { readonly found: Found }) {
  const buckets = bucketsOf(found, theme.value);
  const isTyped = buckets.some(({ threads }) => threads !== null);
  const isWeighted = found.origin.unit !== 'samples';
  const overlaps = found.rows.some(({ alsoIn }) => alsoIn.length > 0);
  return (
    <table>
      <TableHead
        cells={[
          { text: 'Aspect', title: 'Each sample belongs to the first aspect that a frame of its stack belongs to' },
          ...(isTyped ? [{ text: 'Time of its threads' }] : []),
          ...(overlaps
            ? [{ text: 'Also in', className: 'also', title: 'Later aspects that its samples belong to as well' }]
            : []),
          ...(isWeighted ? [{ text: 'Amount', isNumber: true }] : []),
          { text: 'Share', isNumber: true },
        ]}
      />
      <tbody>
        {buckets.map((bucket, place) => {
          const row = found.rows[place];
          return (
            <tr key={bucket.name} class={isPath(bucket.query) ? 'selected' : ''}>
              <th scope="row">
                <span class="swatch" style={{ background: bucket.colour }} />{' '}
                <button
                  type="button"
                  class="link"
                  disabled={bucket.query === null}
                  aria-pressed={isPath(bucket.query)}
                  title={shownName(row?.value ?? 'Samples that belong to no aspect')}
                  onClick={() => take(bucket)}
                >
                  {shownName(bucket.name)}
                </button>
                {place === 0 || row === undefined ? null : <Earlier found={found} place={place} />}
                <Remarks row={row} />
              </th>
              {isTyped ? (
                <td>
                  <Types threads={bucket.threads} />
                </td>
              ) : null}
              {overlaps ? (
                <td class="also">
                  {row?.alsoIn.map(({ name, share }) => `${shownName(name)} ${share.text}`).join(', ')}
                </td>
              ) : null}
              {isWeighted ? <td class="number">{bucket.amount}</td> : null}
              <td class="number">
                {bucket.share.weight === 0 ? '–' : bucket.share.text}
                <span class="bar" style={{ width: `${100 * bucket.share.share}%` }} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** Moves an aspect one place up: it then gets the samples that it shares with the aspect above. */
function Earlier({ found, place }: { readonly found: Found; readonly place: number }) {
  const names = found.rows.map(({ name }) => name);
  const name = names[place] ?? '';
  const move = (): void => {
    order.value = [...names.slice(0, place - 1), name, ...names.slice(place - 1, place), ...names.slice(place + 1)];
    say(`${shownName(name)} comes before ${shownName(names[place - 1] ?? '')}.`);
  };
  const title = `Before ${shownName(names[place - 1] ?? '')}`;
  return (
    <button type="button" class="earlier" title={title} aria-label={`${shownName(name)}: ${title}`} onClick={move}>
      ↑
    </button>
  );
}

function Remarks({ row }: { readonly row: Found['rows'][number] | undefined }) {
  if (row === undefined) return null;
  const unmatched = row.unmatched.map(shownName).join(', ');
  const text = row.note ?? (unmatched === '' ? '' : `nothing that ran fits ${unmatched}`);
  return text === '' ? null : <span class="aside"> {text}</span>;
}

/** What threads did, as parts of a bar, with the two largest in words. */
function Types({ threads }: Pick<Bucket, 'threads'>) {
  if (threads === null || threads.types.length === 0) return <span class="aside">–</span>;
  const { types, amount } = threads;
  const words = types.map(({ text, words: own }) => `${text} ${own}`);
  const colourOf = (type: string): string =>
    Object.entries(TIME_TYPES).find(([name]) => name === type)?.[1].colour ?? 'transparent';
  return (
    <span title={words.join(', ')}>
      <span class="types" role="img" aria-label={words.join(', ')}>
        {types.map(({ type, share }) => (
          <span key={type} style={{ width: `${100 * share}%`, background: colourOf(type) }} />
        ))}
      </span>
      <span class="aside">{`${amount}: ${words.slice(0, 2).join(', ')}`}</span>
    </span>
  );
}

/** How an aspect is made, with some of the program's own packages. */
function NoAspects({ example }: { readonly example: readonly Aspect[] }) {
  return (
    <>
      <p>
        An aspect is a named set of methods, such as logging or a data format. With some of them this view divides the
        time: each sample belongs to the first aspect that it passes, and what is left is told.
      </p>
      {example.length === 0 ? null : (
        <>
          <p>
            <button type="button" onClick={() => (tried.value = example)}>
              Try {example.map(({ name }) => shownName(name)).join(', ')}
            </button>
          </p>
          <p class="aside">
            In insitu.json: <code>{savedText(example)}</code>
          </p>
        </>
      )}
    </>
  );
}

/** Aspects of the page, to be tried before they are saved. */
function Trying({ found }: { readonly found: Found }) {
  const add = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const [, name = '', value = ''] =
      /^\s*([^\s=]+)\s*=\s*(.*?)\s*$/s.exec(`${new FormData(form).get('aspect')}`) ?? [];
    if (name === '' || value === '') {
      say('Write a name, = and methods: logging = *Logger.* | *.debug*');
      return;
    }
    tried.value = [...tried.value.filter(other => other.name !== name), { name, value }];
    order.value = null;
    form.reset();
  };
  const drop = (name: string): void => {
    tried.value = tried.value.filter(other => other.name !== name);
    order.value = null;
  };
  return (
    <form class="trying" onSubmit={add}>
      <label>
        Try an aspect{' '}
        <input
          name="aspect"
          type="text"
          autocomplete="off"
          spellcheck={false}
          placeholder="logging = *Logger.* | *.debug*"
        />
      </label>
      {order.value === null ? null : (
        <button type="button" onClick={() => (order.value = null)}>
          Order of the settings
        </button>
      )}
      {tried.value.map(({ name, value }) => (
        <span key={name} class="chip" title={shownName(value)}>
          <span class="value">{shownName(name)}</span>
          <button type="button" aria-label={`Drop ${shownName(name)}`} onClick={() => drop(name)}>
            ✕
          </button>
        </span>
      ))}
      {tried.value.length === 0 ? null : (
        <p class="aside">
          In insitu.json they are kept: <code>{savedText(found.rows.filter(({ name }) => !isOfPath(name)))}</code>
        </p>
      )}
    </form>
  );
}

/** The setting that defines the aspects. */
function savedText(aspects: readonly Aspect[]): string {
  return shownWhole(JSON.stringify({ aspects: aspects.map(({ name, value }) => ({ name, value })) }));
}

export function AspectsLegend() {
  const found = aspectsShown.value;
  if (found === null || found.rows.length === 0) return null;
  return (
    <ul class="legend" aria-label="Legend">
      {bucketsOf(found, theme.value).map(({ name, colour }) => (
        <li key={name}>
          <span class="swatch" style={{ background: colour }} /> {shownName(name)}
        </li>
      ))}
    </ul>
  );
}
