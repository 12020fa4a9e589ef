// The answer `why`: why a method that ran has the number it has.

import * as v from 'valibot';
import { methodsNamed } from '../../analysis/named-methods.ts';
import { whyOf } from '../why/why.ts';
import { subjectOfMethod } from '../why/why-subject.ts';
import { defineAnswer } from './answer.ts';
import { METHOD, namedMethod } from './named-method.ts';
import { CHOICE, methodOf, methodSchema, originOf, originSchema, shareOf, shareSchema } from './vocabulary.ts';

const stepsSchema = v.array(v.object({ method: methodSchema, ofItsTime: shareSchema }));

export const why = defineAnswer({
  name: 'why',
  title: 'Why a method has its number',
  description:
    'Explains the number of a method, or why it has none, with its heaviest way in and on and what can be done.',
  parameters: v.strictObject({ ...METHOD, ...CHOICE }),
  result: v.object({
    origin: originSchema,
    verdict: v.string(),
    subject: v.string(),
    explanation: v.string(),
    remedy: v.string(),
    nearest: v.array(v.string()),
    calledBy: stepsSchema,
    spentIn: stepsSchema,
  }),
  async answer(context, given) {
    const data = await context.data(given);
    const [className, method] = namedParts(data, given.method);
    const subject = subjectOfMethod(data, className, method, null);
    const found = await whyOf(data, subject, context.settings, { reader: 'command line', reach: context.reach });
    const { into, on } = found.ways ?? { into: [], on: [] };
    const places = await context.places(
      data,
      [...into, ...on].map(step => step.method),
    );
    const stepsOf = (steps: typeof into) =>
      steps.map(({ method: row, part, whole }) => ({
        method: methodOf(data, row, places),
        ofItsTime: shareOf(data, part, whole),
      }));
    const { verdict, explanation, remedy, nearest } = found;
    return {
      origin: originOf(data),
      verdict,
      subject: found.subject,
      explanation,
      remedy,
      nearest: [...nearest],
      calledBy: stepsOf(into),
      spentIn: stepsOf(on),
    };
  },
});

/** Class and method; a method that never ran is taken as it is written if a class is written with it. */
function namedParts(data: Parameters<typeof namedMethod>[0], text: string): readonly [string, string] {
  const [, written, last] = /^([^#(]+)[#.]([^#.(]+(?:\(.*\))?)$/s.exec(text.trim()) ?? [];
  if (written !== undefined && last !== undefined && methodsNamed(data.profile.methods, text).length === 0)
    return [written, last];
  const { name } = namedMethod(data, text);
  const at = name.lastIndexOf('.');
  const parameters = /\(.*$/s.exec(text)?.[0] ?? '';
  const method = name
    .slice(at + 1)
    .replace(/^<init>$/, 'new')
    .replace(/^<clinit>$/, 'static');
  return [name.slice(0, Math.max(at, 0)), `${method}${parameters}`];
}
