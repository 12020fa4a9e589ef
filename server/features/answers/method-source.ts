// The answer `methodSource`: the text of a method as it was recorded, with the samples of each line.

import * as v from 'valibot';
import { AskFailed } from '../../analysis/ask.ts';
import { NO_AMOUNT } from '../../metrics/analysis.ts';
import { described, methodSchema, shareSchema } from '../../model/terms.ts';
import { recordedText } from '../facts/recorded-text.ts';
import { classNameOf } from '../text/runtime-names.ts';
import { defineDataAnswer } from './answer.ts';
import { askedMethod, METHOD } from './named-method.ts';
import { LIMIT_OF_ALL, listed, listOf, methodOf, originOf, shareOf } from './vocabulary.ts';

const NO_SOURCE = {
  missing: 'no source of this method is in the workspace',
  remedy: 'open the folder that has its sources',
};

export const methodSource = defineDataAnswer({
  name: 'methodSource',
  title: 'Source of a method with its heat',
  description: 'Gives the lines of a method as they were recorded, each with its part of everything.',
  parameters: { ...METHOD, ...LIMIT_OF_ALL },
  result: {
    subject: methodSchema,
    missing: described(
      v.nullable(v.object({ message: v.string(), remedy: v.string() })),
      'Why the text is not known; then the rows are the recorded lines without their text',
    ),
    file: described(v.nullable(v.string()), 'In the recorded commit, else below the folder of the project'),
    version: described(v.string(), 'Seven digits of the recorded commit, or the name of the version'),
    changed: described(v.boolean(), 'Whether the code of today is another one'),
    ...listOf({
      line: v.number(),
      text: v.nullable(v.string()),
      total: described(shareSchema, 'The line and what it calls, as part of everything'),
      self: described(shareSchema, 'The line itself, as part of everything'),
    }),
  },
  async answer(data, given, context) {
    const [row] = (await askedMethod(context, data, given.method)).entry.methods as [number];
    const of = data.answers.keysOf(data.profile.methods).keyOf(row);
    const { value, problems } = await context.reach.ask(data, 'lineTimes', { of });
    if (value === null) throw new AskFailed(problems);
    const path = await context.fileOf(classNameOf(data.profile.methods, row));
    const document = path === null ? null : (await context.document(path, data)).document;
    const found = document === null ? NO_SOURCE : recordedText(document, row);
    const byLine = new Map(value.lines.map(each => [each.line, each]));
    const lines: readonly { readonly line: number; readonly text: string | null }[] =
      'missing' in found
        ? value.lines.map(({ line }) => ({ line, text: null }))
        : found.text.map((text, at) => ({ line: found.firstLine + at, text }));
    const { rows, ...counts } = listed(lines, given.limit ?? lines.length);
    const origin = originOf(data);
    return {
      origin,
      subject: methodOf(data, row, await context.places(data, [row])),
      missing: 'missing' in found ? { message: found.missing, remedy: found.remedy } : null,
      file: 'missing' in found ? null : found.file,
      version: document?.mapped?.profiled.commit?.hash.slice(0, 7) ?? origin.versions.join(', '),
      changed: 'missing' in found ? false : found.changed,
      ...counts,
      rows: rows.map(({ line, text }) => {
        const { total = NO_AMOUNT, self = NO_AMOUNT } = byLine.get(line) ?? {};
        return { line, text, total: shareOf(data, total), self: shareOf(data, self) };
      }),
    };
  },
});
