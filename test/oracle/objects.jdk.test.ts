// Classes of objects, as the terminal prints them, against a count over what the JDK's own `jfr print --json` prints.

import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { threadGroupName } from '../../server/cct/thread-groups.ts';
import type { Answers } from '../../server/features/answers/answer-types.ts';
import { needs } from '../support/engines/needs.ts';
import { insitu } from '../support/insitu/command-line.ts';
import { sampleRecordings } from './oracle.ts';

type Named = { readonly name: string };
type Event = {
  readonly values: {
    readonly weight?: number;
    readonly objectClass?: Named;
    readonly monitorClass?: Named;
    readonly parkedClass?: Named | null;
    readonly thrownClass?: Named;
    readonly previousOwner?: { readonly javaName: string | null } | null;
    readonly stackTrace: {
      readonly frames: readonly { readonly method: { readonly type: Named; name: string } }[];
    } | null;
  };
};

/** How often each class was met, and by which owners, in stacks with the method; all where it is empty. */
function counted(events: readonly Event[], method: string) {
  const classes = new Map<string, { count: number; owners: Map<string, number> }>();
  for (const { values } of events) {
    const { objectClass, monitorClass, parkedClass, thrownClass, previousOwner, stackTrace } = values;
    const named = objectClass ?? monitorClass ?? parkedClass ?? thrownClass;
    const frames = (stackTrace?.frames ?? []).map(frame => `${inJava(frame.method.type.name)}.${frame.method.name}`);
    if (named == null || (method !== '' && !frames.includes(method))) continue;
    const name = inJava(named.name).replace(/\$\$Lambda.*/, '$$$$Lambda');
    const found = classes.get(name) ?? { count: 0, owners: new Map() };
    classes.set(name, found);
    found.count++;
    const owner = threadGroupName(previousOwner?.javaName ?? '');
    if (owner !== '') found.owners.set(owner, (found.owners.get(owner) ?? 0) + 1);
  }
  return classes;
}

/** `byte[]` of `[B`, `java.lang.String[]` of `[Ljava/lang/String;`. */
function inJava(name: string): string {
  if (!name.startsWith('[')) return name.replaceAll('/', '.');
  const primitives: Readonly<Record<string, string>> = {
    ...{ B: 'byte', C: 'char', D: 'double', F: 'float' },
    ...{ I: 'int', J: 'long', S: 'short', Z: 'boolean' },
  };
  const inner = name.slice(1);
  return `${primitives[inner] ?? inJava(inner.startsWith('L') ? inner.slice(1, -1) : inner)}[]`;
}

needs('jdk17', 'classes of objects', jdk => {
  const [recording] = sampleRecordings.filter(({ version, jdk: release }) => version === 'v2' && release === 17);

  test.each([
    ['alloc', 'jdk.ObjectAllocationSample', ''],
    ['alloc', 'jdk.ObjectAllocationSample', 'com.acme.shop.Shop.search'],
    ['lock', 'jdk.JavaMonitorEnter', ''],
    ['wait', 'jdk.JavaMonitorWait', ''],
    ['park', 'jdk.ThreadPark', ''],
    ['exception', 'jdk.JavaExceptionThrow,jdk.JavaErrorThrow', ''],
  ])('%s, %s %s', async (metric, events, method) => {
    const { path } = recording!;
    const args = ['print', '--json', '--stack-depth', '2048', '--events', events, path];
    const printed = JSON.parse(execFileSync(jdk.program('jfr'), args, { encoding: 'utf8', maxBuffer: 2 ** 30 }));
    const expected = counted(printed.recording.events, method);
    const given = method === '' ? [] : [method];
    const { out } = await insitu('objects', ...given, '--recording', path, '--limit', '10000', '--json');
    const answer: Answers['objects'] = JSON.parse(out);
    const rows = answer.metrics.find(each => each.metric === metric)!.rows;
    const byName = (all: readonly (readonly [string, unknown])[]) => [...all].sort(([a], [b]) => (a < b ? -1 : 1));
    expect(byName(rows.map(({ className, count }) => [className, count]))).toEqual(
      byName([...expected].map(([name, { count }]) => [name, count])),
    );
    for (const { className, hadBefore } of rows)
      expect(new Set(hadBefore.map(({ thread }) => thread))).toEqual(new Set(expected.get(className)!.owners.keys()));
    expect(rows.length).toBeGreaterThan(metric === 'alloc' ? 6 : 1);
    expect(rows.some(({ hadBefore }) => hadBefore.length > 0)).toBe(metric === 'lock');
  });
});
