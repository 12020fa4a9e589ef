// Snapshots for tests: headers with every field, and files that are broken on purpose but carry right checksums.
import { crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Profile } from '../../../server/cct/profile.ts';
import type { Execution } from '../../../server/model/execution.ts';
import { joinFile, PREAMBLE_BYTES } from '../../../server/snapshot/format.ts';
import { type FileHeader, packHeader, unpackHeader } from '../../../server/snapshot/header.ts';
import type { Snapshot, SnapshotHeader } from '../../../server/snapshot/snapshot.ts';

export const EXECUTION: Execution = { project: 'acme', program: 'shop', version: '1.4.2', instance: 'eu-1' };

/** A snapshot of a profile; its span is that of the profile's windows. */
export function snapshotOf(profile: Profile, header: Partial<SnapshotHeader> = {}): Snapshot {
  return {
    header: {
      execution: EXECUTION,
      startMillis: profile.windows[0]?.startMillis ?? 0,
      endMillis: profile.windows.at(-1)?.endMillis ?? 0,
      recorder: 'JDK Flight Recorder, OpenJDK 17.0.15',
      debugNonSafepoints: true,
      problems: [],
      replaces: [],
      ...header,
    },
    profile,
  };
}

/** The file with its header and one section replaced, checksums and lengths made right again. */
export function tamper(
  file: Uint8Array,
  changes: {
    header?: (header: FileHeader) => FileHeader;
    section?: { name: string; change(bytes: Uint8Array): Uint8Array };
  },
): Uint8Array {
  const end = PREAMBLE_BYTES + new DataView(file.buffer, file.byteOffset).getUint32(12, true);
  const header = unpackHeader(file.subarray(PREAMBLE_BYTES, end), null);
  let at = end;
  const parts: Uint8Array[] = [];
  const sections = header.sections.map(section => {
    const part = file.subarray(at, at + section.packed);
    at += section.packed;
    const changed = changes.section?.name === section.name;
    const bytes = changed ? changes.section!.change(Uint8Array.from(zstdDecompressSync(part))) : null;
    const packed = bytes === null ? part : zstdCompressSync(bytes);
    parts.push(packed);
    const unpacked = bytes === null ? section.unpacked : bytes.length;
    return { ...section, packed: packed.length, unpacked, checksum: crc32(packed) };
  });
  const whole = { ...header, sections };
  return joinFile(packHeader(changes.header === undefined ? whole : changes.header(whole)), parts);
}

/** The file with one more section at its end, of a name that this version may not know. */
export function withSection(file: Uint8Array, name: string, content: Uint8Array, required: boolean): Uint8Array {
  const end = PREAMBLE_BYTES + new DataView(file.buffer, file.byteOffset).getUint32(12, true);
  const header = unpackHeader(file.subarray(PREAMBLE_BYTES, end), null);
  const packed = zstdCompressSync(content);
  const section = { name, packed: packed.length, unpacked: content.length, required, checksum: crc32(packed) };
  return joinFile(packHeader({ ...header, sections: [...header.sections, section] }), [file.subarray(end), packed]);
}
