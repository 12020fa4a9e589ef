// The answer `annotatedFile`: the hints of a Java file as data, at the lines of its present text.

import * as v from 'valibot';
import { changeSchema, described, problemsSchema } from '../../model/terms.ts';
import { allClaims, claimsText } from '../facts/class-claims.ts';
import { commitText } from '../facts/code-state.ts';
import { hintChanges } from '../hints/hint-changes.ts';
import { hintsOf } from '../hints/hints.ts';
import { defineDataAnswer } from './answer.ts';
import { BASELINE, changeOf, LIMIT, listed, listOf, originOf, problemsOf } from './vocabulary.ts';

export const annotatedFile = defineDataAnswer({
  name: 'annotatedFile',
  title: 'File with its hints',
  description:
    'Gives the hot lines of a Java file at their present lines, and says which code changed since it was recorded.',
  parameters: {
    file: described(v.string(), 'Path of the Java file, absolute or relative to the root'),
    ...BASELINE,
    ...LIMIT,
  },
  result: {
    problems: described(problemsSchema, 'Why the recorded text is not known, and which classes several files declare'),
    recordedFrom: described(v.string(), 'Commit of the recorded text; empty if it is not known'),
    ...listOf({
      line: v.number(),
      source: described(v.string(), 'The text of the line, cut to 160 characters'),
      hint: v.string(),
      kind: v.string(),
      heat: described(v.number(), 'The share, 0 to 1'),
      state: described(v.string(), 'State of the declaration since it was recorded'),
      explanations: v.array(v.string()),
      change: v.nullable(changeSchema),
    }),
  },
  async answer(data, given, context) {
    const { path, document } = await context.document(given.file, data);
    const profiled = document.mapped?.profiled;
    const file = { path, recorded: profiled?.path ?? null };
    const compared = await context.baseline(data, given.baseline ?? null, file);
    const baseline = compared?.pairing.state === 'done' ? compared : null;
    const all = hintsOf(document);
    const changes = baseline === null ? null : hintChanges(document, all, baseline);
    // The hottest lines are kept; the answer lists them in the order of the text.
    const { rows, ...counts } = listed(
      all.toSorted((a, b) => b.heat - a.heat),
      given.limit,
    );
    const lines = document.text.split(/\r\n|\r|\n/);
    return {
      origin: originOf(data, baseline?.data ?? null),
      // Fingerprints tell what has changed without the commit.
      problems: problemsOf([
        ...(profiled?.from === 'opened' && profiled.problem !== null ? [profiled.problem] : []),
        ...allClaims(document).map(claims => ({ severity: 'info' as const, message: claimsText(claims) })),
      ]),
      recordedFrom: commitText(profiled?.commit ?? null),
      ...counts,
      rows: rows
        .toSorted((a, b) => a.line - b.line)
        .map(hint => {
          const change = changes?.get(hint);
          return {
            line: hint.line,
            source: (lines[hint.line - 1] ?? '').trim().slice(0, 160),
            hint: hint.text,
            kind: hint.kind,
            heat: hint.heat,
            state: hint.state,
            explanations: [...hint.explanations],
            change: change === undefined ? null : changeOf(change),
          };
        }),
    };
  },
});
