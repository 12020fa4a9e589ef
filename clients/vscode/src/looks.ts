// The drawing at the end of each line, worked out from the server's hints, and how it moves while the text is edited.
import type { HintData, Position, Subject } from 'insitu/protocol';
import { type HeatLevel, type HeatScale, heatLevel } from './heat.ts';

/** An inlay hint of the server, as far as it is drawn. */
export type ServerHint = {
  readonly position: Position;
  readonly label: string | readonly LabelPart[];
  readonly data: HintData;
};

/** Its command says what the hint is about: who calls a method, or what the method around a call calls. */
type LabelPart = {
  readonly value: string;
  readonly tooltip?: string;
  readonly command?: { readonly arguments?: readonly Subject[] };
};

/** How one line is drawn. */
export type Look = {
  readonly line: number;
  /** The hottest measured hint; empty where there is none. */
  readonly text: string;
  /** The predicted cost of edits; empty where nothing is predicted. */
  readonly prediction: string;
  /** Markdown in which all that the server says is escaped. */
  readonly tooltip: string;
  /** The method that it is about, or that calls; null where nothing can be asked about. */
  readonly subject: Subject | null;
  /** null where nothing is measured. */
  readonly level: HeatLevel | null;
  readonly stale: boolean;
  readonly data: HintData;
};

/** Lines of a document, from 0, both inclusive. */
export type Lines = { readonly first: number; readonly last: number };

/**
 * One a line: the hottest of the measured hints, of which the server gives no more than one, and all predictions.
 * @param others the heats of other lines of the same document.
 */
export function looksOf(hints: readonly ServerHint[], scale: HeatScale, others: readonly number[] = []): Look[] {
  const heats = [...others, ...hints.map(({ data }) => data.heat)];
  const lines = Map.groupBy(hints, ({ position }) => position.line);
  return [...lines].sort(([a], [b]) => a - b).map(([line, ofLine]) => lookOf(line, ofLine, scale, heats));
}

/** The looks of a document once the hints of these lines are known anew. Looks that stay as they were stay the same objects. */
export function withHints(
  before: readonly Look[],
  hints: readonly ServerHint[],
  { first, last }: Lines,
  scale: HeatScale,
): Look[] {
  const { inside = [], outside = [] } = Object.groupBy(before, ({ line }) =>
    line >= first && line <= last ? 'inside' : 'outside',
  );
  const known = new Map(inside.map(look => [look.line, look]));
  const heats = outside.map(({ data }) => data.heat);
  const fresh = looksOf(hints, scale, heats).map(look => {
    const same = known.get(look.line);
    return same !== undefined && JSON.stringify(same) === JSON.stringify(look) ? same : look;
  });
  return [...outside, ...fresh].sort((a, b) => a.line - b.line);
}

function lookOf(line: number, hints: readonly ServerHint[], scale: HeatScale, heats: readonly number[]): Look {
  const predictions = hints.filter(({ data }) => data.kind === 'prediction');
  const measured = hints.filter(({ data }) => data.kind !== 'prediction');
  const hottest = measured.toSorted((a, b) => b.data.heat - a.data.heat)[0];
  const shown = hottest === undefined ? predictions : [hottest, ...predictions];
  const { data } = shown[0]!;
  return {
    line,
    text: hottest === undefined ? '' : textOf(hottest.label),
    prediction: predictions.map(({ label }) => textOf(label)).join(' '),
    tooltip: tooltipOf(shown.map(({ label }) => partOf(label)?.tooltip ?? '').filter(text => text !== '')),
    subject: partOf(hottest?.label)?.command?.arguments?.[0] ?? null,
    level: hottest === undefined ? null : heatLevel(data.heat, scale, heats),
    stale: data.stale === true || data.state === 'changed',
    data,
  };
}

function partOf(label: ServerHint['label'] | undefined): LabelPart | undefined {
  return typeof label === 'string' ? undefined : label?.[0];
}

function textOf(label: ServerHint['label']): string {
  return typeof label === 'string' ? label : label.map(({ value }) => value).join('');
}

/** Texts below a heading, as Markdown that shows just their lines: names of what ran may be anything. */
function tooltipOf(texts: readonly string[]): string {
  const lines = texts.flatMap(text => text.replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`).split('\n'));
  return ['**insitu**', ...lines].join('  \n');
}

/** A change of the text as the editor tells it; lines and columns are those of the text before. */
export type TextChange = {
  readonly range: { readonly start: Position; readonly end: Position };
  readonly text: string;
};

/**
 * The edits that changes of one moment are, the last one in the text first, so that each may be made without the others.
 * @param lineNow a line of the text behind all of them, undefined behind its end.
 */
export function lineEdits(changes: readonly TextChange[], lineNow: (line: number) => string | undefined): LineEdit[] {
  let shift = 0;
  const edits = [...changes]
    .sort((a, b) => a.range.start.line - b.range.start.line || a.range.start.character - b.range.start.character)
    .map(({ range: { start, end }, text }) => {
      const added = text.split('\n').length - 1;
      // The line still has its text before the change, unless an earlier change ends on that line.
      const before = (lineNow(start.line + shift) ?? '').slice(0, start.character);
      shift += added - (end.line - start.line);
      return { first: start.line, last: end.line, added, atStart: before.trim() === '' };
    });
  return edits.reverse();
}

/** An edit of the text: the lines from `first` to `last` were touched, and `added` line breaks stand in it now. */
export type LineEdit = {
  readonly first: number;
  readonly last: number;
  readonly added: number;
  /** Whether it begins at or before the first visible character of its first line: then that line's code moves down with it. */
  readonly atStart: boolean;
};

/**
 * The places of the looks after an edit, until the server has answered: looks below move, and looks of removed lines go.
 * The looks of other lines stay the same objects.
 */
export function afterEdit(looks: readonly Look[], { first, last, added, atStart }: LineEdit): Look[] {
  const shift = added - (last - first);
  const moved = new Map<number, Look>();
  for (const look of looks) {
    const line = lineAfter(look.line);
    // Of lines that were joined, the last one's end stays.
    const isTouched = look.line >= first && look.line <= last;
    if (line !== null) moved.set(line, line === look.line && !isTouched ? look : { ...look, line });
  }
  return [...moved.values()];

  function lineAfter(line: number): number | null {
    if (line < first) return line;
    if (line >= last && line > first) return line + shift;
    if (line > first) return null;
    // Of a line that is torn in two, the code decides.
    if (first === last) return atStart ? line + added : line;
    return atStart ? null : line;
  }
}
