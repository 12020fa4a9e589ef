// Thread dumps written by their threads, read as typed time, and what call paths cost in it.
import { answer } from '../../../server/analysis/ask.ts';
import type { LoadedData } from '../../../server/analysis/loaded-data.ts';
import type { IngestOptions } from '../../../server/ingest/ingest.ts';
import { loadedFrom } from '../profiles/loaded.ts';
import { ingest } from './ingested.ts';

export type Thread = {
  readonly name?: string;
  readonly heading?: string;
  readonly state: string;
  /** Innermost first, `Class.method`. */
  readonly stack: readonly string[];
  /** Below the innermost frame. */
  readonly lock?: string;
};

/** Dumps as `jcmd Thread.print` writes them, a second apart. */
export function dumps(...series: readonly (readonly Thread[])[]): string {
  const dump = (threads: readonly Thread[], second: number) =>
    [
      `2026-11-20 16:00:0${second}`,
      'Full thread dump OpenJDK 64-Bit Server VM (17.0.15+6 mixed mode):',
      '',
      ...threads.flatMap(({ name = 'worker', heading, state, stack, lock }, at) => [
        `"${name}-${at}" #${at + 1} ${heading ?? 'prio=5 os_prio=0'} tid=0x${at + 1} nid=0x${at + 1} ${state === 'RUNNABLE' ? 'runnable' : 'waiting'}  [0x0]`,
        `   java.lang.Thread.State: ${state}`,
        ...stack.flatMap((frame, depth) => [
          `\tat ${frame}(${frame.split('.').at(-2)}.java:${depth + 1})`,
          ...(depth === 0 && lock !== undefined ? [`\t- ${lock}`] : []),
        ]),
        '',
      ]),
    ].join('\n');
  return series.map(dump).join('\n');
}

export async function typed(text: string, options: Partial<IngestOptions> = {}): Promise<LoadedData> {
  const { profile } = await ingest(text, options);
  return loadedFrom(profile!, {}, { metric: 'typed' });
}

export const WISH = { aspects: [], view: null, refine: null, least: 0, most: 3 };

export function paths(
  data: LoadedData,
  query: string,
  view: 'server' | readonly string[] | null = null,
  refine: 'down' | null = null,
) {
  const found = answer(data, 'paths', { ...WISH, query, view, refine: refine && { kind: refine } });
  if (found.kind !== 'answer') throw new Error(JSON.stringify(found));
  return found.answer;
}

/** The part of the samples that a call path has. */
export function cost(data: LoadedData, query: string, view: 'server' | readonly string[] | null = null): number {
  const { amount, whole } = paths(data, query, view);
  return thousandths(amount, whole);
}

export function thousandths(part: { readonly weight: number }, whole: { readonly weight: number }): number {
  return Math.round((1000 * part.weight) / whole.weight) / 1000;
}

export const START = ['java.lang.Thread.run'];
export const RUN = ['app.CompanyRunnable.run', ...START];
export const GO = ['app.TransactionManager.go', ...RUN];

export const many = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

export const runnable = (...stack: readonly string[]): Thread => ({ state: 'RUNNABLE', stack });
