// How the samples divide among aspects, to pick from: only the samples of one bucket count then.
import type { EditorAnswers } from 'insitu/protocol';
import * as vscode from 'vscode';
import { aspectChoices, OVER_TIME } from './choices.ts';
import { inform } from './notices.ts';
import { pick, tell } from './picking.ts';

const EXAMPLE = 'Copy an example';
const NONE = 'there are no aspects: “aspects” in insitu.json names sets of methods.';

export type AspectSurroundings = {
  /** Lets only the samples of a query count. */
  readonly filter: (path: string) => Promise<void>;
  /** Shows the buckets over time, as a picture. */
  readonly overTime: () => void;
};

export async function showAspects(
  answer: EditorAnswers['aspects'],
  { filter, overTime }: AspectSurroundings,
): Promise<void> {
  tell(answer.problems.map(({ text }) => text));
  if (answer.rows.length === 0) return offerExample(answer);
  const chosen = await pick('Count only the samples of an aspect', aspectChoices(answer));
  if (chosen === undefined) return;
  if (chosen.value === OVER_TIME) overTime();
  else if (chosen.value === null) tell([`${chosen.label}: ${chosen.description}.`]);
  else await filter(chosen.value.query);
}

/** Made of the program's packages that cost most. */
async function offerExample({ example, problems }: EditorAnswers['aspects']): Promise<void> {
  if (problems.length > 0) return;
  const buttons = example.length === 0 ? [] : [EXAMPLE];
  const chosen = await inform(`insitu: ${NONE}`, ...buttons);
  if (chosen !== EXAMPLE) return;
  await vscode.env.clipboard.writeText(`"aspects": ${JSON.stringify(example, null, 2)}`);
  tell(['the example is copied: it belongs between the braces of insitu.json.']);
}
