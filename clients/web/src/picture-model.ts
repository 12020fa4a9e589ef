// One picture: what it asks, the frame that it has, what is selected in it, and where everything lies on the screen.
import { computed, effect, signal } from '@preact/signals';
import type { AskPicture, MethodInfo, MethodKey, ViewProblem } from 'insitu/views';
import { BOX_FLAG } from 'insitu/views';
import type { Shown } from './address-state.ts';
import { isAborted, problemOf } from './ask.ts';
import { pathOf } from './box-walker.ts';
import { foldChains } from './chain-bands.ts';
import { decodeFrame, type Frame } from './frame-decoder.ts';
import { Glow } from './glow.ts';
import { type HiddenHit, hiddenHits, hitsBelow } from './hidden-hits.ts';
import { boxAt } from './hit-test.ts';
import { learnMethods } from './known-methods.ts';
import { leastWidths } from './least-widths.ts';
import { ask, data, failure, hasBaseline, keptOrder, lastNews, look, revision, show, shown } from './page-state.ts';
import type { Mapping, Span } from './page-types.ts';
import { mostRings, type Place, type Projection, RIM, ROW_HEIGHT, rowsOnScreen } from './projections.ts';

/** A frame with what was asked for it. */
export type Shot = { readonly frame: Frame; readonly asked: AskPicture };

/** A box that the search fits, or a run of narrow parts with such among them; the other one is −1. */
type Hit = { readonly box: number; readonly cut: number };

/** The subject of a picture on the page; views differ in it. */
export type Subject = Pick<Shown, 'direction' | 'of' | 'root'> & {
  readonly isRing: boolean;
  readonly upwards: boolean;
  readonly form: Shown['form'];
  readonly zoom: Span;
};

/** More rings cannot be told apart, unless they are asked for. */
const USUAL_RINGS = 12;
const MOST_BOXES = 20_000;
/** Calls below each other that are looked through for chains, and for hits. */
const MOST_ROWS = 500;
/** A longer way is named by the id of its call path. */
const MOST_STEPS = 1_000;
/** Asking waits so long for the next turn of the wheel. */
const PAUSE = 30;

export class PictureModel {
  readonly subject: () => Subject;
  readonly size = signal({ width: 0, height: 0 });
  readonly top = signal(0);
  /** The newest frame, with a box for each call. */
  readonly #taken = signal<Shot | null>(null);
  /** Ids of the calls that were in a band of the frame before, for the same question. */
  #joined: { readonly question: string; readonly ids: ReadonlySet<number> } = { question: '', ids: new Set() };
  /** While something is searched for: the newest frame's question with all rows. */
  readonly #allRows = signal<Shot | null>(null);
  readonly problem = signal<ViewProblem | null>(null);
  /** Id of the selected part: it outlives frames. */
  readonly selectedId = signal<number | null>(null);
  readonly hovered = signal(-1);
  /** Until the new root's frame is there, the old one is shown from this part on. */
  readonly #begun = signal<{ readonly shot: Shot; readonly row: number; readonly span: Span } | null>(null);
  readonly glow = new Glow();
  readonly isBusy = signal(false);
  /** Called once, with the next frame: a step that leads to rows that are not there yet. */
  onceTaken: (() => void) | null = null;
  /** The run with hits that was told of last, in this frame; −1 for none. */
  toldCut = -1;
  #running: AbortController | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Ids of what was pointed at when the newest frame came: no call joins its band there. */
  #pointed: ReadonlySet<number> = new Set();

  constructor(subject: () => Subject) {
    this.subject = subject;
  }

  readonly hasChains = computed(() => (this.subject().isRing ? shown.value.ringChains : shown.value.rowChains));

  /** The frame that is drawn: the newest one, with its chains folded where that is wanted. */
  readonly shot = computed<Shot | null>(() => {
    const shot = this.#taken.value;
    if (shot === null || !this.hasChains.value) return shot;
    const { least: _least, search: _search, rows: _rows, ...question } = shot.asked;
    const asked = JSON.stringify(question);
    const { frame, joined } = this.#fold(shot.frame, this.#rowsDrawn()[1], asked);
    this.#joined = { question: asked, ids: joined };
    return { ...shot, frame };
  });

