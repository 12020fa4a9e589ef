// Diagnostics of edits: methods that are predicted to grow beyond the limit that the settings give, and queries that are newly in a loop.
import type { Diagnostic } from 'vscode-languageserver/node';
import { inTurns } from '../base/pause.ts';
import { predictionDiagnostics, queryDiagnostics } from '../features/prediction/prediction-limit.ts';
import type { Workspace } from '../workspace/state.ts';
import type { Predictions } from './showing/predictions.ts';
import { diagnostic } from './wire/to-lsp.ts';

type Asking = { readonly workspace: Workspace; readonly predictions: Predictions };

/** None for documents that are not open. */
export async function limitDiagnostics({ workspace, predictions }: Asking, uri: string): Promise<Diagnostic[]> {
  await inTurns(workspace.prepare(uri));
  const document = workspace.view().document(uri);
  const data = document?.mapped?.data ?? null;
  if (document === null || data === null) return [];
  const found = await predictions.of(document);
  if (found === null) return [];
  return [...queryDiagnostics(found), ...predictionDiagnostics(document, found, data)].map(each =>
    diagnostic(each, document.outline),
  );
}
