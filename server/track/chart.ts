// Draws the history of benchmarks: a panel each, with forks, means, gaps, steps and the drift of rounds as a band.
import { markupLine } from '../base/markup.ts';
import {
  certaintyText,
  changeText,
  type History,
  millisText,
  nameOf,
  type ProfiledHistory,
  profileTimeText,
  visibleText,
} from './history.ts';
import type { ProfileFinding } from './profile-findings.ts';
import type { Point, Series, Step } from './series.ts';
import { steadinessText } from './steady-state.ts';

const WIDTH = 960;
const PANEL = 220;
const LEFT = 76;
const RIGHT = 24;
const TOP = 34;
const BOTTOM = 34;
/** The axis goes on above the highest value. */
const ABOVE = 1.15;
/** Space between the first commit and the axis. */
const INSET = 14;
const STYLE = [
  'text{font:12px system-ui,sans-serif;fill:#333}',
  '.name{font-weight:600;font-size:13px}',
  '.axis{stroke:#ccc}',
  '.drift{fill:#888;fill-opacity:.18}',
  '.line{fill:none;stroke:#1f5fa8;stroke-width:2}',
  '.fork{fill:#1f5fa8;fill-opacity:.35}',
  '.mean{fill:#1f5fa8}',
  '.gap{stroke:#b8860b;stroke-width:2}',
  '.slower line{stroke:#c0392b}.slower text{fill:#c0392b}',
  '.faster line{stroke:#1e8449}.faster text{fill:#1e8449}',
  '.changed line{stroke:#888;stroke-dasharray:1 3}.changed text{fill:#888;font-size:10px}',
  '.step line{stroke-width:1.5;stroke-dasharray:4 3}',
  '.profile line{stroke-width:1.5;stroke-dasharray:1 4}',
  '.aside{font-size:11px;fill:#666}',
  '@media (prefers-color-scheme:dark){text{fill:#ddd}.axis{stroke:#555}.aside{fill:#aaa}.drift{fill:#aaa}.line{stroke:#7fb2ea}.fork,.mean{fill:#7fb2ea}.slower line{stroke:#ff8a7a}.slower text{fill:#ff8a7a}.faster line{stroke:#6fd08c}.faster text{fill:#6fd08c}.changed text{fill:#aaa}}',
].join('');

type LinkOf = (series: Series, mark: Pick<Step, 'before' | 'at'>) => string | null;

/**
 * An SVG image of a history.
 * @param linkOf where a mark between two commits leads; null for nowhere
 */
export function svgOf(history: ProfiledHistory, linkOf: LinkOf = () => null): string {
  const height = Math.max(1, history.series.length) * PANEL;
  const panels = [...history.series.keys()].map(i => panel(history, i, i * PANEL, linkOf));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">`,
    `<title>${markupLine(`${history.series.length} benchmarks over ${history.commits.length} commits`)}</title>`,
    `<style>${STYLE}</style>`,
    ...panels,
    '</svg>',
    '',
  ].join('\n');
}

type Place = { readonly x: (at: number) => number; readonly y: (millis: number) => number; readonly bottom: number };

function panel(history: ProfiledHistory, number: number, top: number, linkOf: LinkOf): string {
  const { commits, gaps } = history;
  const series = history.series[number]!;
  const all = series.points.flatMap(({ values }) => values);
  const most = Math.max(1e-9, ...all) * ABOVE;
  const [bottom, inner] = [top + PANEL - BOTTOM, PANEL - TOP - BOTTOM];
  const wide = WIDTH - LEFT - RIGHT - 2 * INSET;
  const place: Place = {
    x: at => LEFT + INSET + (commits.length < 2 ? wide / 2 : (at * wide) / (commits.length - 1)),
    y: millis => bottom - (inner * millis) / most,
    bottom,
  };
  const own = gaps.filter(({ benchmark }) => benchmark === series.benchmark);
  const notes = all.length === 0 ? ['not measured'] : [visibleText(series), steadinessText(series.steadiness)];
  const found = series.suspects.filter(({ isFound }) => isFound);
  const { findings } = history.evidence[number]!;
  const labels = labelRows([...found, ...findings].map(mark => (place.x(mark.before) + place.x(mark.at)) / 2));
  return [
    `<text class="name" x="${LEFT}" y="${top + 18}">${markupLine(series.benchmark)}</text>`,
    ...notes.map(
      (note, i) =>
        `<text class="aside" x="${WIDTH / 2}" y="${bottom + 16 + i * 13}" text-anchor="middle">${markupLine(note)}</text>`,
    ),
    ...(all.length === 0 ? [] : [axes(history, place, most)]),
    driftBand(history, series, place),
    ...linesOf(series).map(points => polyline(points, place)),
    ...series.points.map(point => dots(history, point, place)),
    ...series.changedTests.map(at => changedTestMark(history, place, at)),
    ...own.map(({ at, reason }) => gapMark(place, at, `${nameOf(commits[at]!)}: ${reason}`)),
    ...found.map((step, i) => stepMark(history, step, place, { link: linkOf(series, step), row: labels[i]! })),
    ...findings.map((finding, i) =>
      profileMark(history, finding, place, { link: linkOf(series, finding), row: labels[found.length + i]! }),
    ),
  ].join('\n');
}