  #fold(calls: Frame, rows: number, question: string): ReturnType<typeof foldChains> {
    return foldChains(calls, {
      rows,
      unfolded: new Set(shown.value.unfolded.map(id => Number.parseInt(id, 36))),
      joined: this.#joined.question === question ? this.#joined.ids : new Set(),
      pointed: this.#pointed,
    });
  }

  /** Rows that are drawn, the last one excluded: where chains are folded, or rings are drawn, all from the root on. */
  #rowsDrawn(): readonly [number, number] {
    const deepest = (shown.value.depth ?? Number.POSITIVE_INFINITY) + 1;
    if (this.subject().isRing) return [0, this.#mostRings.value];
    return this.hasChains.value ? [0, deepest] : (this.#taken.value?.asked.rows ?? [0, deepest]);
  }

  /** Hits of the search in rows that are not drawn, from left to right. */
  readonly hidden = computed<readonly HiddenHit[]>(() => {
    const shot = this.shot.value;
    if (shot === null || shown.value.search === '' || shot.asked.search !== shown.value.search) return [];
    const whole =
      shot.frame.chains === null
        ? this.#allRows.value?.frame
        : this.#fold(shot.frame.chains.calls, Number.POSITIVE_INFINITY, this.#joined.question).frame;
    if (whole === undefined) return [];
    const [first, last] = this.#rowsDrawn();
    return hiddenHits(whole, row => row >= first && row < last);
  });

  /** The hidden hits by the last drawn box on their way. */
  readonly hiddenBelow = computed(() => {
    const frame = this.shot.value?.frame;
    return frame === undefined ? new Map<number, readonly HiddenHit[]>() : hitsBelow(frame, this.hidden.value);
  });

  /** Asks whenever what is to be asked has changed; ends with what it returns. */
  start(): () => void {
    const stop = effect(() => {
      const wanted = this.wanted.value;
      if (wanted !== null) this.#askSoon((JSON.parse(wanted) as { readonly question: AskPicture }).question);
    });
    return () => {
      stop();
      clearTimeout(this.#timer);
      this.#running?.abort();
    };
  }

  /** How many rings are drawn: as many as there are rows, as far as they fit. */
  readonly #rings = computed(() => {
    const most = this.#mostRings.value;
    const shot = this.shot.value;
    if (shot === null || shot.frame.rows.length === 0) return most;
    return Math.max(2, Math.min(most, shot.frame.firstRow + shot.frame.rows.length + (this.#cutBelow(shot) ? 1 : 0)));
  });

  /** Whether the last row has runs below it. */
  #cutBelow({ frame }: Shot): boolean {
    return frame.cutRows.length > frame.rows.length;
  }

  readonly #mostRings = computed(() => {
    const { form } = this.subject();
    const fitting = mostRings(this.#radius(), form === 'area');
    return Math.max(2, Math.min(fitting, (shown.value.depth ?? USUAL_RINGS - 1) + 1));
  });

  #radius(): number {
    const { width, height } = this.size.value;
    return Math.max(20, Math.min(width, height) / 2 - RIM - 4);
  }

  readonly projection = computed<Projection>(() => {
    const { width, height } = this.size.value;
    const { isRing, form, zoom, upwards } = this.subject();
    if (!isRing) return { kind: 'icicle', width, height, visible: zoom, top: this.top.value, upwards };
    return {
      kind: 'ring',
      x: width / 2,
      y: height / 2,
      radius: this.#radius(),
      rings: this.#rings.value,
      area: form === 'area',
    };
  });

  /** Rows that a picture has in all, for scrolling. */
  readonly rowCount = computed(() => {
    const shot = this.shot.value;
    if (shot === null) return 1;
    const deepest = Math.max(shot.frame.header.deepest, shot.frame.firstRow + shot.frame.cutRows.length - 1);
    return Math.min(deepest + 1, (shown.value.depth ?? Number.POSITIVE_INFINITY) + 1);
  });

  /** The question as text, so that an equal one is not asked again. */
  readonly wanted = computed<string | null>(() => {
    const { width, height } = this.size.value;
    if (width < 10 || height < 10 || data.value === null) return null;
    const { direction, of, root, isRing, form } = this.subject();
    const state = shown.value;
    const projection = this.projection.value;
    const window = this.#window(projection);
    const rows = this.#rows(projection, state.depth);
    const question: AskPicture = {
      ask: 'picture',
      look: look.value,
      direction,
      of,
      root,
      operations: { recursion: state.recursion, aggregate: state.aggregate, library: state.library },
      form: isRing && form === 'equal' ? 'equal' : 'metric',
      order:
        state.order === 'kept' || (data.value.live && state.order === 'weight')
          ? { kept: keptOrder.value }
          : state.order,
      window,
      rows,
      least: leastWidths(projection, window, rows),
      most: MOST_BOXES,
      search: state.search === '' ? null : state.search,
      baseline: hasBaseline.value && state.colour === 'change',
    };
    // The revision is only there to ask again of newer data.
    return JSON.stringify({ question, revision: revision.value });
  });

  /** Three times what is visible, so that panning shows no blank. */
  #window(projection: Projection): Span {
    if (projection.kind === 'ring') return [0, 1];
    const [from, to] = projection.visible;
    return [Math.max(0, from - (to - from)), Math.min(1, to + (to - from))];
  }

  #rows(projection: Projection, depth: number | null): [number, number] {
    if (this.hasChains.value) return [0, MOST_ROWS];
    if (projection.kind === 'ring') return [0, this.#mostRings.value];
    const [first, last] = rowsOnScreen(projection);
    // In steps of half a screen: each turn of the wheel within them needs no new question.
    const step = Math.max(8, Math.round((last - first) / 2));
    const least = Math.max(0, (Math.floor(first / step) - 1) * step);
    const most = (Math.ceil(last / step) + 1) * step;
    return [least, Math.max(least + 1, Math.min(most, (depth ?? Number.POSITIVE_INFINITY) + 1))];
  }

  #askSoon(question: AskPicture): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#ask(question), this.shot.peek() === null ? 0 : PAUSE);
  }

  async #ask(question: AskPicture): Promise<void> {
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    this.isBusy.value = true;
    try {
      const frame = decodeFrame(await ask(question, running.signal));
      if (running.signal.aborted) return;
      this.#allRows.value = null;
      this.#take({ frame, asked: question });
      await this.#askAllRows(question, running.signal);
    } catch (error) {
      if (!isAborted(error) && !running.signal.aborted) this.problem.value = failure.value = problemOf(error);
    } finally {
      if (this.#running === running) this.isBusy.value = false;
    }
  }

  /** Once the picture is there: what the search finds in rows that it leaves out. */
  async #askAllRows(question: AskPicture, signal: AbortSignal): Promise<void> {
    const frame = this.#taken.peek()?.frame;
    if (question.search === null || this.hasChains.peek() || frame === undefined) return;
    const isWhole = question.rows[0] === 0 && frame.boxes.flags.every(flags => (flags & BOX_FLAG.deeper) === 0);
    if (isWhole) return;
    const asked: AskPicture = { ...question, rows: [0, MOST_ROWS] };
    const all = decodeFrame(await ask(asked, signal));
    if (!signal.aborted) this.#allRows.value = { frame: all, asked };
  }

  #take(shot: Shot): void {
    const { least: _least, search: _search, ...question } = shot.asked;
    this.glow.take(shot.frame, performance.now(), JSON.stringify(question));
    learnMethods([...shot.frame.header.methods, shot.frame.header.root.method]);
    this.problem.value = shot.frame.header.problems[0] ?? null;
    failure.value = null;
    lastNews.value = Date.now();
    this.#begun.value = null;
    const pointed = this.shot.peek()?.frame.boxes.id[this.hovered.peek()];
    this.#pointed = new Set(pointed === undefined ? [] : [pointed]);
    this.hovered.value = -1;
    this.#taken.value = shot;
    this.toldCut = -1;
    const then = this.onceTaken;
    this.onceTaken = null;
    then?.();
  }

  /** From the frame's fractions and rows to those of what is shown. */
  readonly mapping = computed<Mapping>(() => {
    const shot = this.shot.value;
    const [from, to] = shot?.asked.window ?? [0, 1];
    const begun = this.#begun.value;
    if (begun === null || begun.shot !== shot) return { scale: to - from, shift: from, rows: 0 };
    const [left, right] = begun.span;
    return { scale: (to - from) / (right - left), shift: (from - left) / (right - left), rows: begun.row };
  });

  /** The selected box of the frame; the first one where it has no longer any. */
  readonly selected = computed(() => {
    const shot = this.shot.value;
    const id = this.selectedId.value;
    if (shot === null || id === null) return -1;
    const { boxes, chains } = shot.frame;
    const box = boxes.id.indexOf(id);
    if (box >= 0 || chains === null) return box;
    return chains.drawnAs[chains.calls.boxes.id.indexOf(id)] ?? -1;
  });

  select(box: number): void {
    const id = this.shot.value?.frame.boxes.id[box];
    if (id !== undefined) this.selectedId.value = id;
  }

  methodOf(box: number): MethodInfo | null {
    const frame = this.shot.value?.frame;
    return frame?.header.methods[frame.boxes.method[box] ?? -1] ?? null;
  }

  /** The box at a place of what is shown. */
  boxAtPlace({ row, fraction }: Place): number {
    const { scale, shift, rows } = this.mapping.value;
    const frame = this.shot.value?.frame;
    return frame === undefined ? -1 : boxAt(frame, row + rows, (fraction - shift) / scale);
  }

  /** Start and end of a box, or of a run of narrow parts, as fractions of its frame's root. */
  spanOf(at: number, of: 'boxes' | 'cuts' = 'boxes'): Span {
    const shot = this.shot.value;
    return shot === null ? [0, 1] : spanIn(shot, at, of);
  }

  /** The methods that lead to a box, those to the root included; null where the way to it is not known. */
  async stepsTo(box: number): Promise<readonly MethodKey[] | null> {
    const shot = this.shot.value;
    if (shot === null) return null;
    const { chains } = shot.frame;
    if (chains !== null) return this.#stepsTo({ ...shot, frame: chains.calls }, chains.members[box]?.[0] ?? 0);
    return this.#stepsTo(shot, box);
  }

  async #stepsTo(shot: Shot, box: number): Promise<readonly MethodKey[] | null> {
    const { id, row } = shot.frame.boxes;
    const known = stepsIn(shot.frame, box);
    const length = known?.length ?? shot.frame.header.root.steps.length + (row[box] ?? 0);
    // Longer ones would make long addresses and questions.
    if (length > MOST_STEPS) return [`@${(id[box] ?? 0).toString(36)}`];
    if (known !== null) return known;
    // Rows above were never asked for: of them only parts as wide as the box are wanted.
    const [from, to] = spanIn(shot, box, 'boxes');
    const above = {
      ...shot.asked,
      window: [Math.max(0, from), Math.min(1, to)] as const,
      rows: [0, (row[box] ?? 0) + 1] as const,
      least: [0.9],
    };
    const frame = decodeFrame(await ask(above));
    const again = frame.boxes.id.indexOf(id[box] ?? -1);
    return again < 0 ? null : stepsIn(frame, again);
  }

  /** Shows a box as the root at once; its frame follows. */
  anticipate(box: number): void {
    const shot = this.shot.value;
    if (shot === null) return;
    this.#begun.value = { shot, row: shot.frame.boxes.row[box] ?? 0, span: this.spanOf(box) };
    this.top.value = 0;
  }

  /** Shows the row of a hidden hit: by its depth, and by scrolling. False where so many rings have no room. */
  showRow(row: number): boolean {
    const { isRing, form } = this.subject();
    if (isRing && row >= mostRings(this.#radius(), form === 'area')) return false;
    if (isRing ? row >= this.#mostRings.value : row > (shown.value.depth ?? row)) show({ depth: row });
    if (!isRing) this.top.value = Math.max(0, (row + 2) * ROW_HEIGHT - this.size.value.height);
    return true;
  }

  /** Scrolls a box into view, or zooms out until it is. */
  reveal(box: number): Span | null {
    const projection = this.projection.value;
    const frame = this.shot.value?.frame;
    if (projection.kind === 'ring' || frame === undefined) return null;
    const y = (frame.boxes.row[box] ?? 0) * ROW_HEIGHT;
    const height = projection.height - ROW_HEIGHT;
    if (y < this.top.value) this.top.value = y;
    else if (y > this.top.value + height) this.top.value = y - height;
    const [start, end] = this.spanOf(box);
    const [from, to] = projection.visible;
    if (start < to && end > from) return null;
    const half = (to - from) / 2;
    const middle = Math.min(1 - half, Math.max(half, (start + end) / 2));
    return [middle - half, middle + half];
  }

  /** Where the search finds something, from left to right and from the root outwards. */
  readonly hits = computed<readonly Hit[]>(() => {
    const frame = this.shot.value?.frame;
    if (frame === undefined) return [];
    const { boxes, cuts } = frame;
    const found: (Hit & { readonly start: number })[] = [];
    for (const row of frame.rows)
      for (const box of row)
        if (((boxes.flags[box] ?? 0) & BOX_FLAG.hit) !== 0) found.push({ box, cut: -1, start: boxes.start[box] ?? 0 });
    for (const row of frame.cutRows)
      for (const cut of row) if ((cuts.hits[cut] ?? 0) > 0) found.push({ box: -1, cut, start: cuts.start[cut] ?? 0 });
    return found.sort((a, b) => a.start - b.start);
  });
}

function spanIn({ frame, asked }: Shot, at: number, of: 'boxes' | 'cuts'): Span {
  const [from, to] = asked.window;
  const place = (fraction: number | undefined): number => from + (fraction ?? 0) * (to - from);
  return [place(frame[of].start[at]), place(frame[of].end[at])];
}

/** null where the frame does not begin at the root. */
function stepsIn(frame: Frame, box: number): MethodKey[] | null {
  const path = pathOf(frame, box);
  if (frame.boxes.row[path[0] ?? 0] !== 0) return null;
  const keys = path.slice(1).map(at => frame.header.methods[frame.boxes.method[at] ?? -1]?.key ?? '');
  return [...frame.header.root.steps, ...keys];
}
