// The source of answers to questions about calls: the document or the workspace, once its data and its other files are there.
import type { CancellationToken } from 'vscode-languageserver/node';
import type { Asking } from '../../features/calls/locate.ts';
import { documentNeeds } from '../../features/needs.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import { gather } from '../gather.ts';
import { inSlices } from '../request.ts';
import type { Session } from '../session.ts';

/** A request waits no longer for other files to be known; answers name the methods that are not found yet. */
const LONGEST_WAIT_MILLIS = 1_000;

/** The document with its numbers when its data and other files are there, or will not come soon. */
export async function documentFor(
  session: Session,
  uri: string,
  token: CancellationToken,
): Promise<DocumentView | null> {
  await whenReady(session, uri, token);
  const document = session.workspace.view().document(uri);
  if (document === null || !(await gather(session, documentNeeds(document), token))) return null;
  return document;
}

/** Resolves when the data of the document, or of the workspace, and all other files are there, or will not come soon. */
export async function whenReady(session: Session, uri: string | null, token: CancellationToken): Promise<void> {
  session.workspace.files.begin();
  await session.readiness.beforeHints(uri, token);
  if (uri !== null) await inSlices(session.workspace.prepare(uri), token);
  await session.workspace.files.whenComplete(LONGEST_WAIT_MILLIS);
}

/** The document that a hierarchy began in; where it is closed, the data of the workspace's first source. */
export function askingFor({ workspace }: Session, uri: string): Asking | null {
  const view = workspace.view();
  const document = view.document(uri);
  if (document !== null) return document;
  const [first] = view.sources;
  const settings = view.configuration(null)?.settings;
  if (first === undefined || first.state === null || settings === undefined) return null;
  return { uri, state: first.state, source: first.source, settings, files: workspace.files };
}

/** Other files may have been recorded with other texts than those on disk: where that comes out, the answer is worked out again. */
export async function withProfiledTexts<T>(asking: Asking, answer: () => Promise<T>): Promise<T> {
  const first = await answer();
  return (await asking.files?.learn(asking)) ? answer() : first;
}
