// Finds the data that a question is about: the data of an open document, or of the workspace's first source.

import { relative } from 'node:path';
import type { Baseline } from '../../analysis/baseline.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { defaultSettings, type Settings } from '../../base/config.ts';
import type { Places } from '../../features/answers/vocabulary.ts';
import { subjectOf } from '../../features/calls/implementation.ts';
import { locateAll, type PlaceInFile } from '../../features/calls/locate.ts';
import { type Subject as FoundSubject, subjectNamed } from '../../features/facts/subject.ts';
import { askedOffset } from '../../features/hover/hover-target.ts';
import { documentNeeds } from '../../features/needs.ts';
import { shortDataText } from '../../features/text/data-text.ts';
import { pathOfUri } from '../../mapping/file-uris.ts';
import type { Place } from '../../model/terms.ts';
import type { WantedSource } from '../../workspace/data/wanted-sources.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import { seenWithData } from '../../workspace/files/seen-with.ts';
import type { Configuration } from '../../workspace/settings/configuration.ts';
import type { View } from '../../workspace/state.ts';
import { gather, reachOf, withoutFocus } from '../gather.ts';
import type { About, TextDocumentIdentifier } from '../protocol.ts';
import { inSlices } from '../request.ts';
import { waitWithProgress } from '../showing/task-progress.ts';
import type { Context } from './operation.ts';
import type { AskedSubject } from './operation-parameters.ts';

/** Everything that a question may be answered from. */
export type Asked = {
  /** Of the document; null where the question is about the workspace. */
  readonly uri: string | null;
  readonly document: DocumentView | null;
  readonly wanted: WantedSource | null;
  readonly settings: Settings;
  /** null where nothing could be loaded. */
  readonly data: LoadedData | null;
  /** null where there is none (yet), and while it is not known which of its methods the shown ones have been. */
  readonly baseline: Baseline | null;
};

/** The same where there are data. */
export type AskedData = Asked & { readonly data: LoadedData };

/** Waits for the first data, as requests for hints do. */
export async function ask({ session, token }: Context, { textDocument }: About): Promise<Asked> {
  const { workspace } = session;
  const open = textDocument !== undefined && workspace.view().document(textDocument.uri) !== null;
  const uri = open ? textDocument.uri : null;
  await session.readiness.beforeHints(uri, token);
  if (uri !== null) await inSlices(workspace.prepare(uri), token);
  const view = workspace.view();
  const document = uri === null ? null : view.document(uri);
  const wanted = wantedBy(view.sources, document);
  const data = (document === null ? wanted?.state?.data : document.state.data) ?? null;
  const baseline = document === null ? pairedBaseline(wanted) : document.baseline;
  const settings = document?.settings ?? view.configuration(null)?.settings ?? defaultSettings();
  return { uri, document, wanted, settings, data, baseline };
}

/** The same about another source of the workspace, as it is now. */
export function askedAbout(view: View, wanted: WantedSource): Asked {
  return {
    ...{ uri: null, document: null, wanted },
    settings: configurationOf(view, wanted)?.settings ?? defaultSettings(),
    data: wanted.state?.data ?? null,
    baseline: pairedBaseline(wanted),
  };
}

/** The configuration that a source comes from. */
export function configurationOf(view: View, { source }: WantedSource): Configuration | null {
  return view.configurations.find(({ root }) => root === source.wish.root) ?? null;
}

/** From its beginning on, an answer waits no longer for renames than this, and says then that they are not known: it comes within 5 s. */
const LONGEST_PAIRING_MILLIS = 3_500;

/** The same for a comparison, which waits until the methods of the baseline are paired with the shown ones. */
export async function askCompared(context: Context, about: About): Promise<Asked> {
  const begun = performance.now();
  const asked = await ask(context, about);
  if ((asked.wanted?.baseline ?? null) === null) return asked;
  const { session, token } = context;
  const title = 'insitu: comparing the texts of both versions';
  await waitWithProgress(cancel => session.beginProgress(title, cancel), {
    work: onProgress => session.whenPaired(asked.uri, onProgress),
    token,
    longestMillis: Math.max(0, begun + LONGEST_PAIRING_MILLIS - performance.now()),
  });
  return ask(context, about);
}

