// Routes of hints and hovers: each translates, asks the feature, translates back.
import {
  type CancellationToken,
  type Hover,
  type HoverParams,
  HoverRequest,
  type InlayHint,
  type InlayHintParams,
  InlayHintRequest,
} from 'vscode-languageserver/node';
import { locateAll } from '../../features/calls/locate.ts';
import { drawnNeeds, type Hint, hintsOf } from '../../features/hints/hints.ts';
import { hoverNeeds, hoverOf, methodsAround } from '../../features/hover/hover.ts';
import { documentNeeds } from '../../features/needs.ts';
import { gather, gatherNew, reachOf } from '../gather.ts';
import { inSlices } from '../request.ts';
import type { Session } from '../session.ts';
import { hintGraphicNeeds } from '../wire/hint-to-lsp.ts';
import type { JsonText } from '../wire/json-text.ts';
import { hover, offsetAt } from '../wire/to-lsp.ts';
import { route } from './route.ts';

/** Hints are not held back for longer than this by what is drawn beside them. */
const GRAPHICS_MILLIS = 30;
/** The same for clients that cannot be told when the rest is there. */
const LONGEST_GRAPHICS_MILLIS = 1_000;

export const hintRoutes = [route(InlayHintRequest, hintsIn), route(HoverRequest, hoverAt)];

async function hintsIn(
  session: Session,
  { textDocument, range }: InlayHintParams,
  token: CancellationToken,
): Promise<InlayHint[] | JsonText<InlayHint[]>> {
  await parseWhileLoading(session, textDocument.uri, token);
  await session.readiness.beforeHints(textDocument.uri, token);
  const document = session.workspace.view().document(textDocument.uri);
  if (document === null || token.isCancellationRequested) return [];
  const { outline, text } = document;
  const lines = { first: range.start.line + 1, last: range.end.line + 1 };
  if (!(await gather(session, documentNeeds(document), token))) return [];
  if (!(await gather(session, drawnNeeds(document, lines), token))) return [];
  const [start, end] = [range.start, range.end].map(position => offsetAt(outline, text.length, position));
  const onLines = hintsOf(document, lines);
  // Whole files are asked for again and again.
  const isWhole = start === 0 && end === text.length;
  const isInRange = ({ line, character }: Hint) => {
    const offset = outline.lineStarts[line - 1]! + character;
    return start! <= offset && offset <= end!;
  };
  const hints = isWhole ? onLines : onLines.filter(isInRange);
  const { features, refresher, later } = session;
  const graphics = features.drawsGraphics;
  if (graphics && document.mapped !== null) {
    const draw = () => gatherNew(session, hintGraphicNeeds(hints, document));
    const millis = features.refreshesHints ? GRAPHICS_MILLIS : LONGEST_GRAPHICS_MILLIS;
    await later.within(millis, `hints ${textDocument.uri}`, draw, () => refresher.changed());
  }
  if (document.mapped !== null) refresher.answered();
  const wish = document.settings['hints.commands'];
  const commands = wish === 'on' || (wish === 'auto' && features.runsHintCommands);
  return session.hintWriter.write(hints, document, { commands, graphics });
}

/** The outline is remembered with the text; made now, it costs nothing when the data arrive from the other thread. */
async function parseWhileLoading({ workspace }: Session, uri: string, token: CancellationToken): Promise<void> {
  await inSlices(workspace.prepare(uri), token);
  void workspace.view().document(uri)?.outline;
}

async function hoverAt(
  session: Session,
  { textDocument, position }: HoverParams,
  token: CancellationToken,
): Promise<Hover | null> {
  const { workspace, features } = session;
  await inSlices(workspace.prepare(textDocument.uri), token);
  const document = workspace.view().document(textDocument.uri);
  if (document?.settings['hover.enabled'] !== true) return null;
  const { outline, text } = document;
  const offset = offsetAt(outline, text.length, position);
  if (!(await gather(session, documentNeeds(document), token))) return null;
  if (!(await gather(session, hoverNeeds(document, offset), token))) return null;
  const reach = reachOf(session, token);
  const { shown, overrides } = await methodsAround(document, offset, reach);
  const places = await locateAll(document, shown, reach.turn);
  const found = hoverOf(document, offset, { places, overrides, links: features.followsLinks });
  return found === null ? null : hover(found, outline, features.rendersMarkdown);
}
