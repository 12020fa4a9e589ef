// Names that must not leave the machine leave no profile, and no sample is lost with them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { ProfileBuilder, ROOT_NODE } from '../../server/cct/builder.ts';
import type { Profile } from '../../server/cct/profile.ts';
import { threadGroupName } from '../../server/cct/thread-groups.ts';
import { objectFrame } from '../../server/model/object-classes.ts';
import { TYPED } from '../../server/model/time-types.ts';
import { TIERS, tierSettings } from '../../server/record/flight-settings.ts';
import { redactProfile } from '../../server/record/redact.ts';
import { decodeSnapshot } from '../../server/snapshot/decode.ts';
import { encodeSnapshot } from '../../server/snapshot/encode.ts';
import { assertProfile } from '../support/profiles/assert-profile.ts';
import { samplesOf } from '../support/recorders/recording-shop.ts';
import { ingest } from '../support/recordings/ingested.ts';

let profile: Profile;
beforeAll(async () => {
  const bytes = readFileSync(join(import.meta.dirname, '../../samples/recordings/shop-v2-jdk17.jfr'));
  profile = (await ingest(bytes, { names: 'normalised' })).profile!;
});

function textsOf(read: Profile): string {
  const { methods, threads } = read;
  return JSON.stringify([methods.strings, threads.name, threads.group, threads.rawNames]);
}

test.each(['all', 'normalised', 'groups', 'none'] as const)('a pattern, with thread names: %s', threads => {
  const redacted = redactProfile(profile, { pattern: /acme\.shop|Worker|worker/g, threads });
  assertProfile(redacted);
  for (const { id } of profile.metrics) expect(samplesOf(redacted, id)).toBe(samplesOf(profile, id));
  expect(textsOf(redacted)).not.toMatch(/acme[./]shop|[Ww]orker/);
  const header = {
    execution: { project: '', program: '', version: '', instance: '' },
    startMillis: 0,
    endMillis: 1,
    recorder: '',
    debugNonSafepoints: null,
    problems: [],
    replaces: [],
  };
  expect(decodeSnapshot(encodeSnapshot({ header, profile: redacted })).problems).toEqual([]);
});

test('a pattern is of names as they are written, and leaves the rest of a descriptor alone', () => {
  const builder = new ProfileBuilder('raw');
  const one = builder.methods.method(
    'com.acme.Plain',
    'store',
    '(Lcom/acme/Secret;I[[Lcom/acme/Plain;)Lcom/acme/Secret;',
    0,
  );
  const node = builder.child(ROOT_NODE, one, 0);
  builder.add(builder.metric(profile.metrics[0]!), node, builder.threads.thread('', 'main', false), 1, 0, 1, 1);
  const plain = builder.finish(profile.windows.slice(0, 1), profile.losses);
  const told = (pattern: RegExp) => redactProfile(plain, { pattern, threads: 'all' }).methods.strings;
  expect(told(/\.Secret$/g)).toContain('(Lcom/acmeredacted;I[[Lcom/acme/Plain;)Lcom/acmeredacted;');
  expect(told(/^com\.acme\.Secret$/g)).toContain('(Lredacted;I[[Lcom/acme/Plain;)Lredacted;');
  expect(told(/[LI;]/g)).toContain('(Lcom/acme/Secret;I[[Lcom/acme/Plain;)Lcom/acme/Secret;');
});

test('thread names alone', () => {
  const all = redactProfile(profile, { pattern: null, threads: 'all' });
  expect(all).toBe(profile);
  expect(profile.threads.name.some(name => /\d/.test(name))).toBe(true);
  const without = redactProfile(profile, { pattern: null, threads: 'normalised' });
  expect(without.threads.rawNames.flat()).toEqual([]);
  expect(new Set(without.threads.name)).toEqual(new Set(profile.threads.name.map(threadGroupName)));
  expect(without.threads.name).toHaveLength(new Set(without.threads.name).size);
  expect(redactProfile(profile, { pattern: null, threads: 'none' }).threads.length).toBe(1);
});

test.each([':MONITOR', objectFrame('java.lang.Object')])('names of threads behind %s are those of threads', frame => {
  const builder = new ProfileBuilder('raw');
  const method = (parent: number, owner: string, name: string) =>
    builder.child(parent, builder.methods.method(owner, name, null, 0), 0);
  const own = method(ROOT_NODE, 'a.B', 'run');
  const type = method(own, '', frame);
  const [thread, metric] = [builder.threads.thread('main', 'waiter-1', false), builder.metric(TYPED)];
  builder.add(metric, method(type, '', 'secret-#'), thread, 0, 0, 1, 5);
  builder.add(metric, method(type, '', 'worker-#'), thread, 0, 0, 1, 7);
  const typed = builder.finish([{ startMillis: 0, endMillis: 1 }]);
  for (const threads of ['groups', 'none'] as const) {
    const told = redactProfile(typed, { pattern: null, threads });
    expect(told.methods.strings.join()).not.toMatch(/secret|worker/);
    expect([...told.cells[0]!.weight]).toEqual([12]);
  }
  expect(redactProfile(typed, { pattern: /x/g, threads: 'normalised' }).methods.strings).toContain('secret-#');
});

test('no tier records the machine', () => {
  for (const tier of TIERS) {
    const enabled = [...tierSettings(tier).text.matchAll(/<event name="([^"]+)">\s*<setting name="enabled">true/g)].map(
      match => match[1]!,
    );
    expect(enabled).toContain('jdk.ExecutionSample');
    // The event that time types need.
    expect(enabled).toContain('jdk.ThreadCPULoad');
    expect(enabled.filter(name => /Environment|Property|JVMInformation|Process|Library|StringFlag/.test(name))).toEqual(
      [],
    );
  }
});
