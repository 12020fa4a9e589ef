// Own times of the sample, as the terminal prints them, against a count over what the JDK's own `jfr print --json` prints.

import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import type { Answers } from '../../server/features/answers/answer-types.ts';
import { needs } from '../support/engines/needs.ts';
import { insitu } from '../support/insitu/command-line.ts';
import { countedOwn } from './counted-own.ts';
import { sampleRecordings } from './oracle.ts';

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
    const expected = countedOwn(printed.recording.events, /^com[/.]acme[/.]/);
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
