// What the header of the page says: which data there are, and what of them is shown.
import { createHash } from 'node:crypto';
import type { LoadedData } from '../analysis/loaded-data.ts';
import { selectionKey } from '../analysis/selection.ts';
import { windowTimes } from '../cct/jvms.ts';
import type { Viewed, ViewHost } from './view-host.ts';
import type { AskState, State } from './view-messages.ts';
import { lookOf } from './viewed-data.ts';

export function stateAnswer({ editor }: ViewHost, viewed: Viewed, { revision: known }: AskState): State {
  const { data, baseline, notes, live, sources, source } = viewed;
  const { provenance, profile, wish } = data;
  const state = {
    program: provenance.program,
    version: versionText(data),
    project: wish.files === undefined ? provenance.project : '',
    instances: [...new Set(provenance.executions.map(({ instance }) => instance))],
    metrics: profile.metrics.map(({ id, unit }) => ({ id, unit })),
    windows: windowTimes(profile.windows).map(({ startMillis, endMillis }) => ({ from: startMillis, to: endMillis })),
    sources,
    source,
    look: lookOf(data),
    baseline: baseline?.name ?? null,
    notes,
    live,
    editor: editor !== null,
  };
  const revision = revisionOf(viewed);
  return revision === known ? { same: true } : { revision, ...state };
}

/** Versions as people know them: of commits seven digits. */
export function versionText({ provenance }: LoadedData): string {
  const versions = new Set(provenance.executions.map(({ version }) => version));
  return Array.from(versions, version => (/^[0-9a-f]{40}$/.test(version) ? version.slice(0, 7) : version)).join(', ');
}

/** Another one with other data, and where something else is shown of them. */
export function revisionOf({ data, baseline, notes, live, sources, source }: Viewed): string {
  const of = ({ key, revision, selection }: LoadedData) => [key, revision, selectionKey(selection)];
  const compared = baseline === null ? null : [baseline.name, ...of(baseline.data)];
  const everything = JSON.stringify([of(data), data.metric.id, compared, notes, live, sources, source]);
  return createHash('sha256').update(everything).digest('base64url').slice(0, 16);
}