function wantedBy(sources: readonly WantedSource[], document: DocumentView | null): WantedSource | null {
  const own = document === null ? sources[0] : sources.find(({ source }) => source === document.source);
  return own ?? null;
}

function pairedBaseline(wanted: WantedSource | null): Baseline | null {
  const compared = wanted?.baseline?.compared ?? null;
  return compared?.pairing.state === 'done' ? compared : null;
}

/** Where there are data: those, else null. */
export function hasData(asked: Asked): asked is AskedData {
  return asked.data !== null;
}

/** The same whatever the focus is: for questions about what runs outside of it. Of all else than shares. */
async function unfocused({ session, token }: Context, asked: AskedData): Promise<AskedData> {
  const { data, document } = asked;
  const all = await withoutFocus(session.questions, data, token);
  return { ...asked, data: all, document: document === null ? null : seenWithData(document, all) };
}

/** The methods of a question's subject in the data, or where there are none, outside of their focus. */
export async function subjectAnywhere(
  context: Context,
  asked: AskedData,
  subject: AskedSubject,
): Promise<FoundSubject | null> {
  const found = await subjectIn(context, asked, subject);
  if (found !== null || (asked.data.selection.focus ?? []).length === 0) return found;
  return subjectIn(context, await unfocused(context, asked), subject);
}

/** The methods of a question's subject in the data; null where nothing of it ran. */
async function subjectIn(
  { session, token }: Context,
  { data, document }: AskedData,
  { position, method }: AskedSubject,
): Promise<FoundSubject | null> {
  if (method !== undefined) return subjectNamed(data, method);
  if (document === null || document.mapped === null || position === undefined) return null;
  if (!(await gather(session, documentNeeds(document), token))) return null;
  const offset = askedOffset(document, position);
  return subjectOf(document, data, offset, reachOf(session, token));
}

/** Places looked for together: files that are not remembered have to be read and parsed. */
const PLACES_AT_ONCE = 50;
/** A method that is not found by then has no place in this answer. */
const PLACES_MILLIS = 1_000;

/**
 * Finds the places of methods, those named first first, before a locator is asked for them: files are read without stopping
 * others, for a second at most.
 */
export async function placesOf(
  { session, token }: Context,
  asked: AskedData,
  { rows, root }: { readonly rows: readonly number[]; readonly root: string },
): Promise<Places> {
  const { data, settings, wanted } = asked;
  const state = { kind: 'ready', data, problems: [] } as const;
  const asking = asked.document ?? { state, settings, source: wanted?.source ?? null, files: session.workspace.files };
  const places = new Map<number, Place>();
  const { turn } = reachOf(session, token);
  const end = performance.now() + PLACES_MILLIS;
  for (let at = 0; at < rows.length && performance.now() < end; at += PLACES_AT_ONCE) {
    const some = rows.slice(at, at + PLACES_AT_ONCE);
    for (const [row, place] of await locateAll(asking, some, turn))
      if (place !== null) places.set(row, placeIn(root, place));
  }
  return places;
}

/** Files of this machine by their paths, paths below the root relative to it; others by their addresses. */
function placeIn(root: string, { uri, range, certain }: PlaceInFile): Place {
  const path = pathOfUri(uri);
  const { line, character } = range.start;
  return { file: path === null ? uri : relative(root, path), line: line + 1, column: character + 1, certain };
}

/** One line that says what the numbers stand on; empty where there are none. */
export async function originText(context: Context, textDocument: TextDocumentIdentifier | undefined): Promise<string> {
  const asked = await ask(context, textDocument === undefined ? {} : { textDocument });
  return hasData(asked) ? `${asked.data.provenance.project}/${shortDataText(asked.data)}` : '';
}
