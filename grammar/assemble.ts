// Sheets → outline: sorts and numbers the rows, names the types, turns offsets into lines.
import { nameTypes } from './binary-names.ts';
import type { CallDraft, Draft, Sheet } from './draft.ts';
import { fingerprintOf } from './fingerprint.ts';
import { lineAt, lineStartsOf, ownLines } from './lines.ts';
import type { CallSite, Declaration, Outline } from './outline.ts';

const nobody: readonly Draft[] = [];

/** The outline of a text, of which `sheet` holds all that was found in it. */
export function assemble(text: string, sheet: Sheet): Outline {
  const starts = lineStartsOf(text);
  const drafts = [...sheet.drafts].sort((a, b) => a.start - b.start);
  const children = new Map<Draft, Draft[]>();
  drafts.forEach((draft, row) => {
    draft.row = row;
    if (draft.owner === null) return;
    const siblings = children.get(draft.owner);
    if (siblings) siblings.push(draft);
    else children.set(draft.owner, [draft]);
  });
  nameTypes(drafts, sheet.packageName);
  const calls = [...sheet.calls].sort((a, b) => a.nameStart - b.nameStart);
  const locals = [...sheet.locals].sort((a, b) => a.nameStart - b.nameStart);
  return {
    packageName: sheet.packageName,
    imports: sheet.imports,
    declarations: drafts.map(draft => declaration(text, starts, draft, children.get(draft) ?? nobody)),
    callSites: calls.map(call => callSite(starts, call)),
    locals: locals.map(local => ({
      declaration: local.owner?.row ?? -1,
      name: local.name,
      type: local.type,
      nameSpan: { start: local.nameStart, end: local.nameEnd },
    })),
    problems: sheet.problems
      .sort((a, b) => a.start - b.start)
      .map(({ message, start, end }) => ({ message, span: { start, end }, line: lineAt(starts, start) })),
    lineStarts: starts,
  };
}

function declaration(text: string, starts: Int32Array, draft: Draft, children: readonly Draft[]): Declaration {
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
      fingerprint ??= fingerprintOf(text.slice(draft.start, draft.end), draft.kind);
      return fingerprint;
    },
  };
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
