// Reads texts and bytes in tests as if they were files, and checks what every reader promises.
import { expect } from 'vitest';
import type { Profile } from '../../../server/cct/profile.ts';
import { memorySource } from '../../../server/ingest/byte-source.ts';
import type { Ingested, IngestOptions } from '../../../server/ingest/ingest.ts';
import { ingestSource } from '../../../server/ingest/read-source.ts';
import { assertProfile } from '../profiles/assert-profile.ts';

/** The result of reading a file with this content; its profile keeps every invariant. */
export async function ingest(content: string | Uint8Array, options: Partial<IngestOptions> = {}): Promise<Ingested> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const ingested = await ingestSource(memorySource('test', bytes), { names: 'raw', ...options });
  if (ingested.profile !== null) assertProfile(ingested.profile);
  else expect(ingested.problems.some(problem => problem.severity === 'error')).toBe(true);
  return ingested;
}

/** The profile in a file that must be whole: no problem worse than a remark. */
export async function profileIn(content: string | Uint8Array, options: Partial<IngestOptions> = {}): Promise<Profile> {
  const { profile, problems } = await ingest(content, options);
  expect(problems.filter(({ severity }) => severity !== 'info')).toEqual([]);
  return profile!;
}
