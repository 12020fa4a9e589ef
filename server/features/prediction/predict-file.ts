// The cost of the edits of a document: gives the question the methods that have changed, with their recorded code.
import { lineAt } from '../../../grammar/lines.ts';
import type { Declaration, Outline } from '../../../grammar/outline.ts';
import { inlineReach, type Reach } from '../../analysis/ask.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { type Assumptions, NOTHING_ASSUMED } from '../../analysis/prediction/assumptions.ts';
import type { EditedMethod } from '../../analysis/prediction/edited-method.ts';
import type { WrittenMethod } from '../../analysis/prediction/method-code.ts';
import type { PredictedFile } from '../../analysis/prediction/prediction.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import { entryOf } from '../facts/entry-of.ts';
import { comparisonFor } from '../facts/recorded-place.ts';
import { hasTimes } from '../text/times-text.ts';

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
  if (recorded === null) return nothing('textUnknown');
  const edited = editedMethods(document);
  if (edited.length === 0) return nothing(null);
  const methods = outline.declarations.filter(({ kind, body }) => kind === 'method' && body !== null);
  return ask(data, 'prediction', {
    ...{ text, recorded, edited, assumptions },
    methods: methods.map(each => written(outline, each)),
  });
}

function editedMethods(document: DocumentView): EditedMethod[] {
  const { outline, mapped } = document;
  return outline.declarations.flatMap((declaration): EditedMethod[] => {
    const { kind, row, nameSpan } = declaration;
    if (kind !== 'method' && kind !== 'constructor') return [];
    const comparison = comparisonFor(document, row);
    // A method that came from another file is not compared with that file.
    if (comparison === null || mapped?.comparison !== comparison || comparison.stateOf(row) !== 'changed') return [];
    const { profiled } = comparison;
    return [
      {
        ...written(outline, declaration),
        declaration: row,
        nameLine: lineAt(outline.lineStarts, nameSpan.start),
        rows: entryOf(document, row)?.methods ?? [],
        before: written(profiled, profiled.declarations[comparison.profiledRow(row)]!),
      },
    ];
  });
}

function written({ declarations, lineStarts }: Outline, declaration: Declaration): WrittenMethod {
  const { name, kind, parameters, span, parent } = declaration;
  const type = declarations[parent]?.name ?? '';
  return {
    ...{ name, span, parameters: parameters.length },
    title: type === '' ? name : `${type}.${name}`,
    isConstructor: kind === 'constructor',
    line: lineAt(lineStarts, span.start),
  };
}
