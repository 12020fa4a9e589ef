// The findings of a comparison, to pick from, and the views of each finding.
import type { EditorAnswers, EditorMethod, Location } from 'insitu/protocol';
import * as vscode from 'vscode';
import type { Ask } from './calls.ts';
import { inform } from './notices.ts';
import { goTo } from './open-source.ts';
import { pick } from './picking.ts';
import type { ShowSources } from './recorded-sources.ts';
import { placeText } from './rows.ts';
import { shownText } from './shown-text.ts';

type Finding = EditorAnswers['compare']['reports'][number];
type Given = { readonly method: EditorMethod };

export type FindingSurroundings = {
  readonly ask: Ask;
  readonly sources: ShowSources;
  readonly blueprint: (given: Given) => Promise<void>;
  readonly why: (given: Given) => Promise<void>;
};

const MOVED = 'Whose share moved';
const BLUEPRINT = 'Blueprint';

/** Lists what a test found slower or faster; without a finding it is said why there is none. @param baseline name of a version for people */
export async function showFindings(
  surroundings: FindingSurroundings,
  nameOf: (version: string) => string,
): Promise<void> {
  const answer = await surroundings.ask('compare', { limit: 1 });
  if (answer === null) return;
  const { origin, reports, jvms, sentence } = answer;
  if (reports.length === 0) return offerPictures(sentence);
  const title = `Findings against ${nameOf(origin.baseline ?? '')} (${jvms.before} + ${jvms.now} JVMs)`;
  const chosen = await pick(title, reports.map(findingChoice));
  if (chosen !== undefined) await showFinding(surroundings, chosen.value);
}

function findingChoice(finding: Finding) {
  const { sentence, commit, method } = finding;
  return { label: sentence, description: commit?.subject ?? '', detail: placeText(method), value: finding };
}

async function showFinding(surroundings: FindingSurroundings, { method, sentence }: Finding): Promise<void> {
  const { blueprint, why } = surroundings;
  const { location } = method;
  const chosen = await pick(sentence, [
    ...(location === null ? [] : [action('Open the source', () => goTo(location as Location))]),
    action('Open the source of both versions', () => showBothVersions(surroundings, method)),
    action('Open the blueprint', () => blueprint({ method })),
    action('Why it has its number', () => why({ method })),
  ]);
  await chosen?.value();
}

function action(label: string, value: () => Promise<void>) {
  return { label, description: '', value };
}

async function showBothVersions({ ask, sources }: FindingSurroundings, method: EditorMethod): Promise<void> {
  const { className, name, descriptor, label } = method;
  const answer = await ask('comparedSource', { method: { className, name, descriptor } });
  if (answer !== null) await sources(label, answer);
}

async function offerPictures(sentence: string): Promise<void> {
  const chosen = await inform(`insitu: ${shownText(sentence)}.`, MOVED, BLUEPRINT);
  if (chosen === MOVED) await vscode.commands.executeCommand('insitu.moved');
  if (chosen === BLUEPRINT) await vscode.commands.executeCommand('insitu.showWholeBlueprint');
}
