// Methods whose source differs between both versions, by the texts that git has of their commits.
import { setTimeout as passed } from 'node:timers/promises';
import { nothingCompared } from './refusal.ts';
import type { Viewed, ViewHost } from './view-host.ts';
import type { Changes } from './view-messages.ts';

/** After so long the page is told to ask again. */
const LONGEST_MILLIS = 3_000;

export async function changesAnswer(host: ViewHost, viewed: Viewed, signal: AbortSignal): Promise<Changes> {
  if (viewed.baseline === null) throw nothingCompared();
  const late = passed(LONGEST_MILLIS, 'late' as const, { signal, ref: false });
  const found = await Promise.race([host.methodSources(viewed, viewed.baseline), late]);
  if (found === 'late') return { pending: true };
  const { data } = viewed;
  const keys = data.answers.keysOf(data.profile.methods);
  const methods = Array.from(
    found?.ofMethod ?? [],
    ([row, { change }]) => [keys.keyOf(row), change !== 'same'] as const,
  );
  return { methods };
}
