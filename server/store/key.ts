// Names of snapshots in a store: from an execution to a path of safe segments and back.
import { isMoment } from '../cct/limits.ts';
import type { Execution } from '../model/execution.ts';

/** Layout version; the first segment of every key. */
export const LAYOUT = 'v1';
const SUFFIX = '.cct';
/** Longest segment in bytes; file systems allow 255, temporary names need some of it. */
const LONGEST_SEGMENT = 200;
/** A character that a segment has as it is; every other one is percent-encoded. */
const SAFE = /^[A-Za-z0-9_+-]$/;
/** Names that Windows keeps for devices, with or without an ending. */
const RESERVED = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)/i;
/** Stands for an empty text; no encoded text is a lone percent sign. */
const EMPTY = '%';

/**
 * One path segment for any text: the bytes of its UTF-8 form, percent-encoded unless safe. Never empty, `.`, `..`, hidden, a device
 * name of Windows, ending in a dot, or longer than 200 bytes; null when the text is too long for that. Different texts give
 * different segments (on file systems that ignore case, texts that differ in more than case).
 */
export function encodeSegment(text: string): string | null {
  if (text === '') return EMPTY;
  let segment = '';
  for (const byte of new TextEncoder().encode(text)) {
    const char = String.fromCharCode(byte);
    const dot = char === '.' && segment !== '';
    segment += SAFE.test(char) || dot ? char : escapeByte(byte);
  }
  if (segment.endsWith('.')) segment = `${segment.slice(0, -1)}%2E`;
  if (RESERVED.test(segment)) segment = escapeByte(segment.charCodeAt(0)) + segment.slice(1);
  return segment.length > LONGEST_SEGMENT ? null : segment;
}

function escapeByte(byte: number): string {
  return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}

/** The text of a segment; null when encodeSegment would not have written it so. */
export function decodeSegment(segment: string): string | null {
  if (segment === EMPTY) return '';
  try {
    const text = decodeURIComponent(segment);
    return encodeSegment(text) === segment ? text : null;
  } catch {
    return null;
  }
}

/** The segments of an execution's folder, or the name of the field that is too long. */
export function executionSegments(execution: Execution): string[] | { tooLong: keyof Execution } {
  const segments = [LAYOUT];
  for (const field of ['project', 'program', 'version', 'instance'] as const) {
    const segment = encodeSegment(execution[field]);
    if (segment === null) return { tooLong: field };
    segments.push(segment);
  }
  return segments;
}

/** `<startMillis>-<hash>.cct`. */
export function fileName(startMillis: number, hash: string): string {
  return `${startMillis}-${hash}${SUFFIX}`;
}

/** `<startMillis>-live.cct`: the provisional snapshot of the window that began then. */
export function liveFileName(startMillis: number): string {
  return `${startMillis}-live${SUFFIX}`;
}

/** Start of the open window whose provisional snapshot has this name; null for other names. */
export function parseLiveName(name: string): number | null {
  const parts = /^(-?\d{1,16})-live\.cct$/.exec(name);
  const startMillis = Number(parts?.[1]);
  return parts !== null && isMoment(startMillis) && liveFileName(startMillis) === name ? startMillis : null;
}

/** The start and hash in a file's name, or null when fileName would not have given it to a snapshot. */
export function parseFileName(name: string): { startMillis: number; hash: string } | null {
  const parts = /^(-?\d{1,16})-([0-9a-f]{32})\.cct$/.exec(name);
  if (parts === null) return null;
  const startMillis = Number(parts[1]);
  const hash = parts[2]!;
  return isMoment(startMillis) && fileName(startMillis, hash) === name ? { startMillis, hash } : null;
}
