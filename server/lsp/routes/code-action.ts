// The route of code actions: they show no light bulb of their own, and stand in the menu when the user asks for it.
import {
  type CancellationToken,
  type CodeAction,
  type CodeActionContext,
  type CodeActionParams,
  CodeActionRequest,
  CodeActionTriggerKind,
  type Command,
  type Diagnostic,
} from 'vscode-languageserver/node';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { type Action, actionsAt } from '../../features/code-actions.ts';
import type { RegressionDiagnostic } from '../../features/diagnostics/regression-diagnostics.ts';
import { documentNeeds } from '../../features/needs.ts';
import { openLoopAt } from '../../features/prediction/open-loop.ts';
import { predictedMethodAt, slowerCallers } from '../../features/prediction/slower-callers.ts';
import { offsetAt } from '../../mapping/observed-lines.ts';
import { CODE_ACTION_KIND } from '../capabilities.ts';
import { gather, reachOf, withoutFocus } from '../gather.ts';
import { inSlices } from '../request.ts';
import type { Session } from '../session.ts';
import { LONGEST_MILLIS } from './predictions.ts';
import { route } from './route.ts';

export const codeActionRoutes = [route(CodeActionRequest, codeActions)];

async function codeActions(
  session: Session,
  { textDocument, range, context }: CodeActionParams,
  token: CancellationToken,
): Promise<CodeAction[]> {
  const { workspace, features, questions } = session;
  await inSlices(workspace.prepare(textDocument.uri), token);
  const document = workspace.view().document(textDocument.uri);
  if (document === null || !document.settings['codeActions.enabled'] || !isWanted(context, features.name)) return [];
  const { outline, text } = document;
  const start = offsetAt(outline, text.length, range.start);
  const end = offsetAt(outline, text.length, range.end);
  if (!(await gather(session, documentNeeds(document), token))) return [];
  const predicted = await session.predictions.within(LONGEST_MILLIS, document);
  const loop = predicted === null ? null : openLoopAt(document, predicted, start);
  const all = (data: LoadedData) => withoutFocus(questions, data, token);
  const asks = loop === null ? [] : [{ kind: 'iterations', title: `insitu: say how often ${loop.loop} runs` } as const];
  const method = predicted === null ? null : predictedMethodAt(document, predicted, start);
  const slower = predicted === null || method === null ? [] : slowerCallers(predicted, method);
  const callers =
    slower.length === 0 ? [] : [{ kind: 'slowerCallers', title: `insitu: slower callers (${slower.length})` } as const];
  const actions = [...asks, ...callers, ...(await actionsAt(document, { start, end }, reachOf(session, token), all))];
  return actions.map(action => {
    const given = {
      textDocument,
      ...givenTo(action, range.start),
    };
    const command = { title: action.title, ...commandOf(action, given) };
    const answered = action.kind === 'blueprint' ? context.diagnostics.filter(isRegression) : [];
    return {
      ...{ title: action.title, kind: CODE_ACTION_KIND, command },
      ...(answered.length > 0 && { diagnostics: answered }),
    };
  });
}

/** The blueprint says more of it. */
function isRegression({ code }: Diagnostic): boolean {
  return code === ('regression' satisfies RegressionDiagnostic['code']);
}

function commandOf({ kind }: Action, given: object): Pick<Command, 'command' | 'arguments'> {
  return kind === 'blueprint'
    ? { command: 'insitu.showPicture', arguments: [{ ...given, view: 'blueprint' }] }
    : { command: `insitu.${kind}`, arguments: [given] };
}

function givenTo(action: Action, position: CodeActionParams['range']['start']): object {
  if (action.kind === 'focus') return { focus: action.focus };
  if (action.kind === 'select') return { path: action.path };
  return action.kind === 'clearFocus' ? {} : { position };
}

/** Editors whose menu of intentions is filled by the very request that others send for light bulbs. */
const FILLS_MENU_AHEAD = /LSP4IJ|IntelliJ|JetBrains|Android Studio/i;

/** Asked for by the user, who looks for any kind or for ours: requests at every movement of the cursor are for light bulbs. */
function isWanted({ only, triggerKind }: CodeActionContext, client: string): boolean {
  if (triggerKind === CodeActionTriggerKind.Automatic && !FILLS_MENU_AHEAD.test(client)) return false;
  return only === undefined || only.some(kind => kind === '' || kind === CODE_ACTION_KIND);
}
