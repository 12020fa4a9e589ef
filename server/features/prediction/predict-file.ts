// The cost of the edits of a document: gives the question the methods that have changed, with their recorded code.
import { lineAt } from '../../../grammar/lines.ts';
import type { Declaration, Outline } from '../../../grammar/outline.ts';
import { inlineReach, type Reach } from '../../analysis/ask.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { type Assumptions, NOTHING_ASSUMED } from '../../analysis/prediction/assumptions.ts';
import type { EditedMethod, WrittenMethod } from '../../analysis/prediction/method-code.ts';
import type { PredictedFile } from '../../analysis/prediction/prediction.ts';
import type { DocumentMap } from '../../mapping/document-map.ts';
import type { TextComparison } from '../../mapping/stale/text-comparison.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import { comparisonFor } from '../facts/recorded-place.ts';
import { hasTimes } from '../text/times-text.ts';
import { constantsOf, renamedOf } from './name-meanings.ts';
import { isUnfinished, UNFINISHED } from './unfinished.ts';

const nothing = (obstacle: PredictedFile['obstacle']): PredictedFile => ({
  ...{ methods: [], callers: [], unpredicted: [] },
  obstacle,
});

/** @param ask where the question is answered: in this thread when absent */
export async function predictFile(
  document: DocumentView,
  data: LoadedData,
  assumptions: Assumptions = NOTHING_ASSUMED,
  ask: Reach['ask'] = inlineReach.ask,
): Promise<PredictedFile> {
  if (!hasTimes(data)) return nothing('notTimed');
  const { mapped, outline, text } = document;
  // Other texts stand in for the recorded one: what differs from them need not be new.
  const recorded = mapped?.profiled.from === 'commit' ? mapped.profiled.text : null;
  if (mapped === null || recorded === null) return nothing('textUnknown');
  const { comparison } = mapped;
  if (comparison === null) return nothing(null);
  const constants = {
    before: constantsOf(comparison.profiled, recorded),
    after: constantsOf(outline, text),
  };
  const all = editedMethods(document, comparison, constants);
  const open = all.filter(({ declaration }) => isUnfinished(text, outline, outline.declarations[declaration]!));
  const edited = all.filter(method => !open.includes(method));
  const unpredicted = open.map(({ declaration, name, nameLine: line }) => ({
    declaration,
    name,
    line,
    reason: UNFINISHED,
  }));
  if (edited.length === 0) return { ...nothing(null), unpredicted };
  const found = await ask(data, 'prediction', {
    ...{ edited, assumptions },
    before: {
      text: recorded,
      methods: methodsOf(comparison.profiled, mapped.recorded),
      names: { constants: constants.before, renamed: renamedOf(comparison) },
    },
    after: { text, methods: methodsOf(outline, mapped.map), names: { constants: constants.after, renamed: {} } },
  });
  return { ...found, unpredicted: [...found.unpredicted, ...unpredicted] };
}

type Constants = Readonly<Record<string, string>>;

function editedMethods(
  document: DocumentView,
  comparison: TextComparison,
  constants: { readonly before: Constants; readonly after: Constants },
): EditedMethod[] {
  const { outline, mapped, text } = document;
  const { before, after } = constants;
  const changed = Object.keys(before).filter(name => Object.hasOwn(after, name) && after[name] !== before[name]);
  const named =
    changed.length === 0
      ? null
      : new RegExp(`(?<![\\w$])(?:${changed.map(name => name.replaceAll('$', '\\$')).join('|')})(?![\\w$])`);
  const isEdited = ({ row, span }: Declaration) => {
    const state = comparison.stateOf(row);
    // A constant that has another value may be how often a loop runs.
    return state === 'changed' || (state !== 'new' && named?.test(text.slice(span.start, span.end)) === true);
  };
  const rowsOf = rowsByDeclaration(mapped!.map);
  return outline.declarations.flatMap((declaration): EditedMethod[] => {
    const { kind, row, nameSpan } = declaration;
    if (kind !== 'method' && kind !== 'constructor') return [];
    // A method that came from another file is not compared with that file.
    if (comparisonFor(document, row) !== comparison || !isEdited(declaration)) return [];
    const { profiled } = comparison;
    const recorded = profiled.declarations[comparison.profiledRow(row)]!;
    const rows = rowsOf.get(row) ?? [];
    return [
      {
        ...written(outline, declaration, rows),
        declaration: row,
        nameLine: lineAt(outline.lineStarts, nameSpan.start),
        before: written(profiled, recorded, rows),
      },
    ];
  });
}

function rowsByDeclaration({ declarations }: DocumentMap): ReadonlyMap<number, readonly number[]> {
  return new Map(declarations.map(({ declaration, methods }) => [declaration, methods]));
}

function methodsOf(outline: Outline, map: DocumentMap): WrittenMethod[] {
  const rowsOf = rowsByDeclaration(map);
  const methods = outline.declarations.filter(({ kind, body }) => kind === 'method' && body !== null);
  return methods.map(each => written(outline, each, rowsOf.get(each.row) ?? []));
}

function written(
  { declarations, lineStarts }: Outline,
  declaration: Declaration,
  rows: readonly number[],
): WrittenMethod {
  const { name, kind, parameters, span, parent } = declaration;
  const type = declarations[parent]?.name ?? '';
  return {
    ...{ name, span, rows, parameters: parameters.length },
    title: type === '' ? name : `${type}.${name}`,
    isConstructor: kind === 'constructor',
    line: lineAt(lineStarts, span.start),
  };
}
