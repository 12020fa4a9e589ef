// Predictions of harmless edits: every method of a file counts as timed, with all calls of methods of the file that stand in its code.
import { outlineOf } from '../../../grammar/parse.ts';
import type { LoadedData } from '../../../server/analysis/loaded-data.ts';
import { GrowingTimes } from '../../../server/cct/times.ts';
import { predictFile } from '../../../server/features/prediction/predict-file.ts';
import { predictionText } from '../../../server/features/prediction/prediction-text.ts';
import { openedText } from '../../../server/mapping/recorded/profiled-text.ts';
import { documentWithData } from '../../../server/workspace/document/document-view.ts';
import { KeptMapping } from '../../../server/workspace/document/kept-mapping.ts';
import { loadedFrom } from '../profiles/loaded.ts';
import { methodRows, profileOfText } from '../profiles/profiles.ts';
import type { HarmlessEdit } from './harmless-edits.ts';

const RUNS = 20;
const NANOS = 1e6;

/** The predictions for a harmless edit: there should be none. @param path of the file */
export async function toldOfHarmless({ before, after }: HarmlessEdit, path: string): Promise<string[]> {
  const data = timed(before, path);
  const mapping = new KeptMapping({ ...openedText(before), from: 'commit' });
  const { methods, unpredicted } = await predictFile(documentWithData(after, data, undefined, path, { mapping }), data);
  return [...methods, ...unpredicted].map(each =>
    'reason' in each
      ? `${each.name}: ${each.reason}`
      : `${each.name}: ${predictionText(each)}: ${each.terms.map(({ callee, change, reason }) => `${callee} ${change} ${reason}`).join('; ')}`,
  );
}

function timed(text: string, path: string): LoadedData {
  const { declarations, callSites } = outlineOf(text, path);
  const methods = declarations.filter(
    ({ kind, body, parent }) => kind === 'method' && body !== null && (declarations[parent]?.binaryName ?? '') !== '',
  );
  const nameOf = (row: number) => `${declarations[declarations[row]!.parent]!.binaryName}.${declarations[row]!.name}`;
  const names = [...new Set(methods.map(({ row }) => nameOf(row)))];
  const profile = profileOfText(names.map(name => `${name} | 10@3`).join('\n'));
  const rows = methodRows(profile);
  const times = new GrowingTimes();
  for (const name of names) for (let run = 0; run < RUNS; run++) times.addCall(rows.get(name)!, 0, 0, 20 * NANOS);
  const byName = new Map(methods.map(({ name, row }) => [name, nameOf(row)]));
  for (const { declaration, name, kind } of callSites) {
    const [caller, callee] = [names.includes(safeName(declaration)) ? safeName(declaration) : null, byName.get(name)];
    if (kind !== 'call' || caller === null || callee === undefined) continue;
    for (let run = 0; run < RUNS; run++) times.addCall(rows.get(callee)!, rows.get(caller)!, 0, NANOS);
  }
  return loadedFrom({ ...profile, times: times.finish()! });

  function safeName(row: number): string {
    const { parent } = declarations[row]!;
    return parent < 0 ? '' : nameOf(row);
  }
}
