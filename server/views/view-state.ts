// The content of the page's header: which data there are, and the shown part of them.

import { createHash } from 'node:crypto';
import type { FoldedData } from '../analysis/folded-data.ts';
import type { LoadedData } from '../analysis/loaded-data.ts';
import { windowTimes } from '../cct/jvms.ts';
import { listedMetrics } from '../cct/listed-metrics.ts';
import { processorsRow } from '../cct/processor-time.ts';
import { ROOT_METHOD } from '../cct/profile.ts';
import { packageOf } from '../mapping/class-names.ts';
import { isPlatformClass } from '../mapping/platform-classes.ts';
import { selectionKey } from '../model/look.ts';
import type { Viewed, ViewHost } from './view-host.ts';
import type { AskState, State } from './view-messages.ts';
import { lookOf } from './viewed-data.ts';

/** No picture shows more packages apart. */
const MOST_PACKAGES = 40;

type Packages = { readonly own: Viewed['own']; readonly names: readonly string[]; readonly ownCount: number };

/** Of each tree: the header is asked for again and again. */
const knownPackages = new WeakMap<FoldedData['profile'], Packages>();

export function stateAnswer({ editor }: ViewHost, viewed: Viewed, { revision: known }: AskState): State {
  const { data, baseline, notes, live, sources, source, tags } = viewed;
  const { provenance, profile, wish } = data;
  const packages = commonPackages(viewed);
  const state = {
    program: provenance.program,
    version: versionText(viewed),
    project: wish.files === undefined ? provenance.project : '',
    instances: [...new Set(provenance.executions.map(({ instance }) => instance))],
    metrics: listedMetrics(profile).map(({ id, unit }) => ({ id, unit })),
    processors: processorsRow(profile) >= 0,
    packages: packages.names,
    ownPackages: packages.ownCount,
    windows: windowTimes(profile.windows).map(({ startMillis, endMillis }) => ({ from: startMillis, to: endMillis })),
    sources,
    source,
    look: lookOf(data),
    baseline: baseline === null ? null : withoutHashes(baseline.name, tags),
    notes,
    live,
    editor: editor !== null,
  };
  const revision = revisionOf(viewed);
  return revision === known ? { same: true } : { revision, ...state };
}

/** Versions as people know them: commits by their tags, else by seven digits. */
export function versionText({ data, tags }: Pick<Viewed, 'data' | 'tags'>): string {
  const versions = new Set(data.provenance.executions.map(({ version }) => version));
  return withoutHashes([...versions].join(', '), tags);
}

function withoutHashes(text: string, tags: Viewed['tags']): string {
  return text.replace(/\b[0-9a-f]{40}\b/g, hash => tags.get(hash) ?? hash.slice(0, 7));
}

/** Another one with other data, and where something else is shown of them. */
export function revisionOf(viewed: Viewed): string {
  const { data, baseline, own, notes, live, sources, source } = viewed;
  const of = ({ key, revision, selection }: LoadedData) => [key, revision, selectionKey(selection)];
  const compared = baseline === null ? null : [baseline.name, ...of(baseline.data)];
  const everything = JSON.stringify([
    of(data),
    data.metric.id,
    compared,
    own,
    notes,
    live,
    sources,
    source,
    versionText(viewed),
  ]);
  return createHash('sha256').update(everything).digest('base64url').slice(0, 16);
}

/**
 * The packages that have most call paths: they get the colours of the page, whatever is looked at. The program's own come first, then those
 * of libraries, then those of the Java platform; the most common one first, of equal ones the order is by name. O(methods).
 */
function commonPackages({ data, own }: Viewed): Packages {
  const { profile, analysis, answers } = data;
  const known = knownPackages.get(profile);
  if (known !== undefined && known.own === own) return known;
  const found = { own, ...byCallPaths(analysis, answers.parts.libraryOf(profile.methods, own)) };
  knownPackages.set(profile, found);
  return found;
}

function byCallPaths(
  { profile: { methods }, index: { offsets } }: LoadedData['analysis'],
  library: Uint8Array,
): Omit<Packages, 'own'> {
  const counts = new Map<string, number>();
  const withOwn = new Set<string>();
  for (let row = ROOT_METHOD + 1; row < methods.length; row++) {
    const callPaths = offsets[row + 1]! - offsets[row]!;
    if (callPaths === 0) continue;
    const name = packageOf(methods.strings[methods.className[row]!]!);
    counts.set(name, (counts.get(name) ?? 0) + callPaths);
    if (library[row] === 0) withOwn.add(name);
  }
  const rank = (name: string) => (withOwn.has(name) ? 0 : isPlatformClass(`${name}.`) ? 2 : 1);
  const sorted = [...counts].sort(([a, one], [b, other]) => rank(a) - rank(b) || other - one || (a < b ? -1 : 1));
  const names = sorted.slice(0, MOST_PACKAGES).map(([name]) => name);
  return { names, ownCount: names.filter(name => withOwn.has(name)).length };
}
