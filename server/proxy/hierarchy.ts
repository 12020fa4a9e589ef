// Asks both servers about call hierarchies: each gets its own entry of what the client opens, or is asked for it first.
import type {
  CallHierarchyIncomingCall,
  CallHierarchyItem,
  CallHierarchyOutgoingCall,
} from 'vscode-languageserver/node';
import { bodyOf, type Frame } from '../lsp/wire/split-messages.ts';
import { both, type JoinedRequest, LATE, type Patience } from './both.ts';
import { envelopeOf } from './envelope.ts';
import { type Call, isSameItem, mergedCalls, mergedItems, partsOf } from './hierarchy-merge.ts';
import { type Answer, answerFrame, resultOf, type ServerEnd } from './server-end.ts';
import { withId } from './splice.ts';

/** People wait for it, and a Java server that is still indexing takes its time. */
const PATIENCE: Patience = { java: 3_000, own: 1_000 };

const PREPARE = 'textDocument/prepareCallHierarchy';

type Direction = 'incoming' | 'outgoing';

export class HierarchyOfBoth {
  readonly #java: ServerEnd;
  readonly #own: ServerEnd;

  constructor(java: ServerEnd, own: ServerEnd) {
    this.#java = java;
    this.#own = own;
  }

  /** The answer for the client; null when neither server has one. */
  async prepare({ id, params, java: askJava }: JoinedRequest): Promise<Frame | null> {
    const found = await both(askJava(), this.#own.ask(PREPARE, params, id), {
      patience: PATIENCE,
      adds: answer => (resultOf<CallHierarchyItem[]>(answer) ?? []).length > 0,
      gone: answer => answer === null,
    });
    const java = found.java === LATE ? null : found.java;
    const own = listIn<CallHierarchyItem>(found.own === LATE ? null : found.own);
    if (own.length === 0) return java;
    return answerFrame(id, mergedItems(listIn(java), own));
  }

  /** The same for what calls an entry, or what that calls. */
  async calls({ frame, id, java: askJava, signal }: JoinedRequest, direction: Direction): Promise<Frame | null> {
    const { params } = JSON.parse(bodyOf(frame).toString()) as { readonly params?: { item?: CallHierarchyItem } };
    const item = params?.item;
    if (item === undefined || item === null) return askJava();
    const parts = partsOf(item);
    const request = { id, direction, signal };
    const java =
      parts.java === item
        ? askJava()
        : this.#callsOf(this.#java, parts.java ?? parts.own, parts.java === null, request);
    const own = this.#callsOf(this.#own, parts.own ?? parts.java, parts.own === null, request);
    const found = await both(java, own, {
      patience: PATIENCE,
      adds: answer => listIn(answer).length > 0,
      gone: answer => answer === null,
    });
    const written = found.java === LATE ? null : found.java;
    const ran = callsIn(found.own === LATE ? null : found.own, direction);
    if (ran.length === 0 && written !== null) return withId(written, envelopeOf(written), id);
    const key = keyOf(direction);
    const all = mergedCalls(callsIn(written, direction), ran);
    return answerFrame(
      id,
      all.map(({ item: entry, fromRanges }) => ({ [key]: entry, fromRanges })),
    );
  }

  /** Calls of a server's own entry, or of its entry for what only the other server named; null where it has none. */
  async #callsOf(
    end: ServerEnd,
    item: CallHierarchyItem | null,
    isOfOther: boolean,
    { direction, id, signal }: { readonly direction: Direction; readonly id: string; readonly signal: AbortSignal },
  ): Promise<Answer> {
    const known = isOfOther && item !== null ? await this.#counterpart(end, item, id) : item;
    if (known === null || signal.aborted) return null;
    return end.ask(`callHierarchy/${direction}Calls`, Buffer.from(JSON.stringify({ item: known })), id);
  }

  async #counterpart(end: ServerEnd, item: CallHierarchyItem, id: string): Promise<CallHierarchyItem | null> {
    const params = { textDocument: { uri: item.uri }, position: item.selectionRange.start };
    const answer = await end.ask(PREPARE, Buffer.from(JSON.stringify(params)), id);
    return listIn<CallHierarchyItem>(answer).find(other => isSameItem(other, item)) ?? null;
  }
}

function listIn<T>(answer: Answer): T[] {
  const result = resultOf<unknown>(answer);
  return Array.isArray(result) ? (result as T[]) : [];
}

function keyOf(direction: Direction): 'from' | 'to' {
  return direction === 'incoming' ? 'from' : 'to';
}

function callsIn(answer: Answer, direction: Direction): Call[] {
  if (direction === 'incoming')
    return listIn<CallHierarchyIncomingCall>(answer).map(({ from, fromRanges }) => ({ item: from, fromRanges }));
  return listIn<CallHierarchyOutgoingCall>(answer).map(({ to, fromRanges }) => ({ item: to, fromRanges }));
}
