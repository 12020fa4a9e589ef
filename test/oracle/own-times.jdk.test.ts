// Own times of the sample, as the terminal prints them, against a count over what the JDK's own `jfr print --json` prints.

import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import type { Answers } from '../../server/features/answers/answer-types.ts';
import { needs } from '../support/engines/needs.ts';
import { insitu } from '../support/insitu/command-line.ts';
import { sampleRecordings } from './oracle.ts';

type Frame = {
  readonly method: {
    readonly type: { readonly name: string };
    readonly name: string;
    readonly descriptor: string;
    readonly modifiers: number;
  };
};
type Event = {
  readonly type: string;
  readonly values: { readonly weight?: number; readonly stackTrace: { readonly frames: readonly Frame[] } | null };
};

const OWN = /^com[/.]acme[/.]/;
const BRIDGE = 0x40;

/** Frames that compilers make, which fold away: bridges, accessors, and the classes of lambdas. */
function isGenerated({ method }: Frame): boolean {
  const { type, name, modifiers } = method;
  return (modifiers & BRIDGE) !== 0 || name.startsWith('access$') || type.name.includes('$$Lambda');
}

/** By method: what its samples weigh, as text. */
function counted(events: readonly Event[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { values } of events) {
    const innermost = values.stackTrace?.frames.find(
      frame => OWN.test(frame.method.type.name) && !isGenerated(frame),
    )?.method;
    const key =
      innermost === undefined
        ? ''
        : `${innermost.type.name.replaceAll('/', '.')}.${innermost.name}${innermost.descriptor}`;
    sums.set(key, (sums.get(key) ?? 0) + (values.weight ?? 1));
  }
  return sums;
}

needs('jdk17', 'own times', jdk => {
  const recordings = sampleRecordings.filter(({ name, jdk: version }) => version === 17 && name !== 'shop-v1-jdk17-b');

  test.each(
    recordings.flatMap(({ name, path }) => [
      { name, path, metric: 'cpu', event: 'jdk.ExecutionSample' },
      { name, path, metric: 'alloc', event: 'jdk.ObjectAllocationSample' },
    ]),
  )('of $metric of $name', async ({ path, metric, event }) => {
    const args = ['print', '--json', '--stack-depth', '2048', '--events', event, path];
    const printed = JSON.parse(execFileSync(jdk.program('jfr'), args, { encoding: 'utf8', maxBuffer: 2 ** 30 }));
    const { out } = await insitu('top', path, '--metric', metric, '--json', '--limit', '10000');
    const { rows, withoutOwn, origin }: Answers['top'] = JSON.parse(out);
    const expected = counted(printed.recording.events);
    const found = new Map(
      rows.map(({ method, own }) => [`${method.className}.${method.name}${method.descriptor}`, own.weight]),
    );
    if (withoutOwn !== null) found.set('', withoutOwn.weight);
    const sorted = (all: Map<string, number>) => [...all].sort(([a], [b]) => (a < b ? -1 : 1));
    expect(origin.own).toBe('com.acme.shop.* (sources in the project)');
    expect(sorted(found)).toEqual(sorted(expected));
    expect(found.size).toBeGreaterThan(40);
  });
});
