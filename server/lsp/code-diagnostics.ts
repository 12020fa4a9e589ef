// Diagnostics of open Java files: methods whose code has changed since it was recorded, methods that a comparison found slower or faster, and methods whose share has grown.
import type { Diagnostic } from 'vscode-languageserver/node';
import type { Door } from '../analysis/ask.ts';
import { inTurns } from '../base/pause.ts';
import { findingDiagnostics } from '../features/diagnostics/finding-diagnostics.ts';
import { regressionDiagnostics } from '../features/diagnostics/regression-diagnostics.ts';
import { staleDiagnostics } from '../features/diagnostics/stale-diagnostics.ts';
import { documentNeeds } from '../features/needs.ts';
import type { Workspace } from '../workspace/state.ts';
import { gather } from './gather.ts';
import type { RequestLog } from './request.ts';
import type { ShownFindings } from './showing/shown-findings.ts';
import { diagnostic } from './wire/to-lsp.ts';

type Asking = {
  readonly workspace: Workspace;
  readonly questions: Door;
  readonly log: RequestLog;
  readonly findings: ShownFindings;
};

/** None for documents that are not open. Rejects with `AskFailed` when numbers cannot be asked for. */
export async function codeDiagnostics(asking: Asking, uri: string): Promise<Diagnostic[]> {
  const { workspace } = asking;
  await inTurns(workspace.prepare(uri));
  const document = workspace.view().document(uri);
  if (document === null || !(await gather(asking, documentNeeds(document)))) return [];
  const findings = await asking.findings.of(document);
  // A finding explains its method's callers too: one cause is one diagnostic.
  const slower = findings.length > 0 ? findingDiagnostics(document, findings) : regressionDiagnostics(document);
  return [...staleDiagnostics(document), ...slower].map(each => diagnostic(each, document.outline));
}
