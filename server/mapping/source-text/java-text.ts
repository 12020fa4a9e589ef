// Bytes of a Java file → its text: one way for files on disk, files of commits, and every face.
import { isAscii, isUtf8 } from 'node:buffer';
import { readRegular } from '../../base/regular-file.ts';
import { declaredEncoding } from './declared-encoding.ts';

/** Lists of properties and scripts of builds that are larger are not read. */
const MOST_DECLARING_BYTES = 2 ** 20;

/**
 * Text of a file: by its byte order mark, which editors keep to themselves; else in the encoding that is declared for it; else as UTF-8;
 * bytes that do not fit the encoding so far are Latin-1.
 * @param path absolute.
 * @param declaring texts of files that may declare encodings, by their paths.
 */
export function textOfBytes(path: string, bytes: Buffer, declaring = declaringText): string {
  const mark = markOf(bytes);
  if (mark !== undefined) return new TextDecoder(mark.encoding).decode(bytes);
  if (isPlain(bytes)) return bytes.toString('latin1');
  const encoding = declaredEncoding(path, declaring);
  const text = encoding === null ? null : decoded(bytes, encoding);
  return text ?? (isUtf8(bytes) ? bytes.toString('utf8') : bytes.toString('latin1'));
}

/** Whether the text of a file depends on what is declared: nearly all sources are plain ASCII. */
export function needsDeclaration(bytes: Buffer): boolean {
  return markOf(bytes) === undefined && !isPlain(bytes);
}

/** `declaringText` that reads each file once, for walks over many sources. */
export function declaringTexts(): typeof declaringText {
  const known = new Map<string, string | null>();
  return path => {
    const text = known.has(path) ? known.get(path)! : declaringText(path);
    known.set(path, text);
    return text;
  };
}

/** Text of a file that may declare encodings; null where there is none, or it cannot be read. */
export function declaringText(path: string): string | null {
  try {
    return readRegular(path, MOST_DECLARING_BYTES).toString('utf8');
  } catch {
    return null;
  }
}

function markOf(bytes: Buffer) {
  return MARKS.find(({ mark }) => mark.equals(bytes.subarray(0, mark.length)));
}

const MARKS: readonly { readonly mark: Buffer; readonly encoding: string }[] = [
  { mark: Buffer.of(0xef, 0xbb, 0xbf), encoding: 'utf-8' },
  { mark: Buffer.of(0xfe, 0xff), encoding: 'utf-16be' },
  { mark: Buffer.of(0xff, 0xfe), encoding: 'utf-16le' },
];

/** Whether the bytes mean the same in all encodings: a zero is half a character of UTF-16, an escape switches ISO-2022. */
function isPlain(bytes: Buffer): boolean {
  return isAscii(bytes) && !bytes.includes(0) && !bytes.includes(0x1b);
}

/** The text in the declared encoding; null where the encoding is not known, or the bytes do not fit it. */
function decoded(bytes: Buffer, declared: string): string | null {
  const name = declared.toLowerCase().replaceAll('_', '-');
  // The web's decoder takes Latin-1 and US-ASCII for windows-1252.
  if (LATIN_1.test(name)) return bytes.toString('latin1');
  if (US_ASCII.test(name)) return null;
  // Java reads UTF-16 without a mark from the larger byte on. Every source has a character of ASCII.
  if (name.startsWith('utf-16') && (!bytes.includes(0) || bytes.length % 2 !== 0)) return null;
  const label = name === 'utf-16' ? 'utf-16be' : (JAVA_NAMES.get(name) ?? name.replace(ISO_8859, 'iso-8859-'));
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

const LATIN_1 = /^(?:latin-?1|l1|(?:iso-?)?8859-1|ibm-?819|cp819)$/;
const US_ASCII = /^(?:us-ascii|ascii7?|ansi-x3\.4-1968|iso-?646-us|cp367)$/;
const ISO_8859 = /^(?:iso)?-?8859-(?=\d+$)/;
/** Names of Java's encodings that the web has under others. */
const JAVA_NAMES: ReadonlyMap<string, string> = new Map([
  ...(['utf8', 'utf-8-bom', 'cp65001'] as const).map(name => [name, 'utf-8'] as const),
  ...(['utf-16-le', 'unicodelittleunmarked', 'x-utf-16le'] as const).map(name => [name, 'utf-16le'] as const),
  ...(['utf-16-be', 'unicodebigunmarked', 'x-utf-16be'] as const).map(name => [name, 'utf-16be'] as const),
  ...(['cp932', 'ms932', 'cp943', 'sjis', 'pck'] as const).map(name => [name, 'shift_jis'] as const),
  ...(['cp936', 'ms936', 'euc-cn'] as const).map(name => [name, 'gbk'] as const),
  ...(['cp949', 'ms949', 'ks-c-5601-1987', 'ksc5601'] as const).map(name => [name, 'euc-kr'] as const),
  ...(['cp950', 'ms950', 'big5-hkscs'] as const).map(name => [name, 'big5'] as const),
  ...(['eucjp', 'euc-jp-linux'] as const).map(name => [name, 'euc-jp'] as const),
]);
