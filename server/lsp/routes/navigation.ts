// Routes of call hierarchy and implementation: what a client opens, and what it gives back to be opened further.
import {
  type CallHierarchyIncomingCall,
  type CallHierarchyIncomingCallsParams,
  CallHierarchyIncomingCallsRequest,
  type CallHierarchyItem,
  type CallHierarchyOutgoingCall,
  type CallHierarchyOutgoingCallsParams,
  CallHierarchyOutgoingCallsRequest,
  CallHierarchyPrepareRequest,
  type CancellationToken,
  ImplementationRequest,
  type Location,
  type Range,
  type TextDocumentPositionParams,
} from 'vscode-languageserver/node';
import { calleeItems, callerItems, hierarchyAt } from '../../features/calls/call-hierarchy.ts';
import type { HierarchyCall } from '../../features/calls/call-hierarchy-items.ts';
import { implementationsAt } from '../../features/calls/implementation.ts';
import { offsetAt } from '../../mapping/observed-lines.ts';
import { reachOf } from '../gather.ts';
import type { Session } from '../session.ts';
import { callHierarchyItem, listedItem, openedItem } from '../wire/hierarchy-to-lsp.ts';
import { askingFor, documentFor, withProfiledTexts } from './navigation-asking.ts';
import { route } from './route.ts';

export const navigationRoutes = [
  route(CallHierarchyPrepareRequest, prepare),
  route(CallHierarchyOutgoingCallsRequest, outgoing),
  route(CallHierarchyIncomingCallsRequest, incoming),
  route(ImplementationRequest, implementations),
];

async function prepare(
  session: Session,
  { textDocument, position }: TextDocumentPositionParams,
  token: CancellationToken,
): Promise<CallHierarchyItem[] | null> {
  const document = await documentFor(session, textDocument.uri, token);
  if (document === null || document.settings.callHierarchy === 'off') return null;
  const offset = offsetAt(document.outline, document.text.length, position);
  const items = await withProfiledTexts(document, () => hierarchyAt(document, offset, reachOf(session, token)));
  return items.length === 0 ? null : items.map(callHierarchyItem);
}

async function outgoing(
  session: Session,
  { item }: CallHierarchyOutgoingCallsParams,
  token: CancellationToken,
): Promise<CallHierarchyOutgoingCall[] | null> {
  const calls = await opened(session, item, token, calleeItems);
  return (
    calls?.map(call => ({
      to: listedItem(call.item, session.features.listsDetails),
      fromRanges: fromRanges(call, item),
    })) ?? null
  );
}

async function incoming(
  session: Session,
  { item }: CallHierarchyIncomingCallsParams,
  token: CancellationToken,
): Promise<CallHierarchyIncomingCall[] | null> {
  const calls = await opened(session, item, token, callerItems);
  return (
    calls?.map(call => ({
      from: listedItem(call.item, session.features.listsDetails),
      fromRanges: fromRanges(call, call.item),
    })) ?? null
  );
}

/** Never empty: clients jump to the first. Where no source of the caller is known, its entry stands at the call that leads to it. */
function fromRanges({ ranges }: HierarchyCall, { selectionRange }: Pick<CallHierarchyItem, 'selectionRange'>): Range[] {
  return ranges.length > 0 ? [...ranges] : [selectionRange];
}

async function opened(
  session: Session,
  item: CallHierarchyItem,
  token: CancellationToken,
  next: typeof calleeItems,
): Promise<HierarchyCall[] | null> {
  const known = openedItem(item);
  if (known === null) return null;
  const asking = askingFor(session, known.data.uri);
  if (asking === null || asking.settings.callHierarchy === 'off') return null;
  return withProfiledTexts(asking, () => next(asking, known, reachOf(session, token)));
}

async function implementations(
  session: Session,
  { textDocument, position }: TextDocumentPositionParams,
  token: CancellationToken,
): Promise<Location[] | null> {
  const document = await documentFor(session, textDocument.uri, token);
  if (document === null || !document.settings['implementation.enabled']) return null;
  const offset = offsetAt(document.outline, document.text.length, position);
  const found = await implementationsAt(document, offset, reachOf(session, token));
  return found.map(({ place: { uri, range } }) => ({ uri, range }));
}
