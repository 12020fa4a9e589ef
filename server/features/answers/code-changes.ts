// The answer `codeChanges`: which measured methods have other code than in another version.

import * as v from 'valibot';
import { described, methodSchema, originSchema } from '../../model/terms.ts';
import { baselineOf, defineDataAnswer } from './answer.ts';
import { BASELINE, LIMIT, listed, listOf, methodOf, OFFSET, originOf } from './vocabulary.ts';

export const codeChanges = defineDataAnswer({
  name: 'codeChanges',
  title: 'Methods with other code than in another version',
  description: 'Says of the hot methods that git has in both versions whether their code is another one.',
  whenEmpty: 'git does not have the texts of both versions.',
  parameters: { ...BASELINE, ...LIMIT, ...OFFSET },
  result: {
    origin: originSchema,
    ...listOf({
      method: methodSchema,
      change: described(
        v.picklist(['same', 'changed', 'new']),
        '"same": only its place, name or layout is another one, if anything',
      ),
      path: described(v.string(), 'From the root of the repository'),
      line: v.number(),
      endLine: v.number(),
    }),
  },
  async answer(data, { baseline: version, limit, offset }, context) {
    const { data: earlier } = await baselineOf(context, data, version);
    return context.withCodeOf(data, earlier, async code => {
      const { rows, ...counts } = listed([...(code?.ofMethod ?? [])], limit, offset);
      return {
        origin: originOf(data, earlier),
        ...counts,
        rows: rows.map(([row, source]) => ({ method: methodOf(data, row, new Map()), ...source })),
      };
    });
  },
});
