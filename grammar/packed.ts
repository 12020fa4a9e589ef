// A parsed text as a few flat columns, which are written and read again in a small part of the time that parsing takes.
import type { Columns } from './columns.ts';
import { type CallDraft, Draft, type LocalDraft, type Region } from './draft.ts';
import type { Import } from './outline.ts';
import type { TableProblem, Tables } from './tables.ts';

/** A piece of the text: a body or an initialiser with its region, or what stands between two of them. */
export type Piece = { readonly text: string; readonly region: Region | null };

/** What a text was parsed to. */
export type Parsed = {
  readonly isLocal: boolean;
  readonly pieces: readonly Piece[];
  readonly tables: Tables;
};

/** The same without the text: plain values, strings and columns, in which words and declarations are named by number. */
export type Packed = {
  readonly isLocal: boolean;
  readonly packageName: string;
  readonly imports: readonly Import[];
  readonly binaryNames: readonly string[];
  readonly problems: readonly TableProblem[];
  readonly lineStarts: Int32Array;
  /** All names and kinds, each once. */
  readonly words: readonly string[];
  readonly declarations: PackedRows & { readonly lists: readonly (Lists | null)[] };
  readonly calls: PackedRows;
  readonly locals: PackedRows & { readonly types: readonly LocalDraft['type'][] };
  /** Length and region of each piece. */
  readonly pieces: Int32Array;
  /** In the order of their pieces. */
  readonly regions: Int32Array;
};

/** Rows as their table has them, and what their heads hold in numbers. */
type PackedRows = { readonly width: number; readonly numbers: Int32Array; readonly heads: Int32Array };

/** What few declarations have; null where none of it is there. */
type Lists = Pick<Draft, 'modifiers' | 'annotations' | 'typeParameters' | 'parameters' | 'type' | 'supertypes'>;

const DRAFT_WIDTH = 11;
const CALL_WIDTH = 9;
const LOCAL_WIDTH = 4;
const REGION_WIDTH = 5;
const NONE = -1;

/** null where an owner is no declaration of the text, or stands behind what it owns. */
export function pack({ isLocal, pieces, tables }: Parsed): Packed | null {
  const { packageName, imports, binaryNames, problems, lineStarts, declarations, calls, locals } = tables;
  const words = new Words();
  const rows = new Map(declarations.heads.map((draft, row) => [draft, row]));
  let isWhole = true;
  const rowOf = (owner: Draft | null): number => {
    const row = owner === null ? NONE : rows.get(owner);
    if (row === undefined) isWhole = false;
    return row ?? NONE;
  };
  const regions = pieces.flatMap(({ region }) => region ?? []);
  let at = 0;
  const packed: Packed = {
    isLocal,
    packageName,
    imports,
    binaryNames,
    problems,
    lineStarts,
    declarations: {
      ...packedRows(declarations, (draft, row) => {
        const owner = rowOf(draft.owner);
        if (owner >= row) isWhole = false;
        return draftNumbers(draft, words, owner);
      }),
      lists: declarations.heads.map(listsOf),
    },
    calls: packedRows(calls, call => callNumbers(call, words, rowOf)),
    locals: {
      ...packedRows(locals, ({ owner, name, nameStart, nameEnd }) => [
        rowOf(owner),
        words.add(name),
        nameStart,
        nameEnd,
      ]),
      types: locals.heads.map(({ type }) => type),
    },
    pieces: Int32Array.from(pieces.flatMap(({ text, region }) => [text.length, region === null ? NONE : at++])),
    regions: Int32Array.from(
      regions.flatMap(({ what, start, end, owner, depth }) => [words.add(what), start, end, rowOf(owner), depth]),
    ),
    words: words.all,
  };
  return isWhole ? packed : null;
}

/** What was packed of exactly this text. Columns are copied: they may stand in the bytes of a whole file. */
export function unpack(packed: Packed, text: string): Parsed {
  const { isLocal, packageName, imports, binaryNames, problems, lineStarts, words } = packed;
  const drafts = unpackedDrafts(packed);
  const ownerOf = (row: number): Draft | null => (row < 0 ? null : drafts[row]!);
  const calls = unpackedRows(packed.calls, CALL_WIDTH, (heads, at): CallDraft => {
    const construct = heads[at + 8]!;
    return {
      owner: ownerOf(heads[at]!),
      kind: words[heads[at + 1]!] as CallDraft['kind'],
      name: words[heads[at + 2]!]!,
      argumentCount: heads[at + 3]!,
      nameStart: heads[at + 4]!,
      nameEnd: heads[at + 5]!,
      open: heads[at + 6]!,
      at: heads[at + 7]!,
      construct: construct < 0 ? null : (words[construct] as CallDraft['construct']),
    };
  });
  const { types } = packed.locals;
  const locals = unpackedRows(packed.locals, LOCAL_WIDTH, (heads, at, row) => ({
    owner: ownerOf(heads[at]!),
    name: words[heads[at + 1]!]!,
    type: types[row]!,
    nameStart: heads[at + 2]!,
    nameEnd: heads[at + 3]!,
  }));
  const { width, numbers } = packed.declarations;
  const declarations = { width, heads: drafts, numbers: numbers.slice() };
  const lists = { packageName, imports, binaryNames, problems, lineStarts: lineStarts.slice() };
  const tables = { ...lists, declarations, calls, locals };
  return { isLocal, pieces: unpackedPieces(packed, text, ownerOf), tables };
}

