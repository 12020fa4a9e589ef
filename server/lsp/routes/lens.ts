// Routes of code lenses: complete with title and command in one answer, and asked for again when the rest has been worked out.
import {
  type CancellationToken,
  type CodeLens,
  type CodeLensParams,
  CodeLensRequest,
} from 'vscode-languageserver/node';
import { lensesOf, lensNeeds } from '../../features/lenses.ts';
import { documentNeeds } from '../../features/needs.ts';
import { gather } from '../gather.ts';
import { inSlices, wrapRequest } from '../request.ts';
import type { Session } from '../session.ts';
import { Later } from '../showing/later.ts';
import { answeredAsText, type JsonText } from '../wire/json-text.ts';
import { LensWriter } from '../wire/lens-to-lsp.ts';

/** An editor draws nothing before all its lenses are there. */
const SHORT_MILLIS = 70;
/** The same for clients that cannot be told when the rest is there. */
const LONGEST_MILLIS = 1_000;

export function registerLensRoutes(session: Session): void {
  const routes = new LensRoutes(session);
  session.connection.onRequest<CodeLens[] | JsonText<CodeLens[]> | null, void>(
    answeredAsText(CodeLensRequest),
    wrapRequest(
      CodeLensRequest.method,
      (params: CodeLensParams, token: CancellationToken) => routes.lenses(params, token),
      session.log,
    ),
  );
}

class LensRoutes {
  readonly #session: Session;
  readonly #later = new Later();
  readonly #writer = new LensWriter();

  constructor(session: Session) {
    this.#session = session;
  }

  async lenses(
    { textDocument: { uri } }: CodeLensParams,
    token: CancellationToken,
  ): Promise<CodeLens[] | JsonText<CodeLens[]>> {
    const { workspace, features, readiness, refresher } = this.#session;
    if (workspace.view().document(uri)?.settings['lenses.enabled'] !== true) return [];
    if (!features.refreshesLenses) await readiness.beforeHints(uri, token);
    await inSlices(workspace.prepare(uri), token);
    const document = workspace.view().document(uri);
    if (document === null || document.mapped === null || token.isCancellationRequested) return [];
    if (!(await gather(this.#session, documentNeeds(document), token))) return [];
    const rest = () => gather(this.#session, lensNeeds(document));
    const millis = features.refreshesLenses ? SHORT_MILLIS : LONGEST_MILLIS;
    await this.#later.within(millis, document.mapped.data, rest, () => refresher.lensesChanged());
    if (token.isCancellationRequested) return [];
    return this.#writer.write(lensesOf(document), uri);
  }
}
