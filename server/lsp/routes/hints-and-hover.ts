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
import { type FinalHint, finalHints } from '../../features/hints/final-hints.ts';
import {
  type DocumentHints,
  hintGraphicNeeds,
  hintNeeds,
  hintsFrom,
  type LineRange,
} from '../../features/hints/hints.ts';
import { hoverNeeds, hoverOf, methodsAround } from '../../features/hover/hover.ts';
import { documentNeeds, openNeed } from '../../features/needs.ts';
import { offsetAt } from '../../mapping/observed-lines.ts';
import { gather, gatherNew, reachOf } from '../gather.ts';
import { inSlices } from '../request.ts';
import type { Session } from '../session.ts';
import { inlayHint } from '../wire/hint-to-lsp.ts';
import { hover } from '../wire/to-lsp.ts';
import { toldPrediction, withPrediction } from './predictions.ts';
import { route } from './route.ts';

/** Hints are not held back for longer than this by what is drawn beside them. */
const GRAPHICS_MILLIS = 30;
/** The same for clients that cannot be told when the rest is there. */
const LONGEST_GRAPHICS_MILLIS = 1_000;

export const hintRoutes = [route(InlayHintRequest, hintsIn), route(HoverRequest, hoverAt)];

async function hintsIn(
  session: Session,
  { textDocument: { uri }, range }: InlayHintParams,
  token: CancellationToken,
): Promise<InlayHint[]> {
  const lines = { first: range.start.line + 1, last: range.end.line + 1 };
  const hints = keptHints(session, uri, lines) ?? (await newHints(session, uri, lines, token));
  // Hints stand at the ends of their lines.
  const inRange = hints.filter(({ line, character }) => line < lines.last || character <= range.end.character);
  return inRange.map(hint => inlayHint(hint, uri));
}

/** The last hints where they are of these lines, nothing has changed since and nothing is waited for; null for all else. */
function keptHints(
  { workspace, hints, needs }: Session,
  uri: string,
  { first, last }: LineRange,
): readonly FinalHint[] | null {
  const document = workspace.view().document(uri);
  const kept = document === null ? undefined : hints.get(document.uri);
  const range = kept?.found.range;
  if (kept?.found.document !== document || range?.first !== first || range.last !== last) return null;
  return needs.areMissing(uri) ? null : kept.final;
}

/** With drawings and predictions, as far as these come in time. */
async function newHints(
  session: Session,
  uri: string,
  lines: LineRange,
  token: CancellationToken,
): Promise<readonly FinalHint[]> {
  const found = await measuredHints(session, uri, lines, token);
  if (found === null || found.grounds === null) return [];
  const { features, refresher, hints, predictions } = session;
  const { document } = found;
  if (features.drawsGraphics) await drawGraphics(session, found);
  refresher.answered();
  const predicted = await toldPrediction(session, document);
  const wish = document.settings['hints.commands'];
  const commands = wish === 'on' || (wish === 'auto' && features.runsHintCommands);
  const final = finalHints(found, { commands, graphics: features.drawsGraphics }, predicted);
  const isDrawn = !features.drawsGraphics || hintGraphicNeeds(found).every(need => openNeed(need) === null);
  // Hints that are held for unfinished text go by themselves.
  const isFinal = predictions.isSettled(document) && (predicted?.held ?? []).length === 0;
  if (isDrawn && isFinal && hints.get(document.uri)?.found === found) hints.set(document.uri, { found, final });
  return final;
}

/** null when the request was cancelled, and for documents that are not open. */
async function measuredHints(
  session: Session,
  uri: string,
  lines: LineRange,
  token: CancellationToken,
): Promise<DocumentHints | null> {
  const { workspace, hints } = session;
  await parseWhileLoading(session, uri, token);
  await session.readiness.beforeHints(uri, token);
  // A profiled text that came meanwhile is parsed and compared.
  await inSlices(workspace.prepare(uri), token);
  const document = workspace.view().document(uri);
  if (document === null || token.isCancellationRequested) return null;
  if (!(await gather(session, hintNeeds(document, lines), token))) return null;
  const found = hintsFrom(hints.get(document.uri)?.found ?? null, document, lines);
  // Hints of a document that was closed or has other data by now are not held.
  if (document === workspace.view().document(uri)) hints.set(document.uri, { found, final: null });
  return found;
}

/** Waits for what is drawn beside hints, but not long. */
async function drawGraphics(session: Session, found: DocumentHints): Promise<void> {
  const { features, refresher, later } = session;
  const draw = () => gatherNew(session, hintGraphicNeeds(found));
  const millis = features.refreshesHints ? GRAPHICS_MILLIS : LONGEST_GRAPHICS_MILLIS;
  await later.within(millis, `hints ${found.document.uri}`, draw, () => refresher.changed());
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
  const measured = hoverOf(document, offset, { places, overrides, links: features.followsLinks });
  const found = await withPrediction(session, document, offset, measured);
  return found === null ? null : hover(found, outline, features.rendersMarkdown);
}
