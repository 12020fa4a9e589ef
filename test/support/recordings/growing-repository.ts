// A JVM's repository made of a finished recording, which grows on disk as the JVM let it grow; and what follows it in tests.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { memorySource } from '../../../server/ingest/byte-source.ts';
import { listChunks } from '../../../server/ingest/jfr/chunk-header.ts';
import { KnownMetadata } from '../../../server/ingest/jfr/known-metadata.ts';
import type { Follower } from '../../../server/record/follower.ts';
import { growing, writeShown } from './growing-chunk.ts';

/** Where the header of a chunk says when it began. */
const STARTED_AT = 32;

export const EXECUTION = { project: 'acme', program: 'shop', version: '1', instance: 'a' };
const HOUR = 3_600_000;

/** The chunks of a recording, each with bytes of its own. */
export function chunksOf(recording: Uint8Array): Uint8Array[] {
  const { chunks } = listChunks(memorySource('recording', recording));
  return chunks.map(({ position, available }) => Uint8Array.from(recording.subarray(position, position + available)));
}

/** The same chunk as if it had begun at another time. */
export function begunAt(chunk: Uint8Array, millis: number): Uint8Array {
  const moved = Uint8Array.from(chunk);
  new DataView(moved.buffer).setBigUint64(STARTED_AT, BigInt(millis) * 1_000_000n);
  return moved;
}

/** Flushes a part of the recording at each call; false when all of it is there. */
export type GrowingRepository = { grow(by: number): boolean };

export function growingRepository(path: string, recording: Uint8Array): GrowingRepository {
  const parts = chunksOf(recording);
  mkdirSync(path, { recursive: true });
  let at = 0;
  let chunk = growing(parts[0]!);
  return {
    grow(by) {
      chunk.grow(by);
      const shown = writeShown(join(path, `${at}.jfr`), chunk, parts[at]!.length);
      if (shown[64] !== 0) return true;
      at++;
      if (at < parts.length) chunk = growing(parts[at]!);
      return at < parts.length;
    },
  };
}

type FollowerOptions = ConstructorParameters<typeof Follower>[0];

/** Options of a follower that ends windows only when it is told to. */
export function followerOptions(
  own: Pick<FollowerOptions, 'spool' | 'repository' | 'closed'> & Partial<FollowerOptions>,
): FollowerOptions {
  return {
    execution: EXECUTION,
    recorder: 'test',
    metrics: [],
    metadata: new KnownMetadata(),
    redaction: { pattern: null, threads: 'all' },
    firstMillis: HOUR,
    intervalMillis: HOUR,
    report: problems => {
      if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join(', '));
    },
    ...own,
  };
}
