// Routes of code lenses: complete with title and command in one answer, and asked for again when the rest has been worked out.
import {
  type CancellationToken,
  type CodeLens,
  type CodeLensParams,
  CodeLensRequest,
} from 'vscode-languageserver/node';
import { lensesOf, lensNeeds } from '../../features/lenses.ts';
import { documentNeeds } from '../../features/needs.ts';
import { gather, gatherNew } from '../gather.ts';
import { inSlices } from '../request.ts';
import type { Session } from '../session.ts';
import { codeLens } from '../wire/lens-to-lsp.ts';
import { route } from './route.ts';

/** An editor draws nothing before all its lenses are there. */
const SHORT_MILLIS = 70;
/** The same for clients that cannot be told when the rest is there. */
const LONGEST_MILLIS = 1_000;

export const lensRoutes = [route(CodeLensRequest, lenses)];

async function lenses(
  session: Session,
  { textDocument: { uri } }: CodeLensParams,
  token: CancellationToken,
): Promise<CodeLens[]> {
  const { workspace, features, readiness, refresher, later } = session;
  if (workspace.view().document(uri)?.settings['lenses.enabled'] !== true) return [];
  if (!features.refreshesLenses) await readiness.beforeHints(uri, token);
  await inSlices(workspace.prepare(uri), token);
  const document = workspace.view().document(uri);
  if (document === null || document.mapped === null || token.isCancellationRequested) return [];
  if (!(await gather(session, documentNeeds(document), token))) return [];
  const rest = () => gatherNew(session, lensNeeds(document));
  const millis = features.refreshesLenses ? SHORT_MILLIS : LONGEST_MILLIS;
  await later.within(millis, `lenses ${uri}`, rest, () => refresher.lensesChanged());
  return token.isCancellationRequested ? [] : lensesOf(document).map(lens => codeLens(lens, uri));
}
