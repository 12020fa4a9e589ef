// Sheets → outline: sorts and numbers the rows, names the types, turns offsets into lines.
import { nameTypes } from './binary-names.ts';
import type { CallDraft, Draft, LocalDraft, Sheet } from './draft.ts';
import { fingerprintOf, type Subject } from './fingerprint.ts';
import { lineAt, lineStartsOf, ownLines } from './lines.ts';
import type { CallSite, Declaration, DeclarationKind, Local, Outline } from './outline.ts';

const nobody: readonly Draft[] = [];
/** Kinds that carry a fingerprint. */
const compared = new Set<DeclarationKind>([
  'method',
  'constructor',
  'compactConstructor',
  'staticInitializer',
  'instanceInitializer',
  'field',
]);

/** The outline of a text, of which the sheets hold all that was found in it, the skeleton first. */
export function assemble(text: string, sheets: readonly Sheet[], hasCode = true): Outline {
  const starts = lineStartsOf(text);
  const drafts = sheets.flatMap(sheet => sheet.drafts).sort((a, b) => a.start - b.start);
  const children = childrenOf(drafts);
  const { packageName, imports } = sheets[0]!;
  nameTypes(drafts, packageName);
  const calls = sheets.flatMap(sheet => sheet.calls).sort((a, b) => a.nameStart - b.nameStart);
  const locals = sheets.flatMap(sheet => sheet.locals).sort((a, b) => a.nameStart - b.nameStart);
  const problems = sheets.flatMap(sheet => sheet.problems).sort((a, b) => a.start - b.start);
  const declarations: Declaration[] = [];
  const source: Source = { text, starts, declarations, locals: locals.map(local), hasCode };
  for (const draft of drafts) declarations.push(declaration(source, draft, children.get(draft) ?? nobody));
  return {
    packageName,
    imports,
    declarations,
    callSites: calls.map(call => callSite(starts, call)),
    locals: source.locals,
    problems: problems.map(({ message, start, end }) => ({
      message,
      span: { start, end },
      line: lineAt(starts, start),
    })),
    lineStarts: starts,
  };
}

/** Numbers the rows and groups them by owner. */
function childrenOf(drafts: readonly Draft[]): Map<Draft, Draft[]> {
  const children = new Map<Draft, Draft[]>();
  drafts.forEach((draft, row) => {
    draft.row = row;
    if (draft.owner === null) return;
    const siblings = children.get(draft.owner);
    if (siblings) siblings.push(draft);
    else children.set(draft.owner, [draft]);
  });
  return children;
}

function local({ owner, name, type, nameStart, nameEnd }: LocalDraft): Local {
  return { declaration: owner?.row ?? -1, name, type, nameSpan: { start: nameStart, end: nameEnd } };
}

/** What the rows of one outline refer to. */
type Source = {
  readonly text: string;
  readonly starts: Int32Array;
  readonly declarations: readonly Declaration[];
  readonly locals: readonly Local[];
  /** Bodies were read: without them nothing is known of their names, and there are no fingerprints. */
  readonly hasCode: boolean;
};

function declaration(source: Source, draft: Draft, children: readonly Draft[]): Declaration {
  const { text, starts, hasCode } = source;
  const { row } = draft;
  let fingerprint: string | null = null;
  return {
    row: draft.row,
    parent: draft.owner?.row ?? -1,
    kind: draft.kind,
    name: draft.name,
    span: { start: draft.start, end: draft.end },
    nameSpan: { start: draft.nameStart, end: draft.nameEnd },
    body: draft.bodyStart < 0 ? null : { start: draft.bodyStart, end: draft.bodyEnd },
    binaryName: draft.binaryName,
    local: draft.local,
    modifiers: draft.modifiers,
    annotations: draft.annotations,
    typeParameters: draft.typeParameters,
    parameters: draft.parameters,
    type: draft.type,
    supertypes: draft.supertypes,
    lines: ownLines(text, starts, draft, children),
    // Worked out when somebody asks: most outlines are never compared.
    get fingerprint() {
      fingerprint ??= hasCode && compared.has(this.kind) ? fingerprintOf(subjectOf(source, row)) : '';
      return fingerprint;
    },
  };
}

/** The text of the declaration in row `first`, with the names that are chosen freely inside it. */
export function subjectOf(
  { text, declarations, locals }: Pick<Source, 'text' | 'declarations' | 'locals'>,
  first: number,
): Subject {
  const { span, name } = declarations[first]!;
  const free = new Set<string>();
  for (let row = first; row < declarations.length && declarations[row]!.span.start < span.end; row++) {
    const inner = declarations[row]!;
    for (const parameter of inner.typeParameters) free.add(parameter.name);
    if (inner.kind !== 'record') for (const parameter of inner.parameters) free.add(parameter.name);
  }
  for (let i = firstFrom(locals, span.start); i < locals.length && locals[i]!.nameSpan.start < span.end; i++)
    free.add(locals[i]!.name);
  return { text: text.slice(span.start, span.end), name, free };
}

/** Index of the first local at or behind an offset. */
function firstFrom(locals: readonly Local[], offset: number): number {
  let low = 0;
  let high = locals.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (locals[middle]!.nameSpan.start < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

function callSite(starts: Int32Array, call: CallDraft): CallSite {
  const site: CallSite = {
    declaration: call.owner?.row ?? -1,
    kind: call.kind,
    name: call.name,
    argumentCount: call.argumentCount,
    nameSpan: { start: call.nameStart, end: call.nameEnd },
    openParenthesis: call.open,
    line: lineAt(starts, call.at),
  };
  return call.construct === null ? site : { ...site, construct: call.construct };
}
