// Everything that is looked at as a file of another program's format.
import { turns } from '../base/pause.ts';
import { toCollapsed } from '../snapshot/export/collapsed.ts';
import { toPprof } from '../snapshot/export/pprof.ts';
import { toSpeedscope } from '../snapshot/export/speedscope.ts';
import { Refusal } from './refusal.ts';
import type { Viewed, ViewHost } from './view-host.ts';
import type { AskExport, Exported } from './view-messages.ts';
import { versionText } from './view-state.ts';
import { metricOf, subjectOf } from './viewed-data.ts';

/** Of a larger tree the file would hold up the editor while it is written. */
const MOST_NODES = 300_000;
const MOST_BYTES = 64 * 2 ** 20;

const FILES = {
  speedscope: { ending: 'speedscope.json', type: 'application/json' },
  pprof: { ending: 'pb.gz', type: 'application/gzip' },
  collapsed: { ending: 'collapsed', type: 'text/plain' },
} as const;

export async function exportAnswer(
  host: ViewHost,
  viewed: Viewed,
  { look, format }: AskExport,
  signal: AbortSignal,
): Promise<Exported> {
  const { program } = viewed.data.provenance;
  const profile = await host.door.ask(subjectOf(viewed, look), 'stacks', null, { signal });
  if (profile.tree.length > MOST_NODES) throw tooLarge();
  const metric = metricOf(viewed, look).id;
  const version = versionText(viewed);
  // A recording that was never put into a store has the same name for both.
  const name = program === version ? program : `${program} ${version}`;
  const turn = turns(() => signal.aborted);
  const parts: Uint8Array[] = [];
  let length = 0;
  const add = async (part: Uint8Array) => {
    parts.push(part);
    length += part.length;
    if (length > MOST_BYTES) throw tooLarge();
    await turn();
  };
  if (format === 'pprof') for await (const part of toPprof(profile, metric)) await add(part);
  else if (format === 'collapsed')
    await add(Buffer.from(toCollapsed(profile, { frames: 'method', metric, threads: false, weights: 'alone' })));
  else
    for (const part of toSpeedscope(profile, { frames: 'method', threads: false, name, metric }))
      await add(Buffer.from(part));
  const { ending, type } = FILES[format];
  return {
    name: `${name.replaceAll(/[^\w.-]+/g, '-')}.${ending}`,
    type,
    base64: Buffer.concat(parts).toString('base64'),
  };
}

function tooLarge(): Refusal {
  return new Refusal('this is too much for a page to save', 'look at less of it, or use insitu export');
}
