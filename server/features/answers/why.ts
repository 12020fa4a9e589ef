// The answer `why`: why a method that ran has the number it has.

import * as v from 'valibot';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { printableLine, printableName } from '../../base/printable.ts';
import { topLevelClass } from '../../mapping/class-names.ts';
import { described, methodSchema, shareSchema } from '../../model/terms.ts';
import { claimsText } from '../facts/class-claims.ts';
import { stateText } from '../facts/code-state.ts';
import { type AskedSubject, askedSubject, codeOfSubject } from '../why/asked-subject.ts';
import { whyOf } from '../why/why.ts';
import { type AnswerContext, defineDataAnswer } from './answer.ts';
import { objectsOfMethods, objectsSchema } from './objects.ts';
import { methodOf, shareOf } from './vocabulary.ts';

const stepsSchema = described(
  v.array(v.object({ method: methodSchema, ofItsTime: shareSchema })),
  'A chain, nearest first: each method calls the one before, or is called by it',
);

export const why = defineDataAnswer({
  name: 'why',
  title: 'Why a method has its number',
  description:
    'Explains the number of a method, or why it has none, with its heaviest way in and on and what can be done.',
  parameters: {
    method: described(
      v.string(),
      'Method: com.acme.Shop.search, Shop#search(String), a name that one method has, id:… of an answer, or file:line[:column]',
    ),
  },
  result: {
    verdict: v.string(),
    subject: v.string(),
    methods: described(v.array(v.string()), 'Runtime methods that are taken together'),
    ofAll: described(v.nullable(shareSchema), 'Null if it was not seen'),
    self: v.nullable(shareSchema),
    recordedAs: described(v.string(), 'Name that it had when it was recorded; empty if it has that name'),
    state: described(v.nullable(v.string()), 'State of the code since it was recorded; null if no source was read'),
    stateText: v.string(),
    claims: described(v.string(), 'Which files declare the class, and which of them ran; empty where one file does'),
    explanation: v.string(),
    remedy: v.string(),
    nearest: v.array(v.string()),
    calledBy: stepsSchema,
    spentIn: stepsSchema,
    objects: objectsSchema,
  },
  async answer(data, given, context) {
    const asked = await askedSubject(context, data, given.method, () => context.data({ ...given, focus: [] }));
    const { subject } = asked;
    const code = codeOfSubject(asked);
    const found = await whyOf(data, subject, context);
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
    const { verdict, methods, total, self, explanation, remedy, nearest } = found;
    return {
      verdict,
      subject: printableName(subject.title),
      methods,
      ...{ ofAll: total && shareOf(data, total), self: self && shareOf(data, self) },
      recordedAs: code?.recordedAs ?? '',
      state: code?.state.name ?? null,
      stateText: code === null ? '' : stateText(code.state),
      claims: await claimsOf(context, data, asked),
      ...{ explanation: printableLine(explanation), remedy: printableLine(remedy) },
      nearest: [...nearest],
      calledBy: stepsOf(into),
      spentIn: stepsOf(on),
      objects: await objectsOfMethods(data, subject.entry?.methods ?? [], context.reach),
    };
  },
});

/** Files that declare the class of the subject are looked for where none was read, too. */
async function claimsOf(
  context: AnswerContext,
  data: LoadedData,
  { subject, document }: AskedSubject,
): Promise<string> {
  const className = topLevelClass(subject.className);
  const files = document === null ? await context.filesOf(className) : [];
  const read = files.length < 2 ? document : (await context.document(files[0]!, data)).document;
  const claims = read?.claims(className) ?? null;
  return claims === null ? '' : claimsText(claims);
}