function axes({ commits }: History, { x, y, bottom }: Place, most: number): string {
  const highest = most / ABOVE;
  const ticks = [0, highest / 2, highest].map(
    millis => `<text x="${LEFT - 8}" y="${round(y(millis) + 4)}" text-anchor="end">${millisText(millis)}</text>`,
  );
  const named = [...new Set([0, commits.length - 1])].flatMap(at => {
    const commit = commits[at];
    const anchor = at === 0 ? 'start' : 'end';
    return commit === undefined
      ? []
      : [`<text x="${round(x(at))}" y="${bottom + 18}" text-anchor="${anchor}">${markupLine(nameOf(commit))}</text>`];
  });
  const line = `<line class="axis" x1="${LEFT}" y1="${bottom}" x2="${WIDTH - RIGHT}" y2="${bottom}"/>`;
  return [line, ...ticks, ...named].join('\n');
}

/** How far rounds were from the mean of all. */
function driftBand({ base }: History, { drift, points }: Series, { y }: Place): string {
  const mean = base === null ? null : points[base]!.mean;
  const known = drift.flatMap(({ factor }) => (factor === null ? [] : [factor]));
  if (mean === null || known.length < 2) return '';
  const [high, low] = [y(mean * Math.max(...known)), y(mean * Math.min(...known))];
  const size = `width="${WIDTH - LEFT - RIGHT}" height="${round(low - high)}"`;
  return `<rect class="drift" x="${LEFT}" y="${round(high)}" ${size}><title>drift of rounds</title></rect>`;
}

/** Runs of measured commits. A line ends at a commit that was tried in vain, and before one whose test changed. */
function linesOf({ points, changedTests }: Series): (readonly Point[])[] {
  const lines: Point[][] = [[]];
  for (const point of points) {
    if (changedTests.includes(point.at)) lines.push([]);
    if (point.mean !== null) lines.at(-1)!.push(point);
    else if (point.failures.length > 0) lines.push([]);
  }
  return lines.filter(line => line.length > 0);
}

function polyline(points: readonly Point[], { x, y }: Place): string {
  const places = points.map(({ at, mean }) => `${round(x(at))},${round(y(mean!))}`);
  return `<polyline class="line" points="${places.join(' ')}"/>`;
}

function dots({ commits }: History, { at, values, heldUp, mean, failures }: Point, { x, y }: Place): string {
  if (mean === null) return '';
  const { author, subject } = commits[at]!;
  const failed = failures.reduce((sum, { count }) => sum + count, 0);
  const flaw = `${failed === 0 ? '' : `, ${failed} failed`}${heldUp === 0 ? '' : `, ${heldUp} held up`}`;
  const about = `${nameOf(commits[at]!)} ${author}: ${subject} · ${millisText(mean)}, ${values.length} forks${flaw}`;
  const forks = values.map(value => `<circle class="fork" cx="${round(x(at))}" cy="${round(y(value))}" r="2.5"/>`);
  const own = `<circle class="mean" cx="${round(x(at))}" cy="${round(y(mean))}" r="3.5"/>`;
  return `<g>${forks.join('')}${own}<title>${markupLine(about)}</title></g>`;
}