/** Numbers words in the order in which they come. */
class Words {
  readonly all: string[] = [];
  readonly #numbers = new Map<string, number>();

  add(word: string): number {
    let number = this.#numbers.get(word);
    if (number === undefined) {
      number = this.all.length;
      this.#numbers.set(word, number);
      this.all.push(word);
    }
    return number;
  }
}

function packedRows<Head>(
  { width, numbers, heads }: Columns<Head>,
  numbersOf: (head: Head, row: number) => number[],
): PackedRows {
  return { width, numbers, heads: Int32Array.from(heads.flatMap(numbersOf)) };
}

function unpackedRows<Head>(
  { width, numbers, heads }: PackedRows,
  headWidth: number,
  headAt: (heads: Int32Array, at: number, row: number) => Head,
): Columns<Head> {
  const made: Head[] = [];
  for (let at = 0; at < heads.length; at += headWidth) made.push(headAt(heads, at, made.length));
  return { width, numbers: numbers.slice(), heads: made };
}

function draftNumbers(draft: Draft, words: Words, owner: number): number[] {
  const { start, end, nameStart, nameEnd, bodyStart, bodyEnd, turn } = draft;
  const flags = (draft.local ? 1 : 0) | (draft.declares ? 2 : 0);
  const names = [words.add(draft.kind), owner, words.add(draft.name)];
  return [...names, start, end, nameStart, nameEnd, bodyStart, bodyEnd, turn, flags];
}

function callNumbers(call: CallDraft, words: Words, rowOf: (owner: Draft | null) => number): number[] {
  const { argumentCount, nameStart, nameEnd, open, at, construct } = call;
  const names = [rowOf(call.owner), words.add(call.kind), words.add(call.name)];
  return [...names, argumentCount, nameStart, nameEnd, open, at, construct === null ? NONE : words.add(construct)];
}

function listsOf({ modifiers, annotations, typeParameters, parameters, type, supertypes }: Draft): Lists | null {
  const lists = [modifiers, annotations, typeParameters, parameters, supertypes];
  if (type === null && lists.every(({ length }) => length === 0)) return null;
  return { modifiers, annotations, typeParameters, parameters, type, supertypes };
}

/** Owners stand before what they own. */
function unpackedDrafts({ declarations: { heads, lists }, words }: Packed): Draft[] {
  const drafts: Draft[] = [];
  for (let row = 0; row < lists.length; row++) {
    const at = row * DRAFT_WIDTH;
    const owner = heads[at + 1]!;
    const draft = new Draft(words[heads[at]!] as Draft['kind'], owner < 0 ? null : drafts[owner]!, heads[at + 3]!);
    draft.row = row;
    draft.name = words[heads[at + 2]!]!;
    draft.end = heads[at + 4]!;
    draft.nameStart = heads[at + 5]!;
    draft.nameEnd = heads[at + 6]!;
    draft.bodyStart = heads[at + 7]!;
    draft.bodyEnd = heads[at + 8]!;
    draft.turn = heads[at + 9]!;
    draft.local = (heads[at + 10]! & 1) !== 0;
    draft.declares = (heads[at + 10]! & 2) !== 0;
    if (lists[row] !== null) Object.assign(draft, lists[row]);
    drafts.push(draft);
  }
  return drafts;
}

function unpackedPieces(
  { pieces, regions, words }: Packed,
  text: string,
  ownerOf: (row: number) => Draft | null,
): Piece[] {
  const made: Piece[] = [];
  let start = 0;
  for (let i = 0; i < pieces.length; i += 2) {
    const end = start + pieces[i]!;
    const at = pieces[i + 1]! * REGION_WIDTH;
    const region: Region | null =
      at < 0
        ? null
        : {
            what: words[regions[at]!] as Region['what'],
            start: regions[at + 1]!,
            end: regions[at + 2]!,
            owner: ownerOf(regions[at + 3]!),
            depth: regions[at + 4]!,
          };
    made.push({ text: text.slice(start, end), region });
    start = end;
  }
  return made;
}
