// The answer `comparedSource`: the text of a method in two versions, each as it was recorded, line beside line.

import * as v from 'valibot';
import { AskFailed } from '../../analysis/ask.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { described, originSchema } from '../../model/terms.ts';
import { recordedText } from '../facts/recorded-text.ts';
import { alignLines } from '../text/align-lines.ts';
import { classNameOf } from '../text/runtime-names.ts';
import { type AnswerContext, baselineOf, defineDataAnswer } from './answer.ts';
import { askedMethod, METHOD } from './named-method.ts';
import { BASELINE, originOf } from './vocabulary.ts';

const missingSchema = described(
  v.nullable(v.object({ message: v.string(), remedy: v.string() })),
  'Why the text is not known; then there are no lines',
);

const sideSchema = v.object({
  missing: missingSchema,
  file: described(v.nullable(v.string()), 'In the recorded commit, else below the folder of the project'),
  version: described(v.string(), 'Seven digits of the recorded commit, or the name of the version'),
  firstLine: described(v.number(), 'Line of the first one in the file, from 1'),
  lines: v.array(v.string()),
});
type Side = v.InferOutput<typeof sideSchema>;

export const comparedSource = defineDataAnswer({
  name: 'comparedSource',
  title: 'Source of a method in two versions',
  description: 'Gives the lines of a method as they were recorded in two versions, and which lines differ.',
  parameters: { ...METHOD, ...BASELINE },
  result: {
    origin: originSchema,
    id: described(v.string(), 'Id of the method in the version that has it'),
    before: sideSchema,
    now: sideSchema,
    pairs: described(
      v.array(v.object({ before: v.nullable(v.number()), now: v.nullable(v.number()), same: v.boolean() })),
      'Lines beside each other, by their places in "lines"; null where the other side has no such line',
    ),
  },
  async answer(data, given, context) {
    const baseline = await baselineOf(context, data, given.baseline);
    const { data: earlier, pairing } = baseline;
    const [row, then, id] = await rowsOf(context, data, earlier, given.method, {
      before: now => pairing.rowsOf([now])[0] ?? -1,
      now: before => pairing.becameRows()[before] ?? -1,
    });
    const [before, now] = [await sideOf(context, earlier, then), await sideOf(context, data, row)];
    const pairs = alignLines(before.lines, now.lines);
    return { origin: originOf(data, earlier), id, before, now, pairs: pairs.map(pair => ({ ...pair })) };
  },
});

/** The rows of a method of either version, now and before (−1 where the method did not run), and its id. */
async function rowsOf(
  context: AnswerContext,
  data: LoadedData,
  earlier: LoadedData,
  method: string,
  other: { readonly before: (now: number) => number; readonly now: (before: number) => number },
): Promise<readonly [now: number, before: number, id: string]> {
  const idIn = ({ answers, profile }: LoadedData, row: number) => answers.keysOf(profile.methods).keyOf(row);
  try {
    const [row] = (await askedMethod(context, data, method)).entry.methods as [number];
    return [row, other.before(row), idIn(data, row)];
  } catch (error) {
    if (!(error instanceof AskFailed)) throw error;
    const gone = await askedMethod(context, earlier, method).catch(() => null);
    if (gone === null) throw error;
    const [row] = gone.entry.methods as [number];
    return [other.now(row), row, idIn(earlier, row)];
  }
}

async function sideOf(context: AnswerContext, data: LoadedData, row: number): Promise<Side> {
  const versions = new Set(data.provenance.executions.map(each => each.version));
  const version = [...versions].join(', ').replace(/\b[0-9a-f]{40}\b/g, hash => hash.slice(0, 7));
  const without = (message: string, remedy: string): Side => ({
    ...{ missing: { message, remedy }, file: null, version, firstLine: 0, lines: [] },
  });
  if (row < 0) return without(`it is on no stack of ${version}`, 'see the other version');
  const path = await context.fileOf(classNameOf(data.profile.methods, row));
  if (path === null)
    return without('no source of this method is in the workspace', 'open the folder that has its sources');
  const { document } = await context.document(path, data);
  const found = recordedText(document, row);
  if ('missing' in found) return without(found.missing, found.remedy);
  const { profiled } = document.mapped!;
  // The text on disk would stand on both sides as if nothing had changed.
  if (profiled.from === 'opened') {
    const { message = '', remedy = 'record with the commit as version, in a git repository' } = profiled.problem ?? {};
    return without(`the text that ran is not known${message === '' ? '' : `: ${message}`}`, remedy);
  }
  const { file, firstLine, text } = found;
  return {
    ...{ missing: null, file, version: profiled.commit?.hash.slice(0, 7) ?? version, firstLine },
    lines: [...text],
  };
}