function gapMark({ x, bottom }: Place, at: number, text: string): string {
  const [left, right] = [round(x(at) - 4), round(x(at) + 4)];
  const cross = [
    `<line class="gap" x1="${left}" y1="${bottom - 8}" x2="${right}" y2="${bottom}"/>`,
    `<line class="gap" x1="${left}" y1="${bottom}" x2="${right}" y2="${bottom - 8}"/>`,
  ];
  return `<g>${cross.join('')}<title>${markupLine(text)}</title></g>`;
}

function changedTestMark({ commits }: History, { x, bottom }: Place, at: number): string {
  const [left, top] = [round(x(at) - 4), bottom - PANEL + TOP + BOTTOM];
  const about = `test changed at ${nameOf(commits[at]!)}: both sides are not compared`;
  return `<g class="changed"><line x1="${left}" y1="${top}" x2="${left}" y2="${bottom}"/><text x="${left}" y="${bottom - 4}" text-anchor="middle">test changed</text><title>${markupLine(about)}</title></g>`;
}

/** Pixels that a label takes at most, and between the rows of labels. */
const LABEL = 150;
const LABEL_ROW = 14;
const LABEL_ROWS = 3;

/** The row of each label, so that none lies over another: from left to right the first one in which there is room. */
function labelRows(places: readonly number[]): number[] {
  const ends: number[] = [];
  const rows: number[] = [];
  for (const place of [...places.keys()].sort((a, b) => places[a]! - places[b]!)) {
    const x = places[place]!;
    const free = Array.from({ length: LABEL_ROWS }, (_, row) => row).find(row => (ends[row] ?? 0) <= x - LABEL / 2);
    const row = free ?? LABEL_ROWS - 1;
    ends[row] = x + LABEL / 2;
    rows[place] = row;
  }
  return rows;
}

/** The mark of a finding in profiles: it is no step of the line. */
function profileMark({ commits }: History, finding: ProfileFinding, { x, bottom }: Place, { link, row }: Mark): string {
  const at = round((x(finding.before) + x(finding.at)) / 2);
  const top = bottom - PANEL + TOP + BOTTOM - 10;
  const [{ method, before, now }] = finding.methods;
  const name = nameOf(commits[finding.at]!);
  const about = `${name} by profile: ${method.className}.${method.name}, ${profileTimeText(finding)}`;
  const mark = [
    `<g class="profile ${now > before ? 'slower' : 'faster'}"><line x1="${at}" y1="${top}" x2="${at}" y2="${bottom}"/>`,
    `<text x="${at}" y="${top - 4 + row * LABEL_ROW}" text-anchor="${anchorOf(at)}">${markupLine(`by profile · ${name}`)}</text>`,
    `<title>${markupLine(about)}</title></g>`,
  ].join('');
  return linked(mark, link);
}

type Mark = { readonly link: string | null; readonly row: number };

function stepMark({ commits }: History, step: Step, { x, bottom }: Place, { link, row }: Mark): string {
  const { verdict, change } = step.comparison;
  const at = round((x(step.before) + x(step.at)) / 2);
  const top = bottom - PANEL + TOP + BOTTOM - 10;
  const about = `${nameOf(commits[step.at]!)}: ${changeText(change)} (${certaintyText(step)})`;
  const mark = [
    `<g class="step ${verdict}"><line x1="${at}" y1="${top}" x2="${at}" y2="${bottom}"/>`,
    `<text x="${at}" y="${top - 4 + row * LABEL_ROW}" text-anchor="${anchorOf(at)}">${markupLine(`${changeText(change)} · ${nameOf(commits[step.at]!)}`)}</text>`,
    `<title>${markupLine(about)}</title></g>`,
  ].join('');
  return linked(mark, link);
}

function linked(mark: string, link: string | null): string {
  return link === null ? mark : `<a href="${markupLine(link)}">${mark}</a>`;
}

/** A label near an edge stays within the picture. */
function anchorOf(x: number): string {
  if (x < LEFT + LABEL / 2) return 'start';
  return x > WIDTH - RIGHT - LABEL / 2 ? 'end' : 'middle';
}

function round(number: number): number {
  return Math.round(number * 10) / 10;
}
