// The text of the status bar, in few words, and the text of its tooltip, in many.
import type { Status, TagsOfVersions } from 'insitu/protocol';
import { hasNoData, noDataText, withTitles } from './no-data.ts';
import { shortHashes, shownWithoutIcons, withoutPackages } from './shown-text.ts';

/** The facts that the extension writes the status from. */
export type StatusView = {
  /** `problem`: why no server runs. */
  readonly server: 'starting' | 'running' | 'stopped' | { readonly problem: string };
  /** null until the server has told. */
  readonly status: Status | null;
  /** Of the file that is looked at; null where it is no Java file. */
  readonly hints: { readonly count: number; readonly changed: number } | null;
  readonly enabled: boolean;
};

export type StatusText = {
  readonly text: string;
  readonly tooltip: string;
  readonly alarming: boolean;
  /** Nothing was recorded yet, so that the ways to get data are offered. */
  readonly isEmpty: boolean;
};

/** Longer names are cut. */
const MOST_LETTERS = 24;

export function statusText({ server, status, hints, enabled }: StatusView): StatusText {
  if (typeof server === 'object')
    return { text: '$(warning) insitu', tooltip: server.problem, alarming: true, isEmpty: false };
  if (server !== 'running') {
    const tooltip = server === 'starting' ? 'insitu: the server is starting' : 'insitu: the server does not run';
    return {
      text: server === 'starting' ? '$(loading~spin) insitu' : '$(circle-slash) insitu',
      tooltip,
      alarming: false,
      isEmpty: false,
    };
  }
  const isEmpty = hasNoData(status);
  return { text: `$(flame) ${words(status, hints, enabled)}`, tooltip: tooltipOf(status), alarming: false, isEmpty };
}

function tooltipOf(status: Status | null): string {
  if (status === null) return 'insitu: waiting for the server';
  return `insitu: ${hasNoData(status) ? noDataText(status) : withTitles(shortHashes(status.text, tagsOf(status)))}`;
}

/** By version, of all sources. */
export function tagsOf({ sources }: Status): TagsOfVersions {
  return Object.assign({}, ...sources.map(({ tags }) => tags));
}

function words(status: Status | null, hints: StatusView['hints'], enabled: boolean): string {
  const source = status?.sources.find(({ state }) => state !== 'none');
  if (status === null || source?.state === 'loading') return 'insitu: loading';
  const left = source ?? status.sources.find(({ part }) => part !== '');
  if (left !== undefined && left.part !== '' && left.samples === 0)
    return `insitu: nothing with ${shortened(left.part, left.tags)}`;
  if (source === undefined) return 'insitu: no data';
  const what = enabled ? hintWords(hints) : ['hints off'];
  const focus = source.focus.length > 0 ? [`of ${shortened(source.focus.join(', '))}`] : [];
  const baseline =
    source.baseline === null ? [] : [`vs ${shortened(source.baseline.replace(/^version /, ''), source.tags)}`];
  const said = [...what, ...focus, ...baseline].join(' ');
  return said === '' ? `insitu: ${shortened(source.versions.join(', '), source.tags)}` : `insitu: ${said}`;
}

function hintWords(hints: StatusView['hints']): string[] {
  if (hints === null) return [];
  const count = hints.count === 1 ? '1 hint' : `${hints.count} hints`;
  return [hints.changed > 0 ? `${count}, ${hints.changed} at changed code` : count];
}

/** Without packages, and cut where it is still long. */
export function shortened(text: string, tags: TagsOfVersions = {}): string {
  const short = withoutPackages(shownWithoutIcons(shortHashes(text, tags)));
  return short.length > MOST_LETTERS ? `${short.slice(0, MOST_LETTERS - 1)}…` : short;
}
